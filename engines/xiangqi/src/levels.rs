//! The levels of Xiangqi below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 1500, random: 45 },
    Level { nodes: 1500, random: 0 },
    Level { nodes: 2500, random: 0 },
    Level { nodes: 4300, random: 0 },
    Level { nodes: 7600, random: 0 },
    Level { nodes: 13_500, random: 0 },
    Level { nodes: 24_000, random: 0 },
    Level { nodes: 43_000, random: 0 },
    Level { nodes: 80_000, random: 0 },
];
