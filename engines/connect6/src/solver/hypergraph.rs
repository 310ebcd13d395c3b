//! The dependency-based hypergraph (section 3.4): which threats have been seen to follow which, so
//! that a depth-first search, which forgets positions, still knows where a threat may lead.
//!
//! A vertex is a threat with its defence and is named by the hyperedge that leads to it. An edge's
//! parents are the edges on the path whose stones its own threats use.

use super::attacks::PointSet;
use agon_protocol::hash::{FastMap, mix};

/// A set of points.
pub type Area = PointSet;

/// One threat: attacking stones, and what is known of what follows.
#[derive(Clone, Debug)]
struct Edge {
    /// The attacking stones of this edge and of all below it (3.6.2's future zone).
    future: Area,
    /// Where an earlier stone would have stopped the inversions that follow (3.6.3's block zone).
    block: Area,
    parents: Vec<u32>,
}

/// All threats of a search.
#[derive(Clone, Debug, Default)]
pub struct Hypergraph {
    edges: Vec<Edge>,
    index: FastMap<u64, u32>,
    changed: bool,
}

/// The name of an edge: its stones and its defence.
fn key(stones: &[u16], defence: &[u16]) -> u64 {
    let sum = |points: &[u16], salt: u64| {
        points.iter().fold(0u64, |h, p| h.wrapping_add(mix(salt + u64::from(*p))))
    };
    mix(sum(stones, 1 << 20) ^ mix(sum(defence, 1 << 21)))
}

impl Hypergraph {
    /// The edge of this threat, if it has been seen.
    pub fn find(&self, stones: &[u16], defence: &[u16]) -> Option<u32> {
        self.index.get(&key(stones, defence)).copied()
    }

    /// The edge of this threat, made if need be, below `parents`.
    pub fn add(&mut self, stones: &[u16], defence: &[u16], parents: &[u32]) -> u32 {
        let next = self.edges.len() as u32;
        let id = *self.index.entry(key(stones, defence)).or_insert(next);
        if id == next {
            let mut future = Area::default();
            stones.iter().for_each(|p| {
                future.insert(*p);
            });
            self.edges.push(Edge { future, block: Area::default(), parents: Vec::new() });
            self.changed = true;
        }
        let future = self.edges[id as usize].future;
        for &parent in parents {
            let known = &mut self.edges[id as usize].parents;
            if parent != id && !known.contains(&parent) {
                known.push(parent);
                self.changed = true;
                self.grow(parent, &future);
            }
        }
        id
    }

    /// Adds to the future zone of an edge and of everything above it.
    fn grow(&mut self, id: u32, area: &Area) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let edge = &mut self.edges[id as usize];
            // What an edge holds, its parents hold: nothing new here is nothing new above.
            if edge.future.unite(area) {
                open.extend_from_slice(&edge.parents);
            }
        }
    }

    /// Where the attacks below an edge have been, its own stones included.
    pub fn future(&self, id: u32) -> &Area {
        &self.edges[id as usize].future
    }

    /// Where a stone would stop inversions below an edge.
    pub fn block(&self, id: u32) -> &Area {
        &self.edges[id as usize].block
    }

    /// Adds to the block zone of an edge.
    pub fn grow_block(&mut self, id: u32, area: &Area) {
        if self.edges[id as usize].block.unite(area) {
            self.changed = true;
        }
    }

    /// Whether anything was learned since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_threat_is_known_to_all_above_it() {
        let mut graph = Hypergraph::default();
        let a = graph.add(&[1, 2], &[3], &[]);
        let b = graph.add(&[4], &[5], &[a]);
        let c = graph.add(&[6], &[7], &[b]);
        assert!(graph.take_changed());
        assert!(graph.future(a).has(6) && !graph.future(c).has(1));
        // A threat that is found again below another brings its future along.
        let d = graph.add(&[8], &[9], &[]);
        assert_eq!(graph.add(&[4], &[5], &[d]), b);
        assert!(graph.future(d).has(6));
        graph.add(&[10], &[11], &[c]);
        assert!(graph.future(a).has(10) && graph.future(d).has(10));
        assert!(graph.take_changed());
        graph.add(&[10], &[11], &[c]);
        assert!(!graph.take_changed());
        assert_eq!(graph.find(&[5], &[4]), None);
    }
}
