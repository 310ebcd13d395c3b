//! Adjudication settings and sequential test of a match, as stored in the header.

use super::engines::{EngineEntry, Setting};
use serde::{Deserialize, Serialize};

/// A sequential test of whether the first engine is stronger than the second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtEntry {
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1.
    pub elo1: f64,
    /// Probability of accepting H1 under H0.
    pub alpha: f64,
    /// Probability of accepting H0 under H1.
    pub beta: f64,
    /// The scale of the two differences.
    pub model: EloScale,
    /// The kind of test.
    #[serde(default, skip_serializing_if = "TestKind::is_sprt")]
    pub test: TestKind,
}

/// A kind of sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    /// Sequential probability ratio test
    #[default]
    Sprt,
    /// Test by betting (an e-process): its error probabilities hold however often one looks
    Betting,
}

impl TestKind {
    fn is_sprt(&self) -> bool {
        *self == TestKind::Sprt
    }
}

/// The scale on which Elo differences are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloScale {
    /// Expected score, mapped to Elo.
    Logistic,
    /// Expected score over its standard deviation per game, mapped to Elo.
    Normalised,
}

/// Which games end before the rules end them; by default none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Resign adjudication: both engines report that the same side is winning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Draw adjudication: both engines report an equal score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Move limit: a game with this number of decisions is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u64>,
    /// Territory adjudication (Amazons): the game ends once no empty square can be reached by both
    /// sides; the remaining moves of each side decide.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub territory: bool,
    /// Tablebase adjudication: the game ends once an endgame tablebase knows its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<TablebaseEntry>,
}

/// A program that answers tablebase queries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablebaseEntry {
    /// The program, described as an engine.
    pub engine: EngineEntry,
    /// The files and folders that its options name, with the SHA-256 of their contents.
    pub files: Vec<Setting>,
}

/// The conditions of resign adjudication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// In centipawns: the winning side reports at least this score, the losing side at most its
    /// negative. A mate score exceeds any number.
    pub score: u32,
    /// Required number of consecutive moves of each side.
    pub moves: u32,
    /// Whether the losing side's scores decide alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_sided: bool,
}

/// The conditions of draw adjudication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// In centipawns: the maximum absolute score that both sides report.
    pub score: u32,
    /// Required number of consecutive moves of each side.
    pub moves: u32,
    /// Draw adjudication applies only after this number of decisions.
    pub after: u64,
}

impl Adjudication {
    /// Whether every game is played to its end by the rules.
    pub fn is_off(&self) -> bool {
        *self == Adjudication::default()
    }
}
