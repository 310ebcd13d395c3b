//! Turns in Little Golem's notation: `j10` for one stone, `k9l8` for two. The parser also accepts
//! `K9,L8`, `k9-l8` and similar forms.

use super::{Connect6, Connect6Move, Point};
use crate::board_text::read_squares;
use crate::game::MoveError;
use crate::phrase::{Phrase, phrase};

/// Reads a turn and checks that it is legal in `game`.
pub fn parse(game: &Connect6, text: &str) -> Result<Connect6Move, MoveError> {
    let points = read_points(text).map_err(|reason| MoveError::syntax(text, reason))?;
    let m = match points[..] {
        [a] => Connect6Move::one(a),
        [a, b] => Connect6Move::two(a, b),
        _ => {
            let n = points.len();
            return Err(MoveError::syntax(
                text,
                phrase!("{n} points given; {form}", n, form = form()),
            ));
        }
    };
    explain(game, m).map_err(|reason| MoveError::illegal(text, reason))?;
    Ok(m)
}

fn form() -> Phrase {
    phrase!("expected one point or two, as in `j10` or `k9l8`")
}

/// Reads points (each a letter `a` to `s` and a number 1 to 19), separated by nothing or by any of
/// `,-/ `.
///
/// # Errors
/// The text that is not a point, and the expected form.
pub fn read_points(text: &str) -> Result<Vec<Point>, Phrase> {
    read_squares(text, |column, row| Point::new(column, row.wrapping_sub(1))).map_err(|found| {
        phrase!(
            "`{found}` is not a point (a letter a to s and a number 1 to 19); {form}",
            found,
            form = form()
        )
    })
}

/// Explains why a turn is illegal.
fn explain(game: &Connect6, m: Connect6Move) -> Result<(), Phrase> {
    if game.is_over() {
        return Err(phrase!("the game is over"));
    }
    for point in m.stones() {
        let size = game.size();
        if !game.contains(point) {
            return Err(phrase!(
                "{square} is not on this {columns}x{rows} board",
                square = point,
                columns = size,
                rows = size
            ));
        }
        if game.stone(point).is_some() {
            return Err(phrase!("there is a stone on {point}", point));
        }
    }
    if m.second == Some(m.first) {
        return Err(phrase!("both stones on {point}", point = m.first));
    }
    match (m.second, game.stones_due()) {
        (Some(_), 1) if game.empty_points() == 1 => Err(phrase!("only one point is empty")),
        (Some(_), 1) => Err(phrase!("the first turn of a game has one stone")),
        (None, 2) if !game.makes_six(game.side_to_move(), m.first) => {
            Err(phrase!("a turn has two stones, unless the first one makes six in a row"))
        }
        _ => Ok(()),
    }
}
