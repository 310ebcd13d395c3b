//! What an engine's side of a dialect remembers: the game so far, in dialects that tell one move at a
//! time, and what the search expects, in those that tell the opponent's likely move.

use crate::message::{Command, Info};

/// The engine's side: every move that was told or played.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Where the game began, if not at the game's own start.
    pub fen: Option<String>,
    /// Tokens since.
    pub moves: Vec<String>,
    /// How many of them were there before the last line, whose moves nobody has checked yet.
    checked: usize,
}

impl History {
    /// A new game.
    pub fn clear(&mut self) {
        self.fen = None;
        self.moves.clear();
        self.checked = 0;
    }

    /// A line begins: what came before it is settled.
    pub fn settle(&mut self) {
        self.checked = self.moves.len();
    }

    /// The rules refused what the last line told: it is forgotten.
    pub fn forget(&mut self) {
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
    /// Hears a report.
    pub fn note(&mut self, info: &Info) {
        if !info.pv.is_empty() {
            self.0.clone_from(&info.pv);
        }
    }

    /// The answer that the search expects to the move that it has chosen; asked once a search.
    pub fn expected_reply(&mut self, played: &str) -> Option<String> {
        let mut line = std::mem::take(&mut self.0).into_iter();
        (line.next()? == played).then(|| line.next()).flatten()
    }
}
