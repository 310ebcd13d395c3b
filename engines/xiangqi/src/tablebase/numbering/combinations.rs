//! Indices for sets of equal pieces among the empty squares: the combinatorial number system. The
//! set of positions i < j < k ... among the empty squares has the index C(i,1) + C(j,2) + C(k,3) +
//! ..., which does not depend on the number of empty squares.

use agon_games::xiangqi::Squares;

/// Binomials C(n, k) for n up to 90 and k up to 5, and the pairs in order.
#[derive(Debug)]
pub struct Combinations {
    choose: [[u64; 6]; 91],
    /// The positions of the pair with each index, the lower first.
    pairs: Vec<(u8, u8)>,
}

impl Combinations {
    /// Builds the tables.
    pub fn new() -> Combinations {
        let mut choose = [[0; 6]; 91];
        for n in 0..choose.len() {
            choose[n][0] = 1;
            for k in 1..if n == 0 { 1 } else { 6 } {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        let pairs = (1..90u8).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
        Combinations { choose, pairs }
    }

    /// C(n, k); 0 outside the table.
    #[inline]
    pub fn choose(&self, n: usize, k: usize) -> u64 {
        self.choose.get(n).and_then(|row| row.get(k)).copied().unwrap_or(0)
    }

    /// The index of a set of at most five of the `empty` squares.
    #[inline]
    pub fn rank(&self, set: u128, empty: u128) -> u64 {
        Squares(set)
            .enumerate()
            .map(|(i, s)| self.choose((empty & (s.bit() - 1)).count_ones() as usize, i + 1))
            .sum()
    }

    /// The set of `k` of the empty squares with this index.
    #[inline]
    pub fn unrank(&self, mut number: u64, k: usize, empty: u128) -> u128 {
        match k {
            0 => return 0,
            1 => return nth_square(empty, number as u32),
            2 => {
                let (i, j) = self.pairs.get(number as usize).copied().unwrap_or_default();
                return nth_square(empty, u32::from(i)) | nth_square(empty, u32::from(j));
            }
            _ => {}
        }
        let mut set = 0;
        let mut below = empty.count_ones() as usize;
        for k in (1..=k).rev() {
            // The greatest position whose binomial does not exceed the index.
            let place = (0..below).rev().find(|&n| self.choose(n, k) <= number).unwrap_or(0);
            number -= self.choose(place, k);
            set |= nth_square(empty, place as u32);
            below = place;
        }
        set
    }
}

impl Default for Combinations {
    fn default() -> Combinations {
        Combinations::new()
    }
}

/// The square of a set with `n` squares of it below; the empty set if the set is too small.
#[inline]
pub fn nth_square(set: u128, n: u32) -> u128 {
    let low = set as u64;
    let count = low.count_ones();
    if n < count {
        return u128::from(nth64(low, n));
    }
    u128::from(nth64((set >> 64) as u64, n - count)) << 64
}

/// Binary search: halves the word until one bit is left.
#[inline]
fn nth64(word: u64, mut n: u32) -> u64 {
    if n >= word.count_ones() {
        return 0;
    }
    let mut base = 0;
    for width in [32, 16, 8] {
        let part = word >> base & ((1u64 << width) - 1);
        let count = part.count_ones();
        if n >= count {
            n -= count;
            base += width;
        }
    }
    let mut byte = word >> base & 255;
    for _ in 0..n {
        byte &= byte - 1;
    }
    (byte & byte.wrapping_neg()) << base
}
