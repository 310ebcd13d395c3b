//! Runs a search of [`SearchPosition`]s on plain game positions.

use super::evaluator::{UNPROVED_WIN, unproved};
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
use agon_search::score::{Scale, WIN, clamp_static, is_decisive};
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
        let (verified, is_value) = (self.verified, search.scale() == Scale::Evaluation);
        let shown = |result: SearchResult<Connect6Move>| {
            let value = match decided_at_leaf(result.value, result.moves.len()) {
                value if verified => value,
                value => unproved(value),
            };
            if is_value { SearchResult { value, ..result } } else { result }
        };
        let result = search.run(&root, clock, &mut |r| report(&shown(r.clone())));
        shown(result)
    }
}

/// The value of a result, with that of a leaf where the threats decide the game as a claim. The leaf lies at
/// the end of the variation, if the table has not cut it short, and the win one or two turns below.
fn decided_at_leaf(value: i32, variation: usize) -> i32 {
    if value.abs() < clamp_static(WIN) || is_decisive(value) {
        return value;
    }
    // The side to move at the root wins after an odd number of turns and loses after an even one.
    let parity = usize::from(value > 0);
    let turns = (variation + 1..).find(|turns| turns % 2 == parity).unwrap_or(variation);
    value.signum() * (UNPROVED_WIN - turns as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_decided_at_a_leaf_is_a_claim_of_the_right_parity() {
        let (won, lost) = (clamp_static(WIN), clamp_static(-WIN));
        for (value, variation, shown) in [
            (won, 2, UNPROVED_WIN - 3),
            (won, 3, UNPROVED_WIN - 5),
            (lost, 3, 4 - UNPROVED_WIN),
            (lost, 4, 6 - UNPROVED_WIN),
            (WIN - 3, 3, WIN - 3),
            (4 - UNPROVED_WIN, 2, 4 - UNPROVED_WIN),
            (-120, 5, -120),
        ] {
            assert_eq!(decided_at_leaf(value, variation), shown, "{value} after {variation}");
        }
    }
}
