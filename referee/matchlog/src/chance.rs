//! How chance was decided, as stored in the header, and the end line of a log.

use serde::{Deserialize, Serialize};

/// The source of dice, deals and random openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChanceEntry {
    /// SHA-256 of the secret, in hexadecimal; `None`: everything follows from the header's seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// Whether anyone who read the header could foresee every outcome.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreseeable: bool,
    /// Whether the two games of a pair have the same dice and the same deal.
    pub shared: bool,
    /// The texts that the players contributed after they had seen the commitment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contributions: Vec<Contribution>,
}

/// A text that a player contributed to the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// The engine's name.
    pub engine: String,
    /// The text.
    pub text: String,
}

impl ChanceEntry {
    /// Chance that follows from the header's seed; both games of a pair share it. Logs of format 1
    /// have no entry and mean this one.
    pub fn seeded() -> ChanceEntry {
        ChanceEntry { commitment: None, foreseeable: true, shared: true, contributions: Vec::new() }
    }
}

/// The last line of a finished log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEnd {
    /// The number of games in the log.
    pub games: u64,
    /// The secret, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}
