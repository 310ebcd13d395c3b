//! Where pieces reach, for the search's own board.
//!
//! A rook or cannon reaches along one rank and one file. The search keeps what stands on each of
//! them as ten bits, so that a look-up by those bits answers for a whole line; that is faster than
//! searching four rays of a 90-bit set. Everything else comes from the rules' tables.

use agon_protocol::Player;
use agon_protocol::xiangqi::{Kind, SQUARES, tables};

/// Squares of a line that are looked up; a rank uses nine of them.
const LINE: usize = 10;
const LINE_SETS: usize = 1 << LINE;

/// What a line looks like from one of its squares. Four numbers in eight bytes: the tables of all lines are
/// as large as the processor's first cache as it is.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The squares that a rook reaches: empty ones, and the first piece each way.
    pub slide: u16,
    /// The second piece each way, which a cannon takes.
    pub jump: u16,
    /// The empty squares behind the first piece each way, as far as the second; above [`LINE`] bits,
    /// how many of the squares of `slide` are empty.
    over_and_free: u16,
    /// See [`Line::ends`], four bits each.
    ends: u16,
}

impl Line {
    /// The empty squares behind the first piece each way, as far as the second.
    #[inline]
    pub fn over(self) -> u16 {
        self.over_and_free & (LINE_SETS as u16 - 1)
    }

    /// How many of the squares of `slide` are empty.
    #[inline]
    pub fn free(self) -> usize {
        usize::from(self.over_and_free >> LINE)
    }

    /// The places of the first piece downwards and upwards, and of the second ones; where there is none, the
    /// place from which the line is seen.
    #[inline]
    pub fn ends(self) -> [usize; 4] {
        let end = |i: u32| usize::from(self.ends >> (4 * i) & 15);
        [end(0), end(1), end(2), end(3)]
    }
}

const fn look(at: usize, occupied: usize, length: usize) -> Line {
    let (mut slide, mut jump, mut over, mut ends) = (0u16, 0, 0, 0);
    let mut way = -1;
    while way <= 1 {
        let mut i = at as isize + way;
        let mut seen = 0;
        let mut places = [at as u16; 2];
        while i >= 0 && i < length as isize && seen < 2 {
            let piece = occupied >> i & 1 == 1;
            if seen == 0 {
                slide |= 1 << i;
            } else if piece {
                jump |= 1 << i;
            } else {
                over |= 1 << i;
            }
            if piece {
                places[seen] = i as u16;
                seen += 1;
            }
            i += way;
        }
        let shift = if way < 0 { 0 } else { 4 };
        ends |= (places[0] | places[1] << 8) << shift;
        way += 2;
    }
    let free = (slide & !(occupied as u16)).count_ones() as u16;
    Line { slide, jump, over_and_free: over | free << LINE, ends }
}

static LINES: [[Line; LINE_SETS]; LINE] = table_of(LINE);

/// The same for lines of nine squares: their sets have the tenth bit clear.
static RANKS: [[Line; LINE_SETS]; LINE] = table_of(LINE - 1);

/// What lines of a length look like; the squares beyond it are not there.
const fn table_of(length: usize) -> [[Line; LINE_SETS]; LINE] {
    let mut table = [[Line { slide: 0, jump: 0, over_and_free: 0, ends: 0 }; LINE_SETS]; LINE];
    let mut i = 0;
    while i < LINE * LINE_SETS {
        let (at, occupied) = (i / LINE_SETS, i % LINE_SETS);
        table[at][occupied] = look(at, occupied, length);
        i += 1;
    }
    table
}

/// The bits of a line as squares of file a.
static UPRIGHT: [u128; LINE_SETS] = {
    let mut table = [0; LINE_SETS];
    let mut i = 0;
    while i < LINE_SETS * LINE {
        if (i / LINE) >> (i % LINE) & 1 == 1 {
            table[i / LINE] |= 1 << (9 * (i % LINE));
        }
        i += 1;
    }
    table
};

/// File and rank of each square.
static PLACES: [(u8, u8); 128] = {
    let mut table = [(0, 0); 128];
    let mut s = 0;
    while s < SQUARES {
        table[s] = ((s % 9) as u8, (s / 9) as u8);
        s += 1;
    }
    table
};

