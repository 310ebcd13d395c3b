//! Expectimax without pruning, table or ordering: the reference with which the real search must
//! agree exactly.

use super::{ExpectimaxEvaluator, average, outcome_value};
use agon_protocol::game::{chance_outcomes, legal_moves};
use agon_protocol::{Game, Player, Turn};

/// The expected outcome of `game` for `player`, looking `depth` decisions ahead, and the number
/// of nodes visited.
pub fn plain<G: Game, E: ExpectimaxEvaluator<G>>(
    game: &G,
    player: Player,
    depth: u32,
    evaluator: &mut E,
) -> (i32, u64) {
    if let Some(value) = outcome_value(game.turn(), player) {
        return (value, 1);
    }
    if let Some(value) = evaluator.solve(game, player) {
        return (value, 1);
    }
    if depth == 0 {
        return (evaluator.evaluate(game, player), 1);
    }
    let mut nodes = 1;
    let mut child = |m, viewer, depth| {
        let mut next = game.clone();
        next.play(m);
        let (value, below) = plain(&next, viewer, depth, evaluator);
        nodes += below;
        value
    };
    let value = match game.turn() {
        Turn::Player(mover) => {
            let values = legal_moves(game).into_iter().map(|m| child(m, mover, depth - 1));
            let best = values.max().unwrap_or(0);
            if mover == player { best } else { -best }
        }
        _ => {
            let outcomes = chance_outcomes(game);
            let total = outcomes.iter().map(|o| i64::from(o.1)).sum();
            let values = outcomes.into_iter();
            let sum = values.map(|(m, w)| i64::from(child(m, player, depth)) * i64::from(w)).sum();
            average(sum, total)
        }
    };
    (value, nodes)
}
