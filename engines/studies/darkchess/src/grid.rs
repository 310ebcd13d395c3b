//! A cell for every class of open pieces: the sizes within each structure's bounds, row by row.
//!
//! The classes of a structure are a union of boxes: for each support of the structure, a block's
//! size ranges from its number of kinds to the sum of their limits, independently of other blocks.
//! So the classes can be listed without enumerating the combinations, and finding the class of a
//! combination takes one multiplication per block.

use crate::material::{Counts, KINDS, LIMITS};
use agon_darkchess::tablebase::classes::canonical::{Class, least, sizes};
use agon_darkchess::tablebase::classes::structure::{
    ABSENT, MAX_BLOCKS, Sizes, Structure, Structures, permuted, structures, support_kinds,
};
use std::collections::BTreeSet;

/// The cells of one structure: sizes start at 1, the first block is the most significant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    /// The first cell.
    pub start: u32,
    /// The number of cells.
    pub cells: u32,
    /// The maximum size of each block.
    pub bounds: Sizes,
    /// The distance between neighbouring sizes of each block; 0 after the last block.
    pub strides: [u32; STRIDES],
    /// The sum of the strides.
    first: u32,
    /// Whether the structure has no automorphism except the identity.
    rigid: bool,
}

/// A power of two above the number of blocks, so that looking up a label's stride needs no bounds
/// check; the label of an absent kind finds 0.
const STRIDES: usize = 16;

/// All cells.
#[derive(Debug)]
pub struct Grid {
    rows: Vec<Rows>,
    cells: usize,
}

/// A set of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellSet(Vec<u64>);

/// The sizes that one support gives its structure: minimum and maximum for each block.
type Range = (Sizes, Sizes);

impl Rows {
    fn new(start: u32, bounds: Sizes, rigid: bool) -> Rows {
        let mut strides = [0; STRIDES];
        let mut cells = 1;
        let blocks = strides[..MAX_BLOCKS].iter_mut().zip(&bounds);
        for (stride, &bound) in blocks.rev().filter(|(_, b)| **b > 0) {
            *stride = cells;
            cells *= u32::from(bound);
        }
        let first = strides.iter().sum();
        Rows { start, cells, bounds, strides, first, rigid }
    }

    /// The cell of sizes within the bounds.
    pub fn cell(&self, sizes: &Sizes) -> usize {
        let cell = |(&size, &stride): (&u8, &u32)| u32::from(size.saturating_sub(1)) * stride;
        (self.start + sizes.iter().zip(&self.strides).map(cell).sum::<u32>()) as usize
    }

    /// The sizes of a cell.
    pub fn sizes(&self, cell: usize) -> Sizes {
        let mut rest = cell as u32 - self.start;
        let mut sizes = Sizes::default();
        for (size, &stride) in sizes.iter_mut().zip(&self.strides).filter(|(_, s)| **s > 0) {
            *size = (rest / stride) as u8 + 1;
            rest %= stride;
        }
        sizes
    }
}

impl Grid {
    /// The grid over all structures.
    pub fn new() -> Grid {
        let mut cells = 0;
        let rows = structures().list().iter().map(|structure| {
            let rows = Rows::new(cells, bounds(structure), structure.automorphisms.len() == 1);
            cells += rows.cells;
            rows
        });
        let rows = rows.collect();
        Grid { rows, cells: cells as usize }
    }

    /// The cells of a structure.
    ///
    /// # Panics
    ///
    /// For a number without a structure.
    pub fn rows(&self, structure: u16) -> &Rows {
        &self.rows[usize::from(structure)]
    }

    /// The number of cells; not every cell is a class.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The cell of a class.
    pub fn cell(&self, class: &Class) -> usize {
        self.rows(class.structure).cell(&class.sizes)
    }

    /// The cell of the class of open pieces, given by colour and kind.
    pub fn find(&self, all: &Structures, counts: &[Counts; 2]) -> usize {
        let support = all.of(counts);
        let rows = self.rows(support.structure);
        if rows.rigid {
            // Every piece advances by the stride of its block, starting before the first piece.
            let steps = counts.as_flattened().iter().zip(support.labels.as_flattened());
            let stride = |label: u8| rows.strides[usize::from(label) % STRIDES];
            let steps = steps.map(|(&n, &label)| u32::from(n) * stride(label)).sum::<u32>();
            return (rows.start + steps - rows.first) as usize;
        }
        let sizes = sizes(counts, &support.labels);
        rows.cell(&least(&sizes, all.get(support.structure)).0)
    }

    /// The structure that a cell belongs to.
    pub fn structure(&self, cell: usize) -> u16 {
        (self.rows.partition_point(|r| r.start as usize <= cell) - 1) as u16
    }

