//! Move tokens and the text board.

use super::board::{CELLS, EinSteinMove, Layout, SIDE};
use super::state::{EinStein, Stage};
use crate::board_text::{self, read_squares};
use crate::game::{Game, MoveError, Outcome, Player, Turn};
use crate::phrase::phrase;

fn square_name(square: u8) -> String {
    let (row, column) = (square / SIDE as u8, square % SIDE as u8);
    format!("{}{}", char::from(b'a' + column), SIDE as u8 - row)
}

/// The canonical token.
pub fn token(m: EinSteinMove) -> String {
    match m {
        EinSteinMove::Roll(die) => die.to_string(),
        EinSteinMove::Step { from, to } => square_name(from) + &square_name(to),
        EinSteinMove::SetUp(layout) => layout.numbers().iter().map(u8::to_string).collect(),
    }
}

/// The human-readable form: with a hyphen, or an `x` for a capture.
pub fn for_people(state: &EinStein, m: EinSteinMove) -> String {
    let EinSteinMove::Step { from, to } = m else { return token(m) };
    let takes = usize::from(to) < CELLS && state.owner(to).is_some();
    format!("{}{}{}", square_name(from), if takes { 'x' } else { '-' }, square_name(to))
}

/// Reads a token and checks that it is legal.
pub fn parse(state: &EinStein, text: &str) -> Result<EinSteinMove, MoveError> {
    let m = read(text).ok_or_else(|| {
        MoveError::syntax(
            text,
            phrase!(
                "expected a die `1` to `6`, a move such as `b2c3`, or a set-up of the six digits 1 to 6 such as `261345`"
            ),
        )
    })?;
    if state.is_legal(m) {
        return Ok(m);
    }
    let reason = match (state.turn(), state.stage()) {
        (Turn::Over(_), _) => phrase!("the game is over"),
        (_, Stage::SetUp(_)) => phrase!("a set-up is due"),
        (_, Stage::Reveal) => phrase!("the first player's set-up is to be revealed"),
        (_, Stage::Roll(_)) => phrase!("a roll of the die is due"),
        (_, Stage::Decide(player, die)) => {
            let who = match player {
                Player::First => phrase!("upper-left"),
                Player::Second => phrase!("lower-right"),
            };
            phrase!("not a move of the {who} player with a {die}", who, die)
        }
    };
    Err(MoveError::illegal(text, reason))
}

fn read(text: &str) -> Option<EinSteinMove> {
    if let [die @ b'1'..=b'6'] = *text.as_bytes() {
        return Some(EinSteinMove::Roll(die - b'0'));
    }
    if let Ok(digits) = <[u8; 6]>::try_from(text.as_bytes())
        && let Some(layout) = Layout::from_numbers(digits.map(|byte| byte.wrapping_sub(b'0')))
    {
        return Some(EinSteinMove::SetUp(layout));
    }
    match read_squares(text, square).ok()?[..] {
        [from, to] => Some(EinSteinMove::Step { from, to }),
        _ => None,
    }
}

/// The square of a file, from 0, and a rank.
fn square(file: usize, rank: usize) -> Option<u8> {
    let row = SIDE.checked_sub(rank)?;
    (file < SIDE && row < SIDE).then_some((row * SIDE + file) as u8)
}

/// A text board: the first player's stones as A1 to A6, the second's as b1 to b6.
pub fn diagram(state: &EinStein) -> String {
    let stone = |file, rank| match state.cells()[(SIDE - 1 - rank) * SIDE + file] {
        0 => ".".to_string(),
        cell @ 1..=6 => format!("A{cell}"),
        cell => format!("b{}", cell - 6),
    };
    let board = board_text::diagram((SIDE, SIDE), 1, 3, stone);
    let name = |p: Player| match p {
        Player::First => "A (upper left, towards e1)",
        Player::Second => "b (lower right, towards a5)",
    };
    let state_line = match (state.turn(), state.stage()) {
        (Turn::Over(Outcome::Win(p)), _) => format!("{} has won", name(p)),
        (_, Stage::SetUp(p)) => format!("{} sets up", name(p)),
        (_, Stage::Reveal) => "the set-up of A is revealed".to_string(),
        (_, Stage::Roll(p)) => format!("{} rolls", name(p)),
        (_, Stage::Decide(p, die)) => format!("{} moves with a {die}", name(p)),
    };
    format!("{board}{state_line}\n")
}
