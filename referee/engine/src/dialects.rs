//! Checks whether an engine's dialect supports the game and can express its openings.

use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;
use agon_matchlog::{EngineEntry, MatchHeader};
use agon_wire::dialect::{self, Dialect, PositionSupport};

/// Returns the engine's dialect if it supports the game.
pub fn engine_dialect(engine: &EngineEntry, game: &str) -> Result<Box<dyn Dialect>, Phrase> {
    dialect::by_name(&engine.dialect, game).ok_or_else(|| {
        phrase!(
            "engine {engine}: {game} cannot be played in the dialect {dialect}; use one of {known}",
            engine = engine.name,
            game,
            dialect = engine.dialect,
            known = dialect::for_game(game).join(", ")
        )
    })
}

/// Checks every opening against every engine's dialect.
pub fn check_openings(header: &MatchHeader, openings: &[String]) -> Result<(), Phrase> {
    for engine in &header.engines {
        let spoken = engine_dialect(engine, &header.game)?;
        let (support, start) = (spoken.position_support(), spoken.start_fen());
        let wrong =
            openings.iter().filter_map(|text| Some((text, obstacle(text, support, start)?))).next();
        if let Some((text, reason)) = wrong {
            return Err(phrase!(
                "engine {engine}: the dialect {dialect} cannot express the opening `{opening}`: {reason}",
                engine = engine.name,
                dialect = engine.dialect,
                opening = excerpt(text),
                reason
            ));
        }
    }
    Ok(())
}

/// Returns the reason why the dialect cannot express an opening; `None` if it can.
pub fn obstacle(opening: &str, support: PositionSupport, start: Option<&str>) -> Option<Phrase> {
    let (position, moves) = opening.split_once(" moves ").unwrap_or((opening, ""));
    let position = position.trim();
    let position = position.strip_prefix("fen ").unwrap_or(position);
    let known = start.unwrap_or("startpos");
    match support {
        PositionSupport::Any => None,
        _ if position != known => Some(phrase!("every game begins at `{known}`", known)),
        PositionSupport::OwnGames if !moves.trim().is_empty() => Some(phrase!(
            "an engine plays its own games from the start, without an opening's moves"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_that_the_dialect_cannot_express_are_refused() {
        let refused = |text, support, start| obstacle(text, support, start).is_some();
        for (text, support, start, expected) in [
            ("startpos", PositionSupport::OwnGames, None, false),
            ("startpos moves a1a2", PositionSupport::OwnGames, None, true),
            ("startpos moves a1a2", PositionSupport::MovesFromStart, None, false),
            ("8/8 w", PositionSupport::MovesFromStart, None, true),
            ("8/8 w moves a1a2", PositionSupport::MovesFromStart, Some("8/8 w"), false),
            ("fen 8/8 w", PositionSupport::MovesFromStart, Some("8/8 w"), false),
            ("startpos", PositionSupport::MovesFromStart, Some("8/8 w"), true),
            ("8/8 w moves a1a2", PositionSupport::Any, None, false),
        ] {
            assert_eq!(refused(text, support, start), expected, "{text} {support:?} {start:?}");
        }
    }
}
