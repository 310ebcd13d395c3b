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

/// What a line looks like from one of its squares.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The squares that a rook reaches: empty ones, and the first piece each way.
    pub slide: u16,
    /// The second piece each way, which a cannon takes.
    pub jump: u16,
    /// The empty squares behind the first piece each way, as far as the second.
    pub over: u16,
    /// How many of the squares of `slide` are empty.
    pub free: u16,
}

const fn look(at: usize, occupied: usize, length: usize) -> (u16, u16, u16) {
    let (mut slide, mut jump, mut over) = (0, 0, 0);
    let mut way = -1;
    while way <= 1 {
        let mut i = at as isize + way;
        let mut seen = 0;
        while i >= 0 && i < length as isize && seen < 2 {
            let piece = occupied >> i & 1 == 1;
            if seen == 0 {
                slide |= 1 << i;
            } else if piece {
                jump |= 1 << i;
            } else {
                over |= 1 << i;
            }
            seen += piece as usize;
            i += way;
        }
        way += 2;
    }
    (slide, jump, over)
}

static LINES: [[Line; LINE_SETS]; LINE] = table_of(LINE);

/// The same for lines of nine squares: their sets have the tenth bit clear.
static RANKS: [[Line; LINE_SETS]; LINE] = table_of(LINE - 1);

/// What lines of a length look like; the squares beyond it are not there.
const fn table_of(length: usize) -> [[Line; LINE_SETS]; LINE] {
    let mut table = [[Line { slide: 0, jump: 0, over: 0, free: 0 }; LINE_SETS]; LINE];
    let mut i = 0;
    while i < LINE * LINE_SETS {
        let (at, occupied) = (i / LINE_SETS, i % LINE_SETS);
        let (slide, jump, over) = look(at, occupied, length);
        let free = (slide & !(occupied as u16)).count_ones() as u16;
        table[at][occupied] = Line { slide, jump, over, free };
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

/// What stands on each rank and file, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    ranks: [u16; 10],
    files: [u16; 9],
}

impl Grid {
    /// A piece comes to a square or leaves it.
    #[inline]
    pub fn toggle(&mut self, s: usize) {
        let (f, r) = (file(s), rank(s));
        self.ranks[r] ^= 1 << f;
        self.files[f] ^= 1 << r;
    }

    /// The pieces on a rank.
    #[inline]
    pub fn rank(&self, r: usize) -> u16 {
        self.ranks[r]
    }

    /// The pieces on a file.
    #[inline]
    pub fn file(&self, f: usize) -> u16 {
        self.files[f]
    }

    /// The rank of a square as seen from it; bits are files.
    #[inline]
    pub fn across(&self, s: usize) -> Line {
        RANKS[file(s)][usize::from(self.ranks[rank(s)] & 1023)]
    }

    /// The file of a square as seen from it; bits are ranks.
    #[inline]
    pub fn along(&self, s: usize) -> Line {
        LINES[rank(s)][usize::from(self.files[file(s)] & 1023)]
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
        spread(s, self.across(s).over, self.along(s).over)
    }

    /// Where a rook on a square reaches, and how many of these squares are empty.
    #[inline]
    pub fn rook(&self, s: usize) -> (u128, usize) {
        let (across, along) = (self.across(s), self.along(s));
        (spread(s, across.slide, along.slide), usize::from(across.free + along.free))
    }

    /// What a cannon on a square takes or would take, and how many squares it can go to in peace.
    #[inline]
    pub fn cannon(&self, s: usize) -> (u128, usize) {
        let (across, along) = (self.across(s), self.along(s));
        let attacks = spread(s, across.jump | across.over, along.jump | along.over);
        (attacks, usize::from(across.free + along.free))
    }

    /// The grid after a move from one square to another.
    #[inline]
    pub fn after(&self, from: usize, to: usize) -> Grid {
        let mut grid = *self;
        grid.ranks[rank(from)] &= !(1 << file(from));
        grid.files[file(from)] &= !(1 << rank(from));
        grid.ranks[rank(to)] |= 1 << file(to);
        grid.files[file(to)] |= 1 << rank(to);
        grid
    }
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
static PAWNS_BACK: [[u128; SQUARES]; 2] = pawn_table(true);

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

/// The squares whose being entered or left can change whether the king on a square is attacked:
/// its lines, the squares from which horses and pawns reach it, and their legs.
pub static KING_BUSINESS: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let (f, r) = ((s % 9) as isize, (s / 9) as isize);
        let mut t = 0;
        while t < SQUARES {
            let (df, dr) = ((t % 9) as isize - f, (t / 9) as isize - r);
            let (df, dr) = (df.abs(), dr.abs());
            let horse = df * dr == 2 || df == 1 && dr == 1;
            if (df == 0 || dr == 0 || horse) && s != t {
                table[s] |= 1 << t;
            }
            t += 1;
        }
        s += 1;
    }
    table
};

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

/// Calls `visit` with the place of each bit.
#[inline]
pub fn each_bit(mut bits: u16, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The player of an index.
#[inline]
pub fn player(side: usize) -> Player {
    if side == 0 { Player::First } else { Player::Second }
}
