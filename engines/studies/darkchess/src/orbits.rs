//! Numbers the ways to hide some pieces of a class of open pieces, without gaps.
//!
//! Of a block of `s` pieces 0 to `s` may be hidden, so a way is a mixed-radix number with these
//! digits. An automorphism that preserves the block sizes maps some of these numbers to each other,
//! and one number must represent them all. The automorphism groups of the structures have at most
//! three elements (a test checks all of them): one of order two swaps pairs of blocks, one of order
//! three rotates triples. The digits of the first, second and third blocks of the pairs or triples
//! form numbers u, v and w; the orbit is the pair {u, v}, or the triple up to rotation.

use crate::structure::{MAX_BLOCKS, Permutation, Sizes, Structure, permuted};

/// The blocks of a class, as far as relevant for hiding pieces.
struct Orbits<'a> {
    sizes: &'a Sizes,
    /// The generator of the automorphisms that preserve the sizes, and their number.
    generator: &'a Permutation,
    order: usize,
}

/// The number of ways to hide pieces, including none; `sizes` are those of a class.
pub(crate) fn ways(structure: &Structure, sizes: &Sizes) -> u64 {
    if structure.automorphisms.len() == 1 {
        return sizes.iter().map(|&size| u64::from(size) + 1).product();
    }
    let orbits = Orbits::new(structure, sizes);
    let (w, fixed) = orbits.digits(sizes, |digit| u64::from(digit) + 1);
    fixed
        * match orbits.order {
            1 => 1,
            2 => w[0] * (w[0] + 1) / 2,
            _ => (w[0] * w[0] * w[0] + 2 * w[0]) / 3,
        }
}

/// The rank of a way, below [`ways`]; 0 if nothing is hidden.
pub(crate) fn rank(structure: &Structure, sizes: &Sizes, hidden: &Sizes) -> u64 {
    if structure.automorphisms.len() == 1 {
        let digits = sizes.iter().zip(hidden);
        return digits.fold(0, |n, (&size, &h)| n * (u64::from(size) + 1) + u64::from(h));
    }
    let orbits = Orbits::new(structure, sizes);
    let (_, all_fixed) = orbits.digits(sizes, |digit| u64::from(digit) + 1);
    let ([u, v, w], fixed) = orbits.number(hidden);
    let moved = match orbits.order {
        1 => 0,
        2 => pair(u, v),
        _ => triple([u, v, w]),
    };
    moved * all_fixed + fixed
}

/// The rank of an unordered pair.
fn pair(u: u64, v: u64) -> u64 {
    let (low, high) = (u.min(v), u.max(v));
    high * (high + 1) / 2 + low
}

/// The rank of a triple up to rotation: by its maximum m, then by the rest and how often m occurs.
/// With maximum k there are k^2 triples with one k, k with two, 1 with three.
fn triple(t: [u64; 3]) -> u64 {
    let m = t[0].max(t[1]).max(t[2]);
    let below = m * (m * m + 2) / 3;
    let at = t.iter().position(|&x| x == m).unwrap_or(0);
    let [next, last] = [t[(at + 1) % 3], t[(at + 2) % 3]];
    below
        + match (next == m, last == m) {
            (false, false) => next * m + last,
            (true, false) => m * m + last,
            (false, true) => m * m + next,
            (true, true) => m * m + m,
        }
}

