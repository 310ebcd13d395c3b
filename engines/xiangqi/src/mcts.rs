//! The evaluator of the Monte Carlo tree search. Random playouts are of little use in Xiangqi,
//! because they rarely end in mate, so a new node gets the winning chance derived from the
//! evaluation after quiescence.

use crate::evaluation::evaluate;
use crate::position::{MoveList, Position, SEE_VALUES};
use agon_protocol::Player;
use agon_protocol::xiangqi::{Xiangqi, XiangqiMove};
use agon_search::mcts;

/// The value in centipawns at which the odds of winning are e to 1.
const SCALE: f32 = 280.0;

/// The default settings for this game.
pub fn settings(seed: u64, megabytes: usize) -> mcts::MctsSettings {
    mcts::MctsSettings {
        simulations: 0,
        exploration: 0.25,
        bias: Some(0.4),
        prior: Some(1.0),
        iterations: None,
        memory: megabytes << 20,
        seed,
    }
}

/// The evaluator.
#[derive(Clone, Copy, Debug, Default)]
pub struct XiangqiMctsEvaluator;

impl mcts::MctsEvaluator<Xiangqi> for XiangqiMctsEvaluator {
    fn play_out(
        &mut self,
        leaves: &[(Xiangqi, u64)],
        simulations: u32,
        half_points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        // A playout ends immediately with its expected result.
        half_points.clear();
        for (i, (game, _)) in leaves.iter().enumerate() {
            if i % 16 == 0 && stopped() {
                return false;
            }
            let value = self.value(game, Player::First);
            half_points.push((value * 2.0 * simulations as f32).round() as u32);
        }
        true
    }

    fn value(&mut self, game: &Xiangqi, player: Player) -> f32 {
        let mut position = Position::from_game(game);
        let value = quiescence(&mut position, -i32::from(i16::MAX), i32::from(i16::MAX));
        let mine = if game.side_to_move() == player { value } else { -value };
        1.0 / (1.0 + libm::expf(-(mine as f32) / SCALE))
    }

    fn outcome_class(&self, _game: &Xiangqi, outcome: XiangqiMove) -> u32 {
        // Xiangqi has no chance: every outcome is its own class.
        (outcome.from.index() << 7 | outcome.to.index()) as u32
    }
}

/// The value for the side to move when both may make captures that lose nothing.
fn quiescence(position: &mut Position, mut alpha: i32, beta: i32) -> i32 {
    let mut best = evaluate(position);
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
        let value = -quiescence(position, -beta, -alpha);
        position.undo();
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}
