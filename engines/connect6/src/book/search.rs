//! Plays from a book, and searches where the book has no turn to play.

use super::content::{Book, DECIDED};
use super::file;
use crate::play::unproved;
use agon_games::connect6::{Connect6, Connect6Move, MAX_SIZE};
use agon_games::game::Game;
use agon_search::clock::Clock;
use agon_search::host::{Setting, loaded};
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::searcher::{Searcher, Wrapper};
use std::sync::Arc;

/// The option that names the book.
pub const BOOK: Setting<Option<Arc<Book>>> = Setting::file(
    "Book",
    file::MAX_BYTES,
    |bytes| loaded(file::from_bytes(&bytes, MAX_SIZE).map(|(_, book)| book)),
    "File of an opening book for the 19x19 board, made by `lab connect6 book make`; empty for none",
);

/// Plays from a book, except if several lines are asked for, and in an analysis without a time limit.
pub struct BookSearch {
    book: Arc<Book>,
    lines: usize,
}

impl BookSearch {
    /// Plays from `book` first.
    pub fn new(book: Arc<Book>) -> BookSearch {
        BookSearch { book, lines: 1 }
    }

    /// The book's best turn, if it may be played. The search may do better than a lost position's
    /// turn in the book, which has not seen all turns.
    fn book_turn(&self, root: &Root<Connect6>) -> Option<SearchResult<Connect6Move>> {
        let (entry, _) = self.book.find(root.game())?;
        let moves = self.book.line(root.game());
        let turn = *moves.first()?;
        let plays = entry.value > -DECIDED && root.game().is_legal(turn) && root.allows(turn);
        // Only the verifier reports wins, and it does not run here.
        let value = unproved(entry.value);
        plays.then(|| SearchResult { depth: 1, value, moves, ..SearchResult::unknown(turn) })
    }
}

impl Wrapper<Connect6> for BookSearch {
    type Inner = Connect6;

    fn run(
        &mut self,
        search: &mut dyn Searcher<Connect6>,
        root: &Root<Connect6>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> SearchResult<Connect6Move> {
        let is_analysis = clock.is_open_ended() && clock.soft_limit().is_none();
        if self.lines <= 1
            && !is_analysis
            && let Some(result) = self.book_turn(root)
        {
            report(&result);
            return result;
        }
        search.run(root, clock, report)
    }

    fn set_lines(&mut self, lines: usize) {
        self.lines = lines;
    }
}
