//! Which game is played: `-variant`, what the engines say of themselves, or the book's name.

use crate::engine::Engine;
use agon_engine::variants::{Introduction, introduction};
use agon_games::arbiter::{GAMES, GameKind};
use agon_matches::chance::Chance;
use agon_matches::games::{find_game, game_names};
use agon_matches::openings::{Openings, OpeningsSource};
use agon_matchlog::EngineEntry;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::time::Duration;

/// The game, and what the engines say of themselves.
pub struct ChosenGame {
    /// The game.
    pub kind: GameKind,
    /// The engines' own words; `None` for a dialect without an identification.
    pub introductions: Vec<Option<Introduction>>,
}

/// Determines the game. `entries` are the engines, `within` is how long one may take to identify itself.
///
/// # Errors
///
/// No source names a game, or one contradicts another.
pub fn choose_game(
    variant: Option<&str>,
    book: Option<&Path>,
    entries: &[EngineEntry],
    within: Duration,
) -> Result<ChosenGame> {
    let known: Vec<&str> = GAMES.iter().map(|kind| kind.name).collect();
    let named = variant.map(find_game).transpose().context("-variant")?;
    let asked = |entry: &EngineEntry| {
        let identifies = ["uci", "ugi", "ucci"].contains(&entry.dialect.as_str());
        identifies.then(|| introduction(entry, within)).transpose()
    };
    let introductions = entries.iter().map(asked).collect::<Result<Vec<_>, _>>()?;
    let mut possible: Option<Vec<String>> = None;
    for (entry, said) in entries.iter().zip(&introductions) {
        let Some(games) = said.as_ref().and_then(|said| said.games(&known)) else { continue };
        if let Some(kind) = named.filter(|kind| !games.iter().any(|game| game == kind.name)) {
            let plays = list(&games);
            bail!("-variant {}: engine {} says that it plays {plays}", kind.name, entry.name);
        }
        if games.is_empty() {
            bail!("engine {} says that it plays none of {}", entry.name, game_names());
        }
        possible = Some(match possible {
            None => games,
            Some(before) => {
                let both: Vec<String> =
                    before.iter().filter(|g| games.contains(g)).cloned().collect();
                if both.is_empty() {
                    let (plays, others) = (list(&games), list(&before));
                    bail!(
                        "engine {} plays {plays}, and those before it {others}: no common game",
                        entry.name
                    );
                }
                both
            }
        });
    }
    let kind = match (named, possible.as_deref()) {
        (Some(kind), _) => kind,
        (None, Some([game])) => find_game(game)?,
        (None, possible) => {
            let book = book.and_then(|book| game_of_name(book, possible));
            let Some(game) = book else {
                let said = match possible {
                    Some(games) => format!("the engines play {}", list(games)),
                    None => {
                        "neither the engines nor the name of the book say which game it is".into()
                    }
                };
                bail!("{said}: give -variant NAME, one of {}", game_names());
            };
            find_game(game)?
        }
    };
    Ok(ChosenGame { kind, introductions })
}

fn list(games: &[String]) -> String {
    if games.is_empty() { "no game of ours".into() } else { games.join(", ") }
}

/// The game in the name of a book or of its folder, if it is one of `possible`.
fn game_of_name(book: &Path, possible: Option<&[String]>) -> Option<&'static str> {
    let name = |part: Option<&std::ffi::OsStr>| {
        part.map_or(String::new(), |text| text.to_string_lossy().to_lowercase())
    };
    let folder = book.parent().and_then(Path::file_name);
    [name(book.file_name()), name(folder)].iter().find_map(|text| {
        let mut games = GAMES.iter().map(|kind| kind.name).filter(|game| text.contains(game));
        let game = games.next().filter(|_| games.next().is_none());
        game.filter(|game| possible.is_none_or(|all| all.iter().any(|one| one == game)))
    })
}

/// The other game whose positions a book holds, if its text can be read as one.
pub fn other_game_of(source: &OpeningsSource, kind: GameKind) -> Option<&'static str> {
    let others = GAMES.iter().filter(|other| other.name != kind.name);
    others.map(|other| other.name).find(|name| {
        let other = find_game(name).ok();
        let chance = Chance::seeded(1, true);
        other.is_some_and(|other| Openings::read(source, other, &[], &chance).is_ok())
    })
}

/// Drops `Threads=1` where the engine has no such option: it has one thread. OpenBench sets it for every engine.
pub fn without_single_thread(engine: &mut Engine, said: &Introduction) -> Option<String> {
    let lists = |name: &str| said.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
    let options = &mut engine.spec.options;
    let before = options.len();
    let is_idle = |name: &str, value: &str| name.eq_ignore_ascii_case("Threads") && value == "1";
    options.retain(|option| lists("Threads") || !is_idle(&option.name, &option.value));
    let name = engine.spec.name.as_deref().unwrap_or_default();
    (options.len() < before)
        .then(|| format!("option.Threads=1: engine {name} has one thread and no such option"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_names_its_game_by_its_file_or_its_folder() {
        let game = |name: &str| game_of_name(Path::new(name), None);
        assert_eq!(game("Books/Xiangqi_6ply.epd"), Some("xiangqi"));
        assert_eq!(game("openings/amazons/balanced.txt"), Some("amazons"));
        assert_eq!(game("amazons/xiangqi.epd"), Some("xiangqi"));
        assert_eq!(game("8moves_v3.pgn"), None);
        let only = ["amazons".to_string()];
        assert_eq!(game_of_name(Path::new("xiangqi.epd"), Some(&only)), None);
    }
}
