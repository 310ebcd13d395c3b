//! Whether an engine can be told where the games begin: not every dialect has words for every
//! position.

use crate::matchlog::{EngineEntry, Header};
use agon_protocol::dialect::{self, Dialect, PositionSupport};
use agon_protocol::text::excerpt;

/// An opening that cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum DialectError {
    /// The dialect does not have the game.
    #[error(
        "engine {engine}: {game} cannot be played in the dialect {dialect}; use one of {known}"
    )]
    NoDialect {
        /// The engine's name.
        engine: String,
        /// The game.
        game: String,
        /// What the engine was said to speak.
        dialect: String,
        /// What it may speak.
        known: String,
    },
    /// The dialect has no words for the opening.
    #[error("engine {engine}: the dialect {dialect} cannot tell the opening `{opening}`: {reason}")]
    NoWords {
        /// The engine's name.
        engine: String,
        /// Its dialect.
        dialect: String,
        /// The opening.
        opening: String,
        /// What can be told.
        reason: String,
    },
}

/// An engine's dialect, if the game can be played in it.
pub fn engine_dialect(engine: &EngineEntry, game: &str) -> Result<Box<dyn Dialect>, DialectError> {
    dialect::by_name(&engine.dialect, game).ok_or_else(|| DialectError::NoDialect {
        engine: engine.name.clone(),
        game: game.into(),
        dialect: engine.dialect.clone(),
        known: dialect::for_game(game).join(", "),
    })
}

/// Checks every opening against every engine's dialect.
pub fn check_openings(header: &Header, openings: &[String]) -> Result<(), DialectError> {
    for engine in &header.engines {
        let spoken = engine_dialect(engine, &header.game)?;
        let (reach, start) = (spoken.position_support(), spoken.start_fen());
        let wrong =
            openings.iter().filter_map(|text| Some((text, obstacle(text, reach, start)?))).next();
        if let Some((text, reason)) = wrong {
            return Err(DialectError::NoWords {
                engine: engine.name.clone(),
                dialect: engine.dialect.clone(),
                opening: excerpt(text),
                reason,
            });
        }
    }
    Ok(())
}

/// Why an opening cannot be told, if it cannot.
fn obstacle(opening: &str, reach: PositionSupport, start: Option<&str>) -> Option<String> {
    let (place, moves) = opening.split_once(" moves ").unwrap_or((opening, ""));
    let place = place.trim();
    let place = place.strip_prefix("fen ").unwrap_or(place);
    let known = start.unwrap_or("startpos");
    match reach {
        PositionSupport::Any => None,
        _ if place != known => Some(format!("every game begins at `{known}`")),
        PositionSupport::OwnGames if !moves.trim().is_empty() => {
            Some("an engine plays its own games from the start, without an opening's moves".into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_refused_where_there_are_no_words_for_them() {
        let refused = |text, reach, start| obstacle(text, reach, start).is_some();
        for (text, reach, start, expected) in [
            ("startpos", PositionSupport::OwnGames, None, false),
            ("startpos moves a1a2", PositionSupport::OwnGames, None, true),
            ("startpos moves a1a2", PositionSupport::MovesFromStart, None, false),
            ("8/8 w", PositionSupport::MovesFromStart, None, true),
            ("8/8 w moves a1a2", PositionSupport::MovesFromStart, Some("8/8 w"), false),
            ("fen 8/8 w", PositionSupport::MovesFromStart, Some("8/8 w"), false),
            ("startpos", PositionSupport::MovesFromStart, Some("8/8 w"), true),
            ("8/8 w moves a1a2", PositionSupport::Any, None, false),
        ] {
            assert_eq!(refused(text, reach, start), expected, "{text} {reach:?} {start:?}");
        }
    }
}
