//! Positions as text: rows from the top, `X` Black (who moves first), `O` White, numbers of empty
//! points, then `x` or `o` for the side to move. Reading also takes `B` and `W`, in either case.

use super::{Connect6, MAX_SIZE, MIN_SIZE, Point};
use crate::game::{FenError, Player};
use std::fmt::Write;

/// Reads a position. Any number of stones of either colour is accepted: positions are set up by
/// hand too.
pub fn parse(fen: &str) -> Result<Connect6, FenError> {
    parse_fields(fen).map_err(|reason| FenError::new(fen, reason))
}

fn parse_fields(fen: &str) -> Result<Connect6, String> {
    let mut fields = fen.split_whitespace();
    let board = fields.next().ok_or("it is empty; a board and `x` or `o` are needed")?;
    let side = match fields.next() {
        Some(text) => match text.chars().next().filter(|_| text.len() == 1).and_then(colour) {
            Some(player) => player,
            None => return Err(format!("side to move `{text}`, expected `x` or `o`")),
        },
        None => return Err("the side to move is missing; `x` or `o` must follow the board".into()),
    };
    if let Some(extra) = fields.next() {
        return Err(format!("unexpected `{extra}` after the side to move"));
    }
    let rows: Vec<&str> = board.split('/').collect();
    let size = rows.len();
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Err(format!("{size} rows, expected {MIN_SIZE} to {MAX_SIZE}"));
    }
    let mut game = Connect6::empty_board(size, side);
    for (i, text) in rows.iter().enumerate() {
        parse_row(text, size - 1 - i, &mut game).map_err(|e| format!("row {}: {e}", i + 1))?;
    }
    if side == Player::Second && game.empty_points() == size * size {
        return Err("the board is empty and White is to move; Black begins".into());
    }
    let winners: Vec<Player> = game.winners().collect();
    match winners[..] {
        [] => {}
        [winner] => game.winner = Some(winner),
        _ => return Err("both sides have six in a row".into()),
    }
    Ok(game)
}

fn colour(c: char) -> Option<Player> {
    match c {
        'X' | 'x' | 'B' | 'b' => Some(Player::First),
        'O' | 'o' | 'W' | 'w' => Some(Player::Second),
        _ => None,
    }
}

fn parse_row(text: &str, row: usize, game: &mut Connect6) -> Result<(), String> {
    let size = game.size();
    let (mut column, mut rest) = (0, text);
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let run = rest[..digits].parse::<usize>().unwrap_or(usize::MAX);
            if run == 0 || run > MAX_SIZE {
                return Err(format!("`{}`: expected 1 to {size}", &rest[..digits]));
            }
            column += run;
            rest = &rest[digits..];
        } else {
            let player = colour(c);
            if player.is_none() && c != '.' {
                let at = column + 1;
                return Err(format!("`{c}` at column {at}: expected `X`, `O` or a number"));
            }
            if column < size
                && let (Some(player), Some(point)) = (player, Point::new(column, row))
            {
                game.toggle(player, point);
                game.empty -= 1;
            }
            column += 1;
            rest = &rest[c.len_utf8()..];
        }
    }
    if column != size {
        return Err(format!("`{text}` has {column} points; there are {size} rows, so {size} fit"));
    }
    Ok(())
}

/// The canonical text.
pub fn print(game: &Connect6) -> String {
    let size = game.size();
    let mut out = String::new();
    for row in (0..size).rev() {
        let mut run = 0;
        for column in 0..size {
            let letter = letter(game, column, row);
            if letter == '.' {
                run += 1;
                continue;
            }
            if run > 0 {
                let _ = write!(out, "{run}");
                run = 0;
            }
            out.push(letter);
        }
        if run > 0 {
            let _ = write!(out, "{run}");
        }
        out.push(if row > 0 { '/' } else { ' ' });
    }
    out.push(if game.side_to_move() == Player::First { 'x' } else { 'o' });
    out
}

fn letter(game: &Connect6, column: usize, row: usize) -> char {
    if game.has(Player::First, column, row) {
        'X'
    } else if game.has(Player::Second, column, row) {
        'O'
    } else {
        '.'
    }
}

/// The board for a terminal.
pub fn diagram(game: &Connect6) -> String {
    let size = game.size();
    let mut out = String::new();
    for row in (0..size).rev() {
        let _ = write!(out, "{:2} ", row + 1);
        for column in 0..size {
            let _ = write!(out, " {}", letter(game, column, row));
        }
        out.push('\n');
    }
    out.push_str("   ");
    for column in 0..size {
        let _ = write!(out, " {}", char::from(b'a' + column as u8));
    }
    let side = if game.side_to_move() == Player::First { "Black (X)" } else { "White (O)" };
    let _ = write!(out, "\n{side} to move\n");
    out
}
