//! The levels of Connect6 below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 16, random: 0 },
    Level { nodes: 40, random: 0 },
    Level { nodes: 120, random: 0 },
    Level { nodes: 350, random: 0 },
    Level { nodes: 1000, random: 0 },
    Level { nodes: 3200, random: 0 },
    Level { nodes: 10_000, random: 0 },
    Level { nodes: 18_000, random: 0 },
    Level { nodes: 42_000, random: 0 },
];
