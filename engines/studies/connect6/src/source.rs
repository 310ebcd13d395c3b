//! A self-play game as a line of a file; the source of problems.

use super::safe_play;
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_games::record::{Record, RecordError};
use serde::{Deserialize, Serialize};

/// A game: its origin and its turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The seed of the series.
    pub seed: u64,
    /// The game's number in the series.
    pub game: u64,
    /// How the random first turns were made.
    pub opening: String,
    /// The player of Black.
    pub black: String,
    /// The player of White.
    pub white: String,
    /// The turns, as after `startpos moves`.
    pub moves: String,
}

impl Source {
    /// Plays a game of [`safe_play::play`].
    ///
    /// # Errors
    /// The search's table cannot be allocated.
    pub fn play(
        seed: u64,
        game: u64,
        rules: &Connect6Rules,
    ) -> Result<Source, agon_search::transposition::AllocationError> {
        let played = safe_play::play(seed, game, rules)?;
        let [black, white] = played.players.map(|p| p.to_string());
        let moves = played.record.tokens().join(" ");
        let opening = played.opening.name().into();
        Ok(Source { seed, game, opening, black, white, moves })
    }

    /// The record of the game.
    ///
    /// # Errors
    /// An illegal turn.
    pub fn record(&self, rules: &Connect6Rules) -> Result<Record<Connect6>, RecordError> {
        let tokens: Vec<&str> = self.moves.split_whitespace().collect();
        Record::from_text(None, &tokens, rules)
    }
}
