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
    /// All tags, their names in small letters.
    pub tags: Vec<(String, String)>,
    /// Moves, comments and variations with their places.
    pub items: Vec<(Place, Item)>,
}

/// A part of a game.
#[derive(Debug, PartialEq, Eq)]
pub enum Item {
    /// A move, or a chance outcome.
    Move(String),
    /// A comment. It may be a chance outcome.
    Comment(String),
    /// A remark on the move before it: a number of the standard such as `$1`, or marks such as `!?`.
    Remark(String),
    /// The beginning of a variation, which replaces the move before it.
    Open,
    /// The end of a variation.
    Close,
}

impl WrittenGame {
    /// A game without moves.
    pub fn new(place: Place) -> WrittenGame {
        WrittenGame { place, game: None, fen: None, tags: Vec::new(), items: Vec::new() }
    }

    /// Takes in a tag.
    pub fn tag(&mut self, name: String, value: String) {
        match name.as_str() {
            "fen" => self.fen = Some(value.clone()),
            "game" => self.game = Some(value.clone()),
            _ => {}
        }
        self.tags.push((name, value));
    }

    /// The value of a tag; empty without it.
    pub fn value(&self, name: &str) -> &str {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Takes in a word; `text` is the move in it.
    pub fn word(&mut self, place: Place, word: &str, text: Option<&str>) {
        let Some(text) = text else { return };
        self.items.push((place, Item::Move(text.into())));
        let marks = &word[word.trim_end_matches(['!', '?']).len()..];
        if !marks.is_empty() {
            self.items.push((place, Item::Remark(marks.into())));
        }
    }

    /// The items that belong to no variation, by their numbers.
    pub fn main(&self) -> impl Iterator<Item = (usize, &Item)> {
        let mut depth = 0_usize;
        let items = self.items.iter().enumerate();
        items.filter_map(move |(i, (_, item))| {
            match item {
                Item::Open => depth += 1,
                Item::Close => depth = depth.saturating_sub(1),
                item if depth == 0 => return Some((i, item)),
                _ => {}
            }
            None
        })
    }
}
