//! The games by name.

use agon_protocol::arbiter::{GAMES, GameKind, game};
use agon_protocol::text::excerpt;
use anyhow::{Result, anyhow};

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
pub fn find_game(name: &str) -> Result<GameKind> {
    game(name)
        .ok_or_else(|| anyhow!("unknown game `{}`; known games: {}", excerpt(name), game_names()))
}
