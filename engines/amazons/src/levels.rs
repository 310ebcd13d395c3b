//! The levels of Amazons below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 64, random: 0 },
    Level { nodes: 128, random: 0 },
    Level { nodes: 256, random: 0 },
    Level { nodes: 500, random: 0 },
    Level { nodes: 1000, random: 0 },
    Level { nodes: 3000, random: 0 },
    Level { nodes: 8000, random: 0 },
    Level { nodes: 20_000, random: 0 },
    Level { nodes: 48_000, random: 0 },
];
