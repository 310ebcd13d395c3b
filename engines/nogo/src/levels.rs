//! The levels of NoGo below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 180, random: 0 },
    Level { nodes: 350, random: 0 },
    Level { nodes: 600, random: 0 },
    Level { nodes: 1000, random: 0 },
    Level { nodes: 1700, random: 0 },
    Level { nodes: 2800, random: 0 },
    Level { nodes: 4500, random: 0 },
    Level { nodes: 8500, random: 0 },
    Level { nodes: 20_000, random: 0 },
];
