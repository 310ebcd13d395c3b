//! The indexer: a perfect hash of all positions that remain after the exact reductions.
//!
//! A position is rotated so that the side to move runs to square 24 (exchange of the colours).
//! Positions are then grouped into blocks. A block holds all arrangements of numbers on one pair of
//! square sets, the mover's and the opponent's:
//!
//! ```text
//! index = first entry of the block + mover's arrangement * opponent's arrangements
//!                                  + opponent's arrangement
//! ```
//!
//! - The mover's squares are 0 to 23; the opponent's are 1 to 24 without the mover's: no stone
//!   stands on its own goal corner before the game ends.
//! - Reflection in the diagonal exchanges the sets `(M, O)` with `(M', O')`. Only the block of the
//!   lexicographically smaller pair, compared as masks, is stored.
//! - Arrangements are counted up to relabelling ([`super::arrangement`]).
//!
//! Blocks are ordered by stone counts, then by the rank of `M` among all sets of its size
//! (colexicographic, which is the order of the masks as numbers), then by the rank of `O` among the
//! sets of free squares. The first entry takes one table lookup by the rank of `M` and a
//! multiplication; only if `M` is its own reflection, which excludes half of the `O`, does it take
//! a second table, indexed by the rank of `O`.
//!
//! The index range has no gaps. Blocks whose sets are both their own reflections are not reduced,
//! so a position and its reflection have two entries with the same value: 436,367,983 entries for
//! 435,794,143 different positions of at most 5 stones.

use super::arrangement::{Arrangements, key};
use super::value::{MAX_SIDE, MAX_STONES, WinProbability};
use agon_games::einstein::{CELLS, EinStein, MissingDie, SIDE, Stage, goal, rotate, transpose};
use agon_games::game::Player;
use agon_tablebase::{Encoding, Format, Indexer, Parameters};

/// A set of squares: bit `s` for square `s`.
pub type Squares = u32;

const FIRST_GOAL: Squares = 1 << goal(Player::First);
const SECOND_GOAL: Squares = 1 << goal(Player::Second);

/// All arrangements on one pair of square sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The squares of the side to move, which runs to square 24.
    pub mover: Squares,
    /// The squares of the opponent, which runs to square 0.
    pub opponent: Squares,
    /// The index of the block's first entry.
    pub first: usize,
}

/// The entries of a block, and whether the requested sets are its reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockIndex {
    /// The index of the block's first entry.
    pub first: usize,
    /// Whether squares must be reflected before their slots are counted.
    pub reflected: bool,
}

/// Indexes all positions before a roll with at most `stones` stones.
pub struct EinSteinIndexer {
    stones: usize,
    rule: MissingDie,
    arrangements: Arrangements,
    /// `binomials[j][n]` is n choose j.
    binomials: [[u32; CELLS]; MAX_SIDE + 1],
    /// Indexed by stones of the mover and of the opponent, then by rank of the mover's squares: the
    /// first entry of the blocks; for a set that is its own reflection, the start of its part of
    /// `self_reflected`.
    first: [[Vec<usize>; MAX_SIDE + 1]; MAX_SIDE + 1],
    /// The first entry of each block, by rank of the opponent's squares.
    self_reflected: Vec<usize>,
    len: usize,
}

impl Indexer for EinSteinIndexer {
    type Position = EinStein;
    type Value = WinProbability;
    const FORMAT: Format = Format {
        game: "einstein",
        old_magic: b"AgonEwnT",
        encoding: Encoding::Raw,
        rebuild: |path| format!("einstein table build {}", path.display()),
    };

    fn from_parameters(parameters: &Parameters) -> Result<EinSteinIndexer, String> {
        let rule = match parameters[1] {
            0 => MissingDie::Next,
            1 => MissingDie::Nearest,
            other => return Err(format!("rule {other}; known are 0 and 1")),
        };
        EinSteinIndexer::new(parameters[0].into(), rule)
    }

    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        (parameters[0], parameters[1]) = (self.stones as u8, self.rule as u8);
        parameters
    }

    fn len(&self) -> u64 {
        self.len as u64
    }

    /// `None` after the roll, if the game is over or not begun, with too many stones, and under the
    /// other rule about missing numbers.
    #[inline]
    fn index(&self, state: &EinStein) -> Option<u64> {
        if !matches!(state.stage(), Stage::Roll(_)) || state.missing_die() != self.rule {
            return None;
        }
        self.locate(state).map(|index| index as u64)
    }
}