impl<'a> Orbits<'a> {
    fn new(structure: &'a Structure, sizes: &'a Sizes) -> Orbits<'a> {
        let maps = &structure.automorphisms;
        let fixing = |map: &&Permutation| permuted(sizes, map) == *sizes;
        // The group is trivial or of prime order, so either all of it or only the identity
        // preserves the sizes, and any other element generates it.
        let generator = maps[1..].iter().find(fixing);
        let order = if generator.is_some() { maps.len() } else { 1 };
        Orbits { sizes, generator: generator.unwrap_or(&maps[0]), order }
    }

    /// The products of `digit` over the first, second and third blocks of pairs or triples, and
    /// over the fixed blocks.
    fn digits(&self, of: &Sizes, digit: impl Fn(u8) -> u64) -> ([u64; 3], u64) {
        self.fold([1; 3], 1, |sum, block| sum * digit(of[block]))
    }

    /// The numbers whose digits are the hidden pieces of these blocks.
    fn number(&self, hidden: &Sizes) -> ([u64; 3], u64) {
        let next = |n: u64, block: usize| {
            n * (u64::from(self.sizes[block]) + 1) + u64::from(hidden[block])
        };
        self.fold([0; 3], 0, next)
    }

    fn fold(
        &self,
        mut moved: [u64; 3],
        mut fixed: u64,
        next: impl Fn(u64, usize) -> u64,
    ) -> ([u64; 3], u64) {
        let mut seen = [false; MAX_BLOCKS];
        for block in (0..MAX_BLOCKS).filter(|&b| self.sizes[b] > 0) {
            let mut at = usize::from(self.generator[block]);
            if at == block {
                fixed = next(fixed, block);
            } else if !seen[block] {
                moved[0] = next(moved[0], block);
                for part in &mut moved[1..self.order] {
                    seen[at] = true;
                    *part = next(*part, at);
                    at = usize::from(self.generator[at]);
                }
            }
        }
        (moved, fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::structure::{IDENTITY, structures};
    use std::collections::BTreeMap;

    #[test]
    fn pairs_and_triples_are_numbered_without_gaps() {
        for w in 1..7u64 {
            let mut numbers: BTreeMap<[u64; 3], u64> = BTreeMap::new();
            for i in 0..w * w * w {
                let t = [i / (w * w), i / w % w, i % w];
                let rotated = [t, [t[1], t[2], t[0]], [t[2], t[0], t[1]]];
                let first = *rotated.iter().min().unwrap();
                assert_eq!(*numbers.entry(first).or_insert(triple(t)), triple(t), "{t:?}");
            }
            let mut all: Vec<u64> = numbers.into_values().collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..(w * w * w + 2 * w) / 3), "{w}");
            let mut pairs: Vec<u64> =
                (0..w).flat_map(|v| (0..=v).map(move |u| pair(v, u))).collect();
            pairs.sort_unstable();
            assert!(pairs.into_iter().eq(0..w * (w + 1) / 2));
        }
    }

    #[test]
    fn automorphism_groups_have_at_most_three_elements() {
        let orders = structures().list().iter().map(|s| s.automorphisms.len());
        assert_eq!(orders.clone().max(), Some(3));
        assert_eq!(orders.filter(|&n| n > 1).count(), 16);
    }

    #[test]
    fn ways_to_hide_pieces_of_symmetric_classes_are_numbered_without_gaps() {
        let grid = Grid::new();
        let classes = grid.classes();
        for (number, structure) in structures().list().iter().enumerate() {
            if structure.automorphisms.len() == 1 {
                continue;
            }
            let rows = grid.rows(number as u16);
            for cell in classes.range(rows.start as usize, rows.cells as usize) {
                let sizes = rows.sizes(cell);
                if ways(structure, &sizes) < 3000 {
                    numbered_without_gaps(structure, &sizes);
                }
            }
        }
    }

    fn numbered_without_gaps(structure: &Structure, sizes: &Sizes) {
        let fixing = structure.automorphisms.iter().filter(|m| permuted(sizes, m) == *sizes);
        let fixing: Vec<Permutation> = fixing.copied().collect();
        assert_eq!(fixing[0], IDENTITY);
        let mut numbers: BTreeMap<Sizes, u64> = BTreeMap::new();
        let mut hidden = Sizes::default();
        loop {
            let least = fixing.iter().map(|m| permuted(&hidden, m)).min().unwrap();
            let number = rank(structure, sizes, &hidden);
            assert_eq!(*numbers.entry(least).or_insert(number), number);
            let Some(next) = (0..MAX_BLOCKS).find(|&i| hidden[i] < sizes[i]) else { break };
            hidden[next] += 1;
            hidden[..next].fill(0);
        }
        let mut all: Vec<u64> = numbers.into_values().collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..ways(structure, sizes)));
        assert_eq!(rank(structure, sizes, &Sizes::default()), 0);
    }
}
