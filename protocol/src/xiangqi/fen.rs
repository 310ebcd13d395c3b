//! Positions as text: ranks from Black's side down, `RNBAKCP` Red, small letters Black, digits for
//! empty squares, `w` or `b` for the side to move, `- -`, the plies since the last capture and the
//! number of the move. `r` is read for Red too, and `E` and `H` for elephant and horse.

use super::square::{FILES, RANKS, Square};
use super::{Board, Piece, Xiangqi, XiangqiRules};
use crate::game::{FenError, Player};
use std::fmt::Write;

/// Reads a position. The placement must be one that is counted (see [`Board::check`]), and the
/// king of the side that is not to move must not be attacked.
pub fn parse(fen: &str, rules: &XiangqiRules) -> Result<Xiangqi, FenError> {
    parse_fields(fen, rules).map_err(|reason| FenError::new(fen, reason))
}

fn parse_fields(fen: &str, rules: &XiangqiRules) -> Result<Xiangqi, String> {
    let mut fields = fen.split_whitespace();
    let placement = fields.next().ok_or("it is empty; ten ranks and `w` or `b` are needed")?;
    let board = parse_placement(placement)?;
    board.check()?;
    let side = match fields.next() {
        Some("w" | "r") => Player::First,
        Some("b") => Player::Second,
        Some(other) => return Err(format!("side to move `{other}`, expected `w` or `b`")),
        None => return Err("the side to move is missing; `w` or `b` must follow the board".into()),
    };
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

/// Chess has two fields before the counters that mean nothing here.
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

/// Some programs leave `- -` out.
fn counters_alone<'a, 'b>(rest: &'a [&'b str]) -> Option<&'a [&'b str]> {
    rest.first()?.bytes().all(|b| b.is_ascii_digit()).then_some(rest)
}

/// Reads the first field of a FEN: any pieces anywhere, since [`Board::check`] is a question of
/// its own.
pub fn parse_placement(text: &str) -> Result<Board, String> {
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != RANKS {
        return Err(format!("{} ranks, expected {RANKS}, parted by `/`", lines.len()));
    }
    let mut board = Board::default();
    for (i, line) in lines.into_iter().enumerate() {
        parse_rank(line, RANKS - 1 - i, &mut board)
            .map_err(|reason| format!("row {} (rank {}): {reason}", i + 1, RANKS - 1 - i))?;
    }
    Ok(board)
}

fn parse_rank(line: &str, rank: usize, board: &mut Board) -> Result<(), String> {
    let mut file = 0;
    for c in line.chars() {
        match (c.to_digit(10), Piece::from_letter(c)) {
            (Some(run @ 1..), _) => file += run as usize,
            (None, Some(piece)) => {
                if let Some(square) = Square::new(file, rank) {
                    board.put(square, piece);
                }
                file += 1;
            }
            _ => {
                let c = crate::text::excerpt(&c.to_string());
                return Err(format!(
                    "`{c}` in file {}: expected a letter of RNBAKCP or rnbakcp, or a digit 1 to 9",
                    file + 1
                ));
            }
        }
        if file > FILES {
            return Err(format!("it is wider than {FILES} files"));
        }
    }
    if file == FILES { Ok(()) } else { Err(format!("{file} files, expected {FILES}")) }
}

/// The first field of a FEN.
pub fn print_placement(board: &Board) -> String {
    let mut out = String::new();
    for rank in (0..RANKS).rev() {
        let mut run = 0;
        for square in (0..FILES).filter_map(|file| Square::new(file, rank)) {
            let piece = board.piece_at(square);
            if piece.is_none() {
                run += 1;
                continue;
            }
            if run > 0 {
                let _ = write!(out, "{run}");
                run = 0;
            }
            out.push(piece.letter());
        }
        if run > 0 {
            let _ = write!(out, "{run}");
        }
        if rank > 0 {
            out.push('/');
        }
    }
    out
}

/// The canonical text.
pub fn print(game: &Xiangqi) -> String {
    let side = if game.side == Player::First { 'w' } else { 'b' };
    format!("{} {side} - - {} {}", print_placement(&game.board), game.quiet, game.number)
}

/// The board for a terminal.
pub fn diagram(game: &Xiangqi) -> String {
    let mut out = String::new();
    for rank in (0..RANKS).rev() {
        let _ = write!(out, "{rank} ");
        for square in (0..FILES).filter_map(|file| Square::new(file, rank)) {
            let _ = write!(out, " {}", game.board.piece_at(square).letter());
        }
        out.push('\n');
        if rank == RANKS / 2 {
            out.push_str("   ~ ~ ~ ~ ~ ~ ~ ~ ~\n");
        }
    }
    out.push_str("   a b c d e f g h i\n");
    let side = if game.side == Player::First { "Red (capitals)" } else { "Black (small letters)" };
    let check = if game.in_check() { ", in check" } else { "" };
    let _ = writeln!(out, "{side} to move{check}");
    out
}
