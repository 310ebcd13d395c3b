//! The count by the paper's method: the most confined pieces first; each step is a sum over the
//! results of the next one, memoised by exactly the inputs of the next step (sections 2.2.1-2.2.5).
//!
//! The steps have the paper's names. Counts by number of pieces are in [`super::half_boards`]; here
//! the sums are plain.

use super::{Number, binomial};
use agon_games::hash::FastMap;

/// The form of formula (3), for the pawns before the river.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Formula {
    /// As the paper prints it: the sum of 2^(P-i) C(5-BP, P-i).
    Printed,
    /// With the factor C(BP, i), which chooses the files with an elephant that hold a pawn.
    Corrected,
    /// As if king, elephants and pawns before the river of a side could share a point: an estimate
    /// in the literature.
    Sharing,
}

impl Formula {
    /// The ways to place `pawns` on their ten points, at most one per file, when `blocked` of the
    /// files have an elephant on one of their two points.
    pub fn home_pawns(self, blocked: u64, pawns: u64) -> u64 {
        let blocked = if self == Formula::Sharing { 0 } else { blocked };
        (0..=blocked.min(pawns))
            .map(|i| {
                let which = match self {
                    Formula::Printed => 1,
                    _ => binomial(blocked, i),
                };
                which * (1 << (pawns - i)) * binomial(5 - blocked, pawns - i)
            })
            .sum()
    }
}

/// The effect of the king's square on the pieces placed after it, and the number of such squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum King {
    /// On one of the five advisor points.
    AdvisorPoint,
    /// On the elephant point inside the palace.
    ElephantPoint,
    /// On one of the three other squares.
    Elsewhere,
}

impl King {
    /// By the paper's number of the square, 0 to 8, row by row. The elephant point is square 1.
    fn on(square: u64) -> King {
        match square {
            1 => King::ElephantPoint,
            s if s % 2 == 0 => King::AdvisorPoint,
            _ => King::Elsewhere,
        }
    }
}

/// The memoised sums, and how often each was requested and computed.
#[derive(Debug)]
pub struct Paper {
    formula: Formula,
    advisors: FastMap<[King; 2], Number>,
    elephants: FastMap<([King; 2], [u64; 2]), Number>,
    pawns: FastMap<([u64; 2], [u64; 2]), Number>,
    free: FastMap<u64, Number>,
    calls: [u64; 5],
}

/// One of the five sub-problems, for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubProblem {
    /// The pieces that it places.
    pub pieces: &'static str,
    /// The number of different inputs for which it was computed.
    pub entries: u64,
    /// How often its result was requested.
    pub calls: u64,
}

impl Paper {
    /// Computes the total, the first of the pair.
    pub fn count(formula: Formula) -> (Number, Paper) {
        let mut paper = Paper {
            formula,
            advisors: FastMap::default(),
            elephants: FastMap::default(),
            pawns: FastMap::default(),
            free: FastMap::default(),
            calls: [0; 5],
        };
        let total = paper.kings();
        (total, paper)
    }

    /// The sizes of the five sub-problems.
    pub fn sub_problems(&self) -> [SubProblem; 5] {
        let entries =
            [1, self.advisors.len(), self.elephants.len(), self.pawns.len(), self.free.len()];
        let names = ["king", "advisor", "elephant", "pawn", "rook, horse, cannon"];
        [0, 1, 2, 3, 4].map(|i| SubProblem {
            pieces: names[i],
            entries: entries[i] as u64,
            calls: self.calls[i],
        })
    }

    /// getJiang: both kings.
    fn kings(&mut self) -> Number {
        self.calls[0] += 1;
        let mut sum = Number::ZERO;
        for red in 0..9 {
            for black in 0..9 {
                sum += self.advisors([King::on(red), King::on(black)]);
            }
        }
        sum
    }

    /// getShi: advisors, given the kings.
    fn advisors(&mut self, kings: [King; 2]) -> Number {
        self.calls[1] += 1;
        if let Some(&known) = self.advisors.get(&kings) {
            return known;
        }
        let points = kings.map(|k| if k == King::AdvisorPoint { 4 } else { 5 });
        let mut sum = Number::ZERO;
        for red in 0..=2 {
            for black in 0..=2 {
                let ways = binomial(points[0], red) * binomial(points[1], black);
                let space = [45 - 1 - red, 45 - 1 - black];
                sum += Number::from(ways) * self.elephants(kings, space);
            }
        }
        self.advisors.insert(kings, sum);
        sum
    }

    /// getXiang: elephants, given the kings and the empty squares of each half.
    fn elephants(&mut self, kings: [King; 2], space: [u64; 2]) -> Number {
        self.calls[2] += 1;
        // From here on, the only relevant fact about the king is whether it is on the elephant
        // point.
        let shared = self.formula == Formula::Sharing;
        let kings =
            kings.map(|k| if shared || k == King::AdvisorPoint { King::Elsewhere } else { k });
        if let Some(&known) = self.elephants.get(&(kings, space)) {
            return known;
        }
        let mut sum = Number::ZERO;
        for [red, red_blocking] in elephant_counts() {
            for [black, black_blocking] in elephant_counts() {
                let ways = elephant_ways(kings[0], red, red_blocking)
                    * elephant_ways(kings[1], black, black_blocking);
                if ways > 0 {
                    let left = [space[0] - red, space[1] - black];
                    let pawns = self.pawns([red_blocking, black_blocking], left);
                    sum += Number::from(ways) * pawns;
                }
            }
        }
        self.elephants.insert((kings, space), sum);
        sum
    }

    /// getZu: pawns, given the pawn points under elephants and the empty squares of each half.
    fn pawns(&mut self, blocked: [u64; 2], space: [u64; 2]) -> Number {
        self.calls[3] += 1;
        if let Some(&known) = self.pawns.get(&(blocked, space)) {
            return known;
        }
        let mut sum = Number::ZERO;
        for [red_home, red_over] in pawn_counts() {
            for [black_home, black_over] in pawn_counts() {
                // Each half holds its owner's pawns before the river and the other's beyond it.
                let left = [space[0] - red_home, space[1] - black_home];
                let home = self.formula.home_pawns(blocked[0], red_home)
                    * self.formula.home_pawns(blocked[1], black_home);
                let over = binomial(left[0], black_over) * binomial(left[1], red_over);
                let empty = left[0] + left[1] - black_over - red_over;
                sum += Number::from(home) * Number::from(over) * self.free(empty);
            }
        }
        self.pawns.insert((blocked, space), sum);
        sum
    }

    /// jvmapao: rooks, horses and cannons on the empty squares of the whole board.
    fn free(&mut self, empty: u64) -> Number {
        self.calls[4] += 1;
        *self.free.entry(empty).or_insert_with(|| super::free_pieces(empty))
    }
}

/// The numbers of one side's elephants in total and on pawn points.
fn elephant_counts() -> impl Iterator<Item = [u64; 2]> {
    (0..=2).flat_map(|n| (0..=n).map(move |blocking| [n, blocking]))
}

/// Two of the seven elephant points are pawn points; the king may occupy one of the other five.
fn elephant_ways(king: King, elephants: u64, blocking: u64) -> u64 {
    let others = if king == King::ElephantPoint { 4 } else { 5 };
    binomial(2, blocking) * binomial(others, elephants - blocking)
}

/// The numbers of one side's pawns before and beyond the river.
fn pawn_counts() -> impl Iterator<Item = [u64; 2]> {
    (0..=5).flat_map(|home| (0..=5 - home).map(move |over| [home, over]))
}