/// The file of a square.
#[inline]
pub fn file(s: usize) -> usize {
    usize::from(PLACES[s & 127].0)
}

/// The rank of a square.
#[inline]
pub fn rank(s: usize) -> usize {
    usize::from(PLACES[s & 127].1)
}

/// What stands on each rank and file: in the lower half a bit for each piece, in the upper half for
/// Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    ranks: [u32; 10],
    files: [u32; 9],
}

/// A line's pieces.
const PLACES_OF_LINE: u32 = LINE_SETS as u32 - 1;
const BLACK: u32 = 16;

impl Grid {
    /// A piece of a side comes to a square or leaves it.
    #[inline]
    pub fn toggle(&mut self, s: usize, side: usize) {
        let (f, r) = (file(s), rank(s));
        let mark = (side as u32) << BLACK | 1;
        self.ranks[r] ^= mark << f;
        self.files[f] ^= mark << r;
    }

    /// The pieces on a rank.
    #[inline]
    pub fn rank(&self, r: usize) -> u16 {
        (self.ranks[r] & PLACES_OF_LINE) as u16
    }

    /// The pieces on a file.
    #[inline]
    pub fn file(&self, f: usize) -> u16 {
        (self.files[f] & PLACES_OF_LINE) as u16
    }

    /// A side's pieces on a rank.
    #[inline]
    pub fn rank_of(&self, side: usize, r: usize) -> u16 {
        of_side(self.ranks[r], side)
    }

    /// A side's pieces on a file.
    #[inline]
    pub fn file_of(&self, side: usize, f: usize) -> u16 {
        of_side(self.files[f], side)
    }

    /// The rank of a square as seen from it; bits are files.
    #[inline]
    pub fn across(&self, s: usize) -> Line {
        across(s, self.rank(rank(s)))
    }

    /// The file of a square as seen from it; bits are ranks.
    #[inline]
    pub fn along(&self, s: usize) -> Line {
        along(s, self.file(file(s)))
    }

    /// Where a rook on a square reaches, and where a cannon there takes.
    #[inline]
    pub fn straight(&self, s: usize) -> (u128, u128) {
        let (across, along) = (self.across(s), self.along(s));
        (spread(s, across.slide, along.slide), spread(s, across.jump, along.jump))
    }

    /// The empty squares from which a cannon would attack a square.
    #[inline]
    pub fn over(&self, s: usize) -> u128 {
        spread(s, self.across(s).over(), self.along(s).over())
    }

    /// Where a rook on a square reaches, and how many of these squares are empty.
    #[inline]
    pub fn rook(&self, s: usize) -> (u128, usize) {
        let (across, along) = (self.across(s), self.along(s));
        (spread(s, across.slide, along.slide), across.free() + along.free())
    }

    /// What a cannon on a square takes or would take, and how many squares it can go to in peace.
    #[inline]
    pub fn cannon(&self, s: usize) -> (u128, usize) {
        let (across, along) = (self.across(s), self.along(s));
        let attacks = spread(s, across.jump | across.over(), along.jump | along.over());
        (attacks, across.free() + along.free())
    }

    /// The pieces on a rank after a move from one square to another.
    #[inline]
    pub fn rank_after(&self, r: usize, from: usize, to: usize) -> u16 {
        let gone = u16::from(rank(from) == r) << file(from);
        let come = u16::from(rank(to) == r) << file(to);
        self.rank(r) & !gone | come
    }

    /// The pieces on a file after a move from one square to another.
    #[inline]
    pub fn file_after(&self, f: usize, from: usize, to: usize) -> u16 {
        let gone = u16::from(file(from) == f) << rank(from);
        let come = u16::from(file(to) == f) << rank(to);
        self.file(f) & !gone | come
    }
}

#[inline]
fn of_side(line: u32, side: usize) -> u16 {
    let all = if side == 0 { line } else { 0 };
    ((line >> BLACK ^ all) & PLACES_OF_LINE) as u16
}

/// A square's rank with these pieces on it, as seen from the square; bits are files.
#[inline]
pub fn across(s: usize, pieces: u16) -> Line {
    RANKS[file(s)][usize::from(pieces) & (LINE_SETS - 1)]
}

