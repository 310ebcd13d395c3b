//! Positions as text: those of `bench` and `replay`, and files of openings.

use agon_protocol::dialect::{Dialect, ugi::Ugi};
use agon_protocol::game::Game;
use agon_protocol::message::Command;
use agon_protocol::record::Record;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;

/// Parses the record of a `position` command; the word `position` may be omitted.
pub(super) fn record_of<G: Game>(position: &str, rules: &G::Rules) -> Result<Record<G>> {
    let position = position.trim();
    let position = position.strip_prefix("position ").unwrap_or(position);
    let commands = Ugi::default().read_command(&format!("position {position}"))?;
    let Some(Command::Position { fen, moves }) = commands.into_iter().next() else {
        bail!("expected `startpos [moves ...]` or `fen F [moves ...]`");
    };
    Ok(Record::from_text(fen.as_deref(), &moves, rules)?)
}

/// The openings in a file: one per line as in the `position` command, comments after `#`.
///
/// # Errors
/// The file cannot be read, contains a malformed line or an illegal move, or has no opening.
pub fn read_openings<G: Game>(path: &Path, rules: &G::Rules) -> Result<Vec<Record<G>>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| name.to_string())?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let openings: Vec<Record<G>> = (1..)
        .zip(lines)
        .filter(|(_, line)| !line.is_empty())
        .map(|(i, line)| {
            record_of(line, rules).with_context(|| format!("{name}, line {i}: `{line}`"))
        })
        .collect::<Result<_>>()?;
    ensure!(!openings.is_empty(), "{name}: there is no opening in it");
    Ok(openings)
}
