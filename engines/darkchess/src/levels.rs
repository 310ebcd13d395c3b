//! The levels of dark chess below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 30, random: 130 },
    Level { nodes: 30, random: 0 },
    Level { nodes: 110, random: 0 },
    Level { nodes: 500, random: 0 },
    Level { nodes: 2200, random: 0 },
    Level { nodes: 8000, random: 0 },
    Level { nodes: 22_000, random: 0 },
    Level { nodes: 55_000, random: 0 },
    Level { nodes: 120_000, random: 0 },
];
