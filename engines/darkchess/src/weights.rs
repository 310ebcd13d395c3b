//! The weights of the static evaluation. Those of the pieces are in sixteenths of its units, as
//! `darkchess tune fit` prints them, with the kinds in the order K G M R N C P.

use agon_protocol::darkchess::KINDS;

/// Weights are stored in this part of a unit.
pub const FRACTION: i32 = 16;
/// The value of a piece that faces no enemy.
pub const BASE: [i32; KINDS] = [2856, 3497, 1885, 1548, 827, 510, 692];
/// For each kind, what each remaining enemy piece of a kind adds to its value.
pub const FACING: [[i32; KINDS]; KINDS] = [
    [48, 875, 463, 282, 60, 197, -519],
    [-827, 48, 97, 168, 46, -22, 195],
    [-415, -49, 48, 92, 156, -42, 110],
    [-234, -120, -44, 48, 81, 85, 85],
    [-12, 2, -108, -33, 48, 345, 9],
    [-5, 214, 234, 107, -153, 144, 134],
    [567, -147, -62, -37, 39, 10, 48],
];

agon_search::search_params! {
    /// The bonus for each vacant square next to an own piece, in sixteenths.
    mobility_weight: i32 = 195, 0..=800;
    /// The minimum value of a piece.
    min_value: i32 = 25, 1..=100;
    /// The advantage whose expected outcome is half of a certain win.
    half_advantage: i32 = 265, 100..=3000;
    /// The part of an advantage, in 64ths, that counts if only one piece captures some enemy piece.
    one_taker_share: i32 = 32, 0..=64;
    /// The same of a single piece against several, which it cannot catch.
    lone_share: i32 = 4, 0..=64;
}
