//! State of a dialect's engine side: the game so far, in dialects that send one move at a time, and
//! the predicted reply, in dialects that send a move to ponder on.

use crate::message::{Command, Info};

/// The game so far: all moves received or played.
#[derive(Debug, Default)]
pub(super) struct MoveHistory {
    /// The start position, if it is not the standard one.
    pub fen: Option<String>,
    /// The tokens of the moves since then.
    pub moves: Vec<String>,
    /// Number of moves before the last line, whose own moves are not yet checked by the rules.
    checked: usize,
}

impl MoveHistory {
    /// Starts a new game.
    pub fn clear(&mut self) {
        self.fen = None;
        self.moves.clear();
        self.checked = 0;
    }

    /// Accepts all moves so far at the start of a new line.
    pub fn checkpoint(&mut self) {
        self.checked = self.moves.len();
    }

    /// Drops the moves of the last line, because the rules refused them.
    pub fn roll_back(&mut self) {
        self.moves.truncate(self.checked);
    }

    /// The position as a command.
    pub fn position(&self) -> Command {
        Command::Position { fen: self.fen.clone(), moves: self.moves.clone() }
    }
}

/// The last principal variation that the search reported.
#[derive(Debug, Default)]
pub(super) struct ExpectedLine(Vec<String>);

impl ExpectedLine {
    /// Stores the principal variation of a report.
    pub fn note(&mut self, info: &Info) {
        if !info.pv.is_empty() {
            self.0.clone_from(&info.pv);
        }
    }

    /// The reply that the search predicts to its chosen move. Call it once per search.
    pub fn expected_reply(&mut self, played: &str) -> Option<String> {
        let mut line = std::mem::take(&mut self.0).into_iter();
        (line.next()? == played).then(|| line.next()).flatten()
    }
}
