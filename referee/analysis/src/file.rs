//! Files of games: PGN and SGF with variations, comments and marks, the format of the World Xiangqi Federation and the
//! national form with their main line. What the rules forbid is left out and named with its place; the rest is kept.

use crate::read::{ReadTree, tree_of_record, tree_of_sgf, tree_of_words};
use agon_games::arbiter::{GAMES, GameKind, game};
use agon_games::ccgc::{self, Record};
use agon_games::phrase::{Phrase, phrase};
use agon_games::sgf_tree;
use agon_games::text::excerpt;
use agon_games::{Outcome, Player, sgf};
use agon_matches::openings::{Item, OpeningsFormat, Place, WrittenGame, is_named, pgn, wxf};
use std::path::Path;

/// Maximum number of games of a file.
pub const MAX_GAMES: usize = 20_000;

/// A game of a file.
pub struct FileGame {
    /// The game that is played.
    pub kind: GameKind,
    /// The names of the players; empty if unknown.
    pub players: [String; 2],
    /// The event.
    pub event: String,
    /// The date.
    pub date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The number of words that may be moves of the main line.
    pub moves: usize,
    written: Written,
}

/// A game as it is written.
#[derive(Debug)]
enum Written {
    /// PGN or WXF.
    Words(WrittenGame),
    /// SGF: the text, and the line where it begins.
    Sgf(String, usize),
    /// The national form.
    National(Box<Record>),
}

/// The games of a text; `name` is the name of its file.
///
/// # Errors
/// It has no game that is known here: one sentence with the place.
pub fn games(name: &str, text: &str) -> Result<Vec<FileGame>, Phrase> {
    let at = |(place, cause): (Place, String)| {
        phrase!("{place}: {cause}", place = place.to_string(), cause)
    };
    let format = OpeningsFormat::of(Path::new(name), text);
    let games: Vec<FileGame> = match format {
        OpeningsFormat::Sgf => sgf_games(text)?,
        OpeningsFormat::Text => match ccgc::read(text).ok().filter(|r| r.tokens().next().is_some())
        {
            Some(record) => vec![national_game(record)?],
            None => words_games(pgn(text).map_err(at)?.games)?,
        },
        OpeningsFormat::Pgn => words_games(pgn(text).map_err(at)?.games)?,
        OpeningsFormat::Wxf => words_games(wxf(text).map_err(at)?.games)?,
    };
    match games.len() {
        0 => Err(phrase!("there is no game in it; expected PGN, SGF, WXF or the national form")),
        n if n > MAX_GAMES => {
            Err(phrase!("it has {n} games; at most {most} are opened", n, most = MAX_GAMES))
        }
        _ => Ok(games),
    }
}

fn known_games() -> String {
    GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(", ")
}

fn words_games(written: Vec<WrittenGame>) -> Result<Vec<FileGame>, Phrase> {
    let mut games = Vec::new();
    for (number, written) in (1..).zip(written) {
        let kind =
            kind_of_words(&written).map_err(|cause| in_game(number, written.place, cause))?;
        let is_move = |item: &Item| matches!(item, Item::Move(_));
        let first =
            ["white", "red"].map(|tag| written.value(tag)).into_iter().find(|v| !v.is_empty());
        let names = [first.unwrap_or_default(), written.value("black")];
        let unknown = |text: &str| {
            if text == "?" || text.starts_with("????") { String::new() } else { text.into() }
        };
        games.push(FileGame {
            kind,
            players: names.map(unknown),
            event: unknown(written.value("event")),
            date: unknown(written.value("date")),
            result: result_word(written.value("result")),
            moves: written.main().filter(|(_, item)| is_move(item)).count(),
            written: Written::Words(written),
        });
    }
    Ok(games)
}

fn in_game(number: usize, place: Place, cause: Phrase) -> Phrase {
    phrase!("game {number}, {place}: {cause}", number, place = place.to_string(), cause)
}

/// The game of a file's game: that of its tag, or the only one whose rules accept the most of its moves.
fn kind_of_words(written: &WrittenGame) -> Result<GameKind, Phrase> {
    let variant = written.value("variant");
    let named = written.game.as_deref().filter(|n| !n.trim().is_empty());
    if let Some(name) = named.or(Some(variant).filter(|v| !v.is_empty())) {
        let found = GAMES.iter().copied().find(|kind| is_named(*kind, name));
        return found.ok_or_else(|| {
            phrase!(
                "it is a game of {name}; known here are {games}",
                name = excerpt(name),
                games = known_games()
            )
        });
    }
    let all = written.main().filter(|(_, item)| matches!(item, Item::Move(_))).count();
    let fits = |kind: &GameKind| {
        let tree = tree_of_words(*kind, written).ok()?.tree;
        let line = tree.line_from(0);
        let decisions = line
            .iter()
            .filter(|id| tree.nodes()[**id].ply.as_ref().is_some_and(|ply| ply.by.is_some()));
        Some(decisions.count())
    };
    best_kind(all, &fits).ok_or_else(|| {
        let words = written.main().filter_map(|(_, item)| match item {
            Item::Move(text) => Some(excerpt(text)),
            _ => None,
        });
        let (moves, games) = (words.take(3).collect::<Vec<_>>().join(" "), known_games());
        phrase!("no game known here has the moves `{moves}`; known are {games}", moves, games)
    })
}

