//! Positions as text: rows from the top, `Q` White (who moves first on the start position), `q`
//! Black, `*` an arrow, numbers of empty squares (10 is one number), then `w` or `b`.

use super::square::{MAX_SIDE, Square, Squares};
use super::{Amazons, geometry::board_mask};
use crate::game::{FenError, Player};
use std::fmt::Write;

/// The smallest number of rows and of columns.
const MIN_SIDE: usize = 4;
/// Amazons of each side: exactly this many on the 10x10 board, at most this many elsewhere.
const MAX_AMAZONS: u32 = 4;

/// What the placement field says: sets of squares, then rows and columns.
struct Placement {
    amazons: [u128; 2],
    arrows: u128,
    columns: usize,
    rows: usize,
}

/// Reads a position; see [`Amazons`] for what is accepted.
pub fn parse(fen: &str) -> Result<Amazons, FenError> {
    parse_fields(fen).map_err(|reason| FenError::new(fen, reason))
}

fn parse_fields(fen: &str) -> Result<Amazons, String> {
    let mut fields = fen.split_whitespace();
    let placement = fields.next().ok_or("it is empty; a board and `w` or `b` are needed")?;
    let placement = parse_placement(placement)?;
    check_amazons(&placement)?;
    let side = match fields.next() {
        Some("w") => Player::First,
        Some("b") => Player::Second,
        Some(other) => return Err(format!("side to move `{other}`, expected `w` or `b`")),
        None => return Err("the side to move is missing; `w` or `b` must follow the board".into()),
    };
    check_rest(&fields.collect::<Vec<_>>())?;
    let Placement { amazons, arrows, columns, rows } = placement;
    Ok(Amazons::from_parts(amazons, arrows, columns, rows, side))
}

/// Chess programs add castling, en passant and two counters, which mean nothing here.
fn check_rest(rest: &[&str]) -> Result<(), String> {
    let names = ["`-`", "`-`", "a number", "a number"];
    for (i, field) in rest.iter().enumerate() {
        let ok = match i {
            0 | 1 => *field == "-",
            2 | 3 => !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit()),
            _ => return Err(format!("unexpected field `{field}` after `w - - 0 1`")),
        };
        if !ok {
            return Err(format!(
                "field {} is `{field}`, expected {} or nothing",
                i + 3,
                names[i.min(3)]
            ));
        }
    }
    Ok(())
}

fn parse_placement(text: &str) -> Result<Placement, String> {
    let lines: Vec<&str> = text.split('/').collect();
    let rows = lines.len();
    if !(MIN_SIDE..=MAX_SIDE).contains(&rows) {
        return Err(format!("{rows} rows, expected {MIN_SIDE} to {MAX_SIDE}"));
    }
    let mut p = Placement { amazons: [0; 2], arrows: 0, columns: 0, rows };
    for (i, line) in lines.iter().enumerate() {
        let row = rows - 1 - i;
        let width = parse_row(line, row, &mut p)?;
        if i == 0 {
            p.columns = width;
        }
        if width != p.columns {
            return Err(format!(
                "row {} (rank {}), `{line}`, has {width} squares, the rows above have {}",
                i + 1,
                row + 1,
                p.columns
            ));
        }
    }
    if !(MIN_SIDE..=MAX_SIDE).contains(&p.columns) {
        return Err(format!("{} columns, expected {MIN_SIDE} to {MAX_SIDE}", p.columns));
    }
    Ok(p)
}

/// Reads one row into the sets and returns its width.
fn parse_row(line: &str, row: usize, p: &mut Placement) -> Result<usize, String> {
    let place =
        |column: usize| format!("row {} (rank {}), column {}", p.rows - row, row + 1, column + 1);
    let (mut column, mut rest) = (0, line);
    let (mut amazons, mut arrows) = (p.amazons, p.arrows);
    while let Some(c) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let run = rest[..digits].parse::<usize>().unwrap_or(usize::MAX);
            if run == 0 || run > MAX_SIDE {
                let at = place(column);
                return Err(format!("`{}` at {at}: expected 1 to {MAX_SIDE}", &rest[..digits]));
            }
            column += run;
            rest = &rest[digits..];
        } else {
            let bit = Square::new(column, row).map_or(0, Square::bit);
            match c {
                'Q' => amazons[0] |= bit,
                'q' => amazons[1] |= bit,
                '*' => arrows |= bit,
                _ => {
                    let at = place(column);
                    return Err(format!("`{c}` at {at}: expected `Q`, `q`, `*` or a number"));
                }
            }
            column += 1;
            rest = &rest[c.len_utf8()..];
        }
        if column > MAX_SIDE {
            return Err(format!("{}: the row is wider than {MAX_SIDE}", place(MAX_SIDE)));
        }
    }
    (p.amazons, p.arrows) = (amazons, arrows);
    Ok(column)
}

fn check_amazons(p: &Placement) -> Result<(), String> {
    let [white, black] = p.amazons.map(u128::count_ones);
    if p.columns == MAX_SIDE && p.rows == MAX_SIDE {
        if (white, black) != (MAX_AMAZONS, MAX_AMAZONS) {
            return Err(format!(
                "{white} white (`Q`) and {black} black (`q`) amazons, a 10x10 board has 4 of each"
            ));
        }
    } else if white != black || !(1..=MAX_AMAZONS).contains(&white) {
        return Err(format!(
            "{white} white (`Q`) and {black} black (`q`) amazons, a board smaller than 10x10 has \
             the same number of each, 1 to 4"
        ));
    }
    Ok(())
}

/// The canonical text.
pub fn print(game: &Amazons) -> String {
    let mut out = String::new();
    for row in (0..game.rows()).rev() {
        let mut run = 0;
        for column in 0..game.columns() {
            let piece = letter(game, column, row);
            if piece == '.' {
                run += 1;
                continue;
            }
            if run > 0 {
                let _ = write!(out, "{run}");
                run = 0;
            }
            out.push(piece);
        }
        if run > 0 {
            let _ = write!(out, "{run}");
        }
        out.push(if row > 0 { '/' } else { ' ' });
    }
    out.push(if game.side_to_move() == Player::First { 'w' } else { 'b' });
    out
}

/// What stands on a square: `Q`, `q`, `*` or `.`.
fn letter(game: &Amazons, column: usize, row: usize) -> char {
    let bit = Square::new(column, row).map_or(0, Square::bit);
    if game.white() & bit != 0 {
        'Q'
    } else if game.black() & bit != 0 {
        'q'
    } else if game.arrows() & bit != 0 {
        '*'
    } else {
        '.'
    }
}

/// The board for a terminal.
pub fn diagram(game: &Amazons) -> String {
    let mut out = String::new();
    for row in (0..game.rows()).rev() {
        let _ = write!(out, "{:2} ", row + 1);
        for column in 0..game.columns() {
            let _ = write!(out, " {}", letter(game, column, row));
        }
        out.push('\n');
    }
    out.push_str("   ");
    for file in Squares(board_mask(game.columns(), 1)) {
        let _ = write!(out, " {}", char::from(b'a' + file.column() as u8));
    }
    let side = if game.side_to_move() == Player::First { "White (Q)" } else { "Black (q)" };
    let _ = write!(out, "\n{side} to move\n");
    out
}
