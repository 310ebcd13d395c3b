//! The plain expectimax that verifies the table: the rules, recursion and memoization keyed by the
//! position itself. It uses none of the table's reductions.

use agon_games::einstein::{CELLS, EinStein, EinSteinMove, MissingDie, goal};
use agon_games::game::{Game, Player, Turn};
use agon_games::hash::{FastMap, mix};
use agon_games::rng;
use rand_core::Rng;
use std::ops::ControlFlow;

/// Exact values by full recursion, memoized.
#[derive(Default)]
pub struct Expectimax {
    known: FastMap<u64, f64>,
}

impl Expectimax {
    /// The probability that the side to move wins, before its roll, under best play; 1 or 0 if the
    /// game is over. Time and memory grow tenfold or more with every stone.
    pub fn value(&mut self, state: &EinStein) -> f64 {
        let mover = state.player();
        if let Turn::Over(outcome) = state.turn() {
            return if outcome.sign_for(mover) > 0 { 1.0 } else { 0.0 };
        }
        let key = position_key(state);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let mut sum = 0.0;
        for die in 1..=6 {
            let mut rolled = *state;
            rolled.play(EinSteinMove::Roll(die));
            let mut best: f64 = 0.0;
            let _ = rolled.visit_moves::<()>(&mut |m| {
                let mut next = rolled;
                next.play(m);
                best = best.max(1.0 - self.value(&next));
                ControlFlow::Continue(())
            });
            sum += best;
        }
        self.known.insert(key, sum / 6.0);
        sum / 6.0
    }
}

/// All twelve squares at 5 bits, 31 for a captured stone, and the side to move: exact. Mixed (a
/// bijection), since the map's hash would give the last stones alone the low bits.
pub fn position_key(state: &EinStein) -> u64 {
    let mut key = state.player().index() as u64;
    for player in Player::BOTH {
        for (i, &square) in state.squares(player).iter().enumerate() {
            let living = state.alive(player) & 1 << i != 0;
            key = key << 5 | if living { u64::from(square) } else { 31 };
        }
    }
    mix(key)
}

/// A random position before the roll with these numbers of stones, none on its own goal; `None` if
/// they do not fit the board.
pub fn random_position(
    rng: &mut impl Rng,
    stones: [usize; 2],
    rule: MissingDie,
) -> Option<EinStein> {
    if stones.iter().any(|&n| n == 0 || n > 6) {
        return None;
    }
    let to_move = if rng::below(rng, 2) == 0 { Player::First } else { Player::Second };
    loop {
        let mut squares: Vec<u8> = (0..CELLS as u8).collect();
        rng::shuffle(rng, &mut squares);
        let mut sides = Player::BOTH.map(|player| {
            let mut numbers = [1u8, 2, 3, 4, 5, 6];
            rng::shuffle(rng, &mut numbers);
            numbers[..stones[player.index()]]
                .iter()
                .map(|&n| (n, squares.pop().unwrap_or(goal(player))))
                .collect::<Vec<_>>()
        });
        sides.iter_mut().for_each(|side| side.sort_unstable());
        match EinStein::with_stones(&sides[0], &sides[1], to_move, rule) {
            Ok(state) if state.turn() == Turn::Chance => return Some(state),
            _ => {}
        }
    }
}
