//! The evaluator of Monte Carlo tree search: random playouts, or a value from mobility.

use crate::params;
use agon_games::nogo::{NoGo, Points};
use agon_games::rng::{self, Stream};
use agon_games::{Game, Player};
use agon_search::mcts::MctsEvaluator;
use agon_search::params::TUNING;
use std::sync::LazyLock;

/// [`divisor`] of each number of points where both sides can play.
static DIVISORS: LazyLock<[f32; 82]> = LazyLock::new(|| std::array::from_fn(divisor));

/// What a lead is divided by, by the number of points where both sides can play.
fn divisor(shared: usize) -> f32 {
    libm::powf(shared as f32 + 1.0, params::shared_exponent() as f32 / 100.0)
}

/// Random playouts, and mobility as the value of a position.
#[derive(Clone, Copy, Debug)]
pub struct NoGoEvaluator;

impl MctsEvaluator<NoGo> for NoGoEvaluator {
    fn play_out(
        &mut self,
        leaves: &[(NoGo, u64)],
        simulations: u32,
        half_points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        half_points.clear();
        for (leaf, key) in leaves {
            let mut stream = rng::stream(*key, 0, "playout");
            let wins = (0..simulations).filter(|_| winner(*leaf, &mut stream) == Player::First);
            half_points.push(2 * wins.count() as u32);
            if stopped() {
                return false;
            }
        }
        true
    }

    /// The logistic function of the mobility lead: a side that can play on more points runs out of
    /// moves later. The lead counts more if fewer points are open to both.
    fn value(&mut self, game: &NoGo, player: Player) -> f32 {
        let mover = game.side_to_move();
        let (own, other) = (game.legal(), game.legal_for(mover.opponent()));
        let lead =
            own.count_ones() as f32 - other.count_ones() as f32 + params::tempo() as f32 / 100.0;
        let shared = (own & other).count_ones() as usize;
        let divisor = if TUNING { divisor(shared) } else { DIVISORS[shared] };
        let factor = params::lead() as f32 / 100.0;
        let value = 1.0 / (1.0 + libm::expf(-factor * lead / divisor));
        if player == mover { value } else { 1.0 - value }
    }
}

/// The winner when both play random legal moves to the end.
fn winner(mut game: NoGo, stream: &mut Stream) -> Player {
    loop {
        let moves = game.count_moves();
        if moves == 0 {
            return game.side_to_move().opponent();
        }
        if let Some(m) = Points(game.legal()).nth(rng::below(stream, moves) as usize) {
            game.play(m);
        }
    }
}
