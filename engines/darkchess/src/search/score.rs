//! The scale of search values, and the storage of forced results in the transposition table.

use crate::evaluation::UNIT;

/// The value of a win at the root.
pub const WIN: i32 = UNIT;
/// The reduction of a win's value for every ply that it takes.
pub const PLY_COST: i32 = 100;
/// Values beyond this bound are forced results: no static evaluation reaches it.
pub const DECISIVE: i32 = WIN - 512 * PLY_COST;

/// Converts a value relative to the root to one relative to the node at `ply`, for the table.
#[inline]
pub fn value_to_tt(value: i32, ply: u32) -> i32 {
    match value {
        v if v >= DECISIVE => v + ply as i32 * PLY_COST,
        v if v <= -DECISIVE => v - ply as i32 * PLY_COST,
        v => v,
    }
}

/// The inverse of [`value_to_tt`].
#[inline]
pub fn value_from_tt(value: i32, ply: u32) -> i32 {
    match value {
        v if v >= DECISIVE => v - ply as i32 * PLY_COST,
        v if v <= -DECISIVE => v + ply as i32 * PLY_COST,
        v => v,
    }
}
