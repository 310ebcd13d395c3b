//! The levels of NoGo below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 1, random: 200 },
    Level { nodes: 1, random: 80 },
    Level { nodes: 1, random: 0 },
    Level { nodes: 12, random: 0 },
    Level { nodes: 32, random: 0 },
    Level { nodes: 80, random: 0 },
    Level { nodes: 200, random: 0 },
    Level { nodes: 500, random: 0 },
    Level { nodes: 1400, random: 0 },
];
