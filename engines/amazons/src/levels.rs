//! The levels of Amazons below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 64, random: 0 },
    Level { nodes: 180, random: 0 },
    Level { nodes: 480, random: 0 },
    Level { nodes: 1200, random: 0 },
    Level { nodes: 2800, random: 0 },
    Level { nodes: 6200, random: 0 },
    Level { nodes: 13_500, random: 0 },
    Level { nodes: 29_000, random: 0 },
    Level { nodes: 62_000, random: 0 },
];
