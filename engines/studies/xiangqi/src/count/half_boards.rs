//! The count by half boards. A half holds its owner's king, advisors, elephants and pawns before
//! the river, and the other side's pawns beyond it; the halves share only the number of pawns and
//! the empty squares.
//!
//! A half's home pieces are counted in two independent ways: [`Tally::by_products`] multiplies the
//! number of points available to each kind, and [`Tally::by_enumeration`] places every set of
//! pieces on the 45 squares and keeps the legal ones. The correct form of the paper's formula (3)
//! depends on one half only, and the enumeration decides it.

use super::{Number, binomial, free_pieces_by_number};
use agon_games::Player;
use agon_games::xiangqi::{FILES, Kind, RED_HALF, Square, Squares};

/// The maximum number of pieces that one side can have in its own half: king, two advisors, two
/// elephants, five pawns.
const MOST_HOME: usize = 10;

/// The number of placements, by the number of pawns before the river (0 to 5) and of all home
/// pieces (0 to 10).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally(pub [[u64; MOST_HOME + 1]; 6]);

/// A half and squares of it that must stay empty.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// The squares on which the king may stand.
    pub king: u128,
    /// Squares that must stay empty.
    pub closed: u128,
}

impl Half {
    /// Red's half without further conditions. Black's is the same, rotated.
    pub fn any() -> Half {
        Half { king: Kind::King.domain(Player::First), closed: 0 }
    }
}

fn domain(kind: Kind) -> u128 {
    kind.domain(Player::First) & RED_HALF
}

impl Tally {
    /// Multiplies the points available to each kind, for each king square and elephant set.
    pub fn by_products(half: Half) -> Tally {
        let mut tally = Tally::default();
        for king in Squares(half.king & !half.closed) {
            let taken = half.closed | king.bit();
            let advisors = u64::from((domain(Kind::Advisor) & !taken).count_ones());
            for elephants in small_sets(domain(Kind::Elephant) & !taken) {
                let pawns = pawn_ways(domain(Kind::Pawn) & !(taken | elephants));
                for a in 0..=2 {
                    for (p, ways) in pawns.iter().enumerate() {
                        let pieces = 1 + a + elephants.count_ones() as usize + p;
                        tally.0[p][pieces] += binomial(advisors, a as u64) * ways;
                    }
                }
            }
        }
        tally
    }

    /// Enumerates every set of home pieces, over a million, and keeps the legal ones.
    pub fn by_enumeration(half: Half) -> Tally {
        let mut tally = Tally::default();
        let pawn_sets: Vec<u128> = subsets(domain(Kind::Pawn)).filter(|&p| one_a_file(p)).collect();
        for king in Squares(domain(Kind::King) & half.king).map(Square::bit) {
            for advisors in small_sets(domain(Kind::Advisor)) {
                for elephants in small_sets(domain(Kind::Elephant)) {
                    for &pawns in &pawn_sets {
                        let all = king | advisors | elephants | pawns | half.closed;
                        let separate = [king, advisors, elephants, pawns, half.closed];
                        let sum: u32 = separate.iter().map(|s| s.count_ones()).sum();
                        if all.count_ones() == sum {
                            let pieces = sum - half.closed.count_ones();
                            tally.0[pawns.count_ones() as usize][pieces as usize] += 1;
                        }
                    }
                }
            }
        }
        tally
    }

    /// The total number of placements.
    pub fn total(&self) -> u64 {
        self.0.iter().flatten().sum()
    }

    fn entries(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let cells = self.0.iter().enumerate();
        cells
            .flat_map(|(p, row)| row.iter().enumerate().map(move |(n, &w)| (p as u64, n as u64, w)))
            .filter(|e| e.2 > 0)
    }
}

/// Combines two halves with `closed` squares that must stay empty; the result is by number of
/// pieces (0 to 32).
pub fn join(red: &Tally, black: &Tally, closed: [u64; 2]) -> [Number; 33] {
    let mut total = [Number::ZERO; 33];
    // By empty squares and pieces so far, so that the free pieces are multiplied in only once.
    let mut placed = vec![[0u128; 33]; 91];
    for (red_home, red_pieces, red_ways) in red.entries() {
        for (black_home, black_pieces, black_ways) in black.entries() {
            let left = [45 - closed[0] - red_pieces, 45 - closed[1] - black_pieces];
            for black_over in 0..=5 - black_home {
                for red_over in 0..=5 - red_home {
                    let over = u128::from(binomial(left[0], black_over))
                        * u128::from(binomial(left[1], red_over));
                    let pieces = red_pieces + black_pieces + black_over + red_over;
                    let empty = left[0] + left[1] - black_over - red_over;
                    placed[empty as usize][pieces as usize] +=
                        u128::from(red_ways) * u128::from(black_ways) * over;
                }
            }
        }
    }
    for (empty, by_pieces) in placed.iter().enumerate().filter(|e| e.1.iter().any(|w| *w > 0)) {
        let free = free_pieces_by_number(empty as u64);
        for (pieces, &ways) in by_pieces.iter().enumerate().filter(|e| *e.1 > 0) {
            for (more, &f) in free.iter().enumerate() {
                total[pieces + more] += Number::from(ways) * f;
            }
        }
    }
    total
}

/// All placements by the number of pieces.
pub fn by_pieces() -> [Number; 33] {
    let tally = Tally::by_products(Half::any());
    join(&tally, &tally, [0, 0])
}

/// The placements in which the kings face each other (same file, nothing between), by the number of
/// pieces.
pub fn facing_by_pieces() -> [Number; 33] {
    let mut total = [Number::ZERO; 33];
    for file in 3..6 {
        let halves: Vec<(Tally, u64)> = (0..3)
            .map(|rank| {
                let square = |rank| Square::new(file, rank).map_or(0, Square::bit);
                let closed = (rank + 1..5).fold(0, |set, r| set | square(r));
                let half = Half { king: square(rank), closed };
                (Tally::by_products(half), u64::from(closed.count_ones()))
            })
            .collect();
        // If Red's king is on file d, the king of Black's rotated half is on file f, which has the
        // same tally.
        for (red, red_closed) in &halves {
            for (black, black_closed) in &halves {
                let joined = join(red, black, [*red_closed, *black_closed]);
                total.iter_mut().zip(joined).for_each(|(t, j)| *t += j);
            }
        }
    }
    total
}

/// The sum over all numbers of pieces.
pub fn sum(by_pieces: &[Number]) -> Number {
    by_pieces.iter().fold(Number::ZERO, |sum, &n| sum + n)
}

/// The ways to place 0 to 5 pawns on `points`, at most one per file.
fn pawn_ways(points: u128) -> [u64; 6] {
    let mut ways = [1, 0, 0, 0, 0, 0];
    for file in (0..FILES).step_by(2) {
        let on_file = Squares(points).filter(|s| s.file() == file).count() as u64;
        for n in (1..6).rev() {
            ways[n] += ways[n - 1] * on_file;
        }
    }
    ways
}

fn one_a_file(pawns: u128) -> bool {
    (0..FILES).all(|file| Squares(pawns).filter(|s| s.file() == file).count() < 2)
}

/// All subsets of a set.
fn subsets(set: u128) -> impl Iterator<Item = u128> {
    let mut next = Some(0u128);
    std::iter::from_fn(move || {
        let current = next?;
        let following = current.wrapping_sub(set) & set;
        next = (following != 0).then_some(following);
        Some(current)
    })
}

/// The subsets of at most two squares.
fn small_sets(set: u128) -> impl Iterator<Item = u128> {
    subsets(set).filter(|s| s.count_ones() <= 2)
}
