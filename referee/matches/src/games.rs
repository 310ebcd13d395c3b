//! The games by name.

use agon_games::arbiter::{GAMES, GameKind, game};
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;

/// The names of all games, separated by commas.
pub fn game_names() -> String {
    let names: Vec<&str> = GAMES.iter().map(|g| g.name).collect();
    names.join(", ")
}

/// Finds a game by name.
///
/// # Errors
///
/// Fails for an unknown name and lists the known games.
pub fn find_game(name: &str) -> Result<GameKind, Phrase> {
    game(name).ok_or_else(|| {
        phrase!(
            "unknown game `{name}`; known games: {names}",
            name = excerpt(name),
            names = game_names()
        )
    })
}
