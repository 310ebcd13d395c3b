//! How many plies late moves lose.

use super::params;
use agon_search::params::TUNING;
use std::sync::LazyLock;

const DEPTHS: usize = 64;
/// Reductions are in units of this many to a ply.
pub const PLY: i32 = 1024;

static TABLE: LazyLock<Vec<[i32; DEPTHS]>> = LazyLock::new(|| {
    let row = |depth| std::array::from_fn(|place| compute(depth, place));
    (0..DEPTHS).map(row).collect()
});

fn compute(depth: usize, place: usize) -> i32 {
    let ln = |n: usize| (n.max(1) as f64).ln();
    let [base, divisor] = [params::lmr_base(), params::lmr_divisor()].map(f64::from);
    let plies = base / 100.0 + ln(depth) * ln(place) / (divisor / 100.0);
    (plies * f64::from(PLY)) as i32
}

/// The base reduction of the move tried as number `place` at a depth.
pub fn base(depth: i32, place: usize) -> i32 {
    let (depth, place) = (depth.clamp(0, 63) as usize, place.min(63));
    if TUNING { compute(depth, place) } else { TABLE[depth][place] }
}
