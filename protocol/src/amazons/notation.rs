//! Moves as text: `d1d7,d7g7` for programs, the human-readable `d1-d7/g7`; the parser accepts both
//! and mixed forms.

use super::Amazons;
use super::geometry::queen_line;
use super::square::{AmazonsMove, AmazonsSquare};
use crate::board_text::read_squares;
use crate::game::{MoveError, Player, Turn};

/// Reads a move and checks that it is legal in `game`.
pub fn parse(game: &Amazons, text: &str) -> Result<AmazonsMove, MoveError> {
    let m = read(text).map_err(|reason| MoveError::syntax(text, reason))?;
    explain(game, m).map_err(|reason| MoveError::illegal(text, reason))?;
    Ok(m)
}

const FORM: &str = "expected from, to and arrow squares, as in `d1d7,d7g7` or `d1-d7/g7`";

fn read(text: &str) -> Result<AmazonsMove, String> {
    let squares = read_squares(text, |column, row| AmazonsSquare::new(column, row.wrapping_sub(1)));
    let squares = squares.map_err(|found| {
        format!("`{found}` is not a square (a file a to j and a rank 1 to 10); {FORM}")
    })?;
    match squares[..] {
        [from, to, arrow] => Ok(AmazonsMove { from, to, arrow }),
        [from, to, again, arrow] if to == again => Ok(AmazonsMove { from, to, arrow }),
        [_, to, other, _] => Err(format!(
            "the arrow must be shot from {to}, where the amazon went, not from {other}"
        )),
        _ => Err(format!("{} squares given; {FORM}", squares.len())),
    }
}

/// Explains why a move is illegal.
fn explain(game: &Amazons, m: AmazonsMove) -> Result<(), String> {
    if let Turn::Over(_) = game.turn_now() {
        return Err("the game is over".into());
    }
    for square in [m.from, m.to, m.arrow] {
        if game.board() & square.bit() == 0 {
            return Err(format!(
                "{square} is not on this {}x{} board",
                game.columns(),
                game.rows()
            ));
        }
    }
    let us = game.side_to_move();
    if game.amazons(us) & m.from.bit() == 0 {
        return Err(format!(
            "{} to move has no amazon on {}, {}",
            side(us),
            m.from,
            on(game, m.from)
        ));
    }
    slide(game, "amazon", m.from, m.to, 0)?;
    slide(game, "arrow", m.to, m.arrow, m.from.bit())
}

/// Checks one slide; `left` is the square that the amazon has just left.
fn slide(
    game: &Amazons,
    what: &str,
    from: AmazonsSquare,
    to: AmazonsSquare,
    left: u128,
) -> Result<(), String> {
    let Some(((columns, rows), length)) = queen_line(from, to) else {
        return Err(format!("no queen line leads the {what} from {from} to {to}"));
    };
    let blocked = game.blocked() & !left;
    for k in 1..=length as isize {
        let column = from.column() as isize + columns * k;
        let row = from.row() as isize + rows * k;
        let Some(at) = AmazonsSquare::new(column as usize, row as usize) else { break };
        if blocked & at.bit() != 0 {
            return Err(format!(
                "the {what}'s path {from}-{to} is blocked at {at}, {}",
                on(game, at)
            ));
        }
    }
    Ok(())
}

fn side(player: Player) -> &'static str {
    if player == Player::First { "White" } else { "Black" }
}

/// The content of a square, as a clause.
fn on(game: &Amazons, square: AmazonsSquare) -> &'static str {
    if game.white() & square.bit() != 0 {
        "where a white amazon stands"
    } else if game.black() & square.bit() != 0 {
        "where a black amazon stands"
    } else if game.arrows() & square.bit() != 0 {
        "where an arrow stands"
    } else {
        "which is empty"
    }
}
