//! The positions of a book and their values.

use super::symmetry::{Symmetry, key};
use crate::play::{UNPROVED_WIN, unproved};
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_games::game::Game;
use agon_games::hash::{FastMap, FastSet};
use agon_search::score::{WIN, is_decisive};
use std::collections::hash_map::Entry;

/// A position is decided from this absolute value on, in centipoints: by a verified win or by one
/// that the search claims. The book does not expand decided positions.
pub const DECIDED: i32 = UNPROVED_WIN / 2;

/// A turn of a position in the book, as the engine's search found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookTurn {
    /// The turn.
    pub turn: Connect6Move,
    /// The value of the search for the side to move, in centipoints.
    pub value: i32,
    /// The depth of the search in plies.
    pub depth: u8,
}

/// A position in the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The position.
    pub game: Connect6,
    /// The entry and the number of its turn that led here first; `None` for the start position.
    pub parent: Option<(usize, usize)>,
    /// Turns played before the position.
    pub ply: u32,
    /// Its best turns by the search, in the order found; at least one.
    pub turns: Vec<BookTurn>,
    /// The backed-up value for the side to move.
    pub value: i32,
    /// The keys of the positions after the turns; `None` if the game is over.
    after: Vec<Option<u64>>,
}

impl BookEntry {
    /// The key of the position after a turn; `None` if the game is over.
    pub fn after(&self, number: usize) -> Option<u64> {
        self.after[number]
    }
}

/// A turn as the book ranks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The turn.
    pub turn: Connect6Move,
    /// Its backed-up value for the side to move, in centipoints.
    pub value: i32,
    /// The depth of its search in plies.
    pub depth: u8,
    /// Positions of the book that can be reached after it.
    pub positions: usize,
    /// The turn and the best turns after it.
    pub line: Vec<Connect6Move>,
}

/// A book: the start position and positions that follow from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    size: usize,
    entries: Vec<BookEntry>,
    index: FastMap<u64, usize>,
}

impl Book {
    /// An empty book for boards of this size.
    pub fn new(size: usize) -> Book {
        Book { size, entries: Vec::new(), index: FastMap::default() }
    }

    /// The number of columns and rows of its board.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The positions, in the order in which they were added; every position follows its parent.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// The position to which a turn of an entry leads; the start position for `None`.
    pub fn reached(&self, parent: Option<(usize, usize)>) -> Option<Connect6> {
        let Some((entry, number)) = parent else {
            return Some(Connect6::start(&Connect6Rules { size: self.size }));
        };
        let entry = self.entries.get(entry)?;
        let mut game = entry.game.clone();
        game.play(entry.turns.get(number)?.turn);
        Some(game)
    }

    /// The entry after a turn of an entry.
    pub fn child(&self, entry: &BookEntry, number: usize) -> Option<usize> {
        self.index.get(&entry.after(number)?).copied()
    }

    /// Adds the position to which a turn of an entry leads, with its turns. Call [`Book::back_up`]
    /// after the last one.
    ///
    /// # Errors
    /// The position is in the book, its game is over, there is no such turn of an entry, a turn is
    /// illegal or missing, or a value is greater than that of a win.
    pub fn add(
        &mut self,
        parent: Option<(usize, usize)>,
        turns: Vec<BookTurn>,
        value: i32,
    ) -> Result<(), String> {
        let game = self.reached(parent).ok_or("no earlier position leads to it")?;
        let ply = parent.map_or(0, |(entry, _)| self.entries[entry].ply + 1);
        if game.turn().player().is_none() || turns.is_empty() {
            return Err("it has no turn".into());
        }
        let values = turns.iter().map(|t| t.value).chain([value]);
        if let Some(value) = values.into_iter().find(|v| v.unsigned_abs() > WIN.unsigned_abs()) {
            return Err(format!("its value {value} is out of range"));
        }
        if let Some(wrong) = turns.iter().find(|t| !game.is_legal(t.turn)) {
            return Err(format!("its turn {} is illegal", wrong.turn));
        }
        let after = |t: &BookTurn| {
            let mut next = game.clone();
            next.play(t.turn);
            next.turn().player().map(|_| key(&next))
        };
        let after = turns.iter().map(after).collect();
        match self.index.entry(key(&game)) {
            Entry::Occupied(_) => return Err("an earlier position is symmetric to it".into()),
            Entry::Vacant(free) => free.insert(self.entries.len()),
        };
        self.entries.push(BookEntry { game, parent, ply, turns, value, after });
        Ok(())
    }

