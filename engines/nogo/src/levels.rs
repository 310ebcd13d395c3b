//! The levels of NoGo below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 420, random: 0 },
    Level { nodes: 550, random: 0 },
    Level { nodes: 900, random: 0 },
    Level { nodes: 1500, random: 0 },
    Level { nodes: 2400, random: 0 },
    Level { nodes: 4000, random: 0 },
    Level { nodes: 7000, random: 0 },
    Level { nodes: 14_000, random: 0 },
    Level { nodes: 28_000, random: 0 },
];
