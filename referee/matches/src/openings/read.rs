//! Reads openings in all formats: lines of positions, and games as PGN, SGF or in the format of the
//! World Xiangqi Federation.

use super::movetext;
use super::written::{Item, WrittenGame};
use agon_games::Turn;
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::{connect6, sgf, sgf_boards};
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
    /// The format that belongs to the end of a file's name.
    pub fn of(path: &Path) -> OpeningsFormat {
        let end = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            Some("pgn") => OpeningsFormat::Pgn,
            Some("sgf") => OpeningsFormat::Sgf,
            Some("wxf") => OpeningsFormat::Wxf,
            _ => OpeningsFormat::Text,
        }
    }
}

/// What is wrong with a line, counted from 1.
pub type OpeningsLineError = (usize, String);

/// The openings in a text, each checked: legal, and not over. At most `plies` decisions of each are
/// kept.
pub fn openings(
    text: &str,
    format: OpeningsFormat,
    kind: GameKind,
    rules: &[(String, String)],
    plies: Option<u32>,
) -> Result<Vec<String>, OpeningsLineError> {
    let games = match format {
        OpeningsFormat::Text => {
            let lines = positions(text);
            return lines.map(|(n, text)| position(n, text, kind, rules, plies)).collect();
        }
        OpeningsFormat::Pgn => movetext::pgn(text)?,
        OpeningsFormat::Wxf if kind.name != "xiangqi" => {
            return Err((1, only_for("wxf", "xiangqi")));
        }
        OpeningsFormat::Wxf => movetext::wxf(text)?,
        OpeningsFormat::Sgf => sgf_games(text, kind)?,
    };
    let numbered = games.iter().zip(1..).map(|(game, number)| {
        opening(game, kind, rules, plies).map_err(|(n, e)| (n, format!("game {number}: {e}")))
    });
    numbered.collect()
}

fn only_for(format: &str, games: &str) -> String {
    format!("the format {format} is for {games}")
}

/// The lines of a text that contain positions, with their numbers from 1.
fn positions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let without_comments = text.lines().map(|l| l.split('#').next().unwrap_or("").trim());
    (1..).zip(without_comments).filter(|(_, l)| !l.is_empty())
}

/// A line's opening. Without a limit on the plies it is as the file has it.
fn position(
    line: usize,
    text: &str,
    kind: GameKind,
    rules: &[(String, String)],
    plies: Option<u32>,
) -> Result<String, OpeningsLineError> {
    let board = super::open_checked(kind, text, rules).map_err(|reason| (line, reason))?;
    if plies.is_none() {
        return Ok(text.to_string());
    }
    let items = board.tokens().into_iter().map(|token| (line, Item::Move(token))).collect();
    let fen = Some(board.start_fen());
    opening(&WrittenGame { line, game: None, fen, items }, kind, rules, plies)
}

fn sgf_games(text: &str, kind: GameKind) -> Result<Vec<WrittenGame>, OpeningsLineError> {
    let mut games = Vec::new();
    for (at, text_of_game) in sgf::games(text) {
        let line = 1 + text[..at].matches('\n').count();
        let number = games.len() + 1;
        let error = |reason: String| (line, format!("game {number}: {reason}"));
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
            _ => return Err((1, only_for("sgf", "connect6, amazons and nogo"))),
        };
        let items = tokens.into_iter().map(|token| (line, Item::Move(token))).collect();
        games.push(WrittenGame { line, game: None, fen, items });
    }
    Ok(games)
}

/// Plays a game's first moves and returns them as the text of an opening.
fn opening(
    game: &WrittenGame,
    kind: GameKind,
    rules: &[(String, String)],
    plies: Option<u32>,
) -> Result<String, OpeningsLineError> {
    let whole = |reason: String| (game.line, reason);
    let is_other = |name: &&String| {
        // The standard of Xiangqi's PGN has a name of its own.
        let xiangqi = kind.name == "xiangqi" && name.eq_ignore_ascii_case("Chinese Chess");
        !xiangqi && !name.eq_ignore_ascii_case(kind.name)
    };
    if let Some(name) = game.game.as_ref().filter(is_other) {
        return Err(whole(format!("it is a game of {name}, not of {}", kind.name)));
    }
    let open = |fen| kind.open(fen, rules).map_err(|e| whole(e.to_string()));
    let mut board = open(game.fen.as_deref())?;
    let mut decisions = 0;
    for (line, item) in &game.items {
        let is_chance = board.turn() == Turn::Chance;
        match item {
            // Any other comment is no chance outcome and says nothing about the position.
            Item::Comment(text) if is_chance => _ = board.push(text),
            Item::Comment(_) => {}
            Item::Move(_) if !is_chance && plies.is_some_and(|n| decisions >= n) => break,
            Item::Move(text) => {
                decisions += u32::from(!is_chance);
                push(&mut *board, text)
                    .map_err(|reason| (*line, format!("move {}: {reason}", decisions)))?;
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
    ) -> Result<Vec<String>, OpeningsLineError> {
        openings(text, format, game(name).unwrap(), &[], plies)
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
        ] {
            let text = format!("[Game \"Chinese Chess\"]\n[Red \"x\"]\n\n{moves} 1-0\n");
            let all = read("xiangqi", OpeningsFormat::Pgn, &text, None);
            match moves {
                "1. C25 h9g7" => assert_eq!(all.unwrap_err().0, 4),
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
        assert!(error.0 == 2 && error.1.contains("game 1: move 1"), "{error:?}");
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
        assert!(error.0 == 3 && error.1.contains("game 1"), "{error:?}");
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
