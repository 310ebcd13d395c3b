//! The number of an arrangement of a class's pieces on the board, up to symmetry.
//!
//! The type with the fewest pieces is the anchor. It is placed up to symmetry, the others on the
//! remaining squares. No symmetry but the identity fixes a square (both board dimensions are even),
//! so with an anchor of one piece every arrangement has exactly one number. An anchor of two pieces
//! can be symmetric to itself; then the smallest number among the images is used, and the others
//! are unused.

use super::material::{ClassShape, MAX_TYPES};
use agon_games::darkchess::{SQUARES, Squares};

/// The squares of each type's pieces, by type number.
pub type TypeSets = [u32; MAX_TYPES];

/// The four symmetries of a board, as maps of squares.
#[derive(Clone, Debug)]
pub struct SymmetricBoard {
    /// The squares of the board.
    pub squares: u32,
    /// The numbers of files and ranks.
    pub size: (u8, u8),
    maps: [[u8; SQUARES]; 4],
    singles: Vec<Anchor>,
    pairs: Vec<Anchor>,
    /// The representatives of the anchors of one and of two squares, by number.
    representatives: [Vec<u32>; 2],
}

/// The representative of an anchor.
#[derive(Clone, Copy, Default, Debug)]
struct Anchor {
    number: u16,
    /// The symmetries that map the anchor to its representative.
    maps: u8,
}

impl SymmetricBoard {
    /// The board with this number of files and ranks, both even.
    pub fn new(files: u8, ranks: u8) -> SymmetricBoard {
        let square = |file, rank| rank * 4 + file;
        let mut maps = [[0; SQUARES]; 4];
        let mut squares = 0;
        for rank in 0..ranks {
            for file in 0..files {
                let (f, r) = (files - 1 - file, ranks - 1 - rank);
                let at = usize::from(square(file, rank));
                squares |= 1u32 << at;
                maps[0][at] = square(file, rank);
                maps[1][at] = square(f, rank);
                maps[2][at] = square(file, r);
                maps[3][at] = square(f, r);
            }
        }
        let (singles, pairs) = (Vec::new(), Vec::new());
        let representatives = [Vec::new(), Vec::new()];
        let size = (files, ranks);
        let mut board = SymmetricBoard { squares, size, maps, singles, pairs, representatives };
        let singles: Vec<u32> = Squares(squares).map(|s| 1 << s).collect();
        let pairs = Squares(squares)
            .flat_map(|a| Squares(squares).filter(move |&b| a < b).map(move |b| 1 << a | 1 << b))
            .collect();
        (board.singles, board.representatives[0]) = board.anchors(singles, SQUARES);
        (board.pairs, board.representatives[1]) = board.anchors(pairs, SQUARES * SQUARES);
        board
    }

    /// Numbers sets of squares up to symmetry.
    fn anchors(&self, mut sets: Vec<u32>, slots: usize) -> (Vec<Anchor>, Vec<u32>) {
        let mut table = vec![Anchor::default(); slots];
        let mut representatives = Vec::new();
        // In this order the smallest image, the representative, precedes the others.
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

/// The table slot of a set of one or two squares.
#[inline]
fn slot(set: u32) -> usize {
    let low = set.trailing_zeros() as usize;
    let high = 31 - set.leading_zeros() as usize;
    if low == high { low } else { low * SQUARES + high }
}

/// The binomial coefficient `n` over `k`, for k up to 5.
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

/// The numbering of a class's arrangements.
#[derive(Clone, Debug)]
pub struct ArrangementNumbering {
    /// The types in placing order, the anchor first.
    order: Vec<u8>,
    counts: Vec<u8>,
    /// The number of arrangements of the types from each position in `order` on.
    sizes: Vec<u32>,
    /// Whether distinct moves may lead to the same number: the anchor has two pieces.
    pub folds: bool,
}

impl ArrangementNumbering {
    /// The numbering of the class of this shape.
    pub fn new(board: &SymmetricBoard, shape: &ClassShape) -> ArrangementNumbering {
        let anchor = (0..shape.counts.len()).min_by_key(|&t| shape.counts[t]).unwrap_or(0);
        let rest = (0..shape.counts.len()).filter(|&t| t != anchor);
        let order: Vec<u8> = [anchor].into_iter().chain(rest).map(|t| t as u8).collect();
        let counts: Vec<u8> = order.iter().map(|&t| shape.counts[usize::from(t)]).collect();
        let mut sizes = vec![1; counts.len() + 1];
        let mut used: usize = counts.iter().map(|&n| usize::from(n)).sum();
        let squares = board.squares.count_ones() as usize;
        for i in (0..counts.len()).rev() {
            used -= usize::from(counts[i]);
            let ways = match (i, counts[i]) {
                (0, n) => board.representatives[usize::from(n > 1)].len() as u32,
                (_, n) => CHOOSE[squares.saturating_sub(used)][usize::from(n)],
            };
            sizes[i] = sizes[i + 1] * ways;
        }
        ArrangementNumbering { folds: counts.first().is_some_and(|&n| n > 1), order, counts, sizes }
    }

    /// The number of indexes, unused ones included.
    pub fn len(&self) -> u32 {
        self.sizes[0]
    }

    /// The number of an arrangement.
    #[inline]
    pub fn number(&self, board: &SymmetricBoard, sets: &TypeSets) -> u32 {
        let set = sets[usize::from(self.order[0])];
        let anchors = if self.folds { &board.pairs } else { &board.singles };
        let Anchor { number, maps } = anchors[slot(set)];
        let base = u32::from(number) * self.sizes[1];
        let mut least = u32::MAX;
        let mut left = maps;
        while left != 0 {
            let map = left.trailing_zeros() as usize;
            left &= left - 1;
            least = least.min(self.rest(board, sets, map));
        }
        base + least
    }

    /// The number of the types after the anchor, under a symmetry.
    #[inline]
    fn rest(&self, board: &SymmetricBoard, sets: &TypeSets, map: usize) -> u32 {
        // Squares outside the board count as occupied.
        let mut taken = board.image(sets[usize::from(self.order[0])], map) | !board.squares;
        let mut index = 0;
        for (i, &t) in self.order.iter().enumerate().skip(1) {
            let image = board.image(sets[usize::from(t)], map);
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

    /// The arrangement of a number; the arrangement of an unused number has another number.
    pub fn arrangement(&self, board: &SymmetricBoard, number: u32) -> TypeSets {
        let mut sets = [0; MAX_TYPES];
        let anchors = &board.representatives[usize::from(self.folds)];
        let anchor = anchors[(number / self.sizes[1]) as usize];
        sets[usize::from(self.order[0])] = anchor;
        let mut taken = anchor | !board.squares;
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

/// A set's `n`-th square, from 0, as a set.
#[inline]
fn nth(mut set: u32, n: u32) -> u32 {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    set & set.wrapping_neg()
}
