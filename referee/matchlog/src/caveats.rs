//! What reading a log does not check. Every reader refuses lines that are wrong by themselves, a broken chain, a game
//! that is there twice and a false end line; only `referee verify` replays the games.

use super::LogError;
use super::read::open;
use std::path::Path;

/// What every reader leaves open.
const NOT_REPLAYED: &str =
    "results, moves and chance: they are as the log has them; `referee verify` replays the games";
const NO_END: &str = "whether games are missing: there is no end line, so the match is still running or its last \
                      lines were removed";
const NO_CHAIN: &str =
    "whether lines were changed or removed: the log has format 1, which has no chain";

/// What a log's readers have not checked, in sentences for people.
pub fn caveats(log: &Path) -> Result<Vec<&'static str>, LogError> {
    let (header, games) = open(log)?;
    let more = match games.end() {
        _ if header.agon_match_log == 1 => Some(NO_CHAIN),
        None => Some(NO_END),
        Some(_) => None,
    };
    Ok(std::iter::once(NOT_REPLAYED).chain(more).collect())
}
