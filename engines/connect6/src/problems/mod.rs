//! The problem set: positions from self-play, chosen by what the plain search needs for them.
//!
//! [`careful`] plays the games, [`screen`] finds their candidates, [`set`] chooses among these and
//! writes them with their proofs.

pub mod careful;
pub mod screen;
pub mod selfplay;
pub mod set;

use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::record::{Record, RecordError};
use serde::{Deserialize, Serialize};

/// A game as a line of a file: where it comes from, and its turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Names the series.
    pub seed: u64,
    /// Its number in the series.
    pub game: u64,
    /// How the first turns were drawn.
    pub opening: String,
    /// Black, in words.
    pub black: String,
    /// White.
    pub white: String,
    /// The turns, as behind `startpos moves`.
    pub moves: String,
}

impl Source {
    /// Plays a game of [`careful::play`].
    ///
    /// # Errors
    /// Memory for a search's table is missing.
    pub fn play(
        seed: u64,
        game: u64,
        rules: &Connect6Rules,
    ) -> Result<Source, agon_search::transposition::AllocationError> {
        let played = careful::play(seed, game, rules)?;
        let [black, white] = played.players.map(|p| p.to_string());
        let moves = played.record.tokens().join(" ");
        let opening = played.opening.name().into();
        Ok(Source { seed, game, opening, black, white, moves })
    }

    /// The game.
    ///
    /// # Errors
    /// A turn that the rules do not allow.
    pub fn record(&self, rules: &Connect6Rules) -> Result<Record<Connect6>, RecordError> {
        let tokens: Vec<&str> = self.moves.split_whitespace().collect();
        Record::from_text(None, &tokens, rules)
    }
}
