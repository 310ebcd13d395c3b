//! Games of Amazons and NoGo as SGF. Points are two letters, column and row from the top left. A
//! move of Amazons is three points; `AA` sets up arrows. Black is the first player in both games; in
//! Amazons it has the lower side, as in the format's definition (`GM[18]`).

use crate::board_text::{BoardFormat, file_letter, read_squares, write_board};
use crate::sgf::{Property, escape, main_line};
use std::fmt::Write;

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfGame {
    /// The name of the first player.
    pub black: String,
    /// The name of the second player.
    pub white: String,
    /// The event.
    pub event: String,
    /// The start position; `None`: the game's own.
    pub fen: Option<String>,
    /// The move tokens.
    pub moves: Vec<String>,
}

/// How a game's boards and moves are written.
struct SgfStyle {
    /// The number of the game in the property `GM`; NoGo has none and uses that of Go.
    number: u32,
    /// Columns and rows of the usual board, which is the greatest.
    size: usize,
    /// The letters of the two players and of arrows in a FEN.
    pieces: [(&'static str, char); 3],
    /// The letters of the side to move in a FEN.
    sides: [&'static str; 2],
    /// The letters of the pieces.
    letters: &'static str,
    /// A column whose letter the tokens leave out.
    skipped: Option<usize>,
    /// The number of points of a move.
    points: usize,
}

const AMAZONS: SgfStyle = SgfStyle {
    number: 18,
    size: 10,
    pieces: [("AB", 'Q'), ("AW", 'q'), ("AA", '*')],
    sides: ["w", "b"],
    letters: "Qq*",
    skipped: None,
    points: 3,
};

const NOGO: SgfStyle = SgfStyle {
    number: 1,
    size: 9,
    pieces: [("AB", 'X'), ("AW", 'O'), ("AA", '*')],
    sides: ["x", "o"],
    letters: "XO",
    skipped: Some(8),
    points: 1,
};

fn style(game: &str) -> Result<&'static SgfStyle, String> {
    match game {
        "amazons" => Ok(&AMAZONS),
        "nogo" => Ok(&NOGO),
        _ => Err(format!("{game} has no SGF here")),
    }
}

/// Reads the main line of a game's text.
///
/// # Errors
/// The text is no SGF, a point is off the board, or a player moves twice. The rules are not checked.
pub fn read(game: &str, text: &str) -> Result<SgfGame, String> {
    let style = style(game)?;
    let mut out = SgfGame::default();
    let (mut size, mut set_up, mut side) = (style.size, Vec::new(), None);
    let mut first = None;
    for Property { name, values } in main_line(text).map_err(|e| e.to_string())? {
        let value = values.first().map_or("", String::as_str).trim();
        let fail =
            |reason: &str| format!("bad SGF, {name}[{}]: {reason}", crate::text::excerpt(value));
        match name.as_str() {
            "PB" => out.black = value.into(),
            "PW" => out.white = value.into(),
            "EV" => out.event = value.into(),
            "SZ" => {
                let number = value.parse().ok().filter(|n| (1..=style.size).contains(n));
                size = number.ok_or_else(|| fail("a board of another size"))?;
            }
            "PL" => side = Some(usize::from(!matches!(value, "B" | "b" | "1"))),
            "AB" | "AW" | "AA" => {
                for value in &values {
                    let found =
                        points(value, size).ok_or_else(|| fail("expected points as `dj`"))?;
                    set_up.extend(found.into_iter().map(|point| (name.clone(), point)));
                }
            }
            "AE" => return Err(fail("the position is changed by taking pieces away")),
            "B" | "W" if is_pass(value) => {}
            "B" | "W" => {
                let player = usize::from(name == "W");
                let to_move = (*first.get_or_insert(player) + out.moves.len()) % 2;
                if player != to_move {
                    let number = out.moves.len() + 1;
                    return Err(fail(&format!("it is not this player's turn at move {number}")));
                }
                out.moves.push(move_token(game, value, size).map_err(|e| fail(&e))?);
            }
            _ => {}
        }
    }
    let first = side.or(first).unwrap_or(0);
    if !set_up.is_empty() || size != style.size || first != 0 {
        out.fen = Some(fen(style, size, &set_up, first));
    }
    Ok(out)
}

/// Whether the value of `B` or `W` is a pass or a resignation at the end.
pub fn is_pass(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "" | "tt" | "resign" | "draw")
}

/// The token of a move, `dgdd` or `djddgd`, on a board of this size.
///
/// # Errors
/// It is none, or the game has no SGF here.
pub fn move_token(game: &str, value: &str, size: usize) -> Result<String, String> {
    let style = style(game)?;
    let found = points(value, size).filter(|p| p.len() == style.points);
    Ok(token(style, &found.ok_or("expected the points of a move")?, size))
}

/// The names of the squares of a value, of which a rectangle has many.
pub fn square_names(game: &str, value: &str, size: usize) -> Vec<String> {
    let Ok(style) = style(game) else { return Vec::new() };
    let found = points(value, size).unwrap_or_default();
    found.iter().map(|point| square_name(style, *point, size)).collect()
}

/// A move or a square as SGF has it, the inverse of [`move_token`] and [`square_names`].
///
/// # Errors
/// It is not written as usual, or off the board.
pub fn points_of(game: &str, token: &str, size: usize) -> Result<String, String> {
    let mut out = String::new();
    for (x, rank) in squares(style(game)?, token)? {
        let y = size.checked_sub(rank).ok_or_else(|| format!("`{token}` is off the board"))?;
        out.extend([file_letter(x), file_letter(y)]);
    }
    Ok(out)
}

/// Columns and rows from the top left; a rectangle `aa:cc` is all of its points.
fn points(value: &str, size: usize) -> Option<Vec<(usize, usize)>> {
    let corner = |text: &str| -> Option<Vec<(usize, usize)>> {
        let letters: Vec<usize> = text
            .trim()
            .bytes()
            .map(|b| usize::from(b.wrapping_sub(b'a')))
            .map(|n| (n < size).then_some(n))
            .collect::<Option<_>>()?;
        let whole = letters.len().is_multiple_of(2) && !letters.is_empty();
        whole.then(|| letters.chunks(2).map(|p| (p[0], p[1])).collect())
    };
    let Some((from, to)) = value.split_once(':') else { return corner(value) };
    match (&corner(from)?[..], &corner(to)?[..]) {
        (&[(a, b)], &[(c, d)]) => {
            let columns = a.min(c)..=a.max(c);
            Some(columns.flat_map(|x| (b.min(d)..=b.max(d)).map(move |y| (x, y))).collect())
        }
        _ => None,
    }
}

fn token(style: &SgfStyle, points: &[(usize, usize)], size: usize) -> String {
    let square = |point: &(usize, usize)| square_name(style, *point, size);
    match points {
        [from, to, arrow] => {
            let [from, to, arrow] = [from, to, arrow].map(square);
            format!("{from}{to},{to}{arrow}")
        }
        points => points.iter().map(square).collect(),
    }
}

fn square_name(style: &SgfStyle, (x, y): (usize, usize), size: usize) -> String {
    let file = x + usize::from(style.skipped.is_some_and(|skipped| x >= skipped));
    format!("{}{}", file_letter(file), size - y)
}

fn fen(style: &SgfStyle, size: usize, set_up: &[(String, (usize, usize))], side: usize) -> String {
    let letter = |x, y| {
        let here = set_up.iter().rev().find(|(_, point)| *point == (x, y));
        let piece = here.and_then(|(name, _)| style.pieces.iter().find(|(p, _)| p == name));
        piece.map(|(_, letter)| *letter)
    };
    let board = write_board(size, size, |x, row| letter(x, size - 1 - row));
    format!("{board} {}", style.sides[side])
}

/// Writes a game, followed by a line break. `result` is the value of `RE`, such as `B+`.
///
/// # Errors
/// The game has no SGF, or its position or a move is not written as usual.
pub fn write(name: &str, game: &SgfGame, result: &str) -> Result<String, String> {
    let style = style(name)?;
    let mut size = style.size;
    let (pieces, side) = match &game.fen {
        None => (Vec::new(), 0),
        Some(fen) => {
            let (board, side) = fen.split_once(' ').ok_or("a position without a side to move")?;
            let side = style.sides.iter().position(|s| side.trim().starts_with(s));
            let sizes = 1..=style.size;
            let (files, ranks, letters) = (sizes.clone(), sizes, style.letters);
            let format = BoardFormat { files, ranks, first_rank: 1, letters };
            let board = format.read(board, |c| letters.contains(c).then_some(c))?;
            if board.files != board.ranks {
                return Err("SGF is written for square boards only".into());
            }
            size = board.ranks;
            (board.pieces, side.ok_or("an unknown side to move")?)
        }
    };
    let mut out = format!(
        "(;FF[4]GM[{}]EV[{}]PB[{}]PW[{}]SZ[{size}]RE[{result}]",
        style.number,
        escape(&game.event),
        escape(&game.black),
        escape(&game.white)
    );
    let letter = file_letter;
    for (property, piece) in style.pieces {
        let mut name = property;
        for &(x, row, _) in pieces.iter().filter(|(_, _, letter)| *letter == piece) {
            let _ = write!(out, "{name}[{}{}]", letter(x), letter(size - 1 - row));
            name = "";
        }
    }
    if game.fen.is_some() {
        let _ = write!(out, "PL[{}]", if side == 0 { 'B' } else { 'W' });
    }
    for (i, token) in game.moves.iter().enumerate() {
        let colour = if (side + i).is_multiple_of(2) { 'B' } else { 'W' };
        let _ = write!(out, ";{colour}[{}]", points_of(name, token, size)?);
    }
    out.push_str(")\n");
    Ok(out)
}

/// The columns from 0 and the ranks from 1 of a token's squares: from, to and arrow once each.
fn squares(style: &SgfStyle, token: &str) -> Result<Vec<(usize, usize)>, String> {
    let square = |file: usize, rank| {
        let column = file - usize::from(style.skipped.is_some_and(|skipped| file > skipped));
        Some((column, rank))
    };
    let mut all = read_squares(token, square).map_err(|at| format!("`{token}`: `{at}`"))?;
    all.dedup();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_comes_back_from_its_sgf() {
        let game = SgfGame {
            black: "a ] b".into(),
            white: "c".into(),
            event: "amazons match".into(),
            fen: Some("3q2q3/10/10/q8q/4*5/10/Q8Q/10/10/3Q2Q3 b".into()),
            moves: vec!["a7b7,b7b1".into(), "d1d7,d7g7".into()],
        };
        let text = write("amazons", &game, "B+").unwrap();
        assert!(text.contains("AA[ee]PL[W];W[adbdbj];B[djddgd]"), "{text}");
        assert_eq!(read("amazons", &text).unwrap(), game);
        let moves = vec!["j9".into(), "a1".into(), "h5".into()];
        let game = SgfGame { moves, ..SgfGame::default() };
        let text = write("nogo", &game, "W+").unwrap();
        assert!(text.contains(";B[ia];W[ai];B[he]"), "{text}");
        assert_eq!(read("nogo", &text).unwrap(), game);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("(;B[djdd])", "points of a move"),
            ("(;B[djddgd];B[djddgd])", "not this player's turn at move 2"),
            ("(;AB[zz])", "expected points"),
            ("(;SZ[99])", "another size"),
            ("(;B[djddgd]", "never closed"),
        ] {
            let error = read("amazons", text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
