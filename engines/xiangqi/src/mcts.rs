//! The evaluator of the Monte Carlo tree search. Random playouts are of little use in Xiangqi,
//! because they rarely end in mate, so a new node gets the winning chance derived from the
//! evaluation after quiescence.

use crate::evaluation::features::XiangqiNetwork;
use crate::evaluation::{UNIT, XiangqiNetworkEvaluator};
use crate::position::{MoveList, Position, SEE_VALUES};
use agon_games::Player;
use agon_games::xiangqi::Xiangqi;
use agon_search::mcts::MctsEvaluator;
use std::sync::Arc;

/// The evaluator.
pub struct XiangqiMctsEvaluator(XiangqiNetworkEvaluator);

impl XiangqiMctsEvaluator {
    /// With this network.
    pub fn new(network: Arc<XiangqiNetwork>) -> XiangqiMctsEvaluator {
        XiangqiMctsEvaluator(XiangqiNetworkEvaluator::new(network))
    }
}

impl MctsEvaluator<Xiangqi> for XiangqiMctsEvaluator {
    fn value(&mut self, game: &Xiangqi, player: Player) -> f32 {
        let mut position = Position::from_game(game);
        let value =
            quiescence(&mut self.0, &mut position, -i32::from(i16::MAX), i32::from(i16::MAX));
        let mine = if game.side_to_move() == player { value } else { -value };
        1.0 / (1.0 + libm::expf(-(mine as f32) / UNIT as f32))
    }
}

/// The value for the side to move when both may make captures that lose nothing.
fn quiescence(
    evaluator: &mut XiangqiNetworkEvaluator,
    position: &mut Position,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    let mut best = evaluator.evaluate(position);
    if best >= beta {
        return best;
    }
    alpha = alpha.max(best);
    let mut captures = MoveList::new();
    position.captures(&mut captures);
    let gain = |position: &Position, m| position.victim(m).map_or(0, |k| SEE_VALUES[k.index()]);
    captures.sort_unstable_by_key(|&m| (-gain(position, m), m));
    for m in captures {
        if !position.see_at_least(m, 0) || !position.is_safe(m) {
            continue;
        }
        position.play(m);
        let value = -quiescence(evaluator, position, -beta, -alpha);
        position.undo();
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}
