//! The levels of dark chess below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 30, random: 130 },
    Level { nodes: 30, random: 0 },
    Level { nodes: 110, random: 0 },
    Level { nodes: 500, random: 0 },
    Level { nodes: 2500, random: 0 },
    Level { nodes: 7000, random: 0 },
    Level { nodes: 17_000, random: 0 },
    Level { nodes: 40_000, random: 0 },
    Level { nodes: 95_000, random: 0 },
];
