//! Wrappers of searches: a wrapper answers some positions itself, or changes what the search sees or
//! reports. It states only that; [`Wrapped`] delegates everything else to the search.

use crate::clock::Clock;
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::Scale;
use crate::searcher::Searcher;
use agon_protocol::Game;

/// What is done around a search.
pub trait Wrapper<G: Game>: Send {
    /// The game that the wrapped search searches.
    type Inner: Game;

    /// See [`Searcher::run`].
    fn run(
        &mut self,
        search: &mut dyn Searcher<Self::Inner>,
        root: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move>;

    /// The number of lines that every search from now on is to report.
    fn set_lines(&mut self, _lines: usize) {}
}

/// A wrapper and its search.
#[derive(Debug)]
pub struct Wrapped<W, S>(pub W, pub S);

impl<G: Game, W: Wrapper<G>, S: Searcher<W::Inner>> Searcher<G> for Wrapped<W, S> {
    fn run(
        &mut self,
        root: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        self.0.run(&mut self.1, root, clock, report)
    }

    fn prepare(&mut self) {
        self.1.prepare();
    }

    fn new_game(&mut self) {
        self.1.new_game();
    }

    fn set_lines(&mut self, lines: usize) -> bool {
        self.0.set_lines(lines);
        self.1.set_lines(lines)
    }

    fn hashfull(&self) -> Option<u32> {
        self.1.hashfull()
    }

    fn scale(&self) -> Scale {
        self.1.scale()
    }
}