    /// The value of a turn: that of the position after it, or that of the search.
    pub fn turn_value(&self, entry: &BookEntry, number: usize) -> i32 {
        match self.child(entry, number).map(|child| -self.entries[child].value) {
            None => entry.turns[number].value,
            Some(value) if is_decisive(value) => value - value.signum(),
            Some(value) => value,
        }
    }

    /// The value of a position by the values of its turns. A loss is proved only by the search of
    /// all turns: the book has a part of them.
    fn minimax(&self, entry: &BookEntry) -> i32 {
        let values = (0..entry.turns.len()).map(|number| self.turn_value(entry, number));
        let best = values.max().unwrap_or(0);
        let is_proved = best > 0 || entry.turns.iter().any(|t| is_decisive(t.value));
        if is_proved { best } else { unproved(best) }
    }

    /// The entries in order of play.
    pub fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|entry| self.entries[*entry].ply);
        order
    }

    /// Computes the values of all positions from those of their turns.
    pub fn back_up(&mut self) {
        for entry in self.in_order().into_iter().rev() {
            self.entries[entry].value = self.minimax(&self.entries[entry]);
        }
    }

    /// The first entry whose value does not follow from those of its turns, and the value that does.
    pub fn inconsistent(&self) -> Option<(usize, i32)> {
        let values = self.entries.iter().map(|entry| self.minimax(entry)).enumerate();
        values.into_iter().find(|(entry, value)| self.entries[*entry].value != *value)
    }

    /// The numbers of an entry's turns, the best first; equal ones in the order found.
    fn ranking(&self, entry: &BookEntry) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..entry.turns.len()).collect();
        numbers.sort_by_key(|number| -self.turn_value(entry, *number));
        numbers
    }

    /// The entry of a position, with the symmetry that maps the entry's position to it.
    pub fn find(&self, game: &Connect6) -> Option<(&BookEntry, Symmetry)> {
        let entry = &self.entries[*self.index.get(&key(game))?];
        Some((entry, Symmetry::between(&entry.game, game)?))
    }

    /// The best turns from a position on, as far as the book goes; empty if it is not in the book.
    pub fn line(&self, game: &Connect6) -> Vec<Connect6Move> {
        let mut game = game.clone();
        let mut line = Vec::new();
        while let Some((entry, symmetry)) = self.find(&game) {
            let m = symmetry.turn(entry.turns[self.ranking(entry)[0]].turn);
            line.push(m);
            game.play(m);
        }
        line
    }

    /// The turns of a position, the best first; `None` if it is not in the book.
    pub fn ranked(&self, game: &Connect6) -> Option<Vec<Ranked>> {
        let (entry, symmetry) = self.find(game)?;
        let ranked = self.ranking(entry).into_iter().map(|number| {
            let (found, mut next) = (entry.turns[number], game.clone());
            let turn = symmetry.turn(found.turn);
            next.play(turn);
            let mut line = vec![turn];
            line.extend(self.line(&next));
            let value = self.turn_value(entry, number);
            let positions = self.below(self.child(entry, number));
            Ranked { turn, value, depth: found.depth, positions, line }
        });
        Some(ranked.collect())
    }

    /// The number of entries that can be reached from one, itself included.
    fn below(&self, from: Option<usize>) -> usize {
        let (mut seen, mut todo) = (FastSet::default(), Vec::from_iter(from));
        while let Some(at) = todo.pop() {
            if seen.insert(at) {
                let entry = &self.entries[at];
                todo.extend((0..entry.turns.len()).filter_map(|number| self.child(entry, number)));
            }
        }
        seen.len()
    }
}
