//! A game of an openings file before its moves are checked, and places in a file.

use std::fmt;

/// A place in a text, both numbers from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character of the line.
    pub column: usize,
}

impl Place {
    /// The place of the byte at `at`, which begins a character.
    pub fn of(text: &str, at: usize) -> Place {
        let before = text.get(..at).unwrap_or(text);
        let line = 1 + before.matches('\n').count();
        let begin = before.rfind('\n').map_or(0, |n| n + 1);
        Place { line, column: 1 + before[begin..].chars().count() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A game as it is written in a file.
#[derive(Debug, PartialEq, Eq)]
pub struct WrittenGame {
    /// Where it begins.
    pub place: Place,
    /// The name of the game that is played, if the file says so.
    pub game: Option<String>,
    /// The position before the first move; `None`: the game's start position.
    pub fen: Option<String>,
    /// Moves and comments with their places.
    pub items: Vec<(Place, Item)>,
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
    pub fn new(place: Place) -> WrittenGame {
        WrittenGame { place, game: None, fen: None, items: Vec::new() }
    }
}
