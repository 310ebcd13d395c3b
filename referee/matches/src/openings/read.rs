//! Reads openings in all formats: lines of positions, and games as PGN, SGF or in the format of the
//! World Xiangqi Federation.

use super::movetext::{self, TextError, WrittenGames};
use super::words::begins_game;
use super::written::{Item, Place, WrittenGame};
use agon_games::arbiter::{self, Arbiter, GameKind};
use agon_games::xiangqi::{Xiangqi, san};
use agon_games::{Turn, connect6, epd, sgf, sgf_boards};
use std::collections::BTreeMap;
use std::path::Path;

/// The format of an openings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningsFormat {
    /// One position per line, `startpos` or a FEN, with or without `moves ...`.
    Text,
    /// Games with tags; moves as in the exports, or as in Xiangqi's WXF, ICCS and UCCI, or in
    /// Chinese characters.
    Pgn,
    /// Games of Connect6, Amazons or NoGo.
    Sgf,
    /// Games of Xiangqi.
    Wxf,
}

impl OpeningsFormat {
    /// The format that belongs to the end of a file's name, else to the beginning of its text.
    pub fn of(path: &Path, text: &str) -> OpeningsFormat {
        let end = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            Some("pgn") => OpeningsFormat::Pgn,
            Some("sgf") => OpeningsFormat::Sgf,
            Some("wxf") => OpeningsFormat::Wxf,
            _ => OpeningsFormat::of_text(text),
        }
    }

    fn of_text(text: &str) -> OpeningsFormat {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
        let is_sgf = line.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'));
        match line {
            _ if begins_game(line) => OpeningsFormat::Pgn,
            _ if is_sgf => OpeningsFormat::Sgf,
            _ if line.starts_with("FORMAT") => OpeningsFormat::Wxf,
            _ => OpeningsFormat::Text,
        }
    }
}

/// The openings of a file, and what the reader should know of how it was read.
#[derive(Debug, Default)]
pub struct ReadOpenings {
    /// The openings, each legal and not over.
    pub texts: Vec<String>,
    /// Where something was left out or guessed, and what.
    pub remarks: Vec<(Place, String)>,
}

/// A game with the rules by which it is read.
#[derive(Clone, Copy)]
struct Reader<'a> {
    kind: GameKind,
    rules: &'a [(String, String)],
    plies: Option<u32>,
}

/// The openings in a text. At most `plies` decisions of each are kept.
pub fn openings(
    text: &str,
    format: OpeningsFormat,
    kind: GameKind,
    rules: &[(String, String)],
    plies: Option<u32>,
) -> Result<ReadOpenings, TextError> {
    let reader = Reader { kind, rules, plies };
    let mut read = ReadOpenings::default();
    let written = match format {
        OpeningsFormat::Text => {
            for (place, line) in positions(text) {
                read.texts.push(reader.position(place, line, &mut read.remarks)?);
            }
            return Ok(read);
        }
        OpeningsFormat::Pgn => movetext::pgn(text)?,
        OpeningsFormat::Wxf if kind.name != "xiangqi" => {
            return Err((BEGIN, only_for("wxf", "xiangqi", kind)));
        }
        OpeningsFormat::Wxf => movetext::wxf(text)?,
        OpeningsFormat::Sgf => sgf_games(text, kind)?,
    };
    let left_out = |(place, text)| (place, format!("`{text}` belongs to no game and is left out"));
    read.remarks.extend(written.left_out.into_iter().map(left_out));
    for (game, number) in written.games.iter().zip(1..) {
        let named = |text: String| format!("game {number}: {text}");
        let mut remarks = Vec::new();
        let opening = reader.opening(game, &mut remarks);
        read.texts.push(opening.map_err(|(place, e)| (place, named(e)))?);
        read.remarks.extend(remarks.into_iter().map(|(place, text)| (place, named(text))));
    }
    Ok(read)
}

/// The beginning of a text.
const BEGIN: Place = Place { line: 1, column: 1 };

fn only_for(format: &str, games: &str, kind: GameKind) -> String {
    let name = kind.name;
    format!("the format {format} is for {games}: give games of {name} as PGN, or a position a line")
}

