//! A turn in stages, on the engine's side: what has been entered of it, and the plan for the rest.

use super::spelling::{BOARD_SIZE, Spelling};
use crate::dialect::squares::FileRow;
use crate::dialect::{DialectError, refuse};
use agon_games::arbiter::{Arbiter, game};
use agon_games::text::excerpt;

/// The turn that is being played.
#[derive(Debug, Default)]
pub(super) struct StagedTurn {
    /// The stages so far.
    entered: Vec<FileRow>,
    /// All stages of the turn that the search chose; empty if none is known.
    plan: Vec<FileRow>,
}

impl StagedTurn {
    /// Whether a turn has begun.
    pub fn has_begun(&self) -> bool {
        !self.entered.is_empty()
    }

    /// Forgets the turn.
    pub fn clear(&mut self) {
        self.entered.clear();
        self.plan.clear();
    }

    /// Takes back the last stage. `false` if the turn has not begun.
    pub fn undo(&mut self) -> bool {
        self.entered.pop().is_some()
    }

    /// Opens a turn that had been played, without its last stage.
    pub fn reopen(&mut self, spelling: &Spelling, token: &str) {
        self.clear();
        self.entered = spelling.stages_of(token).unwrap_or_default();
        self.entered.pop();
    }

    /// Plans the turn that the search chose.
    pub fn plan(&mut self, spelling: &Spelling, token: &str) {
        let turn = spelling.stages_of(token).unwrap_or_default();
        let rest = spelling.rest_after(&self.entered, &turn).unwrap_or_default();
        self.plan = [self.entered.as_slice(), &rest].concat();
    }

    /// Plays the next stage of the plan; `None` without a plan that goes on as the turn did. The
    /// text is `pass` if the planned turn has no further stage.
    pub fn follow_plan(&mut self, spelling: &Spelling, moves: &mut Vec<String>) -> Option<String> {
        let rest =
            self.plan.strip_prefix(self.entered.as_slice()).filter(|_| !self.plan.is_empty())?;
        let next = rest.first().copied();
        self.entered.extend(next);
        // One stone that makes six is a whole turn, but takes the place of two.
        let full = spelling.stages_due(moves.len());
        if next.is_none() || self.entered.len() == full {
            moves.push(spelling.token_of(&self.entered));
            self.clear();
        }
        Some(next.map_or("pass".into(), |square| spelling.write_stage(square)))
    }

    /// Plays a stage, or the `pass` instead of a second stone after one that makes six.
    pub fn play(
        &mut self,
        spelling: &Spelling,
        moves: &mut Vec<String>,
        size: &str,
        text: &str,
    ) -> Result<(), DialectError> {
        let mut begin = self.entered.clone();
        let pass = text.eq_ignore_ascii_case("pass");
        match spelling.read_stage(text) {
            Some(square) => begin.push(square),
            None if pass && self.has_begun() => {}
            None => {
                let (found, expected) = (excerpt(text), spelling.turn);
                return refuse(format!("`{found}` is not a stage of a turn: expected {expected}"));
            }
        }
        let mut board = board(spelling, moves, size)?;
        let full = !pass && begin.len() == spelling.stages_due(moves.len());
        if full || pass {
            let token = spelling.token_of(&begin);
            let token = board.push(&token).map_err(|error| DialectError(error.to_string()))?;
            moves.push(token);
            self.clear();
            return Ok(());
        }
        if continuations(spelling, &*board, &begin).is_empty() {
            return refuse(format!("no legal turn begins with `{}`", spelled(spelling, &begin)));
        }
        self.entered = begin;
        Ok(())
    }

    /// The turns to which a search is restricted: those that begin as this one; none if
    /// all may be played.
    pub fn continuations(
        &self,
        spelling: &Spelling,
        moves: &[String],
        size: &str,
    ) -> Result<Vec<String>, DialectError> {
        if !self.has_begun() {
            return Ok(Vec::new());
        }
        let board = board(spelling, moves, size)?;
        Ok(continuations(spelling, &*board, &self.entered))
    }
}

/// The position before the turn.
fn board(
    spelling: &Spelling,
    moves: &[String],
    size: &str,
) -> Result<Box<dyn Arbiter>, DialectError> {
    let failed = |error: String| DialectError(error);
    let kind = game(spelling.game).ok_or_else(|| failed("unknown game".into()))?;
    let rules = match spelling.fixed_size {
        None => vec![(BOARD_SIZE.to_string(), size.to_string())],
        Some(_) => Vec::new(),
    };
    let mut board = kind.open(None, &rules).map_err(|e| failed(e.to_string()))?;
    for token in moves {
        board.push(token).map_err(|e| failed(e.to_string()))?;
    }
    Ok(board)
}

/// The tokens of the legal turns that begin so.
fn continuations(spelling: &Spelling, board: &dyn Arbiter, begin: &[FileRow]) -> Vec<String> {
    let begins = |token: &String| {
        let turn = spelling.stages_of(token).unwrap_or_default();
        spelling.rest_after(begin, &turn).is_some()
    };
    board.legal_tokens().into_iter().filter(begins).collect()
}

fn spelled(spelling: &Spelling, stages: &[FileRow]) -> String {
    stages.iter().map(|s| spelling.write_stage(*s)).collect::<Vec<_>>().join(" ")
}
