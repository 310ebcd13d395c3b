//! The interface of every search algorithm, and wrappers of searches: a wrapper answers some positions
//! itself, or changes what the search sees or reports. It states only that; [`Wrapped`] delegates
//! everything else to the search.

use crate::clock::Clock;
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::Scale;
use agon_games::{Game, Player, Turn};

/// A search algorithm with its settings and its state across moves.
///
/// ```
/// use agon_games::amazons::Amazons;
/// use agon_wire::message::Limits;
/// use agon_games::option::NoRules;
/// use agon_games::{Game, Record};
/// use agon_search::baseline::Random;
/// use agon_search::clock::Clock;
/// use agon_search::root::Root;
/// use agon_search::searcher::Searcher;
///
/// let record = Record::new(Amazons::start(&NoRules));
/// let clock = Clock::unmanaged(&Limits::with_depth(1));
/// let result = Random { seed: 1 }.run(&Root::new(&record), &clock, &mut |_| {});
/// assert!(record.current().is_legal(result.best()));
/// ```
pub trait Searcher<G: Game>: Send {
    /// Searches the allowed moves of the root, where a player is to move, until the clock expires,
    /// and returns the best line. Calls `report` with every better or deeper result.
    ///
    /// Iterative deepening starts at [`Clock::first_depth`] and ends at [`Clock::depth`]. The
    /// result of a restricted root must not be stored in a transposition table.
    fn run(
        &mut self,
        root: &Root<G>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move>;

    /// Does the work that the first search would otherwise do on its own time, such as reading an
    /// endgame tablebase into memory. Called before `readyok`, perhaps repeatedly.
    fn prepare(&mut self) {}

    /// Clears everything learned in earlier games.
    fn new_game(&mut self) {}

    /// Asks every search from now on to report the best `lines` root moves, each result with its
    /// rank. False if one search does not rank the root moves: then each line needs a search without
    /// the moves already found.
    fn set_lines(&mut self, _lines: usize) -> bool {
        false
    }

    /// Permille of the transposition table in use; `None` without one.
    fn hashfull(&self) -> Option<u32> {
        None
    }

    /// The scale of its values.
    fn scale(&self) -> Scale {
        Scale::Evaluation
    }
}

/// The player to move; the first player in a finished position, which is never searched.
pub fn side_to_move<G: Game>(game: &G) -> Player {
    game.turn().player().unwrap_or(Player::First)
}

/// The result of a move for the player who made it.
pub(crate) enum StepResult {
    /// The game is over, with this value for the mover.
    Over(i32),
    /// The same player is to move again.
    Same,
    /// The opponent is to move.
    Other,
}

/// Classifies the position after a move of `mover`, which is `ply` plies below the root.
#[inline]
pub(crate) fn step<G: Game>(game: &G, mover: Player, ply: u32) -> StepResult {
    match game.turn() {
        Turn::Over(outcome) => StepResult::Over(crate::score::of_outcome(outcome, mover, ply)),
        Turn::Player(next) if next == mover => StepResult::Same,
        // Chance cannot occur: these algorithms reject such games at compile time.
        Turn::Player(_) | Turn::Chance => StepResult::Other,
    }
}

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