impl EinSteinIndexer {
    /// The indexer for 2 to [`MAX_STONES`] stones.
    ///
    /// # Errors
    ///
    /// For another number of stones.
    pub fn new(stones: usize, rule: MissingDie) -> Result<EinSteinIndexer, String> {
        if !(2..=MAX_STONES).contains(&stones) {
            return Err(format!("{stones} stones; 2 to {MAX_STONES} can be built"));
        }
        let mut index = EinSteinIndexer {
            stones,
            rule,
            arrangements: Arrangements::new(),
            binomials: binomials(),
            first: Default::default(),
            self_reflected: Vec::new(),
            len: 0,
        };
        for total in 2..=stones {
            for mover in 1..total {
                index.number_blocks(mover, total - mover);
            }
        }
        Ok(index)
    }

    /// The maximum number of stones in a position.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// The rule about missing numbers of the values.
    pub fn rule(&self) -> MissingDie {
        self.rule
    }

    /// The arrangements of the stones of one side.
    pub fn arrangements(&self) -> &Arrangements {
        &self.arrangements
    }

    /// The number of entries of a block with these numbers of stones.
    pub fn block_len(&self, mover: usize, opponent: usize) -> usize {
        self.arrangements.count(mover) * self.arrangements.count(opponent)
    }

    /// The index of a position before the roll; `None` with too many stones, or if a side has none
    /// or stands on its goal.
    #[inline]
    fn locate(&self, state: &EinStein) -> Option<usize> {
        let mover = state.player();
        let turned = mover == Player::Second;
        let counts = [mover, mover.opponent()].map(|p| state.alive(p).count_ones() as usize);
        if counts[0] + counts[1] > self.stones || counts.contains(&0) {
            return None;
        }
        let [own, other] = [mover, mover.opponent()].map(|player| {
            let squares = occupied(state, player);
            if turned { rotate_set(squares) } else { squares }
        });
        if (own & FIRST_GOAL) | (other & SECOND_GOAL) != 0 {
            return None;
        }
        let mirror = (reflect(own), reflect(other));
        let place = self.place_either((own, other), mirror);
        let (own, other) = if place.reflected { mirror } else { (own, other) };
        let seen = &SEEN[usize::from(turned)][usize::from(place.reflected)];
        let arrangement = |squares: Squares, before_first: u8| {
            self.arrangements.index(key(members(squares).map(|square| {
                let cell = state.cells()[usize::from(seen[usize::from(square) % CELLS]) % CELLS];
                cell - before_first
            })))
        };
        let (own_zero, other_zero) = if turned { (6, 0) } else { (0, 6) };
        let row = arrangement(own, own_zero);
        let column = arrangement(other, other_zero);
        Some(place.first + row * self.arrangements.count(counts[1]) + column)
    }

    /// The block of a pair of sets of squares of 1 to [`MAX_SIDE`] squares each, without the
    /// goal corners and the empty ones.
    pub fn place(&self, mover: Squares, opponent: Squares) -> BlockIndex {
        self.place_either((mover, opponent), (reflect(mover), reflect(opponent)))
    }

    /// The block of a pair of sets, given their reflections as well.
    #[inline]
    fn place_either(&self, sets: (Squares, Squares), mirror: (Squares, Squares)) -> BlockIndex {
        let reflected = mirror < sets;
        let (mover, opponent) = if reflected { mirror } else { sets };
        let (movers, opponents) = (mover.count_ones() as usize, opponent.count_ones() as usize);
        let entry = self.first[movers][opponents][self.rank(mover)];
        let rank = self.rank_among_free(mover, opponent);
        let first = if sets.0 == mirror.0 {
            self.self_reflected[entry + rank]
        } else {
            entry + rank * self.block_len(movers, opponents)
        };
        BlockIndex { first, reflected }
    }

    /// The colexicographic rank of a square set among those of its size.
    #[inline]
    fn rank(&self, squares: Squares) -> usize {
        let (mut left, mut rank, mut j) = (squares, 0, 1);
        while left != 0 {
            rank += self.binomials[j][left.trailing_zeros() as usize];
            left &= left - 1;
            j += 1;
        }
        rank as usize
    }

    /// The rank of the opponent's squares among those that the mover leaves free.
    #[inline]
    fn rank_among_free(&self, mover: Squares, opponent: Squares) -> usize {
        let (mut left, mut rank, mut j) = (opponent, 0, 1);
        let barred = mover | SECOND_GOAL;
        while left != 0 {
            let below = (left & left.wrapping_neg()) - 1;
            rank += self.binomials[j][(below & !barred).count_ones() as usize];
            left &= left - 1;
            j += 1;
        }
        rank as usize
    }

