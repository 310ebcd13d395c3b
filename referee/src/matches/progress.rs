//! How far a match has come: which games are in, the score, what results decide, and the test.

use crate::matches::schedule::Results;
use crate::matches::standings::Standings;
use crate::matchlog::GameSet;
use crate::matchlog::{EloScale, GameRecord, Header};
use crate::stats::{EloModel, Sample, Sequential, Sprt, SprtError};

/// A match's state; a function of its log.
pub struct Progress {
    /// The games that are in.
    pub done: GameSet,
    /// The score.
    pub standings: Standings,
    /// Results that decide who meets whom; kept only where they do.
    pub results: Results,
    /// The sequential test of the whole match.
    pub test: Option<Sequential>,
    keeps_results: bool,
    games: u64,
}

impl Progress {
    /// Before the first game.
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

    /// Notes a game; `false` if it was in already.
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

    /// Notes a game of another part of the match, for what its result decides.
    pub fn learn(&mut self, game: &GameRecord) {
        if self.keeps_results {
            self.results.push(game);
        }
    }

    /// The number of games that are in.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Whether the test needs no more games.
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|t| t.decision().is_some())
    }
}

/// The test that a header asks for. The log of a shard has none: only all shards together decide.
fn sequential(header: &Header) -> Result<Option<Sequential>, SprtError> {
    let (Some(entry), None) = (&header.sprt, header.shard) else { return Ok(None) };
    let model = match entry.model {
        EloScale::Logistic => EloModel::Logistic,
        EloScale::Normalised => EloModel::Normalised,
    };
    let test = Sprt::new(model, entry.elo0, entry.elo1, entry.alpha, entry.beta)?;
    let unpaired = header.schedule.pairings.iter().any(|p| p.unpaired);
    Ok(Some(Sequential::new(test, if unpaired { Sample::Game } else { Sample::Pair })))
}
