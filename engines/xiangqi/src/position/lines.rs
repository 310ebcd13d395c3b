//! Line attacks of rooks and cannons along ranks and files.
//!
//! The board stores the pieces of each rank and file as ten bits, so one look-up by those bits
//! covers a whole line. That is faster than scanning four rays of a 90-bit set.

use agon_games::xiangqi::SQUARES;

/// Squares of a line in the look-up tables; a rank uses nine of them.
const LINE: usize = 10;
const LINE_SETS: usize = 1 << LINE;

/// A line seen from one of its squares. Four numbers in eight bytes, because the tables of all
/// lines together are already as large as an L1 cache.
#[derive(Clone, Copy, Debug)]
pub struct LineView {
    /// The squares that a rook attacks: empty ones, and the first piece in each direction.
    pub slide: u16,
    /// The second piece in each direction, which a cannon captures.
    pub cannon_captures: u16,
    /// The empty squares behind the first piece in each direction, as far as the second; above
    /// [`LINE`] bits, the number of empty squares in `slide`.
    behind_and_free: u16,
    /// See [`LineView::ends`], four bits each.
    ends: u16,
}

impl LineView {
    /// The empty squares behind the first piece in each direction, as far as the second.
    #[inline]
    pub fn behind_screen(self) -> u16 {
        self.behind_and_free & (LINE_SETS as u16 - 1)
    }

    /// The number of empty squares in `slide`.
    #[inline]
    pub fn free(self) -> usize {
        usize::from(self.behind_and_free >> LINE)
    }

    /// The indices of the first piece downwards and upwards, and of the second ones; where there is
    /// none, the index of the square from which the line is seen.
    #[inline]
    pub fn ends(self) -> [usize; 4] {
        let end = |i: u32| usize::from(self.ends >> (4 * i) & 15);
        [end(0), end(1), end(2), end(3)]
    }
}

const fn view(at: usize, occupied: usize, length: usize) -> LineView {
    let (mut slide, mut captures, mut behind, mut ends) = (0u16, 0, 0, 0);
    let mut step = -1;
    while step <= 1 {
        let mut i = at as isize + step;
        let mut seen = 0;
        let mut found = [at as u16; 2];
        while i >= 0 && i < length as isize && seen < 2 {
            let piece = occupied >> i & 1 == 1;
            if seen == 0 {
                slide |= 1 << i;
            } else if piece {
                captures |= 1 << i;
            } else {
                behind |= 1 << i;
            }
            if piece {
                found[seen] = i as u16;
                seen += 1;
            }
            i += step;
        }
        let shift = if step < 0 { 0 } else { 4 };
        ends |= (found[0] | found[1] << 8) << shift;
        step += 2;
    }
    let free = (slide & !(occupied as u16)).count_ones() as u16;
    LineView { slide, cannon_captures: captures, behind_and_free: behind | free << LINE, ends }
}

static FILES: [[LineView; LINE_SETS]; LINE] = view_table(LINE);
static RANKS: [[LineView; LINE_SETS]; LINE] = view_table(9);

