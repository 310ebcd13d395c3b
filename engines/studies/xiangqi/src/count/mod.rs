//! The number of positions of Xiangqi: placements with both kings, no more pieces of a kind than at
//! the start, every piece on a square it can reach, and at most one pawn of a side on a file before
//! the river. Facing kings are included unless stated otherwise; the side to move is not counted.
//!
//! [`paper`] sums by the paper's method; [`half_boards`] counts by half boards, also by number of
//! pieces and with facing kings; [`symmetry`] counts up to mirror symmetry; [`by_squares`] counts
//! square by square from descriptions of games' pieces, which [`spaces`] contains. [`report`]
//! prints everything.

pub mod by_squares;
pub mod half_boards;
pub mod paper;
pub mod report;
pub mod spaces;
pub mod symmetry;
#[cfg(test)]
mod tests;

/// A count: 256 bits, since the total needs 133.
pub type Number = ruint::aliases::U256;

/// The paper's total, as printed.
pub const PRINTED_TOTAL: &str = "7547040878332418571694532043654081760159";

/// Binomial coefficients up to n = 100 whose value fits 64 bits.
pub fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    // Each partial product is itself a binomial coefficient, so the division is exact.
    (0..k.min(n - k))
        .fold(1u64, |c, i| (u128::from(c) * u128::from(n - i) / u128::from(i + 1)) as u64)
}

/// The ways to place up to two each of both sides' rooks, horses and cannons on `empty` squares.
pub fn free_pieces(empty: u64) -> Number {
    free_pieces_by_number(empty).into_iter().fold(Number::ZERO, |sum, n| sum + n)
}

/// The same, by the number of pieces placed, 0 to 12.
pub fn free_pieces_by_number(empty: u64) -> [Number; 13] {
    let mut ways = [Number::ZERO; 13];
    ways[0] = Number::from(1);
    for _kind in 0..6 {
        let mut next = [Number::ZERO; 13];
        for (placed, &w) in ways.iter().enumerate() {
            for more in 0..=2usize.min(12 - placed) {
                let left = empty.saturating_sub(placed as u64);
                next[placed + more] += w * Number::from(binomial(left, more as u64));
            }
        }
        ways = next;
    }
    ways
}
