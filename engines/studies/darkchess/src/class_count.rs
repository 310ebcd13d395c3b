//! The number of classes by number of pieces, counted without enumerating combinations: of open and
//! of hidden pieces, with colours kept and exchangeable.
//!
//! Hidden pieces do not change the capturing relation. So a combination with hidden pieces is a
//! class of open pieces ([`crate::grid`] lists them) in which 0 to `s` of the `s` pieces of each
//! block are hidden: the product of `s + 1` over the blocks. If automorphisms preserve the block
//! sizes, Burnside's lemma counts the orbits: the mean over these automorphisms of the product of
//! `s + 1` over their cycles. The exchange of colours is an involution on classes; its fixed points
//! are counted in the same way over the automorphisms that exchange the colours.

use crate::classify::structure_shard;
use crate::grid::Grid;
use crate::material::{KINDS, LIMITS};
use agon_darkchess::tablebase::classes::structure::{
    IDENTITY, MAX_BLOCKS, Permutation, Sizes, Structure, permuted, structures, support_kinds,
};

/// The minimum number of pieces: one of each side.
pub const MIN_PIECES: usize = 2;
/// The maximum number of pieces.
pub const MAX_PIECES: usize = 32;

/// Counts for 0 to 32 pieces.
pub type ByPieces = [u64; MAX_PIECES + 1];

/// The numbers of sets and classes by number of pieces, for sets with pieces of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountsByPieces {
    /// Combinations.
    pub sets: ByPieces,
    /// Classes with colours kept.
    pub classes: ByPieces,
    /// The classes that are their own colour exchange.
    pub colour_symmetric: ByPieces,
}

/// The counts of all sets of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClassCounts {
    /// Sets without hidden pieces.
    pub revealed: CountsByPieces,
    /// Sets with at least one hidden piece.
    pub hidden: CountsByPieces,
}

impl Default for CountsByPieces {
    fn default() -> CountsByPieces {
        let none = [0; MAX_PIECES + 1];
        CountsByPieces { sets: none, classes: none, colour_symmetric: none }
    }
}

impl CountsByPieces {
    /// Classes with exchangeable colours: half of all classes and of the colour-symmetric ones
    /// together.
    pub fn exchangeable(&self) -> ByPieces {
        std::array::from_fn(|n| (self.classes[n] + self.colour_symmetric[n]) / 2)
    }

    /// Adds the counts of other structures.
    pub fn add(&mut self, other: &CountsByPieces) {
        let fields = [
            (&mut self.sets, &other.sets),
            (&mut self.classes, &other.classes),
            (&mut self.colour_symmetric, &other.colour_symmetric),
        ];
        for (sum, part) in fields {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }
}

/// Counts the structures of shard `part` (from 1) of `of`. A class has only one structure, so the
/// shards' counts add up to the total.
pub fn count_classes((part, of): (u64, u64)) -> ClassCounts {
    let grid = Grid::new();
    let classes = grid.classes();
    let mut counts = ClassCounts::default();
    let sides = side_polynomials();
    for (number, structure) in structures().list().iter().enumerate() {
        if !structure.is_two_sided() || structure_shard(number as u16, of) != part {
            continue;
        }
        count_sets(structure, &sides, &mut counts);
        let symmetry = Symmetry::new(structure, number);
        let rows = grid.rows(number as u16);
        for cell in classes.range(rows.start as usize, rows.cells as usize) {
            let sizes = rows.sizes(cell);
            let pieces: usize = sizes.iter().map(|&n| usize::from(n)).sum();
            symmetry.count(&sizes, pieces, &mut counts);
        }
    }
    counts
}

/// The automorphisms of a structure, and its isomorphisms to its colour exchange.
struct Symmetry<'a> {
    kept: &'a [Permutation],
    exchanging: Vec<Permutation>,
}

