//! `V(b)`, the static value of a board, and the playout policies (section 3.7 of the paper).

use crate::ntuple::NTuple;
use crate::playout_board::{PlayoutBoard, PlayoutResult};
use crate::race_distribution::{RaceDistributions, SideStones};
use agon_games::Player;
use agon_games::rng::Stream;
use rand_core::Rng;
use std::sync::Arc;

/// The source of `V(b)`.
#[derive(Clone, Debug, Default)]
pub enum BoardValue {
    /// The probability of winning the race, without training.
    #[default]
    Race,
    /// A trained network, as in the paper.
    NTuple(Arc<NTuple>),
}

impl BoardValue {
    /// `V(b)`, 0 to 1, for the player who has just moved; the game must not be over.
    #[inline]
    pub fn value(&self, board: &PlayoutBoard) -> f32 {
        let roller = Player::BOTH[board.side];
        match self {
            BoardValue::NTuple(net) => net.value(&board.cells, roller.opponent()),
            BoardValue::Race => {
                let side = |player: Player| SideStones {
                    player,
                    squares: &board.squares[player.index()],
                    alive: board.alive[player.index()],
                };
                1.0 - RaceDistributions::of(board.rule)
                    .roller_wins(side(roller), side(roller.opponent()))
            }
        }
    }
}

/// The move choice of playouts.
#[derive(Clone, Debug, Default)]
pub enum PlayoutPolicy {
    /// A uniformly random legal move.
    #[default]
    Random,
    /// With probability epsilon a random move, otherwise the move with the best `V(b)`.
    EpsilonGreedy {
        /// Epsilon times 2^32.
        epsilon: u64,
        /// Evaluates the boards after the moves.
        board_value: BoardValue,
    },
}

impl PlayoutPolicy {
    /// The policy that plays a random move with probability `epsilon`, from 0 to 1.
    pub fn epsilon_greedy(epsilon: f64, board_value: BoardValue) -> PlayoutPolicy {
        PlayoutPolicy::EpsilonGreedy { epsilon: (epsilon * 4_294_967_296.0) as u64, board_value }
    }

    /// The number of playouts that take a few milliseconds.
    pub fn slice_size(&self) -> u32 {
        match self {
            PlayoutPolicy::Random => 4096,
            PlayoutPolicy::EpsilonGreedy { board_value: BoardValue::Race, .. } => 1024,
            PlayoutPolicy::EpsilonGreedy { board_value: BoardValue::NTuple(_), .. } => 128,
        }
    }

    /// Plays a game to the end.
    #[inline]
    pub fn play(&self, board: PlayoutBoard, stream: &mut Stream) -> PlayoutResult {
        match self {
            PlayoutPolicy::Random => board.playout(stream),
            PlayoutPolicy::EpsilonGreedy { epsilon, board_value } => {
                epsilon_greedy(board, *epsilon, board_value, stream)
            }
        }
    }
}

fn epsilon_greedy(
    mut board: PlayoutBoard,
    epsilon: u64,
    board_value: &BoardValue,
    stream: &mut Stream,
) -> PlayoutResult {
    let mut moves = 0;
    loop {
        let (die, bits) = PlayoutBoard::roll(stream);
        let (stone, to) = if stream.next_u64() >> 32 < epsilon {
            board.random_move(die, bits)
        } else {
            best_move(&board, die, board_value)
        };
        moves += 1;
        if let Some(winner) = board.step(stone, to) {
            return PlayoutResult { winner, moves };
        }
    }
}

/// The move with the best board value after it; the first one on ties.
fn best_move(board: &PlayoutBoard, die: u8, board_value: &BoardValue) -> (usize, u8) {
    let mut best = (f32::NEG_INFINITY, (0, 0));
    board.visit_moves(die, &mut |stone, to| {
        let mut next = *board;
        let value = match next.step(stone, to) {
            Some(_) => f32::INFINITY,
            None => board_value.value(&next),
        };
        if value > best.0 {
            best = (value, (stone, to));
        }
    });
    best.1
}
