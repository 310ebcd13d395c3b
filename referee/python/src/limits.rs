//! The limits of a search as Python gives them.

use crate::errors::OutOfRange;
use agon_games::Player;
use agon_matchlog::{Limit, TimeControl};
use agon_wire::message::Limits;
use pyo3::prelude::*;
use std::time::Duration;

/// Nobody waits longer.
const LONGEST: f64 = 1e9;
/// Managers and engines count milliseconds.
const SHORTEST: f64 = 0.001;

/// What a search was asked for: the attributes of an object of Python. Times are in seconds.
#[derive(FromPyObject)]
pub struct Asked {
    movetime: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<(f64, f64)>,
    increment: (f64, f64),
    moves_to_go: Option<u32>,
    infinite: bool,
    pub variations: u32,
}

/// A time in seconds.
pub fn seconds(what: &str, value: f64) -> PyResult<Duration> {
    let fits = (0.0..=LONGEST).contains(&value);
    let time = fits.then(|| Duration::try_from_secs_f64(value).ok()).flatten();
    time.ok_or_else(|| {
        OutOfRange::new_err(format!("{what}={value}: expected seconds, such as 0.1"))
    })
}

fn milliseconds(time: f64) -> u64 {
    (1000.0 * time).round() as u64
}

impl Asked {
    /// The limits of the message `go`.
    pub fn limits(&self) -> PyResult<Limits> {
        if self.movetime.is_some_and(|time| time < SHORTEST) {
            return Err(OutOfRange::new_err(format!(
                "movetime={}: expected seconds, at least {SHORTEST}",
                self.movetime.unwrap_or_default()
            )));
        }
        if self.depth == Some(0) || self.nodes == Some(0) {
            return Err(OutOfRange::new_err("depth and nodes: expected at least 1"));
        }
        if self.variations == 0 {
            return Err(OutOfRange::new_err("variations=0: expected at least 1"));
        }
        let limits = Limits {
            time: match self.time {
                Some((first, second)) => {
                    [Some(seconds("time", first)?), Some(seconds("time", second)?)]
                }
                None => [None, None],
            },
            increment: [
                seconds("increment", self.increment.0)?,
                seconds("increment", self.increment.1)?,
            ],
            moves_to_go: self.moves_to_go,
            move_time: self.movetime.map(|time| seconds("movetime", time)).transpose()?,
            depth: self.depth,
            nodes: self.nodes,
            infinite: self.infinite,
            ..Limits::default()
        };
        if limits.is_bounded() {
            return Ok(limits);
        }
        Err(OutOfRange::new_err(
            "the search has no limit: give movetime, depth, nodes or time, or infinite=True and call `stop`",
        ))
    }

    /// The limits as those of an engine in a match.
    pub fn limit(&self, mover: Player) -> Limit {
        let own = |both: (f64, f64)| milliseconds([both.0, both.1][mover.index()]);
        let clock = self.time.map(|time| TimeControl {
            time_ms: own(time),
            increment_ms: own(self.increment),
            moves: None,
        });
        Limit {
            clock,
            move_ms: self.movetime.map(milliseconds),
            depth: self.depth,
            nodes: self.nodes,
            margin_ms: 0,
        }
    }

    /// The time after which the engine is told to stop. `think` is for searches that no clock limits.
    pub fn allowed(&self, mover: Player, think: Duration, grace: Duration) -> Duration {
        let clock = self.time.map(|time| [time.0, time.1][mover.index()]);
        let least = [self.movetime, clock].into_iter().flatten().reduce(f64::min);
        match least.and_then(|time| Duration::try_from_secs_f64(time).ok()) {
            _ if self.infinite => Duration::from_secs(LONGEST as u64),
            Some(time) => time + grace,
            None => think,
        }
    }
}
