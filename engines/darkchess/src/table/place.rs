//! The number of an arrangement of a class's pieces on the board, up to the board's symmetry.
//!
//! The type with the fewest pieces is the anchor: it is placed up to symmetry, the others on what
//! is left. No symmetry but the identity leaves a square where it is (both sides of the board are
//! even), so with an anchor of one piece every arrangement has exactly one number. An anchor of
//! two can be symmetric in itself; then the least number of its images counts, and the others are
//! unused.

use super::material::{MAX_TYPES, Shape};
use agon_protocol::darkchess::{SQUARES, Squares};

/// The squares of each type's pieces, by type number.
pub type Sets = [u32; MAX_TYPES];

/// The four symmetries of a board of whole ranks and files, as maps of squares.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// The squares that there are.
    pub board: u32,
    maps: [[u8; SQUARES]; 4],
    singles: Vec<Anchor>,
    pairs: Vec<Anchor>,
    /// The representatives of the anchors of one and of two squares, by number.
    representatives: [Vec<u32>; 2],
}

/// Where an anchor goes.
#[derive(Clone, Copy, Default, Debug)]
struct Anchor {
    number: u16,
    /// The symmetries that take it to its representative.
    maps: u8,
}

impl Geometry {
    /// The board of so many files and ranks, both even.
    pub fn new(files: u8, ranks: u8) -> Geometry {
        let square = |file, rank| rank * 4 + file;
        let mut maps = [[0; SQUARES]; 4];
        let mut board = 0;
        for rank in 0..ranks {
            for file in 0..files {
                let (f, r) = (files - 1 - file, ranks - 1 - rank);
                let at = usize::from(square(file, rank));
                board |= 1u32 << at;
                maps[0][at] = square(file, rank);
                maps[1][at] = square(f, rank);
                maps[2][at] = square(file, r);
                maps[3][at] = square(f, r);
            }
        }
        let (singles, pairs) = (Vec::new(), Vec::new());
        let representatives = [Vec::new(), Vec::new()];
        let mut geometry = Geometry { board, maps, singles, pairs, representatives };
        let singles: Vec<u32> = Squares(board).map(|s| 1 << s).collect();
        let pairs = Squares(board)
            .flat_map(|a| Squares(board).filter(move |&b| a < b).map(move |b| 1 << a | 1 << b))
            .collect();
        (geometry.singles, geometry.representatives[0]) = geometry.anchors(singles, SQUARES);
        (geometry.pairs, geometry.representatives[1]) = geometry.anchors(pairs, SQUARES * SQUARES);
        geometry
    }

    /// Numbers sets of squares up to symmetry.
    fn anchors(&self, mut sets: Vec<u32>, slots: usize) -> (Vec<Anchor>, Vec<u32>) {
        let mut table = vec![Anchor::default(); slots];
        let mut representatives = Vec::new();
        // In this order the least image, the representative, comes before the others.
        sets.sort_unstable();
        for set in sets {
            let images = [0, 1, 2, 3].map(|map| self.image(set, map));
            let least = images.into_iter().min().unwrap_or(set);
            if least == set {
                table[slot(set)].number = representatives.len() as u16;
                representatives.push(set);
            }
            let maps = (0..4).filter(|&m| images[m] == least).fold(0, |all, m| all | 1 << m);
            table[slot(set)] = Anchor { number: table[slot(least)].number, maps };
        }
        (table, representatives)
    }

    #[inline]
    fn image(&self, set: u32, map: usize) -> u32 {
        Squares(set).fold(0, |image, s| image | 1 << self.maps[map][usize::from(s)])
    }
}

/// A set of one or two squares as a table slot.
#[inline]
fn slot(set: u32) -> usize {
    let low = set.trailing_zeros() as usize;
    let high = 31 - set.leading_zeros() as usize;
    if low == high { low } else { low * SQUARES + high }
}

/// `n` over `k`, for k up to 5.
const fn choose(n: u32, k: u32) -> u32 {
    let mut value = 1;
    let mut i = 0;
    while i < k {
        if n < k {
            return 0;
        }
        value = value * (n - i) / (i + 1);
        i += 1;
    }
    value
}

static CHOOSE: [[u32; 6]; 33] = {
    let mut table = [[0; 6]; 33];
    let mut n = 0;
    while n < 33 {
        let mut k = 0;
        while k < 6 {
            table[n][k] = choose(n as u32, k as u32);
            k += 1;
        }
        n += 1;
    }
    table
};

