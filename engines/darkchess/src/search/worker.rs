//! The state of one search thread, and the value of positions that need no search.

use super::params;
use super::score::{PLY_COST, WIN};
use crate::evaluation::DarkChessNetworkEvaluator;
use crate::evaluator::MOVE_KEYS;
use crate::fortress::cannot_win;
use crate::tablebase::DarkChessTablebase;
use agon_games::Player;
use agon_games::darkchess::{DarkChess, DarkMove};
use agon_games::game::{Game, Outcome, Turn};
use agon_search::clock::NodeCounter;
use agon_search::expectimax::star::ChanceOutcome;
use agon_search::transposition::TranspositionTable;

/// The maximum depth of iterative deepening, in plies.
pub const MAX_DEPTH: u32 = 100;
/// The maximum ply of a node.
pub const MAX_PLY: u32 = MAX_DEPTH + 50;
/// The minimum number of plies without a capture or a flip before a position can repeat.
const MIN_REPETITION_PLIES: usize = 4;

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchMode {
    /// Play to win.
    Play,
    /// Prove values: every flip and every move is searched to the full depth. A position at the
    /// horizon that is neither over nor in the tablebase counts as a draw. Repetition is ignored.
    Proof,
}

/// The state of one thread's search.
pub struct DarkChessWorker<'a> {
    pub(super) tt: &'a TranspositionTable,
    pub(super) evaluator: DarkChessNetworkEvaluator,
    pub(super) tablebase: Option<&'a DarkChessTablebase>,
    pub(super) counter: NodeCounter<'a>,
    pub(super) mode: SearchMode,
    /// The player to move at the root.
    root: Player,
    /// The hashes of the positions on the path, after those of the game.
    pub(super) path: Vec<u64>,
    /// By player and move.
    pub(super) history: Vec<[i32; MOVE_KEYS]>,
    /// By ply.
    pub(super) killers: Vec<[Option<DarkMove>; 2]>,
    /// The stack of scored moves: each node truncates it to where its own moves began.
    pub(super) moves: Vec<(i32, DarkMove)>,
    /// The stack of outcomes of chance nodes, used in the same way.
    pub(super) outcomes: Vec<ChanceOutcome<DarkMove>>,
    pub(super) seldepth: u32,
}

impl<'a> DarkChessWorker<'a> {
    /// A search from a root with `root` to move, after positions with the hashes `path`.
    pub(super) fn new(
        tt: &'a TranspositionTable,
        (evaluator, tablebase): (DarkChessNetworkEvaluator, Option<&'a DarkChessTablebase>),
        counter: NodeCounter<'a>,
        mode: SearchMode,
        (root, path): (Player, &[u64]),
    ) -> DarkChessWorker<'a> {
        DarkChessWorker {
            tt,
            evaluator,
            tablebase,
            counter,
            mode,
            root,
            path: path.to_vec(),
            history: vec![[0; MOVE_KEYS]; 2],
            killers: vec![[None; 2]; MAX_PLY as usize + 14],
            moves: Vec::new(),
            outcomes: Vec::new(),
            seldepth: 0,
        }
    }

    /// The value for the side to move of a finished position or one in the tablebase.
    pub(super) fn exact_value(&mut self, game: &DarkChess, ply: u32) -> Option<i32> {
        match game.turn() {
            Turn::Over(Outcome::Draw) => return Some(self.draw_value(game)),
            Turn::Over(outcome) => {
                return Some(outcome.sign_for(game.mover()) * (WIN - ply as i32 * PLY_COST));
            }
            _ => {}
        }
        let value = self.tablebase?.probe(game)?;
        let Some(distance) = value.plies() else {
            return Some(match self.mode {
                SearchMode::Proof => 0,
                // The side that is ahead may still have winning chances.
                SearchMode::Play => self.evaluator.evaluate(game) / params::drawn_divisor(),
            });
        };
        if !value.certain_within(game.quiet_plies(), game.draw_plies()) {
            // The draw limit may come first, unless a capture on the way resets its counter.
            let worth = WIN / params::beyond_limit_divisor();
            return Some(if value.is_win() { worth } else { -worth });
        }
        let won = WIN - (ply as i32 + i32::from(distance)) * PLY_COST;
        Some(if value.is_win() { won } else { -won })
    }

    /// The value of a draw for the side to move: with contempt, it is bad for the side at the root.
    pub(super) fn draw_value(&self, game: &DarkChess) -> i32 {
        match self.mode {
            SearchMode::Proof => 0,
            SearchMode::Play if game.mover() == self.root => -params::contempt(),
            SearchMode::Play => params::contempt(),
        }
    }

    /// The value of a draw if it cuts off: a side cannot win, so the other has at least a draw.
    pub(super) fn fortress_cutoff(&self, game: &DarkChess, alpha: i32, beta: i32) -> Option<i32> {
        let own = game.colour_to_move()?;
        let draw = self.draw_value(game);
        let cuts =
            draw <= alpha && cannot_win(game, own) || draw >= beta && cannot_win(game, own.other());
        cuts.then_some(draw)
    }

    /// Whether the position has occurred before, in the game or on the search path.
    pub(super) fn is_repetition(&self, game: &DarkChess) -> bool {
        let quiet = usize::from(game.quiet_plies());
        if quiet < MIN_REPETITION_PLIES || self.mode == SearchMode::Proof {
            return false;
        }
        // The last entry of the path is this position itself.
        let earlier = self.path.iter().rev().skip(1).take(quiet);
        earlier.skip(1).step_by(2).any(|&hash| hash == game.hash())
    }
}
