//! Indices of rooks, horses and cannons. For each number of empty squares there are 729 consecutive
//! blocks, one for each way to have 0 to 2 of the six kinds; within a block, the kinds' sets are
//! digits.

use super::combinations::Combinations;

/// The kinds in order: red rook, black rook, red horse, black horse, red cannon, black cannon.
pub const KINDS: usize = 6;
/// The 3^6 vectors of piece counts.
pub const VECTORS: usize = 729;
/// The minimum number of squares left empty by the other pieces.
pub const FEWEST: usize = 70;
const MOST: usize = 88;

/// The count of each kind, by the vector's index, with the first kind in the lowest digit.
#[inline]
pub fn vector(number: usize) -> [usize; KINDS] {
    let mut rest = number;
    [0; KINDS].map(|_: usize| {
        let digit = rest % 3;
        rest /= 3;
        digit
    })
}

/// The index of a vector.
#[inline]
pub fn vector_number(vector: [usize; KINDS]) -> usize {
    vector.iter().rev().fold(0, |n, &v| n * 3 + v)
}

/// The start of each vector's block.
#[derive(Debug)]
pub struct FreeBlocks {
    /// By empty squares less [`FEWEST`]: the starts of all vectors, then the end.
    starts: Vec<Vec<u128>>,
}

impl FreeBlocks {
    /// Builds the table.
    pub fn new(combinations: &Combinations) -> FreeBlocks {
        let starts = (FEWEST..=MOST)
            .map(|empty| {
                let mut sum = 0;
                let sizes = (0..VECTORS).map(|v| size(combinations, empty, vector(v)));
                let mut starts = vec![0];
                starts.extend(sizes.map(|size| {
                    sum += size;
                    sum
                }));
                starts
            })
            .collect();
        FreeBlocks { starts }
    }

    #[inline]
    fn of(&self, empty: usize) -> &[u128] {
        &self.starts[empty.clamp(FEWEST, MOST) - FEWEST]
    }

    /// The number of placements of all vectors.
    #[inline]
    pub fn total(&self, empty: usize) -> u128 {
        self.of(empty)[VECTORS]
    }

    /// The start of a vector's block.
    #[inline]
    pub fn start(&self, empty: usize, vector: usize) -> u128 {
        self.of(empty)[vector % VECTORS]
    }

    /// The vector whose block contains an index, and the index within the block.
    #[inline]
    pub fn find(&self, empty: usize, number: u128) -> (usize, u128) {
        let starts = self.of(empty);
        let vector = starts.partition_point(|&s| s <= number) - 1;
        (vector, number - starts[vector])
    }
}

/// The number of placements of one vector on `empty` squares.
#[inline]
pub fn size(combinations: &Combinations, empty: usize, vector: [usize; KINDS]) -> u128 {
    let mut left = empty;
    vector.into_iter().fold(1, |size, n| {
        let ways = combinations.choose(left, n);
        left -= n;
        size * u128::from(ways)
    })
}

/// The index of the sets of the six kinds, all on squares of `empty`.
#[inline]
pub fn rank(combinations: &Combinations, sets: [u128; KINDS], mut empty: u128) -> u128 {
    let mut digits = [(0, 0); KINDS];
    for (digit, set) in digits.iter_mut().zip(sets) {
        let base = combinations.choose(empty.count_ones() as usize, set.count_ones() as usize);
        *digit = (combinations.rank(set, empty), base);
        empty &= !set;
    }
    // Each half of the digits fits in 64 bits: three bases of at most C(88, 2) = 3828.
    let join = |half: &[(u64, u64)]| {
        half.iter().rev().fold((0, 1), |(n, size), &(d, base)| (n * base + d, size * base))
    };
    let ((low, low_size), (high, _)) = (join(&digits[..3]), join(&digits[3..]));
    u128::from(high) * u128::from(low_size) + u128::from(low)
}

/// The sets of a vector with an index.
#[inline]
pub fn unrank(
    combinations: &Combinations,
    vector: [usize; KINDS],
    number: u128,
    mut empty: u128,
) -> [u128; KINDS] {
    let mut left = empty.count_ones() as usize;
    let bases = vector.map(|n| {
        let base = combinations.choose(left, n);
        left -= n;
        base
    });
    let low_size: u64 = bases[..3].iter().product();
    let high = (number / u128::from(low_size)) as u64;
    let low = (number - u128::from(high) * u128::from(low_size)) as u64;
    let mut halves = [low, high];
    let mut sets = [0; KINDS];
    for (i, set) in sets.iter_mut().enumerate() {
        let half = &mut halves[i / 3];
        *set = combinations.unrank(*half % bases[i], vector[i], empty);
        *half /= bases[i];
        empty &= !*set;
    }
    sets
}
