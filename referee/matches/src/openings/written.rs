//! A game of an openings file before its moves are checked.

/// A game as it is written in a file.
#[derive(Debug, PartialEq, Eq)]
pub struct WrittenGame {
    /// The line at which it begins, from 1.
    pub line: usize,
    /// The name of the game that is played, if the file says so.
    pub game: Option<String>,
    /// The position before the first move; `None`: the game's start position.
    pub fen: Option<String>,
    /// Moves and comments with their lines.
    pub items: Vec<(usize, Item)>,
}

/// A part of a game.
#[derive(Debug, PartialEq, Eq)]
pub enum Item {
    /// A move, or a chance outcome.
    Move(String),
    /// A comment. It may be a chance outcome.
    Comment(String),
}

impl WrittenGame {
    /// A game without moves.
    pub fn new(line: usize) -> WrittenGame {
        WrittenGame { line, game: None, fen: None, items: Vec::new() }
    }
}
