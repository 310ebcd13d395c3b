//! What the engine's side of a dialect remembers: the game so far, in dialects that send one move at a
//! time, and the predicted reply, in those that send a move to ponder on.

use crate::message::{Command, Info};

/// The game so far: every move that was received or played.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The start position, if it is not the game's own.
    pub fen: Option<String>,
    /// The tokens of the moves since.
    pub moves: Vec<String>,
    /// How many of them were there before the last line; the rules have not checked its moves yet.
    checked: usize,
}

impl History {
    /// A new game.
    pub fn clear(&mut self) {
        self.fen = None;
        self.moves.clear();
        self.checked = 0;
    }

    /// Accepts all moves so far: a new line begins.
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
    /// Takes the variation of a report.
    pub fn note(&mut self, info: &Info) {
        if !info.pv.is_empty() {
            self.0.clone_from(&info.pv);
        }
    }

    /// The reply that the search predicts to its chosen move. Called once per search.
    pub fn expected_reply(&mut self, played: &str) -> Option<String> {
        let mut line = std::mem::take(&mut self.0).into_iter();
        (line.next()? == played).then(|| line.next()).flatten()
    }
}
