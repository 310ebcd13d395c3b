//! The dependency-based hypergraph (section 3.4): which threats have been seen to follow which, so
//! that a depth-first search, which forgets positions, still knows where a threat may lead.
//!
//! A vertex is a threat with its defence and is named by the hyperedge that leads to it. An edge's
//! parents are the edges on the path whose stones its own threats use.

use super::attacks::PointSet;
use super::prune::Part;
use agon_protocol::connect6::POINTS;
use agon_protocol::hash::{FastMap, zobrist};

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
    /// Where a turn of this edge was left out because its future does not reach there.
    denied: Area,
}

/// All threats of a search.
#[derive(Clone, Debug, Default)]
pub struct Hypergraph {
    edges: Vec<Edge>,
    index: FastMap<u64, u32>,
    /// What was denied to edges that have not been entered.
    denied: FastMap<u64, Area>,
    changed: bool,
    /// Room for the edges to be grown.
    open: Vec<u32>,
}

/// Keys of the points, as attacking stones and as defence.
static KEYS: [u64; 2 * POINTS] = zobrist(0x6879_7065_7267_7261);

/// The name of an edge: of its stones and its defence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Name(u64);

impl Name {
    /// Of a threat with these stones and this defence.
    #[inline]
    pub fn of(stones: &[u16], defence: &[u16]) -> Name {
        let stones = stones.iter().fold(0, |h, p| h ^ KEYS[usize::from(*p)]);
        Name(defence.iter().fold(stones, |h, p| h ^ KEYS[POINTS + usize::from(*p)]))
    }
}

impl Hypergraph {
    /// The edge of this threat, if it has been seen.
    #[inline]
    pub fn find(&self, name: Name) -> Option<u32> {
        self.index.get(&name.0).copied()
    }

    /// The edge of this threat, made if need be.
    pub fn edge(&mut self, part: &Part) -> u32 {
        if let Some(id) = part.edge {
            return id;
        }
        let next = self.edges.len() as u32;
        let id = *self.index.entry(part.name.0).or_insert(next);
        if id == next {
            let mut future = Area::default();
            part.stones.iter().for_each(|p| {
                future.insert(*p);
            });
            let denied = self.denied.remove(&part.name.0).unwrap_or_default();
            let block = Area::default();
            self.edges.push(Edge { future, block, parents: Vec::new(), denied });
        }
        id
    }

    /// Notes that the threats of an edge use the stones of another, which becomes its parent.
    #[inline]
    pub fn follow(&mut self, id: u32, parent: u32) {
        let Edge { parents, future, .. } = &mut self.edges[id as usize];
        if parent != id && !parents.contains(&parent) {
            parents.push(parent);
            let future = *future;
            self.grow(parent, &future);
        }
    }

    /// Adds to the future zone of an edge and of everything above it.
    fn grow(&mut self, id: u32, area: &Area) {
        self.open.push(id);
        while let Some(id) = self.open.pop() {
            let edge = &mut self.edges[id as usize];
            // What an edge holds, its parents hold: nothing new here is nothing new above.
            if edge.future.unite(area) {
                self.changed |= edge.future.meets(&edge.denied);
                self.open.extend_from_slice(&edge.parents);
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
        self.edges[id as usize].block.unite(area);
    }

    /// Notes that a turn with this threat, whose edge is `edge` if it has one, was left out because
    /// its future did not reach `area`.
    #[inline]
    pub fn deny(&mut self, name: Name, edge: Option<u32>, area: &Area) {
        let denied = match edge {
            Some(id) => &mut self.edges[id as usize].denied,
            None => self.denied.entry(name.0).or_default(),
        };
        denied.unite(area);
    }

    /// Forgets what was left out: all of it is tried anew.
    pub fn forget_denials(&mut self) {
        self.denied.clear();
        for edge in &mut self.edges {
            edge.denied = Area::default();
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

    fn add(graph: &mut Hypergraph, stones: &[u16], defence: &[u16], parents: &[u32]) -> u32 {
        let id = graph.edge(&Part::new(stones, defence));
        parents.iter().for_each(|parent| graph.follow(id, *parent));
        id
    }

    fn deny(graph: &mut Hypergraph, stones: &[u16], defence: &[u16], area: &Area) {
        let name = Name::of(stones, defence);
        graph.deny(name, graph.find(name), area);
    }

    #[test]
    fn what_follows_a_threat_is_known_to_all_above_it() {
        let mut graph = Hypergraph::default();
        let a = add(&mut graph, &[1, 2], &[3], &[]);
        let b = add(&mut graph, &[4], &[5], &[a]);
        let c = add(&mut graph, &[6], &[7], &[b]);
        assert!(graph.future(a).has(6) && !graph.future(c).has(1));
        // A threat that is found again below another brings its future along.
        let d = add(&mut graph, &[8], &[9], &[]);
        assert_eq!(add(&mut graph, &[4], &[5], &[d]), b);
        assert!(graph.future(d).has(6));
        add(&mut graph, &[10], &[11], &[c]);
        assert!(graph.future(a).has(10) && graph.future(d).has(10));
        assert_eq!(graph.find(Name::of(&[5], &[4])), None);
    }

    #[test]
    fn a_turn_that_was_left_out_counts_again_once_its_future_reaches_far_enough() {
        let area = |points: &[u16]| {
            let mut area = Area::default();
            points.iter().for_each(|p| {
                area.insert(*p);
            });
            area
        };
        let mut graph = Hypergraph::default();
        let a = add(&mut graph, &[1], &[2], &[]);
        deny(&mut graph, &[1], &[2], &area(&[30, 31]));
        // Left out before it was ever entered.
        deny(&mut graph, &[7], &[8], &area(&[40]));
        let b = add(&mut graph, &[3], &[4], &[a]);
        let c = add(&mut graph, &[7], &[8], &[]);
        assert!(!graph.take_changed());
        add(&mut graph, &[31], &[5], &[b]);
        assert!(graph.take_changed() && !graph.take_changed());
        add(&mut graph, &[40], &[6], &[c]);
        assert!(graph.take_changed());
        graph.forget_denials();
        add(&mut graph, &[30], &[9], &[b]);
        assert!(!graph.take_changed() && graph.future(a).has(30));
    }
}
