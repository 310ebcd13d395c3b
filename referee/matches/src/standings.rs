//! The running score of a match.

use crate::crosstable::Crosstable;
use agon_games::Player;
use agon_games::hash::mix;
use agon_matchlog::{GameRecord, MatchHeader};
use agon_stats::{GameScore, PairBook, Tally};
use std::collections::BTreeMap;

/// The counts of one engine.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    tally: Tally,
    pairs: PairBook,
    /// Games lost by a fault, by [`Reason::name`](agon_matchlog::Reason::name).
    pub faults: BTreeMap<&'static str, u64>,
    /// Number of moves, and their total time in microseconds.
    moves: u64,
    us: u64,
    /// Sum and number of reported depths.
    pub depth: [u64; 2],
    /// Sum and number of reported nodes.
    pub nodes: [u64; 2],
}

/// The counts of all engines of a match; games may be added in any order.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The engines' names.
    pub names: Vec<String>,
    /// Each engine's counts.
    pub rows: Vec<Standing>,
    /// Results of all engines against each other.
    pub cross: Crosstable,
    /// The number of games.
    pub games: u64,
    /// Number of games that repeat an earlier one move for move.
    pub repeats: u64,
    /// Fingerprints of games.
    seen: Seen,
}

/// Fingerprints in bounded memory. Each bucket holds the last fingerprint that hashed to it, so if
/// there are more games than buckets, some repetitions are missed.
#[derive(Clone, Debug, Default)]
struct Seen(Vec<u64>);

impl Seen {
    /// Half a megabyte.
    const BUCKETS: usize = 1 << 16;

    /// Adds a fingerprint; returns whether it was already present.
    fn insert(&mut self, print: u64) -> bool {
        if self.0.is_empty() {
            self.0 = vec![0; Seen::BUCKETS];
        }
        // 0 marks an empty bucket; a fingerprint is 0 with probability 2^-64.
        std::mem::replace(&mut self.0[print as usize % Seen::BUCKETS], print) == print
    }
}

impl Standing {
    /// Results by side, and complete pairs.
    pub fn tally(&self) -> Tally {
        Tally { pairs: self.pairs.complete(), ..self.tally }
    }

    /// Mean time per move in milliseconds; `None` without moves.
    pub fn mean_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.us as f64 / self.moves as f64 / 1000.0)
    }

    /// The mean of a sum such as [`Standing::depth`]; `None` if the number is 0.
    pub fn mean(sum: [u64; 2]) -> Option<f64> {
        (sum[1] > 0).then(|| sum[0] as f64 / sum[1] as f64)
    }
}

impl Standings {
    /// The counts before the first game.
    pub fn new(header: &MatchHeader) -> Standings {
        Standings {
            names: header.engines.iter().map(|e| e.name.clone()).collect(),
            rows: vec![Standing::default(); header.engines.len()],
            games: 0,
            cross: Crosstable::new(header.engines.len()),
            seen: Seen::default(),
            repeats: 0,
        }
    }

    /// Counts a game.
    pub fn push(&mut self, game: &GameRecord) {
        self.games += 1;
        self.repeats += u64::from(self.seen.insert(fingerprint(game)));
        self.cross.push(game);
        let outcome = game.result.score_of_first();
        for (i, side) in Player::BOTH.into_iter().enumerate() {
            let Some(row) = self.rows.get_mut(game.players[i]) else { continue };
            let score = if i == 0 { outcome } else { outcome.flipped() };
            row.tally.push(score, side);
            row.pairs.push(game.pair, score);
            if game.reason.is_fault() && score == GameScore::Loss {
                *row.faults.entry(game.reason.name()).or_default() += 1;
            }
        }
        for (i, side) in game.movers().enumerate() {
            let Some(row) = self.rows.get_mut(game.players[side]) else { continue };
            row.moves += 1;
            row.us += game.stats.us.get(i).copied().unwrap_or(0);
            if let Some(Some(depth)) = game.stats.depth.get(i) {
                row.depth = [row.depth[0] + u64::from(*depth), row.depth[1] + 1];
            }
            if let Some(Some(nodes)) = game.stats.nodes.get(i) {
                row.nodes = [row.nodes[0].saturating_add(*nodes), row.nodes[1] + 1];
            }
        }
    }

    /// The name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.names.get(engine).map_or("?", String::as_str)
    }
}

/// A hash that is equal for games of the same players with the same moves.
fn fingerprint(game: &GameRecord) -> u64 {
    let bytes = game.opening.bytes().chain([0]).chain(game.moves.bytes());
    let players = mix(mix(game.players[0] as u64) ^ game.players[1] as u64);
    bytes.fold(players, |h, b| mix(h ^ u64::from(b)))
}
