//! The progress of a match: finished games, score, results that decide pairings, and the test.

use crate::matches::schedule::Results;
use crate::matches::standings::Standings;
use crate::matchlog::GameSet;
use crate::matchlog::{EloScale, GameRecord, Header};
use crate::stats::{EloModel, Sample, Sequential, Sprt, SprtError};

/// The state of a match, a function of its log.
pub struct Progress {
    /// The finished games.
    pub done: GameSet,
    /// The score.
    pub standings: Standings,
    /// Results by game, kept only for schedules whose pairings depend on them.
    pub results: Results,
    /// The sequential test of the whole match.
    pub test: Option<Sequential>,
    keeps_results: bool,
    games: u64,
}

impl Progress {
    /// The state before the first game.
    pub fn new(header: &Header) -> Result<Progress, SprtError> {
        Ok(Progress {
            done: GameSet::default(),
            standings: Standings::new(header),
            results: Results::default(),
            test: sequential(header)?,
            keeps_results: header.schedule.needs_results(),
            games: 0,
        })
    }

    /// Counts a game; returns `false` if it was already counted.
    pub fn take(&mut self, game: &GameRecord) -> bool {
        if !self.done.insert(game.game) {
            return false;
        }
        self.games += 1;
        self.standings.push(game);
        self.learn(game);
        if let Some(test) = &mut self.test {
            let first = game.result.score_of_first();
            test.push(game.pair, if game.players[0] == 0 { first } else { first.flipped() });
        }
        true
    }

    /// Adds a game of another part of the match, whose result may decide pairings.
    pub fn learn(&mut self, game: &GameRecord) {
        if self.keeps_results {
            self.results.push(game);
        }
    }

    /// The number of finished games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Whether the test needs no more games.
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|t| t.decision().is_some())
    }
}

/// The header's sequential test. A shard's log has none: only all shards together decide.
pub fn sequential(header: &Header) -> Result<Option<Sequential>, SprtError> {
    let (Some(entry), None) = (&header.sprt, header.shard) else { return Ok(None) };
    let model = match entry.model {
        EloScale::Logistic => EloModel::Logistic,
        EloScale::Normalised => EloModel::Normalised,
    };
    let test = Sprt::new(model, entry.elo0, entry.elo1, entry.alpha, entry.beta)?;
    let unpaired = header.schedule.pairings.iter().any(|p| p.unpaired);
    Ok(Some(Sequential::new(test, if unpaired { Sample::Game } else { Sample::Pair })))
}
