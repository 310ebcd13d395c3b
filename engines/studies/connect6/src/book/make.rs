//! Making a book: the engine searches one position after another for its best turns.

use super::leaves::{Preference, leaves};
use agon_connect6::book::{Book, BookTurn, DECIDED, Symmetry};
use agon_connect6::play::SearchPosition;
use agon_games::connect6::{Connect6, Connect6Move};
use agon_games::game::{Game, Player, Turn};
use agon_games::record::Record;
use agon_search::clock::{Clock, Stopped, TimeManagement};
use agon_search::root::{Root, RootMoves};
use agon_search::score::{is_decisive, of_outcome};
use agon_search::searcher::{Searcher, side_to_move};
use agon_wire::engine::Control;
use agon_wire::message::Limits;
use std::panic::resume_unwind;
use std::thread::scope;
use std::time::Duration;

/// How a book is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakeSettings {
    /// Which positions are expanded first.
    pub preference: Preference,
    /// The most turns of a position; each costs a search.
    pub turns: usize,
    /// The limits of each search.
    pub limits: Limits,
}

/// The searches that a book is made with.
pub struct BookMaker {
    settings: MakeSettings,
    searchers: Vec<Box<dyn Searcher<Connect6>>>,
    control: Control,
}

impl BookMaker {
    /// Searches as many positions at a time as there are searchers, each with one thread, until
    /// `control` stops them.
    pub fn new(
        settings: MakeSettings,
        searchers: Vec<Box<dyn Searcher<Connect6>>>,
        control: Control,
    ) -> BookMaker {
        BookMaker { settings, searchers, control }
    }

    /// Adds the next positions to the book, at most one for each searcher, and backs up the values.
    /// Returns their number: 0 if every position outside the book is decided. With a limit of nodes
    /// or of depth, the positions depend only on the book and the settings.
    ///
    /// # Errors
    /// The control has stopped the searches; the book is as before.
    pub fn grow(&mut self, book: &mut Book) -> Result<usize, Stopped> {
        let parents: Vec<Option<(usize, usize)>> = match book.entries().is_empty() {
            true => vec![None],
            false => leaves(book, self.settings.preference)
                .into_iter()
                .take(self.searchers.len())
                .map(|leaf| Some(leaf.parent))
                .collect(),
        };
        let games: Vec<Connect6> = parents.iter().filter_map(|p| book.reached(*p)).collect();
        let (settings, control) = (&self.settings, &self.control);
        let expanded: Vec<Result<Vec<BookTurn>, Stopped>> = scope(|scope| {
            let pairs = self.searchers.iter_mut().zip(&games);
            let expand = |(searcher, game): (&mut Box<dyn Searcher<Connect6>>, _)| {
                let expansion = Expansion { settings, control, searcher: &mut **searcher };
                expansion.turns(game)
            };
            let threads: Vec<_> = pairs.map(|pair| scope.spawn(move || expand(pair))).collect();
            threads.into_iter().map(|t| t.join().unwrap_or_else(|e| resume_unwind(e))).collect()
        });
        let expanded: Vec<Vec<BookTurn>> = expanded.into_iter().collect::<Result<_, _>>()?;
        let mut added = 0;
        for (parent, turns) in parents.into_iter().zip(expanded) {
            match book.add(parent, turns, 0) {
                Ok(()) => added += 1,
                Err(why) => log::error!("a position cannot be added to the book: {why}"),
            }
        }
        book.back_up();
        Ok(added)
    }
}

/// The searches of a position.
struct Expansion<'a> {
    settings: &'a MakeSettings,
    control: &'a Control,
    searcher: &'a mut dyn Searcher<Connect6>,
}

impl Expansion<'_> {
    /// The best turns of a position, one of those that are symmetric in it; only one if it is won
    /// or lost.
    fn turns(mut self, game: &Connect6) -> Result<Vec<BookTurn>, Stopped> {
        // Nothing is left of earlier positions, so that the result depends on this one only.
        self.searcher.new_game();
        let symmetries = Symmetry::of(game);
        let candidates = SearchPosition::from(game).candidates();
        let (mut turns, mut banned) = (Vec::new(), Vec::new());
        while turns.len() < self.settings.turns && candidates.iter().any(|m| !banned.contains(m)) {
            let found = self.best(game, &banned)?;
            banned.extend(symmetries.iter().map(|s| s.turn(found.turn)));
            banned.sort_unstable();
            banned.dedup();
            turns.push(found);
            if is_decisive(found.value) {
                break;
            }
        }
        Ok(turns)
    }

    /// The best turn of a position except for some.
    fn best(&mut self, game: &Connect6, banned: &[Connect6Move]) -> Result<BookTurn, Stopped> {
        let record = Record::new(game.clone());
        let moves = match banned {
            [] => RootMoves::All,
            _ => RootMoves::Except(banned.to_vec()),
        };
        let time = TimeManagement { overhead: Duration::ZERO, ..TimeManagement::default() };
        let clock = Clock::new(&self.settings.limits, side_to_move(game), time, self.control);
        let mut iterations = Vec::new();
        let result = self.searcher.run(&Root::with_moves(&record, moves), &clock, &mut |r| {
            if r.bound.is_none() {
                iterations.push((r.depth, r.value));
            }
        });
        if self.control.stopped() {
            return Err(Stopped);
        }
        let turn = result.best();
        let depth = u8::try_from(result.depth).unwrap_or(u8::MAX);
        let value = match iterations[..] {
            // The value alternates with the parity of the depth.
            [.., (before, a), (last, b)]
                if before + 1 == last && a.abs().max(b.abs()) < DECIDED =>
            {
                (a + b) / 2
            }
            [.., (_, value)] => value,
            [] => self.value_after(game, turn)?,
        };
        Ok(BookTurn { turn, value, depth })
    }

    /// The value of a turn that the search played without an iteration, because it was the only one.
    fn value_after(&mut self, game: &Connect6, turn: Connect6Move) -> Result<i32, Stopped> {
        let (mover, mut next): (Player, _) = (side_to_move(game), game.clone());
        next.play(turn);
        if let Turn::Over(outcome) = next.turn() {
            return Ok(of_outcome(outcome, mover, 1));
        }
        let value = -self.best(&next, &[])?.value;
        Ok(if is_decisive(value) { value - value.signum() } else { value })
    }
}
