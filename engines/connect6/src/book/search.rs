//! Plays from a book, and searches where the book has no turn to play.

use super::content::{Book, DECIDED};
use crate::play::unproved;
use agon_protocol::connect6::{Connect6, Connect6Move};
use agon_protocol::game::Game;
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::Scale;
use agon_search::searcher::Searcher;
use std::sync::Arc;

/// A search with a book. It searches, too, if several lines are asked for, and in an analysis without
/// a time limit.
pub struct BookSearch<S> {
    book: Arc<Book>,
    search: S,
    lines: usize,
}

impl<S> BookSearch<S> {
    /// Plays from `book` first.
    pub fn new(book: Arc<Book>, search: S) -> BookSearch<S> {
        BookSearch { book, search, lines: 1 }
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

impl<S: Searcher<Connect6>> Searcher<Connect6> for BookSearch<S> {
    fn run(
        &mut self,
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
        self.search.run(root, clock, report)
    }

    fn prepare(&mut self) {
        self.search.prepare();
    }

    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn set_lines(&mut self, lines: usize) -> bool {
        self.lines = lines;
        self.search.set_lines(lines)
    }

    fn hashfull(&self) -> Option<u32> {
        self.search.hashfull()
    }

    fn scale(&self) -> Scale {
        self.search.scale()
    }
}
