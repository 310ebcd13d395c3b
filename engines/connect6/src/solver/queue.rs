//! The queue of single threats (section 3.1), collected during the search of double threats.

use super::double_threat::Defence;
use crate::proof::{Answer, Step};
use agon_protocol::hash::FastSet;
use std::sync::Arc;

/// A turn on the path to a candidate: the stones, and the conservative defence.
pub type PathTurn = ([u16; 2], Defence);

/// A single threat to try.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Candidates with larger scores are tried first.
    pub score: i32,
    /// The turns from the root to its position.
    pub path: Vec<PathTurn>,
    /// The turn.
    pub stones: [u16; 2],
}

impl Candidate {
    /// The win by the first turn of the path, where `win` follows the path.
    pub fn after_path(&self, win: Step) -> Step {
        self.path.iter().rev().fold(win, |step, (stones, _)| {
            let answers = vec![Answer { to: Vec::new(), step: Arc::new(step) }];
            Step { stones: stones.to_vec(), answers }
        })
    }
}

/// The collected single threats.
#[derive(Clone, Debug, Default)]
pub struct SingleThreatQueue {
    /// In the order of collection.
    pub candidates: Vec<Candidate>,
    /// The hashes of their positions.
    pub seen: FastSet<u64>,
    /// The turns from the root to the current position.
    pub path: Vec<PathTurn>,
    /// Whether to collect single threats.
    pub collecting: bool,
}
