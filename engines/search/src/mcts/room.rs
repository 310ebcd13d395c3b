//! The memory of the tree: the system may refuse it before the limit is reached.

use super::tree::SearchTree;
use crate::clock::Clock;
use agon_games::Game;

/// No position of our games has more moves.
const MOST_CHILDREN: usize = 4096;

impl<G: Game> SearchTree<G> {
    /// Makes room for the children of a node; false if the tree is full. If the system refuses memory, the
    /// tree is full from then on.
    pub(super) fn make_room(&mut self, clock: &Clock) -> bool {
        let (count, left) = (self.nodes.len(), self.capacity.saturating_sub(self.nodes.len()));
        if left > 0 && self.nodes.capacity() - count < MOST_CHILDREN {
            let more = count.min(left) + MOST_CHILDREN;
            if self.nodes.try_reserve(more).is_err()
                && self.nodes.try_reserve(MOST_CHILDREN).is_err()
            {
                self.capacity = count;
                let megabytes = (count * Self::NODE_BYTES) >> 20;
                clock.note(format!("no memory: the search tree stays at {megabytes} MB"));
            }
        }
        count < self.capacity
    }
}