/// The views of lines of a given length; squares beyond it do not exist.
const fn view_table(length: usize) -> [[LineView; LINE_SETS]; LINE] {
    let none = LineView { slide: 0, cannon_captures: 0, behind_and_free: 0, ends: 0 };
    let mut table = [[none; LINE_SETS]; LINE];
    let mut i = 0;
    while i < LINE * LINE_SETS {
        let (at, occupied) = (i / LINE_SETS, i % LINE_SETS);
        table[at][occupied] = view(at, occupied, length);
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

static FILE_AND_RANK: [(u8, u8); 128] = {
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
    usize::from(FILE_AND_RANK[s & 127].0)
}

/// The rank of a square.
#[inline]
pub fn rank(s: usize) -> usize {
    usize::from(FILE_AND_RANK[s & 127].1)
}

/// The occupancy of each rank and file: in the lower half a bit for each piece, in the upper half
/// for Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineOccupancy {
    ranks: [u32; 10],
    files: [u32; 9],
}

/// The bits of a line's pieces.
const LINE_MASK: u32 = LINE_SETS as u32 - 1;
const BLACK: u32 = 16;

impl LineOccupancy {
    /// Adds a side's piece on a square, or removes it.
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
        (self.ranks[r] & LINE_MASK) as u16
    }

    /// The pieces on a file.
    #[inline]
    pub fn file(&self, f: usize) -> u16 {
        (self.files[f] & LINE_MASK) as u16
    }

    /// A side's pieces on a rank.
    #[inline]
    pub fn rank_of_side(&self, side: usize, r: usize) -> u16 {
        of_side(self.ranks[r], side)
    }

    /// A side's pieces on a file.
    #[inline]
    pub fn file_of_side(&self, side: usize, f: usize) -> u16 {
        of_side(self.files[f], side)
    }

    /// The rank of a square, seen from it; bits are files.
    #[inline]
    pub fn along_rank(&self, s: usize) -> LineView {
        along_rank(s, self.rank(rank(s)))
    }

    /// The file of a square, seen from it; bits are ranks.
    #[inline]
    pub fn along_file(&self, s: usize) -> LineView {
        along_file(s, self.file(file(s)))
    }

    /// The squares that a rook on a square attacks, and those that a cannon there captures on.
    #[inline]
    pub fn rook_and_cannon(&self, s: usize) -> (u128, u128) {
        let (x, y) = (self.along_rank(s), self.along_file(s));
        (spread(s, x.slide, y.slide), spread(s, x.cannon_captures, y.cannon_captures))
    }

    /// The empty squares from which a cannon would attack a square.
    #[inline]
    pub fn behind_screen(&self, s: usize) -> u128 {
        spread(s, self.along_rank(s).behind_screen(), self.along_file(s).behind_screen())
    }

    /// The squares that a rook on a square attacks, and how many of them are empty.
    #[inline]
    pub fn rook(&self, s: usize) -> (u128, usize) {
        let (x, y) = (self.along_rank(s), self.along_file(s));
        (spread(s, x.slide, y.slide), x.free() + y.free())
    }

    /// The squares that a cannon on a square attacks, and how many it can move to without capture.
    #[inline]
    pub fn cannon(&self, s: usize) -> (u128, usize) {
        let (x, y) = (self.along_rank(s), self.along_file(s));
        let attacks = |line: LineView| line.cannon_captures | line.behind_screen();
        (spread(s, attacks(x), attacks(y)), x.free() + y.free())
    }

    /// The pieces on a rank after a move from one square to another.
    #[inline]
    pub fn rank_after(&self, r: usize, from: usize, to: usize) -> u16 {
        let left = u16::from(rank(from) == r) << file(from);
        let entered = u16::from(rank(to) == r) << file(to);
        self.rank(r) & !left | entered
    }

    /// The pieces on a file after a move from one square to another.
    #[inline]
    pub fn file_after(&self, f: usize, from: usize, to: usize) -> u16 {
        let left = u16::from(file(from) == f) << rank(from);
        let entered = u16::from(file(to) == f) << rank(to);
        self.file(f) & !left | entered
    }
}

#[inline]
fn of_side(line: u32, side: usize) -> u16 {
    let all = if side == 0 { line } else { 0 };
    ((line >> BLACK ^ all) & LINE_MASK) as u16
}

/// A square's rank with these pieces on it, seen from the square; bits are files.
#[inline]
pub fn along_rank(s: usize, pieces: u16) -> LineView {
    RANKS[file(s)][usize::from(pieces) & (LINE_SETS - 1)]
}

/// A square's file with these pieces on it, seen from the square; bits are ranks.
#[inline]
pub fn along_file(s: usize, pieces: u16) -> LineView {
    FILES[rank(s)][usize::from(pieces) & (LINE_SETS - 1)]
}

/// Bits of the rank and of the file of a square as a set of squares.
#[inline]
fn spread(s: usize, along_rank: u16, along_file: u16) -> u128 {
    u128::from(along_rank) << (9 * rank(s)) | UPRIGHT[usize::from(along_file & 1023)] << file(s)
}

/// The squares of a square's rank by their files, and from 16 on those of its file by their ranks.
#[inline]
pub fn line_squares(s: usize) -> &'static [u8; 64] {
    &LINE_SQUARES[s]
}

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

/// The squares on each of a square's four rays: down and up its rank, down and up its file.
pub static RAYS: [[u128; 4]; SQUARES] = {
    let mut table = [[0; 4]; SQUARES];
    let mut i = 0;
    while i < SQUARES * SQUARES {
        let (s, t) = (i / SQUARES, i % SQUARES);
        let same_file = s % 9 == t % 9;
        if s != t && (same_file || s / 9 == t / 9) {
            table[s][2 * (same_file as usize) + (t > s) as usize] |= 1 << t;
        }
        i += 1;
    }
    table
};
