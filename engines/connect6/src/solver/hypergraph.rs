//! The dependency-based hypergraph (DBH, section 3.4) records which threats followed which others.
//! A depth-first search forgets positions, but can look up here where a threat may lead.
//!
//! A vertex is a threat with its defence. It has one incoming hyperedge, which represents it here.
//! The parents of an edge are the edges on the path whose stones its own threats use.

use crate::board::PointSet;
use agon_games::connect6::POINTS;
use agon_games::hash::{FastMap, zobrist};
use arrayvec::ArrayVec;

/// A hyperedge: a threat, and the threats that followed it.
#[derive(Clone, Debug)]
struct Edge {
    /// The development zone (Z_T, 3.6.2): the attacking stones of this edge and of all below it.
    development: PointSet,
    /// The block zone (Z_B, 3.6.3): where an earlier stone would have stopped the subsequent
    /// inversions.
    block_zone: PointSet,
    parents: Vec<u32>,
    /// Areas that the development zone did not reach when a turn of this edge was pruned for this
    /// reason.
    unreached: PointSet,
}

/// All hyperedges of a search.
#[derive(Clone, Debug, Default)]
pub struct Hypergraph {
    edges: Vec<Edge>,
    index: FastMap<u64, u32>,
    /// The unreached areas of threats that have not been entered.
    unreached: FastMap<u64, PointSet>,
    /// A zone has grown so that a turn pruned before may now be admitted.
    changed: bool,
    /// A recycled stack of the edges to update.
    open: Vec<u32>,
}

/// Keys of the points, as attacking stones and as defending stones.
static KEYS: [u64; 2 * POINTS] = zobrist(0x6879_7065_7267_7261);

/// The key of an edge: a hash of its stones and its defence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EdgeKey(u64);

impl EdgeKey {
    /// The key of a threat with these stones and this defence.
    #[inline]
    pub fn of(stones: &[u16], defence: &[u16]) -> EdgeKey {
        let stones = stones.iter().fold(0, |h, p| h ^ KEYS[usize::from(*p)]);
        EdgeKey(defence.iter().fold(stones, |h, p| h ^ KEYS[POINTS + usize::from(*p)]))
    }
}

/// A threat of a turn, as an edge of the hypergraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreatEdge {
    /// The stones that make the threat.
    pub stones: ArrayVec<u16, 2>,
    /// Its key.
    pub key: EdgeKey,
    /// Its edge, if known.
    pub id: Option<u32>,
}

impl ThreatEdge {
    /// The threat of these stones, which the defender stops on these points.
    #[inline]
    pub fn new(stones: &[u16], defence: &[u16]) -> ThreatEdge {
        let key = EdgeKey::of(stones, defence);
        ThreatEdge { stones: stones.iter().copied().collect(), key, id: None }
    }

    /// Its edge, if it has been entered.
    #[inline]
    pub fn find(&mut self, graph: &Hypergraph) -> Option<u32> {
        if self.id.is_none() {
            self.id = graph.find(self.key);
        }
        self.id
    }
}

impl Hypergraph {
    /// The edge with this key, if it has been entered.
    #[inline]
    pub fn find(&self, key: EdgeKey) -> Option<u32> {
        self.index.get(&key.0).copied()
    }

    /// Enters a threat, if it is new, and returns its edge.
    pub fn enter(&mut self, threat: &ThreatEdge) -> u32 {
        if let Some(id) = threat.id {
            return id;
        }
        let next = self.edges.len() as u32;
        let id = *self.index.entry(threat.key.0).or_insert(next);
        if id == next {
            let mut development = PointSet::default();
            threat.stones.iter().for_each(|p| {
                development.insert(*p);
            });
            let unreached = self.unreached.remove(&threat.key.0).unwrap_or_default();
            let block_zone = PointSet::default();
            self.edges.push(Edge { development, block_zone, parents: Vec::new(), unreached });
        }
        id
    }

    /// Makes `parent` a parent of `id`, whose threat uses one of its stones.
    #[inline]
    pub fn add_parent(&mut self, id: u32, parent: u32) {
        let Edge { parents, development, .. } = &mut self.edges[id as usize];
        if parent != id && !parents.contains(&parent) {
            parents.push(parent);
            let development = *development;
            self.grow(parent, &development);
        }
    }

