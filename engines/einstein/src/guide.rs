//! What the generic Monte Carlo tree search is told about the game.

use crate::estimate::outcome_class;
use crate::knowledge::{Knowledge, Rollout};
use crate::playout::Fast;
use crate::pool::{Leaf, Pool};
use agon_protocol::Player;
use agon_protocol::einstein::{EinStein, Move, Stage};
use agon_search::mcts::MctsEvaluator;
use std::sync::Arc;

/// Playouts on a pool, values from a network or the race.
#[derive(Debug)]
pub struct EinSteinGuide {
    /// Who plays out.
    pub pool: Arc<Pool>,
    /// How playouts choose.
    pub rollout: Rollout,
    /// `V(b)`.
    pub knowledge: Knowledge,
    leaves: Vec<Leaf>,
}

impl EinSteinGuide {
    /// A guide of these parts.
    pub fn new(pool: Arc<Pool>, rollout: Rollout, knowledge: Knowledge) -> EinSteinGuide {
        EinSteinGuide { pool, rollout, knowledge, leaves: Vec::new() }
    }
}

impl MctsEvaluator<EinStein> for EinSteinGuide {
    fn play_out(
        &mut self,
        leaves: &[(EinStein, u64)],
        simulations: u32,
        points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        self.leaves.clear();
        // A position with a die already rolled is played out from before the roll: it only comes
        // up where the tree has filled its memory.
        let boards = leaves.iter().map(|(game, key)| Leaf { board: Fast::new(game), key: *key });
        self.leaves.extend(boards);
        let whole = self.pool.run(&self.leaves, simulations, &self.rollout, points, stopped);
        points.iter_mut().for_each(|wins| *wins *= 2);
        whole
    }

    fn value(&mut self, game: &EinStein, player: Player) -> f32 {
        match game.stage() {
            Stage::SetUp(_) | Stage::Reveal => 0.5,
            Stage::Roll(roller) | Stage::Decide(roller, _) => {
                let moved = self.knowledge.value(&Fast::new(game));
                if player == roller { 1.0 - moved } else { moved }
            }
        }
    }

    fn outcome_class(&self, game: &EinStein, outcome: Move) -> u32 {
        outcome_class(game, outcome)
    }
}
