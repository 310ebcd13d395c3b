//! The levels of NoGo below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 150, random: 0 },
    Level { nodes: 350, random: 0 },
    Level { nodes: 600, random: 0 },
    Level { nodes: 1100, random: 0 },
    Level { nodes: 1900, random: 0 },
    Level { nodes: 3300, random: 0 },
    Level { nodes: 5800, random: 0 },
    Level { nodes: 11_500, random: 0 },
    Level { nodes: 25_000, random: 0 },
];
