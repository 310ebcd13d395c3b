//! Replays a win of the plain search through a finished dependency-based search.

use super::path::Admission;
use super::state::Solver;
use crate::board::{Threats, name};
use crate::proof::Step;

/// A turn that dependency-based search prunes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedTurn {
    /// The number of the attacker's turn, counted from 1.
    pub turn: usize,
    /// Its stones.
    pub stones: String,
    /// The defender made a threat before this turn.
    pub after_inversion: bool,
}

impl Solver<'_> {
    /// The first turn of a win that is not admissible. The position must have been searched before;
    /// the path of the win is left on the board.
    pub fn first_pruned_turn(&mut self, win: &Step) -> Option<PrunedTurn> {
        let mut step = win;
        let mut after_inversion = self.root_inversion;
        for turn in 1.. {
            let &[p, q] = step.stones.as_slice() else { return None };
            let answer = step.answers.first()?;
            self.start_position(u32::MAX);
            let preview = self.board.preview(self.attacker, [p, q])?;
            let mut threats = Threats::default();
            preview.threats(&mut threats);
            let conservative = threats.defences().conservative();
            let Some(Admission { edges, .. }) = self.admit(&preview, &conservative) else {
                return Some(PrunedTurn { turn, stones: name(p) + &name(q), after_inversion });
            };
            self.finish_position();
            self.place(self.attacker, p);
            self.place(self.attacker, q);
            self.enter([p, q], &edges);
            let defence = if answer.to.is_empty() { &conservative[..] } else { &answer.to };
            for &d in defence {
                self.place(self.defender(), d);
            }
            let threats = self.inversion();
            self.record_defence(threats.as_ref());
            after_inversion |= threats.is_some();
            step = &answer.step;
        }
        None
    }
}
