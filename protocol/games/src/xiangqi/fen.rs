//! Positions as text: ranks from Black's side down, `RNBAKCP` for Red, lower case for Black, digits
//! for empty squares, `w` or `b` for the side to move, `- -`, the plies since the last capture and
//! the move number. The parser also accepts `r` for Red, the sides in capitals, `E` and `H` for elephant and horse, and
//! the empty brackets of games with pieces in hand behind the board (`RNBAKABNR[]`).

use super::square::{FILES, RANKS, Square};
use super::{Board, Piece, Xiangqi, XiangqiRules};
use crate::board_text::{self, BoardFormat};
use crate::game::{FenError, Player};

const FORMAT: BoardFormat = BoardFormat {
    files: FILES..=FILES,
    ranks: RANKS..=RANKS,
    first_rank: 0,
    letters: "RNBAKCPrnbakcp",
};

/// Reads a position. The placement must pass [`Board::check`], and the king of the side that is not
/// to move must not be attacked.
pub fn parse(fen: &str, rules: &XiangqiRules) -> Result<Xiangqi, FenError> {
    parse_fields(fen, rules).map_err(|reason| FenError::new(fen, reason))
}

fn parse_fields(fen: &str, rules: &XiangqiRules) -> Result<Xiangqi, String> {
    let mut fields = fen.split_whitespace();
    let placement = fields.next().ok_or("it is empty; expected ten ranks and `w` or `b`")?;
    let board = parse_placement(placement.strip_suffix("[]").unwrap_or(placement))?;
    board.check()?;
    let side = board_text::read_side(fields.next(), "wrWR", "bB")?;
    if board.kings_face() {
        return Err("the kings see each other, which no move may lead to".into());
    }
    if board.in_check(side.opponent()) {
        let (idle, mover) = if side == Player::First { ("Black", "Red") } else { ("Red", "Black") };
        return Err(format!("{idle} is in check though {mover} is to move"));
    }
    let (quiet, number) = parse_counters(&fields.collect::<Vec<_>>())?;
    Ok(Xiangqi { board, side, quiet, number, rules: *rules })
}

/// Chess has two fields before the counters, which have no meaning here.
fn parse_counters(rest: &[&str]) -> Result<(u16, u16), String> {
    let counters = match rest {
        [] | ["-"] | ["-", "-"] => return Ok((0, 1)),
        ["-", "-", counters @ ..] => counters,
        [other, ..] => counters_alone(rest).ok_or_else(|| {
            format!("`{other}` after the side to move, expected `- -` and two numbers, or nothing")
        })?,
    };
    let read = |text: &str, what: &str| {
        let n: Option<u16> = text.parse().ok();
        n.ok_or_else(|| format!("{what} is `{text}`, expected a number from 0 to 65535"))
    };
    match counters {
        [quiet] => Ok((read(quiet, "the number of plies without capture")?, 1)),
        [quiet, number] => Ok((
            read(quiet, "the number of plies without capture")?,
            read(number, "the number of the move")?.max(1),
        )),
        [_, _, extra, ..] => Err(format!("unexpected field `{extra}` after `w - - 0 1`")),
        [] => Ok((0, 1)),
    }
}

/// Some programs omit `- -`.
fn counters_alone<'a, 'b>(rest: &'a [&'b str]) -> Option<&'a [&'b str]> {
    rest.first()?.bytes().all(|b| b.is_ascii_digit()).then_some(rest)
}

/// Reads the first field of a FEN: any pieces anywhere; [`Board::check`] is separate.
pub fn parse_placement(text: &str) -> Result<Board, String> {
    let mut board = Board::default();
    for (file, rank, piece) in FORMAT.read(text, Piece::from_letter)?.pieces {
        if let Some(square) = Square::new(file, rank) {
            board.put(square, piece);
        }
    }
    Ok(board)
}

/// The first field of a FEN.
pub fn print_placement(board: &Board) -> String {
    board_text::write_board(FILES, RANKS, |file, rank| {
        Some(letter(board, file, rank)).filter(|&c| c != '.')
    })
}

fn letter(board: &Board, file: usize, rank: usize) -> char {
    Square::new(file, rank).map_or('.', |square| board.piece_at(square).letter())
}

/// The canonical text.
pub fn print(game: &Xiangqi) -> String {
    let side = if game.side == Player::First { 'w' } else { 'b' };
    format!("{} {side} - - {} {}", print_placement(&game.board), game.quiet, game.number)
}

/// Draws the board for a terminal, with the river between ranks 5 and 4.
pub fn diagram(game: &Xiangqi) -> String {
    let board = board_text::diagram((FILES, RANKS), 0, 1, |f, r| letter(&game.board, f, r));
    let board = board.replacen("\n4 ", "\n   ~ ~ ~ ~ ~ ~ ~ ~ ~\n4 ", 1);
    let side = if game.side == Player::First { "Red (capitals)" } else { "Black (small letters)" };
    let check = if game.in_check() { ", in check" } else { "" };
    format!("{board}{side} to move{check}\n")
}
