//! Messages that the tests of several dialects expect.

use super::Dialect;
use crate::message::{Command, Limits, Reply};

/// The position after these moves, separated by blanks, from the start.
pub fn position(moves: &str) -> Command {
    Command::Position { fen: None, moves: moves.split_whitespace().map(Into::into).collect() }
}

/// The position after these moves from another one.
pub fn position_from(fen: &str, moves: &str) -> Command {
    let moves = moves.split_whitespace().map(Into::into).collect();
    Command::Position { fen: Some(fen.into()), moves }
}

/// A search without limits.
pub fn go() -> Command {
    Command::Go(Limits::default())
}

/// A move of the engine.
pub fn best_move(token: &str) -> Reply {
    Reply::BestMove(Some(token.into()))
}

/// The commands of a line that an engine receives.
pub fn receive(dialect: &mut dyn Dialect, line: &str) -> Vec<Command> {
    dialect.read_command(line).expect(line)
}