    /// Numbers the blocks with these stone counts, after all blocks numbered so far.
    fn number_blocks(&mut self, movers: usize, opponents: usize) {
        let size = self.block_len(movers, opponents);
        for mover in subsets(FIRST_GOAL - 1, movers) {
            let mirror = reflect(mover);
            let free = free_squares(mover);
            let entry = if mirror < mover {
                usize::MAX
            } else if mirror == mover {
                let start = self.self_reflected.len();
                for opponent in subsets(free, opponents) {
                    let kept = opponent <= reflect(opponent);
                    self.self_reflected.push(if kept { self.len } else { usize::MAX });
                    self.len += if kept { size } else { 0 };
                }
                start
            } else {
                let start = self.len;
                let sets = self.binomials[opponents][free.count_ones() as usize];
                self.len += sets as usize * size;
                start
            };
            self.first[movers][opponents].push(entry);
        }
    }

    /// All blocks of these numbers of stones, in the order of their entries.
    pub fn blocks(&self, movers: usize, opponents: usize) -> Vec<Block> {
        let mut all = Vec::new();
        for mover in subsets(FIRST_GOAL - 1, movers).filter(|&m| m <= reflect(m)) {
            let itself = mover == reflect(mover);
            for opponent in subsets(free_squares(mover), opponents) {
                if !itself || opponent <= reflect(opponent) {
                    let first = self.place(mover, opponent).first;
                    all.push(Block { mover, opponent, first });
                }
            }
        }
        all
    }
}

/// The squares of a player's stones.
#[inline]
fn occupied(state: &EinStein, player: Player) -> Squares {
    let alive = u32::from(state.alive(player));
    let stones = state.squares(player).iter().enumerate();
    // A captured stone has a square out of range, which adds nothing.
    stones.fold(0, |set, (i, &square)| set | (alive >> i & 1) << (square & 31))
}

/// The number of squares of a set below a square.
#[inline]
pub fn slot_of(set: Squares, square: u8) -> u8 {
    (set & ((1 << square) - 1)).count_ones() as u8
}

/// Maps a square between board and table, given whether the board is rotated and whether it is also
/// reflected.
static SEEN: [[[u8; CELLS]; 2]; 2] = {
    let mut table = [[[0; CELLS]; 2]; 2];
    let mut square = 0;
    while square < CELLS {
        let mirror = transpose(square as u8);
        table[0][0][square] = square as u8;
        table[0][1][square] = mirror;
        table[1][0][square] = rotate(square as u8);
        table[1][1][square] = rotate(mirror);
        square += 1;
    }
    table
};

/// A row's squares as the first column's.
static COLUMN: [Squares; 1 << SIDE] = {
    let mut table = [0; 1 << SIDE];
    let mut row = 0;
    while row < 1 << SIDE {
        let mut i = 0;
        while i < SIDE {
            table[row] |= ((row >> i & 1) << (i * SIDE)) as Squares;
            i += 1;
        }
        row += 1;
    }
    table
};

/// The set reflected in the diagonal.
#[inline]
pub fn reflect(squares: Squares) -> Squares {
    (0..SIDE).fold(0, |set, row| {
        let row_squares = squares >> (row * SIDE) & ((1 << SIDE) - 1);
        set | COLUMN[row_squares as usize] << row
    })
}

/// The set rotated by 180 degrees.
pub fn rotate_set(squares: Squares) -> Squares {
    squares.reverse_bits() >> (u32::BITS as usize - CELLS)
}

/// The squares of a set in ascending order.
pub fn members(squares: Squares) -> impl Iterator<Item = u8> {
    let mut left = squares;
    std::iter::from_fn(move || {
        let square = (left != 0).then(|| left.trailing_zeros() as u8);
        left &= left.wrapping_sub(1);
        square
    })
}

/// The squares available to the opponent, given the mover's squares.
fn free_squares(mover: Squares) -> Squares {
    ((1 << CELLS) - 1) & !SECOND_GOAL & !mover
}

/// The subsets of a given size of a square set, in ascending order of their masks.
fn subsets(of: Squares, size: usize) -> impl Iterator<Item = Squares> {
    let squares: Vec<u8> = members(of).collect();
    let end = 1u64 << squares.len();
    let mut next = (1u64 << size) - 1;
    std::iter::from_fn(move || {
        if next >= end {
            return None;
        }
        let subset = squares
            .iter()
            .enumerate()
            .filter(|&(i, _)| next & 1 << i != 0)
            .fold(0, |set, (_, &square)| set | 1 << square);
        // Gosper's hack: the next larger number with the same number of bits.
        let low = next & next.wrapping_neg();
        let ripple = next + low;
        next = (((next ^ ripple) >> 2) / low) | ripple;
        Some(subset)
    })
}

fn binomials() -> [[u32; CELLS]; MAX_SIDE + 1] {
    let mut table = [[0; CELLS]; MAX_SIDE + 1];
    table[0] = [1; CELLS];
    for j in 1..=MAX_SIDE {
        for n in 1..CELLS {
            table[j][n] = table[j][n - 1] + table[j - 1][n - 1];
        }
    }
    table
}
