//! The queue of single threats (section 3.1), collected while double threats are searched.

use super::double_threat::Defence;
use agon_protocol::hash::FastSet;

/// A turn on the path to a candidate: the stones, and the conservative defence.
pub type PathTurn = ([u16; 2], Defence);

/// A single threat to be tried.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Greater is tried earlier.
    pub score: i32,
    /// The turns from the root to its position.
    pub path: Vec<PathTurn>,
    /// The turn.
    pub stones: [u16; 2],
}

/// The single threats collected so far.
#[derive(Clone, Debug, Default)]
pub struct SingleThreatQueue {
    /// In the order of collection.
    pub candidates: Vec<Candidate>,
    /// The hashes of the positions they come from.
    pub seen: FastSet<u64>,
    /// The turns from the root to the current position.
    pub path: Vec<PathTurn>,
    /// Whether to collect.
    pub collecting: bool,
}
