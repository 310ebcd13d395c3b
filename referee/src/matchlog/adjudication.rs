//! What ends a game or a match before its natural end, as the header pins it.

use super::engines::{EngineEntry, Setting};
use serde::{Deserialize, Serialize};

/// A sequential probability ratio test that the first engine is stronger than the second.
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
}

/// The scale on which Elo differences are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum EloScale {
    /// Expected score, mapped to Elo.
    Logistic,
    /// Expected score over its standard deviation a game, mapped to Elo.
    Normalised,
}

/// Which games are ended before the rules end them. By default none is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Both engines have said for a while that one of them is winning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Both engines have said for a while that nobody is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A game of so many decisions is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u64>,
    /// Amazons: the game is decided once no empty square can be reached by both sides and the moves
    /// that each side has left are counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub territory: bool,
    /// The game is decided once a table of endgames knows how it ends with best play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<TablebaseEntry>,
}

/// A program that is asked about tables of endgames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablebaseEntry {
    /// The program, as if it were an engine.
    pub engine: EngineEntry,
    /// The files and folders that its options name, with the SHA-256 of what is in them.
    pub files: Vec<Setting>,
}

/// An agreement that one side is winning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// In hundredths: the winning side says at least this, the losing side at most its negative. A
    /// forced win counts as more than any number.
    pub score: u32,
    /// For so many moves of each side in a row.
    pub moves: u32,
}

/// An agreement that nobody is winning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// In hundredths: both sides say at most this and at least its negative.
    pub score: u32,
    /// For so many moves of each side in a row.
    pub moves: u32,
    /// Not before so many decisions were made.
    pub after: u64,
}

impl Adjudication {
    /// Whether every game is played to its end by the rules.
    pub fn is_off(&self) -> bool {
        *self == Adjudication::default()
    }
}
