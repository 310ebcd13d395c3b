//! Who scored what against whom, as tables have it since there are tournaments.

use crate::matchlog::GameRecord;
use crate::standings::score_of_first;
use crate::stats::Wdl;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Results of every two engines.
#[derive(Clone, Debug, Default)]
pub struct Crosstable {
    /// By both indices, from the point of view of the first of the two.
    meetings: BTreeMap<[usize; 2], Wdl>,
    engines: usize,
}

/// One engine's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The engine's index.
    pub engine: usize,
    /// Twice its points, byes included.
    pub half_points: u64,
    /// Games played.
    pub games: u64,
    /// Four times the Sonneborn-Berger score: points against each opponent times that opponent's
    /// points.
    pub sonneborn_berger: u64,
    /// Twice the Buchholz score: the points of all opponents, once for each game against them.
    pub buchholz: u64,
}

impl Crosstable {
    /// Of so many engines, before the first game.
    pub fn new(engines: usize) -> Crosstable {
        Crosstable { meetings: BTreeMap::new(), engines }
    }

    /// Counts a game.
    pub fn push(&mut self, game: &GameRecord) {
        let [a, b] = game.players;
        let score = score_of_first(game.result);
        *self.meetings.entry([a, b]).or_default() += score;
        *self.meetings.entry([b, a]).or_default() += score.flipped();
    }

    /// What one engine scored against another.
    pub fn meeting(&self, a: usize, b: usize) -> Wdl {
        self.meetings.get(&[a, b]).copied().unwrap_or_default()
    }

    /// All lines, the best first: by points (`byes` holds half points that were not played for),
    /// then Sonneborn-Berger, then the order of the list.
    pub fn ranking(&self, byes: &[u64]) -> Vec<Line> {
        let played = |i| (0..self.engines).map(move |j| self.meeting(i, j)).sum::<Wdl>();
        let half = |i: usize| played(i).half_points() + byes.get(i).copied().unwrap_or(0);
        let mut lines: Vec<Line> = (0..self.engines)
            .map(|i| {
                let over = |f: &dyn Fn(usize, Wdl) -> u64| {
                    (0..self.engines).map(|j| f(j, self.meeting(i, j))).sum()
                };
                Line {
                    engine: i,
                    half_points: half(i),
                    games: played(i).games(),
                    sonneborn_berger: over(&|j, m| m.half_points() * half(j)),
                    buchholz: over(&|j, m| m.games() * half(j)),
                }
            })
            .collect();
        lines.sort_by_key(|l| (Reverse(l.half_points), Reverse(l.sonneborn_berger), l.engine));
        lines
    }

    /// The table for a terminal.
    pub fn text(&self, names: &[String], byes: &[u64]) -> String {
        let ranking = self.ranking(byes);
        let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
        let mut text =
            format!("{:>3} {:<width$} {:>8} {:>6} {:>9}", "", "Engine", "Points", "Games", "S-B");
        for rank in 1..=ranking.len() {
            let _ = write!(text, " {rank:>9}");
        }
        text.push('\n');
        for (rank, line) in ranking.iter().enumerate() {
            let name = names.get(line.engine).map_or("?", String::as_str);
            let _ = write!(
                text,
                "{:>3} {name:<width$} {:>8.1} {:>6} {:>9.2}",
                rank + 1,
                line.half_points as f64 / 2.0,
                line.games,
                line.sonneborn_berger as f64 / 4.0
            );
            for other in &ranking {
                let met = self.meeting(line.engine, other.engine);
                let cell = match (line.engine == other.engine, met.games()) {
                    (true, _) => "x".into(),
                    (false, 0) => ".".into(),
                    (false, n) => format!("{}/{n}", met.half_points() as f64 / 2.0),
                };
                let _ = write!(text, " {cell:>9}");
            }
            let end = text.trim_end().len();
            text.truncate(end);
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matchlog::{GameResult, PlyStats, Reason};

    fn game(players: [usize; 2], result: GameResult) -> GameRecord {
        GameRecord {
            game: 0,
            pair: 0,
            players,
            opening: String::new(),
            moves: String::new(),
            by: String::new(),
            result,
            reason: Reason::Rules,
            detail: None,
            fen: String::new(),
            stats: PlyStats::default(),
            stderr: None,
            stdout: None,
        }
    }

    /// A beats B, B beats C, A and C draw.
    #[test]
    fn points_and_sonneborn_berger_can_be_worked_out_by_hand() {
        let mut table = Crosstable::new(3);
        table.push(&game([0, 1], GameResult::First));
        table.push(&game([1, 2], GameResult::First));
        table.push(&game([2, 0], GameResult::Draw));
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

    #[test]
    fn the_table_shows_what_each_scored_against_each() {
        let mut table = Crosstable::new(3);
        table.push(&game([0, 1], GameResult::Draw));
        table.push(&game([1, 0], GameResult::Second));
        let names = ["alpha", "beta", "gamma"].map(String::from);
        let text = table.text(&names, &[]);
        let line = text.lines().find(|l| l.contains("alpha")).unwrap();
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>(),
            ["1", "alpha", "1.5", "2", "0.75", "x", "1.5/2", "."]
        );
    }
}