/// A square's file with these pieces on it, as seen from the square; bits are ranks.
#[inline]
pub fn along(s: usize, pieces: u16) -> Line {
    LINES[rank(s)][usize::from(pieces) & (LINE_SETS - 1)]
}

/// Bits of the rank and of the file of a square as a set of squares.
#[inline]
fn spread(s: usize, across: u16, along: u16) -> u128 {
    u128::from(across) << (9 * rank(s)) | UPRIGHT[usize::from(along & 1023)] << file(s)
}

/// Where a piece of a kind that is neither rook nor cannon reaches. A king's capture of a facing
/// king is not among them.
#[inline]
pub fn step(side: usize, kind: Kind, s: usize, occupied: u128) -> u128 {
    match kind {
        Kind::King => tables::king(s),
        Kind::Advisor => tables::advisor(s),
        Kind::Elephant => tables::elephant(s, occupied),
        Kind::Pawn => PAWNS[side & 1][s],
        _ => tables::horse(s, occupied),
    }
}

/// Where a pawn of a side on a square steps.
#[inline]
pub fn pawn(side: usize, s: usize) -> u128 {
    PAWNS[side & 1][s]
}

/// From where pawns of a side reach a square.
#[inline]
pub fn pawns_back(side: usize, s: usize) -> u128 {
    PAWNS_BACK[side & 1][s]
}

static PAWNS: [[u128; SQUARES]; 2] = pawn_table(false);
pub(super) static PAWNS_BACK: [[u128; SQUARES]; 2] = pawn_table(true);

const fn pawn_table(back: bool) -> [[u128; SQUARES]; 2] {
    let mut table = [[0u128; SQUARES]; 2];
    let mut i = 0;
    while i < 2 * SQUARES {
        let (side, s) = (i / SQUARES, i % SQUARES);
        let (f, r) = (s % 9, s / 9);
        let crossed = if side == 0 { r >= 5 } else { r <= 4 };
        let ahead = if side == 0 { s + 9 } else { s.wrapping_sub(9) };
        let targets = [
            ahead,
            if crossed && f > 0 { s - 1 } else { SQUARES },
            if crossed && f < 8 { s + 1 } else { SQUARES },
        ];
        let mut t = 0;
        while t < 3 {
            if targets[t] < SQUARES {
                let (from, to) = if back { (targets[t], s) } else { (s, targets[t]) };
                table[side][from] |= 1 << to;
            }
            t += 1;
        }
        i += 1;
    }
    table
}

/// Calls `visit` with each square of a set.
#[inline]
pub fn each(set: u128, mut visit: impl FnMut(usize)) {
    let mut low = set as u64;
    while low != 0 {
        visit(low.trailing_zeros() as usize);
        low &= low - 1;
    }
    let mut high = (set >> 64) as u64;
    while high != 0 {
        visit(64 + high.trailing_zeros() as usize);
        high &= high - 1;
    }
}

/// The same, for sets of one or two squares and much to do: `visit` is there only once.
#[inline]
pub fn each_of_few(mut set: u128, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// The squares of a square's rank by their files, and from 16 on of its file by their ranks.
#[inline]
pub fn line_squares(s: usize) -> &'static [u8; 64] {
    &LINE_SQUARES[s]
}

/// See [`line_squares`].
static LINE_SQUARES: [[u8; 64]; SQUARES] = {
    let mut table = [[0; 64]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let mut i = 0;
        while i < 10 {
            if i < 9 {
                table[s][i] = (s / 9 * 9 + i) as u8;
            }
            table[s][16 + i] = (9 * i + s % 9) as u8;
            i += 1;
        }
        s += 1;
    }
    table
};

/// A square as a set.
#[inline]
pub fn bit(s: usize) -> u128 {
    BITS[s & 127]
}

/// Shifting 128 bits takes half a dozen instructions.
static BITS: [u128; 128] = {
    let mut table = [0; 128];
    let mut s = 0;
    while s < 128 {
        table[s] = 1 << s;
        s += 1;
    }
    table
};

/// The player of an index.
#[inline]
pub fn player(side: usize) -> Player {
    if side == 0 { Player::First } else { Player::Second }
}
