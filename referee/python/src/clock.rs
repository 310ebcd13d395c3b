//! The class `Clock`: what a player in Python knows of its time, and how it reports what it finds.

use crate::errors::OutOfRange;
use agon_games::Player;
use agon_wire::engine::Control;
use agon_wire::message::{Info, Limits, Score};
use pyo3::prelude::*;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// What stays unused of the time of a move: messages and Python's own threads take some.
const OVERHEAD: Duration = Duration::from_millis(20);
/// The moves that the time on a clock must last for.
const MOVES: u32 = 30;

/// What a player tells the conversation.
pub enum Note {
    Info(Box<Info>),
    /// The turn.
    Chosen(String),
    /// There is none, and why.
    Failed(String),
}

/// The limits of one move of a `Player`, and what it may tell about its search. Times are in seconds.
///
/// `stopped` is what a search asks again and again: whether the manager wants the move now, or `seconds` are over.
#[pyclass(frozen, module = "agon")]
pub struct Clock {
    limits: Limits,
    budget: Option<Duration>,
    begin: Instant,
    control: Control,
    notes: Sender<Note>,
}

/// The time for a move; None if only depth, nodes or `stop` limit it.
fn budget(limits: &Limits, mover: Option<Player>) -> Option<Duration> {
    let of_mover = |both: [Option<Duration>; 2]| both[mover?.index()];
    let clock = of_mover(limits.time).map(|left| {
        let moves = limits.moves_to_go.unwrap_or(MOVES).clamp(1, MOVES);
        let increment = mover.map_or(Duration::ZERO, |mover| limits.increment[mover.index()]);
        (left / moves + increment * 3 / 4).min(left / 2)
    });
    let time = [clock, limits.move_time].into_iter().flatten().min()?;
    Some(time.saturating_sub(OVERHEAD).max(time / 4))
}

impl Clock {
    pub fn new(
        limits: Limits,
        mover: Option<Player>,
        control: Control,
        notes: Sender<Note>,
    ) -> Clock {
        let budget = budget(&limits, mover);
        Clock { limits, budget, begin: Instant::now(), control, notes }
    }
}

#[pymethods]
impl Clock {
    /// Whether the move is wanted now.
    #[getter]
    fn stopped(&self) -> bool {
        let is_over = self.budget.is_some_and(|budget| self.begin.elapsed() >= budget);
        is_over || self.control.stopped()
    }

    /// The time that this move should take; None if only depth, nodes or `stop` limit it.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.budget.map(|time| time.as_secs_f64())
    }

    /// The time since the request.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    /// The time left on the clock of each player; None for a player without a clock.
    #[getter]
    fn time(&self) -> (Option<f64>, Option<f64>) {
        let [first, second] = self.limits.time.map(|time| time.map(|time| time.as_secs_f64()));
        (first, second)
    }

    /// What each player gains by a move.
    #[getter]
    fn increment(&self) -> (f64, f64) {
        let [first, second] = self.limits.increment.map(|time| time.as_secs_f64());
        (first, second)
    }

    /// The moves until the next time control; None if the clock is for the whole game.
    #[getter]
    fn moves_to_go(&self) -> Option<u32> {
        self.limits.moves_to_go
    }

    /// The time for this move, if the manager fixes it.
    #[getter]
    fn movetime(&self) -> Option<f64> {
        self.limits.move_time.map(|time| time.as_secs_f64())
    }

    /// The depth in plies to search to.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.limits.depth
    }

    /// The number of positions to look at.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Whether only `stop` ends the search; the answer is held back until then.
    #[getter]
    fn infinite(&self) -> bool {
        self.limits.infinite
    }

    /// The only turns that may be played; empty: all.
    #[getter]
    fn search_moves(&self) -> Vec<String> {
        self.limits.search_moves.clone()
    }

    /// Turns that must not be played unless there is no other.
    #[getter]
    fn ban_moves(&self) -> Vec<String> {
        self.limits.ban_moves.clone()
    }

    /// Tells the manager what the search has found. Scores are those of the player to move: `cp` in hundredths,
    /// `mate` in plies to a forced win or, negative, loss; `wdl` are the chances to win, draw and lose.
    #[pyo3(signature = (*, depth=None, cp=None, mate=None, wdl=None, nodes=None, moves=None, rank=None, text=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn report(
        &self,
        depth: Option<u32>,
        cp: Option<i32>,
        mate: Option<i32>,
        wdl: Option<(f64, f64, f64)>,
        nodes: Option<u64>,
        moves: Option<Vec<String>>,
        rank: Option<u32>,
        text: Option<String>,
    ) -> PyResult<()> {
        if cp.is_some() && mate.is_some() {
            return Err(OutOfRange::new_err("cp and mate: expected one of them"));
        }
        let time = self.begin.elapsed();
        let per_second = |nodes: u64| (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
        let info = Info {
            depth,
            multipv: rank,
            time: Some(time),
            nodes,
            nps: nodes.map(per_second),
            score: cp.map(Score::Cp).or(mate.map(Score::Mate)),
            wdl: wdl.map(permille).transpose()?,
            pv: moves.unwrap_or_default(),
            text,
            ..Info::default()
        };
        // The search may be over.
        let _ = self.notes.send(Note::Info(Box::new(info)));
        Ok(())
    }
}

/// Chances in thousandths that add up to 1000.
fn permille((win, draw, loss): (f64, f64, f64)) -> PyResult<[u32; 3]> {
    let sum = win + draw + loss;
    let are_chances = [win, draw, loss].iter().all(|chance| *chance >= 0.0);
    if !(are_chances && sum > 0.0 && sum.is_finite()) {
        return Err(OutOfRange::new_err(format!(
            "wdl=({win}, {draw}, {loss}): expected the chances to win, draw and lose, such as (0.5, 0.2, 0.3)"
        )));
    }
    let win = (1000.0 * win / sum).round() as u32;
    let loss = ((1000.0 * loss / sum).round() as u32).min(1000 - win);
    Ok([win, 1000 - win - loss, loss])
}
