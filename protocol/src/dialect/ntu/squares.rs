//! Positions, set-ups and moves as the NTU protocol writes them: files A to E, rank 1 where our
//! rank 5 is, so that the rank is the row from our top.

use crate::dialect::{DialectError, refuse};
use crate::einstein::{CELLS, EinStein, SIDE, home};
use crate::game::Player;
use crate::text::excerpt;
use std::fmt::Write as _;

/// A square, by its number from the top left.
fn square(text: &str) -> Option<u8> {
    let &[file, rank] = text.as_bytes() else { return None };
    let column = file.to_ascii_uppercase().checked_sub(b'A')?;
    let row = rank.checked_sub(b'1')?;
    (column < SIDE as u8 && row < SIDE as u8).then_some(row * SIDE as u8 + column)
}

fn name(square: u8) -> String {
    let (row, column) = (square / SIDE as u8, square % SIDE as u8);
    [char::from(b'A' + column), char::from(b'1' + row)].into_iter().collect()
}

/// The number of a square in the core's notation, and back: ranks 5 to 1 are rows 0 to 4.
fn core_square(text: &str) -> Option<u8> {
    let &[file, rank] = text.as_bytes() else { return None };
    let column = file.checked_sub(b'a')?;
    let row = b'5'.checked_sub(rank)?;
    (column < SIDE as u8 && row < SIDE as u8).then_some(row * SIDE as u8 + column)
}

fn core_name(square: u8) -> String {
    let (row, column) = (square / SIDE as u8, square % SIDE as u8);
    [char::from(b'a' + column), char::from(b'5' - row)].into_iter().collect()
}

/// The player of a colour.
pub(super) fn player(text: &str) -> Result<Player, DialectError> {
    match text {
        "R" | "r" => Ok(Player::First),
        "B" | "b" => Ok(Player::Second),
        _ => refuse(format!("expected a colour, R or B, found `{}`", excerpt(text))),
    }
}

/// The colour of a player.
pub(super) fn colour(player: Player) -> char {
    if player == Player::First { 'R' } else { 'B' }
}

/// Reads what follows `get`; gives the FEN.
pub(super) fn read_position(rest: &str) -> Result<String, DialectError> {
    const FORM: &str = "expected `get R 6 b1 .. b6 r1 .. r6`: colour, die, squares of the blue \
                        stones 1 to 6, then of the red ones, 0 for one that is gone";
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [side, die, stones @ ..] = words.as_slice() else {
        return refuse(format!("{FORM}, found `{}`", excerpt(rest)));
    };
    let player = player(side)?;
    if stones.len() != 12 || !matches!(die.parse::<u8>(), Ok(1..=6)) {
        return refuse(format!("{FORM}, found `{}`", excerpt(rest)));
    }
    let mut cells = [None; CELLS];
    for (i, text) in stones.iter().enumerate() {
        if *text == "0" {
            continue;
        }
        let letter = if i < 6 { b'a' + i as u8 } else { b'A' + (i - 6) as u8 };
        let Some(at) = square(text) else {
            return refuse(format!("`{}` is no square A1 to E5 and not 0", excerpt(text)));
        };
        if cells[usize::from(at)].replace(char::from(letter)).is_some() {
            return refuse(format!("two stones on {text}"));
        }
    }
    let rows: Vec<String> = cells.chunks(SIDE).map(write_row).collect();
    let side = if player == Player::First { 'u' } else { 'l' };
    Ok(format!("{} {side} {die}", rows.join("/")))
}

fn write_row(cells: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for cell in cells.iter().chain([&Some('/')]) {
        match cell {
            None => empty += 1,
            Some(c) => {
                if empty > 0 {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{empty}");
                }
                empty = 0;
                text.push(*c);
            }
        }
    }
    text.pop();
    text
}

/// The whole question.
pub(super) fn write_position(state: &EinStein, player: Player, die: u8) -> String {
    let stones = |p: Player| {
        state.squares(p).map(|at| match usize::from(at) < CELLS {
            true => name(at),
            false => "0".into(),
        })
    };
    let (blue, red) = (stones(Player::Second).join(" "), stones(Player::First).join(" "));
    format!("get {} {die} {blue} {red}", colour(player))
}

/// The squares of the stones 1 to 6 for the core's set-up token, which lists the numbers on the home
/// squares.
pub(super) fn write_set_up(token: &str, player: Player) -> Option<String> {
    let squares = ('1'..='6').map(|number| {
        let at = token.chars().position(|c| c == number)?;
        home(player).get(at).map(|&square| name(square))
    });
    squares.collect::<Option<Vec<_>>>().map(|s| s.join(" "))
}

/// The core's set-up token; `None` unless the six home squares are named, each once.
pub(super) fn read_set_up(line: &str, player: Player) -> Option<String> {
    let squares = line.split_whitespace().map(square).collect::<Option<Vec<u8>>>()?;
    if squares.len() != 6 {
        return None;
    }
    let numbers = home(player).map(|at| squares.iter().position(|&s| s == at).map(|i| i + 1));
    numbers.into_iter().map(|n| Some(n?.to_string())).collect()
}

/// A move: two squares with a blank between them.
pub(super) fn write_move(token: &str) -> Option<String> {
    let (from, to) = token.split_at_checked(2)?;
    Some(format!("{} {}", name(core_square(from)?), name(core_square(to)?)))
}

/// The core's token of a move.
pub(super) fn read_move(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().map(square);
    match (words.next(), words.next(), words.next()) {
        (Some(Some(from)), Some(Some(to)), None) => Some(core_name(from) + &core_name(to)),
        _ => None,
    }
}