/// The game of which the most moves of `all` can be played: all of them, or half of them and more than a few, as the moves
/// of one game may look like those of another.
fn best_kind(all: usize, fits: &dyn Fn(&GameKind) -> Option<usize>) -> Option<GameKind> {
    let found = GAMES.iter().copied().filter_map(|kind| Some((fits(&kind)?, kind)));
    // Of several the first.
    let (moves, kind) = found.rev().max_by_key(|(moves, _)| *moves)?;
    let is_most = moves >= all || moves >= 6 && 2 * moves >= all;
    Some(kind).filter(|_| moves > 0 && is_most)
}

fn sgf_games(text: &str) -> Result<Vec<FileGame>, Phrase> {
    let mut games = Vec::new();
    for (number, (at, own)) in (1..).zip(sgf::games(text)) {
        let place = Place::of(text, at);
        let error = |cause: Phrase| in_game(number, place, cause);
        let plain = |cause: String| error(Phrase::Plain(cause));
        let properties = sgf::main_line(own).map_err(|e| plain(e.to_string()))?;
        let value = |name: &str| {
            let found = properties.iter().find(|p| p.name == name);
            found.and_then(|p| p.values.first()).map_or("", |value| value.trim()).to_string()
        };
        let kind = kind_of_sgf(own, &value("GM"), &value("GN")).map_err(error)?;
        games.push(FileGame {
            kind,
            players: [value("PB"), value("PW")],
            event: value("EV"),
            date: value("DT"),
            result: sgf_result(&value("RE")),
            moves: properties.iter().filter(|p| matches!(p.name.as_str(), "B" | "W")).count(),
            written: Written::Sgf(own.into(), place.line),
        });
    }
    Ok(games)
}

/// The game of an SGF: Amazons has a number of its own, NoGo that of Go, and Connect6 mostly none.
fn kind_of_sgf(text: &str, number: &str, name: &str) -> Result<GameKind, Phrase> {
    const OTHERS: [(&str, &str); 5] = [
        ("2", "Othello"),
        ("3", "chess"),
        ("7", "Chinese chess in SGF"),
        ("11", "Hex"),
        ("21", "Havannah"),
    ];
    if number == "18" {
        return game("amazons").ok_or_else(|| Phrase::Plain(String::new()));
    }
    if let Some((_, other)) = OTHERS.into_iter().find(|(own, _)| *own == number) {
        let games = "connect6, amazons, nogo";
        return Err(phrase!("it is a game of {name}; known here are {games}", name = other, games));
    }
    let named = game(&name.to_lowercase());
    let read = |kind: &GameKind| {
        let is_sgf = matches!(kind.name, "connect6" | "amazons" | "nogo");
        let own = sgf_tree::read(kind.name, text).ok().filter(|_| is_sgf)?;
        let all = own.moves.iter().scan(None, |last, m| {
            let is_main = m.parent == *last;
            if is_main {
                *last = Some(last.map_or(0, |i: usize| i + 1));
            }
            is_main.then_some(())
        });
        Some((all.count(), tree_of_sgf(*kind, &own, text, 1).ok()?.tree.line_from(0).len()))
    };
    let all = GAMES.iter().filter_map(|kind| Some(read(kind)?.0)).min().unwrap_or(0);
    let fits = |kind: &GameKind| Some(read(kind)?.1);
    // NoGo has the number of Go.
    let go = game("nogo").filter(|kind| number == "1" && fits(kind).is_some_and(|n| n >= all));
    let named = named.filter(|kind| fits(kind).is_some());
    let found = named.or(go).or_else(|| best_kind(all.max(1), &fits));
    found.ok_or_else(|| {
        let games = "connect6, amazons, nogo";
        match ["connect6", "amazons", "nogo"].map(|kind| sgf_tree::read(kind, text)) {
            [Err(_), Err(_), Err(cause)] => Phrase::Plain(cause),
            _ => {
                phrase!("its moves are those of no game known here; SGF is read of {games}", games)
            }
        }
    })
}

fn national_game(record: Record) -> Result<FileGame, Phrase> {
    let kind = game(record.game.name()).ok_or_else(|| Phrase::Plain(record.game.name().into()))?;
    let result = match record.result {
        Some(Outcome::Win(Player::First)) => "1-0",
        Some(Outcome::Win(Player::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    };
    Ok(FileGame {
        kind,
        players: [record.first.clone(), record.second.clone()],
        event: record.event.clone(),
        date: record.date.clone(),
        result: result.into(),
        moves: record.tokens().count(),
        written: Written::National(Box::new(record)),
    })
}

/// A result as PGN has it; `*` for anything else.
fn result_word(text: &str) -> String {
    let known = ["1-0", "0-1", "1/2-1/2"].into_iter().find(|known| *known == text.trim());
    known.unwrap_or("*").into()
}

fn sgf_result(text: &str) -> String {
    match text.as_bytes().first() {
        Some(b'B') => "1-0",
        Some(b'W') => "0-1",
        Some(b'0' | b'D') => "1/2-1/2",
        _ => "*",
    }
    .into()
}

impl FileGame {
    /// The tree of the game. Illegal parts are left out.
    ///
    /// # Errors
    /// The start position is none of the game.
    pub fn tree(&self) -> Result<ReadTree, Phrase> {
        let mut read = match &self.written {
            Written::Words(written) => tree_of_words(self.kind, written),
            Written::Sgf(text, line) => {
                let own = sgf_tree::read(self.kind.name, text).map_err(Phrase::Plain)?;
                tree_of_sgf(self.kind, &own, text, *line)
            }
            Written::National(record) => tree_of_record(self.kind, record),
        }?;
        read.tree.players.clone_from(&self.players);
        read.tree.event.clone_from(&self.event);
        read.tree.date.clone_from(&self.date);
        read.tree.result.clone_from(&self.result);
        Ok(read)
    }
}
