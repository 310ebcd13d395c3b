//! The levels of Connect6 below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 24, random: 0 },
    Level { nodes: 60, random: 0 },
    Level { nodes: 160, random: 0 },
    Level { nodes: 500, random: 0 },
    Level { nodes: 1500, random: 0 },
    Level { nodes: 4000, random: 0 },
    Level { nodes: 8500, random: 0 },
    Level { nodes: 18_000, random: 0 },
    Level { nodes: 42_000, random: 0 },
];
