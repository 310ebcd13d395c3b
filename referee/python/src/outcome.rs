//! Whose turn it is and how a game ended, as Python sees it.

use crate::errors::OutOfRange;
use agon_games::{Outcome as Ended, Player, Turn};
use pyo3::exceptions::PyTypeError;
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

/// A whole number of Python from `least` to `most`.
pub fn whole(what: &str, value: &Bound<'_, PyAny>, least: u64, most: u64) -> PyResult<u64> {
    let py = value.py();
    match value.extract::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => Err(error),
        _ => {
            let expected = match most - least {
                1 => format!("expected {least} or {most}"),
                _ => format!("expected {least} to {most}"),
            };
            Err(OutOfRange::new_err(format!("{what} {}: {expected}", value.str()?)))
        }
    }
}

/// The player with a number.
pub fn player(number: &Bound<'_, PyAny>) -> PyResult<Player> {
    Ok(Player::BOTH[whole("player", number, 0, 1)? as usize % 2])
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
