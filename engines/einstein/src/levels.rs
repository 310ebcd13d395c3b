//! The levels of EinStein below full strength, from the lowest; `STRENGTH.md` has the matches that measured them.

use agon_search::host::{BELOW_FULL, Level};

/// Nodes and random moves in a thousand.
pub const LEVELS: [Level; BELOW_FULL] = [
    Level { nodes: 1000, random: 900 },
    Level { nodes: 1000, random: 750 },
    Level { nodes: 1000, random: 600 },
    Level { nodes: 1000, random: 480 },
    Level { nodes: 1000, random: 360 },
    Level { nodes: 1000, random: 260 },
    Level { nodes: 1000, random: 160 },
    Level { nodes: 1000, random: 80 },
    Level { nodes: 1000, random: 0 },
];