/// How a class's arrangements are numbered.
#[derive(Clone, Debug)]
pub struct Placing {
    /// Types in the order of placing, the anchor first.
    order: Vec<u8>,
    counts: Vec<u8>,
    /// Numbers that the types from each place on take together.
    sizes: Vec<u32>,
    /// Distinct moves may lead to the same number: the anchor has two pieces.
    pub folds: bool,
}

impl Placing {
    /// For the class of this shape.
    pub fn new(geometry: &Geometry, shape: &Shape) -> Placing {
        let anchor = (0..shape.counts.len()).min_by_key(|&t| shape.counts[t]).unwrap_or(0);
        let rest = (0..shape.counts.len()).filter(|&t| t != anchor);
        let order: Vec<u8> = [anchor].into_iter().chain(rest).map(|t| t as u8).collect();
        let counts: Vec<u8> = order.iter().map(|&t| shape.counts[usize::from(t)]).collect();
        let mut sizes = vec![1; counts.len() + 1];
        let mut used: usize = counts.iter().map(|&n| usize::from(n)).sum();
        let squares = geometry.board.count_ones() as usize;
        for i in (0..counts.len()).rev() {
            used -= usize::from(counts[i]);
            let ways = match (i, counts[i]) {
                (0, n) => geometry.representatives[usize::from(n > 1)].len() as u32,
                (_, n) => CHOOSE[squares.saturating_sub(used)][usize::from(n)],
            };
            sizes[i] = sizes[i + 1] * ways;
        }
        Placing { folds: counts.first().is_some_and(|&n| n > 1), order, counts, sizes }
    }

    /// How many numbers there are.
    pub fn len(&self) -> u32 {
        self.sizes[0]
    }

    /// The number of an arrangement.
    #[inline]
    pub fn locate(&self, geometry: &Geometry, sets: &Sets) -> u32 {
        let set = sets[usize::from(self.order[0])];
        let anchors = if self.folds { &geometry.pairs } else { &geometry.singles };
        let Anchor { number, maps } = anchors[slot(set)];
        let base = u32::from(number) * self.sizes[1];
        let mut least = u32::MAX;
        let mut left = maps;
        while left != 0 {
            let map = left.trailing_zeros() as usize;
            left &= left - 1;
            least = least.min(self.rest(geometry, sets, map));
        }
        base + least
    }

    /// The number of the types after the anchor, after a symmetry.
    #[inline]
    fn rest(&self, geometry: &Geometry, sets: &Sets, map: usize) -> u32 {
        // Squares that do not exist count as taken.
        let mut taken = geometry.image(sets[usize::from(self.order[0])], map) | !geometry.board;
        let mut index = 0;
        for (i, &t) in self.order.iter().enumerate().skip(1) {
            let image = geometry.image(sets[usize::from(t)], map);
            let mut rank = 0;
            for (k, square) in Squares(image).enumerate() {
                let free = u32::from(square) - (taken & ((1u32 << square) - 1)).count_ones();
                rank += CHOOSE[free as usize][k + 1];
            }
            index += rank * self.sizes[i + 1];
            taken |= image;
        }
        index
    }

    /// The arrangement of a number; for an unused number one whose own number is another.
    pub fn arrange(&self, geometry: &Geometry, number: u32) -> Sets {
        let mut sets = [0; MAX_TYPES];
        let anchors = &geometry.representatives[usize::from(self.folds)];
        let anchor = anchors[(number / self.sizes[1]) as usize];
        sets[usize::from(self.order[0])] = anchor;
        let mut taken = anchor | !geometry.board;
        let mut left = number % self.sizes[1];
        for (i, &t) in self.order.iter().enumerate().skip(1) {
            let mut rank = left / self.sizes[i + 1];
            left %= self.sizes[i + 1];
            let mut set = 0;
            let mut limit = 32 - taken.count_ones();
            for k in (1..=usize::from(self.counts[i])).rev() {
                let mut free = limit - 1;
                while CHOOSE[free as usize][k] > rank {
                    free -= 1;
                }
                rank -= CHOOSE[free as usize][k];
                set |= nth(!taken, free);
                limit = free;
            }
            sets[usize::from(t)] = set;
            taken |= set;
        }
        sets
    }
}

/// The set of the one square that is the `n`-th, from 0, of a set.
#[inline]
fn nth(mut set: u32, n: u32) -> u32 {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    set & set.wrapping_neg()
}
