//! The results that decide later pairings.

use super::ScheduledGame;
use agon_games::hash::FastMap;
use agon_matchlog::{GameRecord, GameResult, Rounds};

/// Results by game number.
#[derive(Clone, Debug, Default)]
pub struct Results(FastMap<u64, ([usize; 2], GameResult)>);

impl Results {
    /// Adds a game.
    pub fn push(&mut self, game: &GameRecord) {
        self.insert(game.game, game.players, game.result);
    }

    /// Adds the result of a game.
    pub fn insert(&mut self, game: u64, players: [usize; 2], result: GameResult) {
        self.0.insert(game, (players, result));
    }

    /// Adds the games of another part of the match.
    pub fn absorb(&mut self, other: Results) {
        self.0.extend(other.0);
    }

    /// Adds the results of another part of the match.
    pub fn extend(&mut self, other: Results) {
        self.0.extend(other.0);
    }

    /// Half points of the two engines from these games; `None` if any is unfinished.
    pub fn half_points(&self, engines: [usize; 2], jobs: &[ScheduledGame]) -> Option<[u64; 2]> {
        let (points, finished) = self.so_far(engines, jobs);
        (finished == jobs.len()).then_some(points)
    }

    /// Half points of the two engines from those of these games that are finished, and their
    /// number.
    pub fn so_far(&self, engines: [usize; 2], jobs: &[ScheduledGame]) -> ([u64; 2], usize) {
        let mut points = [0, 0];
        let mut finished = 0;
        for (players, result) in jobs.iter().filter_map(|job| self.0.get(&job.game)) {
            finished += 1;
            for (engine, sum) in engines.iter().zip(&mut points) {
                *sum += match result.winner() {
                    None => 1,
                    Some(winner) if players[winner.index()] == *engine => 2,
                    Some(_) => 0,
                };
            }
        }
        (points, finished)
    }
}

/// The games `range` of an encounter. All encounters of a round share their openings; different
/// rounds use different ones.
pub(super) fn encounter(
    rounds: &Rounds,
    (slot, round): (u64, u64),
    engines: [usize; 2],
    range: std::ops::Range<u64>,
) -> Vec<ScheduledGame> {
    let pairs = rounds.slot_pairs();
    let [a, b] = engines;
    range
        .map(|i| ScheduledGame {
            game: slot * rounds.slot_games() + i,
            pair: slot * pairs + i / 2,
            opening: round * pairs + i / 2,
            players: if i % 2 == 0 { [a, b] } else { [b, a] },
        })
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::ByResults as _;
    use super::*;
    use agon_matchlog::Schedule;
    use std::cmp::Ordering;

    /// Creates a game record with this result.
    pub(in crate::schedule) fn game(job: &ScheduledGame, result: GameResult) -> GameRecord {
        GameRecord { game: job.game, pair: job.pair, ..GameRecord::bare(job.players, result) }
    }

    /// Plays a tournament in which the stronger engine wins every game; returns the games in order.
    pub(in crate::schedule) fn play_all(
        schedule: &Schedule,
        stronger: impl Fn(usize, usize) -> Ordering,
    ) -> (Vec<ScheduledGame>, Results) {
        let mut results = Results::default();
        let mut played: Vec<ScheduledGame> = Vec::new();
        loop {
            let known = schedule.known(&results);
            let new: Vec<ScheduledGame> = known.jobs.filter(|j| !played.contains(j)).collect();
            if new.is_empty() {
                assert!(known.complete, "stuck after {} games", played.len());
                return (played, results);
            }
            for job in new {
                let result = match stronger(job.players[0], job.players[1]) {
                    Ordering::Greater => GameResult::First,
                    Ordering::Less => GameResult::Second,
                    Ordering::Equal => GameResult::Draw,
                };
                results.push(&game(&job, result));
                played.push(job);
            }
        }
    }
}
