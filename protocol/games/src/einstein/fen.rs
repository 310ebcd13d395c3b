//! The FEN, described in the parent module.

use super::board::{SIDE, home};
use super::rules::EinSteinRules;
use super::state::{EinStein, Stage};
use crate::board_text::{self, BoardFormat};
use crate::game::{FenError, Player};

const FORMAT: BoardFormat =
    BoardFormat { files: SIDE..=SIDE, ranks: SIDE..=SIDE, first_rank: 1, letters: "A-F, a-f" };

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
    let player = board_text::read_side(Some(side), "uU", "lL").map_err(bad)?;
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
    place_stones(&mut state, rows).map_err(bad)?;
    check_stage(&mut state).map_err(bad)?;
    Ok(state)
}

fn place_stones(state: &mut EinStein, board: &str) -> Result<(), String> {
    let stone = |c: char| match c {
        'A'..='F' => Some((Player::First, c)),
        'a'..='f' => Some((Player::Second, c)),
        _ => None,
    };
    for (column, rank, (player, letter)) in FORMAT.read(board, stone)?.pieces {
        let number = letter.to_ascii_uppercase() as u8 - b'A' + 1;
        let square = ((SIDE - 1 - rank) * SIDE + column) as u8;
        state
            .place_checked(player, number, square)
            .map_err(|_| format!("a second stone `{letter}`, in rank {}", rank + 1))?;
    }
    Ok(())
}

/// Checks that the stones fit the stage; sets the winner if the game is over.
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
    let letter = |column, rank| match state.cells()[(SIDE - 1 - rank) * SIDE + column] {
        0 => None,
        cell @ 1..=6 => Some(char::from(b'A' + cell - 1)),
        cell => Some(char::from(b'a' + cell - 7)),
    };
    let board = board_text::write_board(SIDE, SIDE, letter);
    let side = if state.player() == Player::First { 'u' } else { 'l' };
    let what = match state.stage() {
        Stage::SetUp(_) => "setup".into(),
        Stage::Reveal => "reveal".into(),
        Stage::Roll(_) => "-".into(),
        Stage::Decide(_, die) => die.to_string(),
    };
    format!("{board} {side} {what}")
}
