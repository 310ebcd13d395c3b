//! The scale of the search's values, and how decided values are stored in the transposition table.

use crate::evaluation::UNIT;

/// The value of having won at the root itself.
pub const WIN: i32 = UNIT;
/// What a win loses with every ply that it takes.
pub const PLY_COST: i32 = 100;
/// Values beyond this, either way, are forced results: no static evaluation reaches it.
pub const DECISIVE: i32 = WIN - 512 * PLY_COST;

/// A value counted from the root as one counted from the node `ply` plies below it, for the table.
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
