//! How many plies late moves lose.

use std::sync::LazyLock;

const DEPTHS: usize = 64;
/// Reductions are in units of this many to a ply.
pub const PLY: i32 = 1024;

static TABLE: LazyLock<Vec<[i32; DEPTHS]>> = LazyLock::new(|| {
    let ln = |n: usize| (n.max(1) as f64).ln();
    let row = |depth| {
        std::array::from_fn(|place| {
            let plies = 0.55 + ln(depth) * ln(place) / 2.2;
            (plies * f64::from(PLY)) as i32
        })
    };
    (0..DEPTHS).map(row).collect()
});

/// The base reduction of the move tried as number `place` at a depth.
pub fn base(depth: i32, place: usize) -> i32 {
    TABLE[depth.clamp(0, 63) as usize][place.min(63)]
}
