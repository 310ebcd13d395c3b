//! `V(b)`: what is known about a board without playing it out, and playouts that use it (section
//! 3.7).

use crate::ntuple::NTuple;
use crate::playout::{Ended, Fast};
use crate::race::{RaceTable, Side};
use agon_protocol::Player;
use agon_protocol::rng::Stream;
use rand_core::Rng;
use std::sync::Arc;

/// Where `V(b)` comes from.
#[derive(Clone, Debug, Default)]
pub enum Knowledge {
    /// The chance of winning the race: needs no training.
    #[default]
    Race,
    /// A trained network, as in the paper.
    NTuple(Arc<NTuple>),
}

impl Knowledge {
    /// `V(b)` for the player who has just moved, 0 to 1; the game must not be over.
    #[inline]
    pub fn value(&self, board: &Fast) -> f32 {
        let roller = Player::BOTH[board.side];
        match self {
            Knowledge::NTuple(net) => net.value(&board.cells, roller.opponent()),
            Knowledge::Race => {
                let side = |player: Player| Side {
                    player,
                    squares: &board.squares[player.index()],
                    alive: board.alive[player.index()],
                };
                1.0 - RaceTable::of(board.rule).roller_wins(side(roller), side(roller.opponent()))
            }
        }
    }
}

/// How playouts choose their moves.
#[derive(Clone, Debug, Default)]
pub enum Rollout {
    /// Every legal move equally often.
    #[default]
    Random,
    /// The move with the best `V(b)`, or with the chance `epsilon` (in units of 2^-32) any.
    Greedy {
        /// Chance of a random move, times 2^32.
        epsilon: u64,
        /// What values the moves.
        knowledge: Knowledge,
    },
}

impl Rollout {
    /// As many playouts as take a few milliseconds.
    pub fn playouts_a_slice(&self) -> u32 {
        match self {
            Rollout::Random => 4096,
            Rollout::Greedy { knowledge: Knowledge::Race, .. } => 1024,
            Rollout::Greedy { knowledge: Knowledge::NTuple(_), .. } => 128,
        }
    }

    /// Plays to the end.
    #[inline]
    pub fn play(&self, board: Fast, stream: &mut Stream) -> Ended {
        match self {
            Rollout::Random => board.playout(stream),
            Rollout::Greedy { epsilon, knowledge } => greedy(board, *epsilon, knowledge, stream),
        }
    }
}

fn greedy(mut board: Fast, epsilon: u64, knowledge: &Knowledge, stream: &mut Stream) -> Ended {
    let mut moves = 0;
    loop {
        let (die, bits) = Fast::roll(stream);
        let (stone, to) = if stream.next_u64() >> 32 < epsilon {
            board.pick(die, bits)
        } else {
            best_move(&board, die, knowledge)
        };
        moves += 1;
        if let Some(winner) = board.step(stone, to) {
            return Ended { winner, moves };
        }
    }
}

/// The move after which the board is worth most; the first of equal ones.
fn best_move(board: &Fast, die: u8, knowledge: &Knowledge) -> (usize, u8) {
    let mut best = (f32::NEG_INFINITY, (0, 0));
    board.visit_moves(die, &mut |stone, to| {
        let mut next = *board;
        let value = match next.step(stone, to) {
            Some(_) => f32::INFINITY,
            None => knowledge.value(&next),
        };
        if value > best.0 {
            best = (value, (stone, to));
        }
    });
    best.1
}
