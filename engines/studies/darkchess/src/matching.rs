//! The method of 2015: Stepwise Refinement Matching of two material combinations, as section 2 of
//! the paper describes it.
//!
//! The Capturing Relation Graph of a combination has a vertex for each piece, marked open or hidden
//! and cannon or not, and an edge between any two pieces of different colour. Two combinations are
//! compared in steps: equal numbers of pieces of each colour; a pairing of capturing equivalent
//! pieces (same colour, same mark, equal numbers of opponents in each of `rel >`, `rel =`,
//! `rel <`); a pairing for which the graphs agree as well. The last step permutes the pieces of one
//! combination until vertices and edges agree with the other's: n! orders and n^2 edges.
//!
//! The paper describes the accelerated form only as treating the sets with hidden pieces first.
//! Here it compares only combinations that agree in the earlier steps, found by a hash table, and
//! whose open pieces, with all hidden ones revealed, are equivalent. It pairs only pieces that are
//! capturing equivalent, and stops at the first edge that differs.

use crate::material::{Colour, Material};
use crate::matrix::Threat;
use agon_darkchess::tablebase::classes::relation::{Relation, relation};

/// The search for a pairing of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// Every order of the second combination's pieces.
    Permutations,
    /// Piece by piece, among capturing equivalent ones.
    Partners,
}

/// A vertex of the graph: a piece as its opponents see it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vertex {
    /// Its colour.
    pub colour: Colour,
    /// The attribute identification symbol: open or not, cannon or not.
    pub hidden: bool,
    /// See [`Vertex::hidden`].
    pub cannon: bool,
    /// Numbers of opponents in `rel >`, `rel =` and `rel <`.
    pub relations: Threat,
}

/// The Capturing Relation Graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Red pieces, then black ones.
    vertices: Vec<Vertex>,
    red: usize,
    /// The relation of each red piece to each black one.
    edges: Vec<Relation>,
    /// The vertices, sorted: equal if and only if an MC-mapping exists.
    mapping: Vec<Vertex>,
}

impl Graph {
    /// The graph of a combination.
    pub fn new(material: &Material) -> Graph {
        let pieces: Vec<_> = material.pieces().collect();
        let red = pieces.iter().take_while(|p| p.colour == Colour::Red).count();
        let mut edges = Vec::with_capacity(red * (pieces.len() - red));
        let mut relations = vec![Threat::default(); pieces.len()];
        for (i, own) in pieces[..red].iter().enumerate() {
            for (j, other) in pieces.iter().enumerate().skip(red) {
                let relation = relation(own.kind, other.kind);
                edges.push(relation);
                relations[i].add(relation);
                relations[j].add(relation.inverse());
            }
        }
        let vertex = |(piece, relations): (&crate::material::Piece, Threat)| Vertex {
            colour: piece.colour,
            hidden: piece.hidden,
            cannon: piece.kind == crate::material::Kind::Cannon,
            relations,
        };
        let vertices: Vec<Vertex> = pieces.iter().zip(relations).map(vertex).collect();
        let mut mapping = vertices.clone();
        mapping.sort_unstable();
        Graph { vertices, red, edges, mapping }
    }

    /// The vertices in sorted order, which is equal for equivalent combinations.
    pub fn mapping(&self) -> &[Vertex] {
        &self.mapping
    }

    /// The numbers of red pieces and of all pieces.
    pub fn sizes(&self) -> [usize; 2] {
        [self.red, self.vertices.len()]
    }

    fn edge(&self, red: usize, black: usize) -> Relation {
        self.edges[red * (self.vertices.len() - self.red) + black - self.red]
    }

    /// Whether the two combinations are equivalent.
    pub fn matches(&self, other: &Graph, search: Search) -> bool {
        if self.red != other.red || self.vertices.len() != other.vertices.len() {
            return false;
        }
        if self.mapping != other.mapping {
            return false;
        }
        let mut order: Vec<usize> = (0..self.vertices.len()).collect();
        match search {
            Search::Permutations => self.permute(other, &mut order, 0),
            Search::Partners => self.pair(other, &mut order, 0),
        }
    }

    /// Whether the graphs agree under some permutation of the other's pieces from index `at` on; a
    /// colour's pieces stay together.
    fn permute(&self, other: &Graph, order: &mut [usize], at: usize) -> bool {
        if at == order.len() {
            return self.agrees(other, order);
        }
        let end = if at < self.red { self.red } else { order.len() };
        for i in at..end {
            order.swap(at, i);
            let found = self.permute(other, order, at + 1);
            order.swap(at, i);
            if found {
                return true;
            }
        }
        false
    }

    /// Whether all vertices and edges agree in this order.
    fn agrees(&self, other: &Graph, order: &[usize]) -> bool {
        let vertices = self.vertices.iter().zip(order);
        vertices.into_iter().all(|(own, &to)| *own == other.vertices[to])
            && (0..self.red).all(|r| {
                (self.red..order.len()).all(|b| self.edge(r, b) == other.edge(order[r], order[b]))
            })
    }

    /// The same, adding one pair at a time and checking vertices and edges so far.
    fn pair(&self, other: &Graph, order: &mut [usize], at: usize) -> bool {
        if at == order.len() {
            return true;
        }
        let end = if at < self.red { self.red } else { order.len() };
        for i in at..end {
            order.swap(at, i);
            let fits = self.vertices[at] == other.vertices[order[at]]
                && (at < self.red
                    || (0..self.red).all(|r| self.edge(r, at) == other.edge(order[r], order[at])));
            let found = fits && self.pair(other, order, at + 1);
            order.swap(at, i);
            if found {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equivalent(one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(|text| Graph::new(&text.parse().unwrap()));
        let found = one.matches(&other, Search::Permutations);
        assert_eq!(one.matches(&other, Search::Partners), found);
        assert_eq!(other.matches(&one, Search::Permutations), found);
        found
    }

    #[test]
    fn combinations_match_as_section_2_has_it() {
        assert!(equivalent("Kgm", "Gmr"));
        assert!(equivalent("KGm", "GGm"));
        assert!(equivalent("GGPkm", "GPPkm"));
        assert!(equivalent("K(G)m", "G(G)m"));
        assert!(!equivalent("K(G)m", "GGm"));
        assert!(!equivalent("KGm", "GCm"));
        assert!(!equivalent("Kgm", "Kgk"));
        assert!(!equivalent("Kgm", "GMk"));
        assert!(equivalent("KGPkm", "KPGmk"));
    }

    #[test]
    fn a_mapping_of_the_pieces_is_not_enough() {
        let [one, other] = ["NPkncp", "KPkncp"].map(|text| Graph::new(&text.parse().unwrap()));
        assert_eq!(one.mapping(), other.mapping());
        assert!(!one.matches(&other, Search::Permutations));
        assert!(!one.matches(&other, Search::Partners));
    }
}
