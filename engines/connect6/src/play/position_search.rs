//! Runs a search of [`SearchPosition`]s on plain game positions.

use super::evaluator::unproved;
use super::position::SearchPosition;
use super::weights::WindowWeights;
use crate::params;
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Move};
use agon_games::game::Game;
use agon_search::clock::Clock;
use agon_search::host::{Options, Setting};
use agon_search::result::SearchResult;
use agon_search::root::{Root, RootMoves};
use agon_search::score::Scale;
use agon_search::searcher::{Searcher, Wrapper};

/// The option that names the weights.
pub const EVALUATION: Setting<&str> =
    Setting::choice("Evaluation", &["tuned", "rule"], "Weights of the evaluation");

/// Makes a search evaluate with these weights.
#[derive(Debug)]
pub struct PositionSearch {
    weights: WindowWeights,
    /// The forced results that the search reports are verified: they are reported as such.
    verified: bool,
}

impl PositionSearch {
    /// With the weights that the options name. Forced results are reported as such if the search
    /// has `verified` them.
    pub fn new(options: &Options, verified: bool) -> PositionSearch {
        let weights = match options.get(&EVALUATION) {
            "rule" => WindowWeights::RULE,
            _ => WindowWeights::tuned(),
        };
        PositionSearch { weights, verified }
    }
}

impl Wrapper<Connect6> for PositionSearch {
    type Inner = SearchPosition;

    fn run(
        &mut self,
        search: &mut dyn Searcher<SearchPosition>,
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
            let values = position.placement_values();
            let mut others = position.quiet_turns(&values, params::quiet_points());
            others.retain(|&m| position.game().is_legal(m) && root.allows(m));
            if others.is_empty() {
                others.push(root.first_move());
            }
            moves = RootMoves::Only(others);
        }
        let root = Root::with_moves(&record, moves);
        if self.verified {
            return search.run(&root, clock, report);
        }
        let scale = search.scale();
        let result = search.run(&root, clock, &mut |r| report(&shown(r.clone(), scale)));
        shown(result, scale)
    }
}

/// A result whose forced wins and losses are not verified, as it is reported.
fn shown(result: SearchResult<Connect6Move>, scale: Scale) -> SearchResult<Connect6Move> {
    match scale {
        Scale::Evaluation => SearchResult { value: unproved(result.value), ..result },
        Scale::ExpectedOutcome => result,
    }
}
