//! The cells of the experiment, read from a log: the games of one engine against another.

use agon_matchlog::Header;
use agon_report::plot::DataPoint;
use agon_report::report::aggregate::Aggregate;
use agon_stats::{Tally, Wilson};
use std::collections::BTreeSet;

/// One cell: an engine's games against another.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The engine's name.
    pub name: String,
    /// The opponent's name.
    pub against: String,
    /// Its games.
    pub tally: Tally,
    /// Its mean time per move, in milliseconds.
    pub ms: Option<f64>,
}

impl Cell {
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

/// The cells of a log in schedule order, without those that have no games.
pub(super) fn read_cells(header: &Header, log: &Aggregate) -> Vec<Cell> {
    // A plan in rounds has every pairing in each round.
    let mut seen = BTreeSet::new();
    let pairings = header.schedule.pairings.iter().map(|pairing| pairing.engines);
    pairings
        .filter(|engines| seen.insert(*engines))
        .filter_map(|[a, b]| {
            let name = |i: usize| header.engines.get(i).map(|e| e.name.clone());
            Some(Cell {
                name: name(a)?,
                against: name(b)?,
                tally: log.meetings.get(&[a, b])?.tally(),
                ms: log.effort.get(a).and_then(|e| e.total.us.mean()).map(|us| us / 1000.0),
            })
        })
        .filter(|cell| cell.tally.wdl().games() > 0)
        .collect()
}

/// The core count of this machine, not the log's: the report is made where the games were played.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
