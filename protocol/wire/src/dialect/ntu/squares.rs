//! Positions, set-ups and moves in the notation of the NTU protocol: files A to E, with rank 1 at
//! our rank 5, so that the rank is the row from our top.

use crate::dialect::squares::{self, FileRow, places};
use crate::dialect::{DialectError, refuse};
use agon_games::board_text::write_board;
use agon_games::einstein::{CELLS, EinStein, SIDE, home};
use agon_games::game::Player;
use agon_games::text::excerpt;

/// Parses a square such as `A1` to its index from the top left.
fn square(text: &str) -> Option<u8> {
    match places(text)?[..] {
        [(column, row)] if column < SIDE as u8 && row < SIDE as u8 => {
            Some(row * SIDE as u8 + column)
        }
        _ => None,
    }
}

fn name(square: u8) -> String {
    squares::square((square % SIDE as u8, square / SIDE as u8)).to_ascii_uppercase()
}

/// The same square with its rank counted from the other side.
fn flip((column, row): FileRow) -> Option<FileRow> {
    Some((column, (SIDE as u8 - 1).checked_sub(row)?)).filter(|_| column < SIDE as u8)
}

/// The player with a colour.
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

/// Reads the arguments of `get` and returns the FEN.
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
    let board = write_board(SIDE, SIDE, |column, rank| cells[(SIDE - 1 - rank) * SIDE + column]);
    let side = if player == Player::First { 'u' } else { 'l' };
    Ok(format!("{board} {side} {die}"))
}

/// The whole request.
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

/// Converts the core's set-up token, which lists the numbers on the home squares, to the squares of
/// the stones 1 to 6.
pub(super) fn write_set_up(token: &str, player: Player) -> Option<String> {
    let squares = ('1'..='6').map(|number| {
        let at = token.chars().position(|c| c == number)?;
        home(player).get(at).map(|&square| name(square))
    });
    squares.collect::<Option<Vec<_>>>().map(|s| s.join(" "))
}

/// The core's set-up token; `None` unless each of the six home squares occurs once.
pub(super) fn read_set_up(line: &str, player: Player) -> Option<String> {
    let squares = line.split_whitespace().map(square).collect::<Option<Vec<u8>>>()?;
    if squares.len() != 6 {
        return None;
    }
    let numbers = home(player).map(|at| squares.iter().position(|&s| s == at).map(|i| i + 1));
    numbers.into_iter().map(|n| Some(n?.to_string())).collect()
}

/// A move: two squares separated by a blank.
pub(super) fn write_move(token: &str) -> Option<String> {
    let [from, to] = both(token)?;
    Some(format!("{from} {to}").to_ascii_uppercase())
}

/// The core's token of a move.
pub(super) fn read_move(line: &str) -> Option<String> {
    both(line).map(|squares| squares.concat())
}

/// The two squares of a move, with ranks counted from the other side.
fn both(text: &str) -> Option<[String; 2]> {
    let [from, to] = <[FileRow; 2]>::try_from(places(text)?).ok()?;
    Some([squares::square(flip(from)?), squares::square(flip(to)?)])
}
