//! The evaluator of the generic Monte Carlo tree search: short playouts that prefer captures, and
//! prior knowledge from the static evaluation.

use crate::evaluation::{DarkChessNetworkEvaluator, UNIT};
use crate::evaluator::pack;
use crate::search::params;
use crate::tablebase::DarkChessTablebase;
use agon_games::Player;
use agon_games::darkchess::{DarkChess, DarkMove, Piece, Squares};
use agon_games::game::{Game, Outcome, Turn};
use agon_games::rng::{self, Stream};
use agon_search::mcts::MctsEvaluator;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Playouts between two checks of the clock.
const CHECK_INTERVAL: u32 = 32;

/// The playouts.
#[derive(Clone, Debug)]
pub struct DarkChessPlayouts {
    evaluator: DarkChessNetworkEvaluator,
    tablebase: Option<Arc<DarkChessTablebase>>,
    moves: Vec<DarkMove>,
    captures: Vec<DarkMove>,
}

impl DarkChessPlayouts {
    /// Playouts with this evaluation, and exact values for positions in a tablebase.
    pub fn new(
        evaluator: DarkChessNetworkEvaluator,
        tablebase: Option<Arc<DarkChessTablebase>>,
    ) -> DarkChessPlayouts {
        DarkChessPlayouts { evaluator, tablebase, moves: Vec::new(), captures: Vec::new() }
    }

    /// Plays a game to the end; returns the first player's half points (win 2, draw 1).
    fn play_one(&mut self, start: &DarkChess, stream: &mut Stream) -> u32 {
        let mut game = *start;
        for _ in 0..params::playout_plies() {
            match game.turn() {
                Turn::Over(outcome) => return half_points(outcome),
                Turn::Chance => game.play(random_outcome(&game, stream)),
                Turn::Player(_) => {
                    if let Some(value) = self.probe_half_points(&game) {
                        return value;
                    }
                    let m = self.random_move(&game, stream);
                    game.play(m)
                }
            };
        }
        match game.turn() {
            Turn::Over(outcome) => half_points(outcome),
            _ => {
                let ahead = self.evaluator.advantage(&game);
                let first = if game.mover() == Player::First { ahead } else { -ahead };
                let won = params::playout_won();
                1 + u32::from(first > won) - u32::from(first < -won)
            }
        }
    }

    /// The first player's half points according to the tablebase.
    fn probe_half_points(&self, game: &DarkChess) -> Option<u32> {
        if game.hidden() != 0 {
            return None;
        }
        let value = self.tablebase.as_ref()?.probe(game)?;
        let mover = game.mover();
        Some(match value.plies() {
            None => 1,
            Some(_) if value.is_win() == (mover == Player::First) => 2,
            Some(_) => 0,
        })
    }

    /// A random move: usually a capture if there is one.
    fn random_move(&mut self, game: &DarkChess, stream: &mut Stream) -> DarkMove {
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
        let take = moves.is_empty()
            || !captures.is_empty() && rng::below(stream, params::playout_quiet_odds()) != 0;
        let candidates = if take { captures } else { moves };
        candidates[rng::below(stream, candidates.len() as u64) as usize]
    }
}

/// A random outcome of a flip.
fn random_outcome(game: &DarkChess, stream: &mut Stream) -> DarkMove {
    let drawn = rng::weighted_index(stream, game.pool().iter().map(|&n| u32::from(n)));
    match drawn.and_then(Piece::from_index) {
        Some(piece) => DarkMove::Reveal(piece),
        None => unreachable!("a flip is made only while a hidden piece is left"),
    }
}

/// Twice the first player's points.
fn half_points(outcome: Outcome) -> u32 {
    (outcome.sign_for(Player::First) + 1) as u32
}

impl MctsEvaluator<DarkChess> for DarkChessPlayouts {
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
                if played % CHECK_INTERVAL == 0 && stopped() {
                    return false;
                }
            }
            half_points.push(sum);
        }
        true
    }

    fn value(&mut self, game: &DarkChess, player: Player) -> f32 {
        if let Some(first) = self.probe_half_points(game) {
            let own = if player == Player::First { first } else { 2 - first };
            return own as f32 / 2.0;
        }
        let value = self.evaluator.evaluate(game);
        let own = if game.mover() == player { value } else { -value };
        (own + UNIT) as f32 / (2 * UNIT) as f32
    }

    fn outcome_class(&self, _game: &DarkChess, outcome: DarkMove) -> u32 {
        pack(outcome)
    }
}
