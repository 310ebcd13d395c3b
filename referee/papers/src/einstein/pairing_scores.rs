//! The score of one engine against another, and its time, for each pairing of a log.

use agon_matchlog::MatchHeader;
use agon_report::plot::DataPoint;
use agon_report::report::aggregate::Aggregate;
use agon_stats::{Tally, Wilson};
use std::collections::BTreeSet;

/// An engine's games against another: a cell of the experiment.
#[derive(Clone, Debug)]
pub(super) struct PairingScore {
    /// The engine's name.
    pub name: String,
    /// The opponent's name.
    pub against: String,
    /// Its games.
    pub tally: Tally,
    /// Its mean time per move, in milliseconds.
    pub ms: Option<f64>,
}

impl PairingScore {
    /// The win rate with its interval; `None` without games.
    pub fn rate(&self) -> Option<Wilson> {
        let wdl = self.tally.wdl();
        Wilson::new(wdl.wins, wdl.games())
    }

    /// The number after a key in the name, such as 20 after `i` in `i=20 k=10`.
    pub fn number(&self, word: &str) -> Option<f64> {
        let mut named = self.name.split(' ').filter_map(|part| part.split_once('='));
        named.find(|(w, _)| *w == word).and_then(|(_, v)| v.parse().ok())
    }

    pub fn point(&self, x: f64) -> Option<DataPoint> {
        let w = self.rate()?;
        Some(DataPoint::with_interval(x, w.rate, w.low, w.high))
    }
}

/// The scores of a log in schedule order, without pairings that have no games.
pub(super) fn pairing_scores(header: &MatchHeader, log: &Aggregate) -> Vec<PairingScore> {
    // A plan in rounds has every pairing in each round.
    let mut seen = BTreeSet::new();
    let pairings = header.schedule.pairings.iter().map(|pairing| pairing.engines);
    pairings
        .filter(|engines| seen.insert(*engines))
        .filter_map(|[a, b]| {
            let name = |i: usize| header.engines.get(i).map(|e| e.name.clone());
            Some(PairingScore {
                name: name(a)?,
                against: name(b)?,
                tally: log.meetings.get(&[a, b])?.tally(),
                ms: log.searches.get(a).and_then(|e| e.total.us.mean()).map(|us| us / 1000.0),
            })
        })
        .filter(|cell| cell.tally.wdl().games() > 0)
        .collect()
}
