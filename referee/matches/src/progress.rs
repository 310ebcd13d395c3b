//! The progress of a match: finished games, score, results that decide pairings, and the test.

use crate::schedule::Results;
use crate::standings::Standings;
use agon_matchlog::GameSet;
use agon_matchlog::{EloScale, GameRecord, MatchHeader, TestKind};
use agon_stats::{
    Betting, EloModel, Sequential, Sprt, SprtError, Test, TestMethod, TestSample, Workers,
};

/// The state of a match, a function of its log.
pub struct MatchProgress {
    /// The finished games.
    pub done: GameSet,
    /// The score.
    pub standings: Standings,
    /// Results by game, kept only for schedules whose pairings depend on them.
    pub results: Results,
    /// The results of each machine, where the log names them.
    pub workers: Workers,
    /// The sequential test of the whole match.
    pub test: Option<Sequential>,
    /// The test by betting of the same hypotheses, beside an SPRT: it decides nothing.
    pub beside: Option<Sequential>,
    /// The pairs of a match between two engines without a test.
    series: Option<Sequential>,
    keeps_results: bool,
    games: u64,
}

impl MatchProgress {
    /// The state before the first game.
    pub fn new(header: &MatchHeader) -> Result<MatchProgress, SprtError> {
        Ok(MatchProgress {
            done: GameSet::default(),
            standings: Standings::new(header),
            results: Results::default(),
            workers: workers(header),
            test: sequential(header)?,
            beside: beside(header),
            series: series(header),
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
        self.workers.push(game.of_worker());
        self.learn(game);
        let first = game.result.score_of_first();
        let score = if game.players[0] == 0 { first } else { first.flipped() };
        let sequences = [self.test.as_mut().or(self.series.as_mut()), self.beside.as_mut()];
        sequences.into_iter().flatten().for_each(|test| test.push(game.pair, score));
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

    /// The pairs of a match between two engines in schedule order, with its test if it has one; `None`
    /// for a shard.
    pub fn sequence(&self) -> Option<&Sequential> {
        self.test.as_ref().or(self.series.as_ref())
    }

    /// The pairs of a match whose length depends on its results, because of a test or because it was
    /// continued: an interval for a fixed number of games would be too short.
    pub fn of_any_length(&self) -> Option<&Sequential> {
        self.sequence().filter(|s| *s.test() != Test::Open(TestMethod::FixedSample))
    }

    /// Whether the test needs no more games.
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|t| t.decision().is_some())
    }
}

/// No results yet of the machines that play this match.
pub fn workers(header: &MatchHeader) -> Workers {
    let schedule = &header.schedule;
    Workers::new(schedule.pairings.iter().any(|p| p.unpaired) || !schedule.swaps_sides())
}

/// The header's sequential test. A shard's log has none: only all shards together decide.
pub fn sequential(header: &MatchHeader) -> Result<Option<Sequential>, SprtError> {
    if header.shard.is_some() {
        return Ok(None);
    }
    let unpaired = header.schedule.pairings.iter().any(|p| p.unpaired);
    let sample = if unpaired { TestSample::Game } else { TestSample::Pair };
    let Some(entry) = &header.sprt else {
        let width = header.until_width.map(Test::Width);
        return Ok(width.map(|test| Sequential::new(test, TestSample::Pair)));
    };
    let (elo0, elo1, alpha, beta) = (entry.elo0, entry.elo1, entry.alpha, entry.beta);
    let model = match entry.model {
        EloScale::Logistic => EloModel::Logistic,
        EloScale::Normalised => EloModel::Normalised,
    };
    let test = match entry.test {
        TestKind::Sprt => Test::Sprt(Sprt::new(model, elo0, elo1, alpha, beta)?),
        TestKind::Betting if (model, sample) != (EloModel::Logistic, TestSample::Pair) => {
            return Err(SprtError::Betting);
        }
        TestKind::Betting => Test::Betting(Betting::new(elo0, elo1, alpha, beta)?),
    };
    Ok(Some(Sequential::new(test, sample)))
}

/// The test by betting beside an SPRT; `None` where there is no such test.
fn beside(header: &MatchHeader) -> Option<Sequential> {
    let unpaired = header.schedule.pairings.iter().any(|p| p.unpaired);
    let entry = header.sprt.as_ref().filter(|_| header.shard.is_none() && !unpaired)?;
    if entry.test != TestKind::Sprt || entry.model != EloScale::Logistic {
        return None;
    }
    let test = Betting::new(entry.elo0, entry.elo1, entry.alpha, entry.beta).ok()?;
    Some(Sequential::new(Test::Betting(test), TestSample::Pair))
}

/// The pairs of a match between two engines without a test; `None` for other matches and for shards.
pub fn series(header: &MatchHeader) -> Option<Sequential> {
    let is_plain = header.shard.is_none() && header.sprt.is_none() && header.until_width.is_none();
    let of_two = header.engines.len() == 2 && header.schedule.pairings.len() == 1;
    let method = match header.continuations.is_empty() {
        true => TestMethod::FixedSample,
        false => TestMethod::ConfidenceSequence,
    };
    (is_plain && of_two).then(|| Sequential::new(Test::Open(method), TestSample::Pair))
}
