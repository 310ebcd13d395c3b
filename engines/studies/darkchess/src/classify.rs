//! Classification of material combinations by each of the methods, one combination at a time.

use crate::canonical::{FullClass, full_class};
use crate::grid::Grid;
use crate::matching::{Graph, Search, Vertex};
use crate::material::Material;
use crate::pattern::{Pattern, Ties};
use agon_darkchess::tablebase::classes::structure::structures;
use agon_games::hash::{FastMap, mix};

/// The method that finds equivalent combinations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// 2015: Stepwise Refinement Matching, pair by pair.
    Matching,
    /// 2015: its accelerated form.
    Accelerated,
    /// The paper: patterns, with every piece permuted among its ties.
    Pattern,
    /// The paper's patterns, with pieces of a kind kept together.
    PatternKinds,
    /// Ours: the canonical form after merging pieces that opponents cannot distinguish.
    Canonical,
}

impl Method {
    /// All methods, the slowest first.
    pub const ALL: [Method; 5] = [
        Method::Matching,
        Method::Accelerated,
        Method::Pattern,
        Method::PatternKinds,
        Method::Canonical,
    ];

    /// The name in flags and rows.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Matching => "matching",
            Method::Accelerated => "accelerated",
            Method::Pattern => "pattern",
            Method::PatternKinds => "pattern-kinds",
            Method::Canonical => "canonical",
        }
    }
}

/// The classes found so far, numbered from 0 in order of discovery.
#[derive(Debug)]
pub struct Classifier {
    classes: u32,
    memo: Memo,
}

/// A graph for each class, with the class's number, for one-by-one comparison.
type Graphs = Vec<(Graph, u32)>;

/// The memory of a method.
#[derive(Debug)]
enum Memo {
    /// Keyed by the numbers of red and of all pieces.
    Matching(FastMap<[usize; 2], Graphs>),
    /// Keyed by the earlier steps, and by the class of the open pieces.
    Accelerated {
        groups: FastMap<(u32, Box<[Vertex]>), Graphs>,
        open: Option<Box<Classifier>>,
    },
    Pattern(FastMap<Pattern, u32>, Ties),
    /// One plus the number of the class: by cell for sets without hidden pieces, by class for
    /// others. Only visited cells take memory.
    Canonical {
        grid: Box<Grid>,
        cells: Vec<u32>,
        hidden: FastMap<FullClass, u32>,
    },
}

/// The group of combinations without hidden pieces.
const OPEN: u32 = u32::MAX;

impl Classifier {
    /// No classes yet.
    pub fn new(method: Method) -> Classifier {
        let memo = match method {
            Method::Matching => Memo::Matching(FastMap::default()),
            Method::Accelerated => Memo::Accelerated { groups: FastMap::default(), open: None },
            Method::Pattern => Memo::Pattern(FastMap::default(), Ties::Pieces),
            Method::PatternKinds => Memo::Pattern(FastMap::default(), Ties::Kinds),
            Method::Canonical => {
                let grid = Box::new(Grid::new());
                let cells = vec![0; grid.cells()];
                Memo::Canonical { grid, cells, hidden: FastMap::default() }
            }
        };
        Classifier { classes: 0, memo }
    }

    /// The number of classes found.
    pub fn len(&self) -> usize {
        self.classes as usize
    }

    /// Whether no class has been found.
    pub fn is_empty(&self) -> bool {
        self.classes == 0
    }

    /// The number of the combination's class; a new number for the first combination of a class.
    pub fn insert(&mut self, material: &Material) -> u32 {
        let next = self.classes;
        let number = match &mut self.memo {
            Memo::Matching(lists) => {
                let graph = Graph::new(material);
                let list = lists.entry(graph.sizes()).or_default();
                search(list, graph, Search::Permutations, next)
            }
            Memo::Accelerated { groups, open } => {
                let turned = if material.is_revealed() {
                    OPEN
                } else {
                    let open =
                        open.get_or_insert_with(|| Box::new(Classifier::new(Method::Accelerated)));
                    open.insert(&material.turned_over())
                };
                let graph = Graph::new(material);
                let group = groups.entry((turned, graph.mapping().into())).or_default();
                search(group, graph, Search::Partners, next)
            }
            Memo::Pattern(map, ties) => *map.entry(Pattern::least(material, *ties)).or_insert(next),
            Memo::Canonical { grid, cells, hidden } => {
                if material.is_revealed() {
                    let cell = &mut cells[grid.find(structures(), material.open())];
                    if *cell == 0 {
                        *cell = next + 1;
                    }
                    *cell - 1
                } else {
                    *hidden.entry(full_class(material)).or_insert(next)
                }
            }
        };
        self.classes += u32::from(number == next);
        number
    }
}

/// The number of the first matching graph in the list; if none matches, adds it as `next`.
fn search(list: &mut Graphs, graph: Graph, how: Search, next: u32) -> u32 {
    if let Some((_, number)) = list.iter().find(|(other, _)| other.matches(&graph, how)) {
        return *number;
    }
    list.push((graph, next));
    next
}

/// The shard, from 1, of a combination: equal for all combinations of a class, with every method.
pub fn shard_of(material: &Material, of: u64) -> u64 {
    structure_shard(structures().of(&material.totals()).structure, of)
}

/// The shard, from 1 to `of`, of a structure's classes.
pub fn structure_shard(structure: u16, of: u64) -> u64 {
    mix(u64::from(structure)) % of.max(1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::visit_sets;

    /// Runs all methods on all sets of a given number of pieces.
    fn agree(pieces: usize, hidden: bool) {
        let mut methods = Method::ALL.map(Classifier::new);
        visit_sets(pieces, hidden, |material| {
            let numbers = methods.each_mut().map(|m| m.insert(material));
            assert_eq!(numbers, [numbers[0]; Method::ALL.len()], "{material}");
        });
        assert!(!methods[0].is_empty());
    }

    #[test]
    fn all_methods_find_the_same_classes_of_open_sets() {
        (2..=6).for_each(|pieces| agree(pieces, false));
    }

    #[test]
    fn all_methods_find_the_same_classes_of_sets_with_hidden_pieces() {
        (2..=4).for_each(|pieces| agree(pieces, true));
    }

    #[test]
    fn the_exact_count_is_what_the_classifier_finds() {
        let exact = crate::class_count::count_classes((1, 1));
        for (pieces, hidden) in [(3, false), (6, false), (7, false), (3, true), (5, true)] {
            let mut classifier = Classifier::new(Method::Canonical);
            let mut first = Vec::new();
            visit_sets(pieces, hidden, |material| {
                if classifier.insert(material) as usize == first.len() {
                    first.push(*material);
                }
            });
            let own = (0..first.len())
                .filter(|&i| classifier.insert(&first[i].exchanged()) as usize == i);
            let counts = if hidden { exact.hidden } else { exact.revealed };
            assert_eq!(own.count() as u64, counts.colour_symmetric[pieces]);
            assert_eq!(classifier.len() as u64, counts.classes[pieces]);
        }
    }
}
