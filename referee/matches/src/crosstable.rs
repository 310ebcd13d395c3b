//! Crosstable: scores of all engines against each other.

use agon_matchlog::GameRecord;
use agon_stats::Wdl;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Results of each pair of engines.
#[derive(Clone, Debug, Default)]
pub struct Crosstable {
    /// Results by both indices, from the point of view of the first engine.
    meetings: BTreeMap<[usize; 2], Wdl>,
    engines: usize,
}

/// One engine's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrosstableRow {
    /// The engine's index.
    pub engine: usize,
    /// Twice its points, byes included.
    pub half_points: u64,
    /// Games played.
    pub games: u64,
    /// Four times the Sonneborn-Berger score: the sum, over the opponents, of the points against an
    /// opponent times that opponent's points.
    pub sonneborn_berger: u64,
    /// Twice the Buchholz score: the sum of the opponents' points, once for each game against them.
    pub buchholz: u64,
}

impl Crosstable {
    /// An empty table for this number of engines.
    pub fn new(engines: usize) -> Crosstable {
        Crosstable { meetings: BTreeMap::new(), engines }
    }

    /// Counts a game.
    pub fn push(&mut self, game: &GameRecord) {
        let [a, b] = game.players;
        let score = game.result.score_of_first();
        *self.meetings.entry([a, b]).or_default() += score;
        *self.meetings.entry([b, a]).or_default() += score.flipped();
    }

    /// Adds results of engine `a` against engine `b`.
    pub fn add(&mut self, a: usize, b: usize, results: Wdl) {
        *self.meetings.entry([a, b]).or_default() += results;
        *self.meetings.entry([b, a]).or_default() += results.flipped();
    }

    /// Results of one engine against another.
    pub fn meeting(&self, a: usize, b: usize) -> Wdl {
        self.meetings.get(&[a, b]).copied().unwrap_or_default()
    }

    /// All rows, best first: by points (`byes` holds unplayed half points), then Sonneborn-Berger,
    /// then the order of the list.
    pub fn ranking(&self, byes: &[u64]) -> Vec<CrosstableRow> {
        let played = |i| (0..self.engines).map(move |j| self.meeting(i, j)).sum::<Wdl>();
        let half = |i: usize| played(i).half_points() + byes.get(i).copied().unwrap_or(0);
        let mut rows: Vec<CrosstableRow> = (0..self.engines)
            .map(|i| {
                let over = |f: &dyn Fn(usize, Wdl) -> u64| {
                    (0..self.engines).map(|j| f(j, self.meeting(i, j))).sum()
                };
                CrosstableRow {
                    engine: i,
                    half_points: half(i),
                    games: played(i).games(),
                    sonneborn_berger: over(&|j, m| m.half_points() * half(j)),
                    buchholz: over(&|j, m| m.games() * half(j)),
                }
            })
            .collect();
        rows.sort_by_key(|l| (Reverse(l.half_points), Reverse(l.sonneborn_berger), l.engine));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::GameRecord;
    use agon_matchlog::GameResult::{Draw, First};

    /// A beats B, B beats C, and A draws against C.
    #[test]
    fn points_and_sonneborn_berger_can_be_worked_out_by_hand() {
        let mut table = Crosstable::new(3);
        for (players, result) in [([0, 1], First), ([1, 2], First), ([2, 0], Draw)] {
            table.push(&GameRecord::bare(players, result));
        }
        let lines = table.ranking(&[]);
        let seen: Vec<_> = lines
            .iter()
            .map(|l| (l.engine, l.half_points, l.sonneborn_berger, l.buchholz))
            .collect();
        // A: 1.5 points, SB 1*1 + 0.5*0.5 = 1.25; B: 1 point, SB 0.5; C: 0.5 points, SB 0.75.
        assert_eq!(seen, [(0, 3, 5, 3), (1, 2, 2, 4), (2, 1, 3, 5)]);
        let byes = table.ranking(&[0, 0, 4]);
        assert_eq!((byes[0].engine, byes[0].half_points), (2, 5));
    }
}
