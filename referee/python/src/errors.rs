//! The exceptions, which are defined in Python, and the errors of the rules as exceptions.

use agon_games::MoveError;
use agon_games::actions::ActionError;
use agon_games::arbiter::OpenError;
use pyo3::PyErr;
use pyo3::import_exception;

import_exception!(agon._errors, BadPosition);
import_exception!(agon._errors, BadRule);
import_exception!(agon._errors, EngineDied);
import_exception!(agon._errors, EngineError);
import_exception!(agon._errors, EngineStartError);
import_exception!(agon._errors, EngineTimeout);
import_exception!(agon._errors, IllegalAction);
import_exception!(agon._errors, LogError);
import_exception!(agon._errors, NothingToUndo);
import_exception!(agon._errors, OutOfRange);
import_exception!(agon._errors, UnknownGame);
import_exception!(agon._errors, WrongShape);

/// An error on opening a game.
pub fn opening(error: OpenError) -> PyErr {
    match error {
        OpenError::Fen(error) => BadPosition::new_err(error.to_string()),
        OpenError::Rule(error) => BadRule::new_err(error.to_string()),
        OpenError::Record(error) => IllegalAction::new_err(error.to_string()),
    }
}

/// A refused action.
pub fn action(error: ActionError) -> PyErr {
    IllegalAction::new_err(error.to_string())
}

/// A refused turn.
pub fn turn(error: MoveError) -> PyErr {
    IllegalAction::new_err(error.to_string())
}