    /// The class of a cell, which must be one.
    pub fn class(&self, cell: usize) -> Class {
        let structure = self.structure(cell);
        Class { structure, sizes: self.rows(structure).sizes(cell) }
    }

    /// All cells that are classes, derived from the structures alone.
    pub fn classes(&self) -> CellSet {
        let mut set = CellSet::new(self.cells);
        for (structure, rows) in structures().list().iter().zip(&self.rows) {
            for range in ranges(structure).collect::<BTreeSet<_>>() {
                fill(&mut set, structure, rows, &range);
            }
        }
        set
    }
}

impl Default for Grid {
    fn default() -> Grid {
        Grid::new()
    }
}

/// The range of sizes for each support of a structure.
fn ranges(structure: &Structure) -> impl Iterator<Item = Range> + '_ {
    let range = |&support: &u16| {
        let support = structures().support(support_kinds(usize::from(support)));
        let (mut low, mut high) = (Sizes::default(), Sizes::default());
        for (i, &label) in support.labels.as_flattened().iter().enumerate() {
            if label != ABSENT {
                low[usize::from(label)] += 1;
                high[usize::from(label)] += LIMITS[i % KINDS];
            }
        }
        (low, high)
    };
    structure.supports.iter().map(range)
}

/// The maximum sizes of a structure's blocks, over all its automorphisms.
fn bounds(structure: &Structure) -> Sizes {
    let mut bounds = Sizes::default();
    for (_, high) in ranges(structure) {
        for map in &structure.automorphisms {
            for (bound, size) in bounds.iter_mut().zip(permuted(&high, map)) {
                *bound = size.max(*bound);
            }
        }
    }
    bounds
}

/// Marks the classes of the sizes in a range.
fn fill(set: &mut CellSet, structure: &Structure, rows: &Rows, (low, high): &Range) {
    let blocks = structure.len();
    let mut sizes = *low;
    loop {
        let cell = if structure.automorphisms.len() > 1 {
            rows.cell(&least(&sizes, structure).0)
        } else {
            rows.cell(&sizes)
        };
        set.insert(cell);
        let Some(next) = (0..blocks).rev().find(|&i| sizes[i] < high[i]) else {
            return;
        };
        sizes[next] += 1;
        sizes[next + 1..blocks].copy_from_slice(&low[next + 1..blocks]);
    }
}

impl CellSet {
    /// An empty set over `cells` cells.
    pub fn new(cells: usize) -> CellSet {
        CellSet(vec![0; cells.div_ceil(64)])
    }

    /// Adds a cell; returns whether it was new.
    ///
    /// # Panics
    ///
    /// For a cell out of range.
    pub fn insert(&mut self, cell: usize) -> bool {
        let (word, bit) = (&mut self.0[cell / 64], 1 << (cell % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// The number of cells in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// The members among the `cells` cells from `start` on, in ascending order.
    pub fn range(&self, start: usize, cells: usize) -> impl Iterator<Item = usize> + '_ {
        (start..start + cells).filter(|&cell| self.contains(cell))
    }

    /// Whether the set contains a cell.
    pub fn contains(&self, cell: usize) -> bool {
        self.0.get(cell / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let bits = std::iter::successors((word != 0).then_some(word), |w| {
                Some(w & (w - 1)).filter(|&w| w != 0)
            });
            bits.map(move |w| i * 64 + w.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::revealed_sets;
    use agon_darkchess::tablebase::classes::canonical;

    #[test]
    fn cells_and_classes_are_the_same_thing() {
        let grid = Grid::new();
        for counts in revealed_sets(2, 6) {
            let class = canonical(&counts).class;
            let cell = grid.find(structures(), &counts);
            assert_eq!(cell, grid.cell(&class));
            assert_eq!(grid.class(cell), class);
        }
    }

    #[test]
    fn the_boxes_hold_exactly_the_classes_that_visiting_all_8497176_sets_finds() {
        let grid = Grid::new();
        let mut visited = CellSet::new(grid.cells());
        let mut sets = 0;
        for counts in revealed_sets(2, 32) {
            visited.insert(grid.find(structures(), &counts));
            sets += 1;
        }
        assert_eq!(sets - 49, 8_497_176);
        let mut wanted = CellSet::new(grid.cells());
        let two_sided = |c: &usize| structures().get(grid.structure(*c)).is_two_sided();
        for cell in grid.classes().iter().filter(two_sided) {
            wanted.insert(cell);
        }
        assert!(visited == wanted);
        let counted = crate::class_count::count_classes((1, 1)).revealed.classes;
        assert_eq!(wanted.len() as u64, counted.iter().sum::<u64>());
    }
}
