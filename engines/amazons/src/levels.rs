//! The levels of Amazons below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 64, random: 0 },
    Level { nodes: 190, random: 0 },
    Level { nodes: 480, random: 0 },
    Level { nodes: 1100, random: 0 },
    Level { nodes: 2600, random: 0 },
    Level { nodes: 6000, random: 0 },
    Level { nodes: 13_000, random: 0 },
    Level { nodes: 28_000, random: 0 },
    Level { nodes: 58_000, random: 0 },
];