/// The lines of a text that contain positions, with their places.
fn positions(text: &str) -> impl Iterator<Item = (Place, &str)> {
    let without_comments = text.lines().map(|l| l.split('#').next().unwrap_or("").trim());
    let place = |line| Place { line, column: 1 };
    (1..).map(place).zip(without_comments).filter(|(_, l)| !l.is_empty())
}

fn sgf_games(text: &str, kind: GameKind) -> Result<WrittenGames, TextError> {
    let mut games = Vec::new();
    for (at, text_of_game) in sgf::games(text) {
        let place = Place::of(text, at);
        let number = games.len() + 1;
        let error = |reason: String| (place, format!("game {number}: {reason}"));
        let (fen, tokens) = match kind.name {
            "connect6" => {
                let read = connect6::sgf::read(text_of_game);
                let (_, record) = read.map_err(|e| error(e.to_string()))?;
                (Some(agon_games::game::Game::fen(record.start())), record.tokens())
            }
            "amazons" | "nogo" => {
                let game = sgf_boards::read(kind.name, text_of_game).map_err(error)?;
                (game.fen, game.moves)
            }
            _ => return Err((BEGIN, only_for("sgf", "connect6, amazons and nogo", kind))),
        };
        let items = tokens.into_iter().map(|token| (place, Item::Move(token))).collect();
        games.push(WrittenGame { fen, items, ..WrittenGame::new(place) });
    }
    Ok(WrittenGames { games, left_out: Vec::new() })
}

impl Reader<'_> {
    /// A line's opening. Without a limit on the plies it is as the file has it, unless it is written in another way
    /// than the protocol's.
    fn position(
        &self,
        place: Place,
        line: &str,
        remarks: &mut Vec<(Place, String)>,
    ) -> Result<String, TextError> {
        // Engines need not know the empty brackets of games with pieces in hand.
        let line = &line.strip_prefix("position ").unwrap_or(line).replacen("[] ", " ", 1);
        let open = |text: &str| super::open_checked(self.kind, text, self.rules);
        let board = match open(line) {
            Ok(board) if self.plies.is_none() && is_canonical(line, &*board) => {
                return Ok(line.to_string());
            }
            Ok(board) => board,
            Err(reason) => return self.foreign_position(place, line, reason, remarks),
        };
        let items = board.tokens().into_iter().map(|token| (place, Item::Move(token))).collect();
        let fen = Some(board.start_fen());
        self.opening(&WrittenGame { fen, items, ..WrittenGame::new(place) }, remarks)
    }

    /// A position with operations behind it (EPD), or with moves in another notation.
    fn foreign_position(
        &self,
        place: Place,
        line: &str,
        reason: String,
        remarks: &mut Vec<(Place, String)>,
    ) -> Result<String, TextError> {
        let opens = |text: &str| self.kind.open_text(text, self.rules).is_ok();
        if let Some(epd) = epd::split(line, opens).filter(|epd| epd.fen != line) {
            return self.position(place, &epd.fen, remarks);
        }
        let Some((fen, moves)) = line.split_once(" moves ") else { return Err((place, reason)) };
        let fen = fen.trim().trim_start_matches("fen ");
        let words = moves.trim_end_matches(';').split_whitespace();
        let items = words.map(|word| (place, Item::Move(word.into()))).collect();
        let fen = (fen != "startpos").then(|| fen.to_string());
        let game = WrittenGame { fen, items, ..WrittenGame::new(place) };
        // What is wrong is said of the line as it is.
        self.opening(&game, remarks).map_err(|_| (place, reason))
    }

    /// Plays a game's first moves and returns them as the text of an opening.
    fn opening(
        &self,
        game: &WrittenGame,
        remarks: &mut Vec<(Place, String)>,
    ) -> Result<String, TextError> {
        let whole = |reason: String| (game.place, reason);
        if let Some(name) = game.game.as_ref().filter(|name| !is_named(self.kind, name)) {
            return Err(whole(format!("it is a game of {name}, not of {}", self.kind.name)));
        }
        let fen = game.fen.as_deref().map(|fen| fen_of(self.kind, self.rules, fen));
        let open = |fen| self.kind.open(fen, self.rules).map_err(|e| whole(e.to_string()));
        let mut board = open(fen.as_deref())?;
        let translated = self.translated(game, fen.as_deref(), remarks);
        let mut decisions = 0;
        for (i, item) in game.main() {
            let place = game.items[i].0;
            let is_chance = board.turn() == Turn::Chance;
            match item {
                // Any other comment is no chance outcome and says nothing about the position.
                Item::Comment(text) if is_chance => _ = board.push(text),
                Item::Comment(_) | Item::Remark(_) | Item::Open | Item::Close => {}
                Item::Move(_) if !is_chance && self.plies.is_some_and(|n| decisions >= n) => break,
                Item::Move(text) => {
                    decisions += u32::from(!is_chance);
                    let played = match translated.get(&i) {
                        Some(token) => token.clone().and_then(|token| push(&mut *board, &token)),
                        None => push(&mut *board, text),
                    };
                    played.map_err(|reason| (place, format!("move {decisions}: {reason}")))?;
                }
            }
        }
        if board.turn().outcome().is_some() {
            let why = "the game is already over in this position; keep fewer moves with plies=N";
            return Err(whole(why.into()));
        }
        let start = board.start_fen();
        let place = if start == open(None)?.fen() { "startpos".into() } else { start };
        let tokens = board.tokens();
        let moves = if tokens.is_empty() { "" } else { " moves " };
        Ok(format!("{place}{moves}{}", tokens.join(" ")))
    }

    /// The canonical tokens of moves in the notations of Xiangqi, by the numbers of the items, up to the first error.
    fn translated(
        &self,
        game: &WrittenGame,
        fen: Option<&str>,
        remarks: &mut Vec<(Place, String)>,
    ) -> BTreeMap<usize, Result<String, String>> {
        let moves = game.main().filter_map(|(i, item)| match item {
            Item::Move(text) => Some((i, game.items[i].0, text.as_str())),
            _ => None,
        });
        let moves: Vec<_> = moves.collect();
        let start = arbiter::start::<Xiangqi>(fen, self.rules);
        let Some(start) = start.ok().filter(|_| self.kind.name == "xiangqi") else {
            return BTreeMap::new();
        };
        let texts: Vec<&str> = moves.iter().map(|(.., text)| *text).collect();
        let read = san::read(&start, &texts);
        let guesses = read.guesses.into_iter().filter_map(|(n, text)| {
            let (_, place, word) = moves.get(n)?;
            Some((*place, format!("`{word}` {text}")))
        });
        remarks.extend(guesses);
        let error = read.error.map(|error| Err(error.to_string()));
        let tokens = read.tokens.into_iter().map(Ok).chain(error);
        moves.iter().map(|(i, ..)| *i).zip(tokens).collect()
    }
}

