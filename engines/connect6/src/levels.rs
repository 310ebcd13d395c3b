//! The levels of Connect6 below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 16, random: 0 },
    Level { nodes: 60, random: 0 },
    Level { nodes: 250, random: 0 },
    Level { nodes: 950, random: 0 },
    Level { nodes: 2300, random: 0 },
    Level { nodes: 5500, random: 0 },
    Level { nodes: 12_000, random: 0 },
    Level { nodes: 23_000, random: 0 },
    Level { nodes: 48_000, random: 0 },
];