    /// Adds to the development zones of an edge and of all its ancestors.
    fn grow(&mut self, id: u32, area: &PointSet) {
        self.open.push(id);
        while let Some(id) = self.open.pop() {
            let edge = &mut self.edges[id as usize];
            // An edge's zone is part of its parents' zones: if it does not grow, neither do theirs.
            if edge.development.unite(area) {
                self.changed |= edge.development.meets(&edge.unreached);
                self.open.extend_from_slice(&edge.parents);
            }
        }
    }

    /// The development zone of an edge.
    pub fn development(&self, id: u32) -> &PointSet {
        &self.edges[id as usize].development
    }

    /// The block zone of an edge.
    pub fn block_zone(&self, id: u32) -> &PointSet {
        &self.edges[id as usize].block_zone
    }

    /// Adds to the block zone of an edge.
    pub fn grow_block_zone(&mut self, id: u32, area: &PointSet) {
        self.edges[id as usize].block_zone.unite(area);
    }

    /// Records that a turn with this threat was pruned because the threat's development zone did
    /// not reach `area`. `id` is the edge of the threat, if it has one.
    #[inline]
    pub fn add_unreached(&mut self, key: EdgeKey, id: Option<u32>, area: &PointSet) {
        let unreached = match id {
            Some(id) => &mut self.edges[id as usize].unreached,
            None => self.unreached.entry(key.0).or_default(),
        };
        unreached.unite(area);
    }

    /// Forgets the pruned turns, before all turns are tried again.
    pub fn clear_unreached(&mut self) {
        self.unreached.clear();
        for edge in &mut self.edges {
            edge.unreached = PointSet::default();
        }
    }

    /// Whether a zone has since the last call reached an area for which a turn was pruned.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(graph: &mut Hypergraph, stones: &[u16], defence: &[u16], parents: &[u32]) -> u32 {
        let id = graph.enter(&ThreatEdge::new(stones, defence));
        parents.iter().for_each(|parent| graph.add_parent(id, *parent));
        id
    }

    fn prune(graph: &mut Hypergraph, stones: &[u16], defence: &[u16], area: &PointSet) {
        let key = EdgeKey::of(stones, defence);
        graph.add_unreached(key, graph.find(key), area);
    }

    #[test]
    fn the_development_zone_of_a_threat_reaches_all_above_it() {
        let mut graph = Hypergraph::default();
        let a = add(&mut graph, &[1, 2], &[3], &[]);
        let b = add(&mut graph, &[4], &[5], &[a]);
        let c = add(&mut graph, &[6], &[7], &[b]);
        assert!(graph.development(a).has(6) && !graph.development(c).has(1));
        // A threat that recurs below another one contributes its development zone.
        let d = add(&mut graph, &[8], &[9], &[]);
        assert_eq!(add(&mut graph, &[4], &[5], &[d]), b);
        assert!(graph.development(d).has(6));
        add(&mut graph, &[10], &[11], &[c]);
        assert!(graph.development(a).has(10) && graph.development(d).has(10));
        assert_eq!(graph.find(EdgeKey::of(&[5], &[4])), None);
    }

    #[test]
    fn a_pruned_turn_counts_again_once_its_development_zone_reaches_far_enough() {
        let area = |points: &[u16]| {
            let mut area = PointSet::default();
            points.iter().for_each(|p| {
                area.insert(*p);
            });
            area
        };
        let mut graph = Hypergraph::default();
        let a = add(&mut graph, &[1], &[2], &[]);
        prune(&mut graph, &[1], &[2], &area(&[30, 31]));
        // Pruned before it was first entered.
        prune(&mut graph, &[7], &[8], &area(&[40]));
        let b = add(&mut graph, &[3], &[4], &[a]);
        let c = add(&mut graph, &[7], &[8], &[]);
        assert!(!graph.take_changed());
        add(&mut graph, &[31], &[5], &[b]);
        assert!(graph.take_changed() && !graph.take_changed());
        add(&mut graph, &[40], &[6], &[c]);
        assert!(graph.take_changed());
        graph.clear_unreached();
        add(&mut graph, &[30], &[9], &[b]);
        assert!(!graph.take_changed() && graph.development(a).has(30));
    }
}
