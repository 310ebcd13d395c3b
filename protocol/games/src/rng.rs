//! Named random streams: the same (seed, index, purpose) gives the same numbers on every machine,
//! regardless of other draws and of the order in which games are played.

use crate::hash::mix;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator for all random decisions of the project.
pub type Stream = Xoshiro256PlusPlus;

/// The stream for a seed, an index (a pair, a position, a thread) and a purpose.
pub fn stream(seed: u64, index: u64, purpose: &str) -> Stream {
    let name = purpose.bytes().fold(0u64, |h, b| mix(h ^ u64::from(b)));
    Stream::seed_from_u64(mix(mix(mix(seed) ^ index) ^ name))
}

/// A uniform number below `n` (which must not be 0), without modulo bias.
pub fn below(rng: &mut impl Rng, n: u64) -> u64 {
    debug_assert!(n > 0);
    // Lemire's method: the high half of a 128-bit product, redrawing in the biased remainder.
    let threshold = n.wrapping_neg() % n;
    loop {
        let wide = u128::from(rng.next_u64()) * u128::from(n);
        if wide as u64 >= threshold {
            return (wide >> 64) as u64;
        }
    }
}

/// A uniform number in [0, 1) with 53 random bits.
pub fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Shuffles in place, uniformly (Fisher and Yates).
pub fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(rng, i as u64 + 1) as usize);
    }
}

/// Draws an index with probability proportional to its weight; `None` if all weights are 0.
pub fn weighted_index(
    rng: &mut impl Rng,
    weights: impl Iterator<Item = u32> + Clone,
) -> Option<usize> {
    let total: u64 = weights.clone().map(u64::from).sum();
    if total == 0 {
        return None;
    }
    let mut ticket = below(rng, total);
    for (i, w) in weights.enumerate() {
        let w = u64::from(w);
        if ticket < w {
            return Some(i);
        }
        ticket -= w;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_named_by_seed_index_and_purpose() {
        let draw = |s, i, p| stream(s, i, p).next_u64();
        assert_eq!(draw(1, 2, "dice"), draw(1, 2, "dice"));
        assert_ne!(draw(1, 2, "dice"), draw(1, 3, "dice"));
        assert_ne!(draw(1, 2, "dice"), draw(2, 2, "dice"));
        assert_ne!(draw(1, 2, "dice"), draw(1, 2, "opening"));
    }

    #[test]
    fn below_is_uniform_enough_and_in_range() {
        let mut rng = stream(7, 0, "test");
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[below(&mut rng, 6) as usize] += 1;
        }
        // 60,000 throws of a fair die: 5 standard deviations are about 456.
        assert!(counts.iter().all(|c| c.abs_diff(10_000) < 456), "{counts:?}");
    }

    #[test]
    fn weighted_never_draws_a_zero_weight() {
        let mut rng = stream(7, 1, "test");
        for _ in 0..1000 {
            assert_ne!(weighted_index(&mut rng, [3, 0, 5].into_iter()), Some(1));
        }
        assert_eq!(weighted_index(&mut rng, [0, 0].into_iter()), None);
    }
}
