//! Hashing in one place: the hash-map type and the Zobrist keys.
//!
//! `fxhash` is unmaintained (RUSTSEC-2025-0057) but small, finished and without `unsafe`; all uses
//! go through these aliases, so switching to `rustc-hash` changes two lines.

/// A hash map with a fast, fixed hash. Its order must never affect output.
pub type FastMap<K, V> = fxhash::FxHashMap<K, V>;
/// A hash set with a fast, fixed hash. Its order must never affect output.
pub type FastSet<K> = fxhash::FxHashSet<K>;

/// The SplitMix64 finaliser (Steele, Lea and Flood 2014): a bijection on 64 bits that mixes well.
pub const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A table of `N` Zobrist keys, fixed by `salt`: logs and test data may contain hashes.
pub const fn zobrist<const N: usize>(salt: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(mix(salt) ^ (i as u64 + 1));
        i += 1;
    }
    keys
}
