//! Whose turn it is and how a game ended, as Python sees it.

use crate::errors::OutOfRange;
use agon_games::{Outcome as Ended, Player, Turn};
use pyo3::prelude::*;

/// Chance is to move.
pub const CHANCE: i8 = -1;
/// The game is over.
pub const OVER: i8 = -4;

/// 0 or 1 for a player, else [`CHANCE`] or [`OVER`].
pub fn number(turn: Turn) -> i8 {
    match turn {
        Turn::Player(player) => player.index() as i8,
        Turn::Chance => CHANCE,
        Turn::Over(_) => OVER,
    }
}

/// 1 for a win, -1 for a loss, 0 otherwise.
pub fn returns(turn: Turn) -> [f32; 2] {
    let sign = |player| turn.outcome().map_or(0, |o| o.sign_for(player)) as f32;
    Player::BOTH.map(sign)
}

/// The player with a number.
pub fn player(number: i64) -> PyResult<Player> {
    match number {
        0 => Ok(Player::First),
        1 => Ok(Player::Second),
        _ => Err(OutOfRange::new_err(format!("player {number}: expected 0 or 1"))),
    }
}

/// Checks a number that picks an action.
pub fn unit(value: f64) -> PyResult<f64> {
    if (0.0..1.0).contains(&value) {
        return Ok(value);
    }
    Err(OutOfRange::new_err(format!(
        "{value}: expected a number from 0 to less than 1, such as random.random() gives"
    )))
}

/// How a game ended: who won, and by which rule.
///
/// >>> import agon
/// >>> game = agon.Game("connect6", moves="a1 a3c3 b1c1 e3g3 d1e1 i3k3 f1".split())
/// >>> game.outcome
/// Outcome(winner=0, rule='line')
#[pyclass(frozen, get_all, eq, hash, module = "agon")]
#[derive(PartialEq, Eq, Hash)]
pub struct Outcome {
    /// 0 or 1, or None for a draw.
    winner: Option<usize>,
    /// The rule that ended the game; None for a result that is certain before the end.
    rule: Option<&'static str>,
}

impl Outcome {
    /// A result, and the rule that made it.
    pub fn new(outcome: Ended, rule: Option<&'static str>) -> Outcome {
        let winner = match outcome {
            Ended::Win(player) => Some(player.index()),
            Ended::Draw => None,
        };
        Outcome { winner, rule }
    }
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        let winner = self.winner.map_or("None".into(), |w| w.to_string());
        let rule = self.rule.map_or("None".into(), |rule| format!("'{rule}'"));
        format!("Outcome(winner={winner}, rule={rule})")
    }
}
