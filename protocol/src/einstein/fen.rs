//! The FEN: described in the module above.

use super::board::{CELLS, SIDE, home};
use super::rules::EinSteinRules;
use super::state::{EinStein, Stage};
use crate::game::{FenError, Player};

/// Reads a position.
pub fn parse(text: &str, rules: &EinSteinRules) -> Result<EinStein, FenError> {
    let bad = |reason: String| FenError::new(text, reason);
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[rows, side, what] = fields.as_slice() else {
        return Err(bad(format!(
            "{} fields; expected three: rows, player to move, die, as in `ABC2/DE3/F3f/3ed/2cba u -`",
            fields.len()
        )));
    };
    let player = match side {
        "u" | "U" => Player::First,
        "l" | "L" => Player::Second,
        _ => return Err(bad(format!("player to move `{side}`: expected `u` or `l`"))),
    };
    let stage = match what {
        "-" => Stage::Roll(player),
        "setup" => Stage::SetUp(player),
        "reveal" if player == Player::First => Stage::Reveal,
        _ => match what.parse() {
            Ok(die @ 1..=6) => Stage::Decide(player, die),
            _ => {
                return Err(bad(format!(
                    "die `{what}`: expected 1 to 6, `-` before the roll, or `setup`"
                )));
            }
        },
    };
    let mut state = EinStein::empty(stage, rules.missing_die);
    place_rows(&mut state, rows).map_err(bad)?;
    check_stage(&mut state).map_err(bad)?;
    Ok(state)
}

fn place_rows(state: &mut EinStein, rows: &str) -> Result<(), String> {
    let rows: Vec<&str> = rows.split('/').collect();
    if rows.len() != SIDE {
        return Err(format!("{} rows; expected five, joined by `/`", rows.len()));
    }
    for (row, text) in rows.iter().enumerate() {
        let rank = SIDE - row;
        let mut column = 0;
        for c in text.chars() {
            let (player, number) = match c {
                '1'..='5' => {
                    column += c as usize - '0' as usize;
                    continue;
                }
                'A'..='F' => (Player::First, c as u8 - b'A' + 1),
                'a'..='f' => (Player::Second, c as u8 - b'a' + 1),
                _ => return Err(format!("`{c}` in rank {rank}: expected A-F, a-f or 1-5")),
            };
            if column >= SIDE {
                return Err(format!("rank {rank} holds more than five squares"));
            }
            let square = (row * SIDE + column) as u8;
            state
                .place_checked(player, number, square)
                .map_err(|_| format!("a second stone `{c}`, in rank {rank}"))?;
            column += 1;
        }
        if column != SIDE {
            return Err(format!("rank {rank} holds {column} squares; expected five"));
        }
    }
    Ok(())
}

/// The stones must fit the stage; sets the winner where the game is over.
fn check_stage(state: &mut EinStein) -> Result<(), String> {
    let at_home = |state: &EinStein, player: Player| {
        state.alive(player) == 63 && home(player).iter().all(|&s| state.owner(s) == Some(player))
    };
    let none = |state: &EinStein, player: Player| state.alive(player) == 0;
    let (first, second) = (Player::First, Player::Second);
    match state.stage() {
        Stage::SetUp(Player::First) => {
            if !none(state, first) || !none(state, second) {
                return Err("`u setup` takes an empty board".into());
            }
        }
        Stage::SetUp(Player::Second) => {
            if !none(state, second) || !(none(state, first) || at_home(state, first)) {
                return Err("`l setup` takes an empty board (the first player's set-up being \
                    concealed) or the first player's six stones at home"
                    .into());
            }
        }
        Stage::Reveal => {
            if !none(state, first) || !at_home(state, second) {
                return Err("`u reveal` takes the second player's six stones at home, and only \
                    those"
                    .into());
            }
        }
        Stage::Roll(_) => {
            let winner = state.find_winner().map_err(|e| e.to_string())?;
            state.set_winner(winner);
        }
        Stage::Decide(..) => {
            if state.find_winner().map_err(|e| e.to_string())?.is_some() {
                return Err("the game is over here, so the die must be `-`".into());
            }
        }
    }
    Ok(())
}

/// The canonical text.
pub fn print(state: &EinStein) -> String {
    let mut text = String::with_capacity(CELLS + 12);
    for (row, cells) in state.cells().chunks(SIDE).enumerate() {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for &cell in cells {
            if cell == 0 {
                empty += 1;
                continue;
            }
            push_count(&mut text, &mut empty);
            text.push(char::from(if cell <= 6 { b'A' + cell - 1 } else { b'a' + cell - 7 }));
        }
        push_count(&mut text, &mut empty);
    }
    text.push_str(if state.player() == Player::First { " u " } else { " l " });
    match state.stage() {
        Stage::SetUp(_) => text.push_str("setup"),
        Stage::Reveal => text.push_str("reveal"),
        Stage::Roll(_) => text.push('-'),
        Stage::Decide(_, die) => text.push(char::from(b'0' + die)),
    }
    text
}

fn push_count(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
