//! Runs a search of [`SearchPosition`]s on plain game positions.

use super::evaluator::unproved;
use super::position::SearchPosition;
use super::weights::Weights;
use crate::params;
use agon_protocol::Record;
use agon_protocol::connect6::{Connect6, Connect6Move};
use agon_protocol::game::Game;
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::{Root, RootMoves};
use agon_search::score::Scale;
use agon_search::searcher::Searcher;

/// A search and the weights of its evaluation.
#[derive(Debug)]
pub struct PositionSearch<S> {
    search: S,
    weights: Weights,
    /// The forced results that the search reports are verified.
    verified: bool,
}

impl<S: Searcher<SearchPosition>> PositionSearch<S> {
    /// Makes `search` evaluate with these weights.
    pub fn new(search: S, weights: Weights) -> PositionSearch<S> {
        PositionSearch { search, weights, verified: false }
    }

    /// The same for a search whose forced results are verified: they are reported as such.
    pub fn verified(search: S, weights: Weights) -> PositionSearch<S> {
        PositionSearch { search, weights, verified: true }
    }
}

impl<S: Searcher<SearchPosition>> Searcher<Connect6> for PositionSearch<S> {
    fn run(
        &mut self,
        root: &Root<Connect6>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Connect6Move>),
    ) -> SearchResult<Connect6Move> {
        let record = Record::new(SearchPosition::with_weights(root.game(), self.weights));
        let position = record.current();
        let mut moves = root.moves().clone();
        if let RootMoves::Except(_) = moves
            && !position.candidates().into_iter().any(|m| root.allows(m))
        {
            // All candidates are banned, for example where only one turn wins: choose among the
            // other turns.
            let mut others = position.quiet_turns(params::quiet_points());
            others.retain(|&m| position.game().is_legal(m) && root.allows(m));
            if others.is_empty() {
                others.push(root.first_move());
            }
            moves = RootMoves::Only(others);
        }
        let root = Root::with_moves(&record, moves);
        if self.verified {
            return self.search.run(&root, clock, report);
        }
        let scale = self.search.scale();
        let result = self.search.run(&root, clock, &mut |r| report(&shown(r.clone(), scale)));
        shown(result, scale)
    }

    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn set_lines(&mut self, lines: usize) -> bool {
        self.search.set_lines(lines)
    }

    fn hashfull(&self) -> Option<u32> {
        self.search.hashfull()
    }

    fn scale(&self) -> Scale {
        self.search.scale()
    }
}

/// A result whose forced wins and losses are not verified, as it is reported.
fn shown(result: SearchResult<Connect6Move>, scale: Scale) -> SearchResult<Connect6Move> {
    match scale {
        Scale::Evaluation => SearchResult { value: unproved(result.value), ..result },
        Scale::ExpectedOutcome => result,
    }
}
