//! A pair of bitboards, one per player, processed together.
//!
//! Every step of a distance computation is the same for both players, so a pair is processed in one
//! 256-bit register if the processor has AVX2, and as two `u128` otherwise. Lane 0 is the first
//! player's.

/// Two bitboards and the operations that distance computations need.
pub trait Pair: Copy {
    /// Creates a pair of two sets.
    fn new(sets: [u128; 2]) -> Self;
    /// The two sets.
    fn sets(self) -> [u128; 2];
    /// Squares in both operands.
    fn and(self, other: Self) -> Self;
    /// Squares in either operand.
    fn or(self, other: Self) -> Self;
    /// Squares of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// Swaps the players.
    fn swap(self) -> Self;
    /// Shifts every square `n` bits up, 0 < n < 64.
    fn up(self, n: usize) -> Self;
    /// Shifts every square `n` bits down, 0 < n < 64.
    fn down(self, n: usize) -> Self;
    /// Whether both sets are empty.
    fn is_empty(self) -> bool;

    /// The same set for both.
    #[inline(always)]
    fn splat(set: u128) -> Self {
        Self::new([set, set])
    }

    /// The sizes of the two sets.
    #[inline(always)]
    fn counts(self) -> [i32; 2] {
        self.sets().map(|s| s.count_ones() as i32)
    }
}

/// Two `u128`.
#[derive(Clone, Copy)]
pub struct Portable([u128; 2]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u128, u128) -> u128) -> Self {
        Portable([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }
}

impl Pair for Portable {
    #[inline(always)]
    fn new(sets: [u128; 2]) -> Self {
        Portable(sets)
    }
    #[inline(always)]
    fn sets(self) -> [u128; 2] {
        self.0
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    #[inline(always)]
    fn swap(self) -> Self {
        Portable([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn up(self, n: usize) -> Self {
        Portable(self.0.map(|s| s << n))
    }
    #[inline(always)]
    fn down(self, n: usize) -> Self {
        Portable(self.0.map(|s| s >> n))
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }
}

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Pair;
    use std::arch::x86_64::*;

    /// One AVX2 register. Values are created only inside functions compiled for AVX2, which are
    /// called only after a CPU feature check: that makes every intrinsic below sound.
    #[derive(Clone, Copy)]
    pub struct Avx2(__m256i);

    #[inline(always)]
    fn count(n: usize) -> __m128i {
        // SAFETY: SSE2 is part of every x86-64.
        unsafe { _mm_cvtsi32_si128(n as i32) }
    }

    impl Pair for Avx2 {
        #[inline(always)]
        fn new(sets: [u128; 2]) -> Self {
            // SAFETY: any bits are a valid register; sizes are equal.
            Avx2(unsafe { std::mem::transmute::<[u128; 2], __m256i>(sets) })
        }
        #[inline(always)]
        fn sets(self) -> [u128; 2] {
            // SAFETY: any bits are two valid `u128`; sizes are equal.
            unsafe { std::mem::transmute::<__m256i, [u128; 2]>(self.0) }
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: a value exists only where AVX2 does.
            Avx2(unsafe { _mm256_and_si256(self.0, other.0) })
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: a value exists only where AVX2 does.
            Avx2(unsafe { _mm256_or_si256(self.0, other.0) })
        }
        #[inline(always)]
        fn without(self, other: Self) -> Self {
            // SAFETY: a value exists only where AVX2 does.
            Avx2(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }
        #[inline(always)]
        fn swap(self) -> Self {
            // SAFETY: a value exists only where AVX2 does.
            Avx2(unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0) })
        }
        #[inline(always)]
        fn up(self, n: usize) -> Self {
            // SAFETY: a value exists only where AVX2 does.
            Avx2(unsafe {
                let carry = _mm256_srl_epi64(_mm256_slli_si256::<8>(self.0), count(64 - n));
                _mm256_or_si256(_mm256_sll_epi64(self.0, count(n)), carry)
            })
        }
        #[inline(always)]
        fn down(self, n: usize) -> Self {
            // SAFETY: a value exists only where AVX2 does.
            Avx2(unsafe {
                let carry = _mm256_sll_epi64(_mm256_srli_si256::<8>(self.0), count(64 - n));
                _mm256_or_si256(_mm256_srl_epi64(self.0, count(n)), carry)
            })
        }
        #[inline(always)]
        fn is_empty(self) -> bool {
            // SAFETY: a value exists only where AVX2 does.
            unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
        }
    }
}
