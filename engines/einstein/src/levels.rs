//! The levels of EinStein below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 64, random: 800 },
    Level { nodes: 64, random: 650 },
    Level { nodes: 64, random: 520 },
    Level { nodes: 64, random: 400 },
    Level { nodes: 64, random: 290 },
    Level { nodes: 64, random: 190 },
    Level { nodes: 64, random: 90 },
    Level { nodes: 64, random: 0 },
    Level { nodes: 2000, random: 0 },
];
