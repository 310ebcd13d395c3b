//! Moves as text: `d1d7,d7g7` for programs, the human-readable `d1-d7/g7`; the parser accepts both
//! and mixed forms.

use super::Amazons;
use super::geometry::queen_line;
use super::square::{AmazonsMove, AmazonsSquare};
use crate::board_text::read_squares;
use crate::game::{MoveError, Player, Turn};
use crate::phrase::{Phrase, phrase};

/// Reads a move and checks that it is legal in `game`.
pub fn parse(game: &Amazons, text: &str) -> Result<AmazonsMove, MoveError> {
    let m = read(text).map_err(|reason| MoveError::syntax(text, reason))?;
    explain(game, m).map_err(|reason| MoveError::illegal(text, reason))?;
    Ok(m)
}

fn form() -> Phrase {
    phrase!("expected from, to and arrow squares, as in `d1d7,d7g7` or `d1-d7/g7`")
}

fn read(text: &str) -> Result<AmazonsMove, Phrase> {
    let squares = read_squares(text, |column, row| AmazonsSquare::new(column, row.wrapping_sub(1)));
    let squares = squares.map_err(|found| {
        phrase!(
            "`{found}` is not a square (a file a to j and a rank 1 to 10); {form}",
            found,
            form = form()
        )
    })?;
    match squares[..] {
        [from, to, arrow] => Ok(AmazonsMove { from, to, arrow }),
        [from, to, again, arrow] if to == again => Ok(AmazonsMove { from, to, arrow }),
        [_, to, other, _] => Err(phrase!(
            "the arrow must be shot from {to}, where the amazon went, not from {other}",
            to,
            other
        )),
        _ => Err(phrase!("{n} squares given; {form}", n = squares.len(), form = form())),
    }
}

/// Explains why a move is illegal.
fn explain(game: &Amazons, m: AmazonsMove) -> Result<(), Phrase> {
    if let Turn::Over(_) = game.turn_now() {
        return Err(phrase!("the game is over"));
    }
    for square in [m.from, m.to, m.arrow] {
        if game.board() & square.bit() == 0 {
            return Err(phrase!(
                "{square} is not on this {columns}x{rows} board",
                square,
                columns = game.columns(),
                rows = game.rows()
            ));
        }
    }
    let us = game.side_to_move();
    if game.amazons(us) & m.from.bit() == 0 {
        return Err(phrase!(
            "{side} to move has no amazon on {square}, {content}",
            side = side(us),
            square = m.from,
            content = on(game, m.from)
        ));
    }
    slide(game, &phrase!("amazon"), m.from, m.to, 0)?;
    slide(game, &phrase!("arrow"), m.to, m.arrow, m.from.bit())
}

/// Checks one slide; `left` is the square that the amazon has just left.
fn slide(
    game: &Amazons,
    what: &Phrase,
    from: AmazonsSquare,
    to: AmazonsSquare,
    left: u128,
) -> Result<(), Phrase> {
    let Some(((columns, rows), length)) = queen_line(from, to) else {
        return Err(phrase!("no queen line leads the {what} from {from} to {to}", what, from, to));
    };
    let blocked = game.blocked() & !left;
    for k in 1..=length as isize {
        let column = from.column() as isize + columns * k;
        let row = from.row() as isize + rows * k;
        let Some(at) = AmazonsSquare::new(column as usize, row as usize) else { break };
        if blocked & at.bit() != 0 {
            return Err(phrase!(
                "the {what}'s path {from}-{to} is blocked at {at}, {content}",
                what,
                from,
                to,
                at,
                content = on(game, at)
            ));
        }
    }
    Ok(())
}

fn side(player: Player) -> Phrase {
    if player == Player::First { phrase!("White") } else { phrase!("Black") }
}

/// The content of a square, as a clause.
fn on(game: &Amazons, square: AmazonsSquare) -> Phrase {
    if game.white() & square.bit() != 0 {
        phrase!("where a white amazon stands")
    } else if game.black() & square.bit() != 0 {
        phrase!("where a black amazon stands")
    } else if game.arrows() & square.bit() != 0 {
        phrase!("where an arrow stands")
    } else {
        phrase!("which is empty")
    }
}
