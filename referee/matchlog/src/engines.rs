//! The engines of a match as stored in the header: program, options and limits.

use serde::{Deserialize, Serialize};

/// A name and a value: an engine's option or a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The option's name.
    pub name: String,
    /// Its value as text.
    pub value: String,
}

/// One engine of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineEntry {
    /// The name in tables; unique within a match.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// SHA-256 of the program's file, in hexadecimal.
    pub sha256: String,
    /// The engine's dialect.
    pub dialect: String,
    /// Options set after the handshake, in order.
    pub options: Vec<Setting>,
    /// Working directory, if it differs from the referee's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Additional environment variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<Setting>,
    /// Memory limit in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// The cores that the engine may use; empty: the referee's cores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<usize>,
    /// Whether the engine ponders on the opponent's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Whether the engine runs in a sandbox.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
    /// What the program runs, with the SHA-256 of each file: the arguments of an interpreter that name
    /// files, and the programs for the levels of processors by their names in the program's folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Setting>,
    /// The engine's limits on thinking.
    pub limit: Limit,
}

impl EngineEntry {
    /// An entry without a program: a team of which only the name and the limits are known.
    pub fn without_program(name: &str, limit: Limit) -> EngineEntry {
        EngineEntry { name: name.into(), dialect: "ugi".into(), limit, ..EngineEntry::default() }
    }
}

/// Limits on an engine's thinking; all that are set apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// A chess clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Milliseconds per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_ms: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Node limit per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time margin in milliseconds: how far a move may exceed its time without losing.
    #[serde(default)]
    pub margin_ms: u64,
}

/// A chess clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Milliseconds at the start of the game, added again at each time control.
    pub time_ms: u64,
    /// Milliseconds added after each move.
    pub increment_ms: u64,
    /// Moves per time control; `None`: the time is for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// Converts rule settings to the form that a game's arbiter takes.
pub fn rule_pairs(rules: &[Setting]) -> Vec<(String, String)> {
    rules.iter().map(|r| (r.name.clone(), r.value.clone())).collect()
}
