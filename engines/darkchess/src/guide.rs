//! What the generic Monte Carlo tree search is told about the game: quick playouts, and prior
//! knowledge from the evaluation.

use crate::estimate::pack;
use crate::eval::{UNIT, advantage, evaluate};
use crate::tablebase::DarkChessTablebase;
use agon_protocol::Player;
use agon_protocol::darkchess::{DarkChess, DarkMove, Squares};
use agon_protocol::game::{Game, Outcome, Turn};
use agon_protocol::rng::{self, Stream};
use agon_search::mcts::MctsEvaluator;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Plies after which a playout is judged by the evaluation.
const PLIES: u32 = 40;
/// An advantage in hundredths that counts as won then.
const CLEAR: i32 = 150;
/// Playouts between two looks at the clock.
const POLL: u32 = 32;

/// Playouts in which captures are preferred.
#[derive(Clone, Debug, Default)]
pub struct DarkGuide {
    /// Exact values, where a position is in the table.
    pub endgames: Option<Arc<DarkChessTablebase>>,
    moves: Vec<DarkMove>,
    captures: Vec<DarkMove>,
}

impl DarkGuide {
    /// With these endgame tables.
    pub fn new(endgames: Option<Arc<DarkChessTablebase>>) -> DarkGuide {
        DarkGuide { endgames, ..DarkGuide::default() }
    }

    /// Twice the first player's points.
    fn play_one(&mut self, start: &DarkChess, stream: &mut Stream) -> u32 {
        let mut game = *start;
        for _ in 0..PLIES {
            match game.turn() {
                Turn::Over(outcome) => return points(outcome),
                Turn::Chance => game.play(shown(&game, stream)),
                Turn::Player(_) => {
                    if let Some(value) = self.solved(&game) {
                        return value;
                    }
                    let m = self.choose(&game, stream);
                    game.play(m)
                }
            };
        }
        match game.turn() {
            Turn::Over(outcome) => points(outcome),
            _ => {
                let ahead = advantage(&game);
                let first = if game.mover() == Player::First { ahead } else { -ahead };
                1 + u32::from(first > CLEAR) - u32::from(first < -CLEAR)
            }
        }
    }

    /// Twice the first player's points by the endgame table.
    fn solved(&self, game: &DarkChess) -> Option<u32> {
        if game.hidden() != 0 {
            return None;
        }
        let value = self.endgames.as_ref()?.probe(game)?;
        let mover = game.mover();
        Some(match value.plies() {
            None => 1,
            Some(_) if value.is_win() == (mover == Player::First) => 2,
            Some(_) => 0,
        })
    }

    /// A capture three times out of four where there is one, else anything.
    fn choose(&mut self, game: &DarkChess, stream: &mut Stream) -> DarkMove {
        self.moves.clear();
        self.captures.clear();
        let (moves, captures) = (&mut self.moves, &mut self.captures);
        if let Some(own) = game.colour_to_move() {
            let enemies = game.side_pieces(own.other());
            let _ = game.visit_steps::<()>(own, &mut |from, to| {
                let m = DarkMove::Step { from, to };
                if enemies >> to & 1 != 0 {
                    captures.push(m)
                } else {
                    moves.push(m)
                }
                ControlFlow::Continue(())
            });
        }
        moves.extend(Squares(game.hidden()).map(DarkMove::Flip));
        let take = moves.is_empty() || !captures.is_empty() && rng::below(stream, 4) != 0;
        let list = if take { captures } else { moves };
        list[rng::below(stream, list.len() as u64) as usize]
    }
}

/// What a flip shows, by lot.
fn shown(game: &DarkChess, stream: &mut Stream) -> DarkMove {
    let total: u32 = game.pool().iter().map(|&n| u32::from(n)).sum();
    let mut ticket = rng::below(stream, u64::from(total.max(1))) as u32;
    let found = game.visit_chance(&mut |m, weight| {
        if ticket < weight {
            return ControlFlow::Break(m);
        }
        ticket -= weight;
        ControlFlow::Continue(())
    });
    match found {
        ControlFlow::Break(m) => m,
        // The weights add up to the total.
        ControlFlow::Continue(()) => DarkMove::Flip(0),
    }
}

fn points(outcome: Outcome) -> u32 {
    (outcome.sign_for(Player::First) + 1) as u32
}

impl MctsEvaluator<DarkChess> for DarkGuide {
    fn play_out(
        &mut self,
        leaves: &[(DarkChess, u64)],
        simulations: u32,
        half_points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        half_points.clear();
        let mut played = 0;
        for (game, key) in leaves {
            let mut sum = 0;
            for simulation in 0..simulations {
                let mut stream = rng::stream(*key, simulation.into(), "dark chess playout");
                sum += self.play_one(game, &mut stream);
                played += 1;
                if played % POLL == 0 && stopped() {
                    return false;
                }
            }
            half_points.push(sum);
        }
        true
    }

    fn value(&mut self, game: &DarkChess, player: Player) -> f32 {
        if let Some(first) = self.solved(game) {
            let own = if player == Player::First { first } else { 2 - first };
            return own as f32 / 2.0;
        }
        let value = evaluate(game);
        let own = if game.mover() == player { value } else { -value };
        (own + UNIT) as f32 / (2 * UNIT) as f32
    }

    fn outcome_class(&self, _game: &DarkChess, outcome: DarkMove) -> u32 {
        pack(outcome)
    }
}