/// A FEN without what other programs write behind it.
pub fn fen_of(kind: GameKind, rules: &[(String, String)], text: &str) -> String {
    let opens = |text: &str| kind.open(Some(text), rules).is_ok();
    match epd::split(text, opens) {
        Some(epd) if !opens(text) => epd.fen,
        _ => text.to_string(),
    }
}

/// Whether a tag names a game. The standard of Xiangqi's PGN has a name of its own.
pub fn is_named(kind: GameKind, name: &str) -> bool {
    const XIANGQI: [&str; 5] = ["chinese chess", "cchess", "中国象棋", "中國象棋", "象棋"];
    let name = name.trim().to_lowercase();
    let is_xiangqi = kind.name == "xiangqi" && XIANGQI.contains(&name.as_str());
    is_xiangqi || name.is_empty() || name == kind.name
}

/// Whether the moves of a line are written as the protocol has them.
fn is_canonical(line: &str, board: &dyn Arbiter) -> bool {
    let moves = line.split_once(" moves ").map_or("", |(_, moves)| moves);
    moves.split_whitespace().eq(board.tokens().iter().map(String::as_str))
}

/// Plays a move that may have a mark for check behind it.
fn push(board: &mut dyn Arbiter, text: &str) -> Result<(), String> {
    let played = board.push(text);
    match (played, text.strip_suffix('+')) {
        (Ok(_), _) => Ok(()),
        (Err(e), Some(plain)) => board.push(plain).map(|_| ()).map_err(|_| e.to_string()),
        (Err(e), None) => Err(e.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter::game;

    fn read(
        name: &str,
        format: OpeningsFormat,
        text: &str,
        plies: Option<u32>,
    ) -> Result<Vec<String>, TextError> {
        openings(text, format, game(name).unwrap(), &[], plies).map(|read| read.texts)
    }

    #[test]
    fn xiangqi_games_are_read_in_every_notation() {
        let same = "startpos moves h2e2 h9g7";
        for moves in [
            "1. C2.5 H8+7",
            "1. C2=5 N8+7",
            "1.H2-E2 H9-G7",
            "1. h2e2 h9g7 *",
            "1. 炮二平五 马８进７",
            "1.炮二平五　馬8進7 {中炮}",
            "１．炮二平五 马８进７",
            "1. C25 h9g7",
            "1. C2*5 h9g7",
            "1. Che3 Hg8",
            "1. h3e3 h10g8",
        ] {
            let text = format!("[Game \"Chinese Chess\"]\n[Red \"x\"]\n\n{moves} 1-0\n");
            let all = read("xiangqi", OpeningsFormat::Pgn, &text, None);
            match moves {
                "1. C2*5 h9g7" => assert_eq!(all.unwrap_err().0, Place { line: 4, column: 4 }),
                _ => assert_eq!(all.unwrap(), [same], "{moves}"),
            }
        }
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let text = format!("[FEN \"{start}\"]\n\n1. C2.5 H8+7 2. H2+3");
        assert_eq!(read("xiangqi", OpeningsFormat::Pgn, &text, Some(2)).unwrap(), [same]);
    }

    #[test]
    fn chance_outcomes_are_read_from_comments_and_the_cut_is_before_a_decision() {
        let text = "1. {opening by hand} b3 {+0.1/3 1s} {=K} c3 {=p} 2. d1 {=g} {book}";
        let all = read("darkchess", OpeningsFormat::Pgn, text, Some(2)).unwrap();
        assert_eq!(all, ["startpos moves b3 =K c3 =p"]);
        let error = read("darkchess", OpeningsFormat::Pgn, "\nb3 c3", None).unwrap_err();
        assert!(error.0.line == 2 && error.1.contains("game 1: move 1"), "{error:?}");
    }

    #[test]
    fn go_boards_are_read_as_sgf() {
        let amazons = "(;FF[4]GM[18];B[djddgd];W[addgad])\n(;GM[18]SZ[10];B[djddgd])";
        assert_eq!(
            read("amazons", OpeningsFormat::Sgf, amazons, None).unwrap(),
            ["startpos moves d1d7,d7g7 a7d4,d4a7", "startpos moves d1d7,d7g7"]
        );
        let nogo = "(;SZ[9];B[ii](;W[ai])(;W[bb]))";
        assert_eq!(
            read("nogo", OpeningsFormat::Sgf, nogo, None).unwrap(),
            ["startpos moves j1 a1"]
        );
        let connect6 = "(;SZ[19];B[jj];W[ki];W[lh])";
        let all = read("connect6", OpeningsFormat::Sgf, connect6, None).unwrap();
        assert_eq!(all, ["startpos moves j10 k11l12"]);
        let error = read("nogo", OpeningsFormat::Sgf, "\n\n(;B[aa];B[bb])", None).unwrap_err();
        assert!(error.0.line == 3 && error.1.contains("game 1"), "{error:?}");
        assert!(
            read("xiangqi", OpeningsFormat::Sgf, "(;)", None).unwrap_err().1.contains("connect6")
        );
    }

    #[test]
    fn a_finished_game_is_no_opening_and_plies_cut_positions_too() {
        let text = "startpos moves d1d7,d7g7 a7b7,b7b1";
        assert_eq!(read("amazons", OpeningsFormat::Text, text, None).unwrap(), [text]);
        let cut = read("amazons", OpeningsFormat::Text, text, Some(1)).unwrap();
        assert_eq!(cut, ["startpos moves d1d7,d7g7"]);
        let won = "[FEN \"13/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 x\"]\n\n*";
        assert!(read("connect6", OpeningsFormat::Pgn, won, None).is_err());
        let other = "[Game \"nogo\"]\n\n1. e5";
        assert!(read("amazons", OpeningsFormat::Pgn, other, None).unwrap_err().1.contains("nogo"));
    }
}