impl<'a> Symmetry<'a> {
    fn new(structure: &'a Structure, number: usize) -> Symmetry<'a> {
        let kept = &structure.automorphisms[..];
        let same = usize::from(structure.exchanged) == number;
        let after =
            |map: &Permutation| std::array::from_fn(|i| map[usize::from(structure.exchange[i])]);
        let exchanging = if same { kept.iter().map(after).collect() } else { Vec::new() };
        Symmetry { kept, exchanging }
    }

    /// Adds the class of open pieces with these sizes, and the classes with hidden ones.
    fn count(&self, sizes: &Sizes, pieces: usize, counts: &mut ClassCounts) {
        let (fixing, kept) = fixed(self.kept, sizes);
        let (symmetric, exchanged) = fixed(&self.exchanging, sizes);
        counts.revealed.classes[pieces] += 1;
        counts.hidden.classes[pieces] += kept / fixing - 1;
        if symmetric > 0 {
            counts.revealed.colour_symmetric[pieces] += 1;
            counts.hidden.colour_symmetric[pieces] += exchanged / fixing - 1;
        }
    }
}

/// The number of permutations that fix the sizes, and the sum over these of the number of choices
/// of hidden pieces that they fix.
fn fixed(maps: &[Permutation], sizes: &Sizes) -> (u64, u64) {
    let fixing = maps.iter().filter(|map| **map == IDENTITY || permuted(sizes, map) == *sizes);
    fixing.fold((0, 0), |(n, sum), map| (n + 1, sum + choices(sizes, map)))
}

/// The product over the permutation's cycles of one plus the size of the cycle's blocks.
fn choices(sizes: &Sizes, map: &Permutation) -> u64 {
    let mut seen = [false; MAX_BLOCKS];
    let mut product = 1;
    for (i, &size) in sizes.iter().enumerate().take_while(|(_, s)| **s > 0) {
        if !seen[i] {
            product *= u64::from(size) + 1;
            let mut at = i;
            while !seen[at] {
                seen[at] = true;
                at = usize::from(map[at]);
            }
        }
    }
    product
}

/// For each set of kinds of one side, with at least one piece of each kind: the number of ways to
/// choose a given number of pieces, open only, and open or hidden.
fn side_polynomials() -> Vec<[[u64; 17]; 2]> {
    let polynomial = |kinds: usize, hidden: u64| {
        let mut ways = [0; 17];
        ways[0] = 1;
        for kind in (0..KINDS).filter(|k| kinds >> k & 1 == 1) {
            let mut next = [0; 17];
            for (placed, &w) in ways.iter().enumerate().filter(|w| *w.1 > 0) {
                for more in 1..=usize::from(LIMITS[kind]) {
                    next[placed + more] += w * (1 + hidden * more as u64);
                }
            }
            ways = next;
        }
        ways
    };
    (0..1 << KINDS).map(|kinds| [polynomial(kinds, 0), polynomial(kinds, 1)]).collect()
}

fn count_sets(structure: &Structure, sides: &[[[u64; 17]; 2]], counts: &mut ClassCounts) {
    for &support in &structure.supports {
        let [red, black] = support_kinds(usize::from(support)).map(|k| &sides[usize::from(k)]);
        for ((r, red_open), red_all) in red[0].iter().enumerate().zip(&red[1]) {
            for ((b, black_open), black_all) in black[0].iter().enumerate().zip(&black[1]) {
                let open = red_open * black_open;
                counts.revealed.sets[r + b] += open;
                counts.hidden.sets[r + b] += red_all * black_all - open;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over the sets of the paper, which have at least three pieces.
    fn sum(counts: &ByPieces) -> u64 {
        counts[3..].iter().sum()
    }

    #[test]
    fn two_pieces_give_49_sets_without_hidden_pieces_and_147_with_them() {
        let counts = count_classes((1, 1));
        assert_eq!((counts.revealed.sets[2], counts.hidden.sets[2]), (49, 147));
        assert_eq!(counts.revealed.sets[..2], [0, 0]);
    }

    #[test]
    fn there_are_as_many_sets_as_the_paper_says() {
        let counts = count_classes((1, 1));
        assert_eq!(sum(&counts.revealed.sets), 8_497_176);
        assert_eq!(sum(&counts.hidden.sets), 239_980_775_397);
        assert_eq!(counts.revealed.sets[3..=8].iter().sum::<u64>(), 144_158);
    }

    #[test]
    fn shards_add_up() {
        let whole = count_classes((1, 1));
        let mut sum = ClassCounts::default();
        for part in 1..=3 {
            let shard = count_classes((part, 3));
            sum.revealed.add(&shard.revealed);
            sum.hidden.add(&shard.hidden);
        }
        assert_eq!(sum, whole);
    }

    #[test]
    fn the_published_percentages_come_out_with_exchangeable_colours() {
        let counts = count_classes((1, 1));
        let percent = |counts: &CountsByPieces, range: std::ops::RangeInclusive<usize>| {
            let classes: u64 = counts.exchangeable()[range.clone()].iter().sum();
            let sets: u64 = counts.sets[range].iter().sum();
            format!("{:.2}", 100.0 * classes as f64 / sets as f64)
        };
        assert_eq!(percent(&counts.revealed, 3..=MAX_PIECES), "28.93");
        assert_eq!(percent(&counts.hidden, 3..=MAX_PIECES), "42.52");
        assert_eq!(percent(&counts.revealed, 3..=8), "5.82");
        assert_eq!(percent(&counts.hidden, 3..=8), "5.98");
    }
}
