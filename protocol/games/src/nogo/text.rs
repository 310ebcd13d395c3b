//! Positions, moves and boards as text. A FEN has the ranks from the top, `X` for Black, `O` for
//! White, digits for empty points, then `x` or `o` for the side to move. Moves are Go coordinates,
//! `a1` to `j9` without the letter `i`.

use super::{NoGo, NoGoPoint, SIDE};
use crate::board_text::{self, BoardFormat, read_squares};
use crate::game::{Game, MoveError, Player};
use crate::phrase::phrase;

const FORMAT: BoardFormat =
    BoardFormat { files: SIDE..=SIDE, ranks: SIDE..=SIDE, first_rank: 1, letters: "XO" };

pub(super) fn parse_fen(fen: &str) -> Result<NoGo, String> {
    let mut fields = fen.split_whitespace();
    let board = fields.next().ok_or("it is empty; expected a board and `x` or `o`")?;
    let board = FORMAT.read(board, |c| "XO".find(c.to_ascii_uppercase()))?;
    let side = board_text::read_side(fields.next(), "xX", "oO")?;
    if let Some(extra) = fields.next() {
        return Err(format!("unexpected `{extra}` after the side to move"));
    }
    let mut stones = [0; 2];
    for (column, row, player) in board.pieces {
        stones[player] |= NoGoPoint::new(column, row).map_or(0, NoGoPoint::bit);
    }
    NoGo::new(stones, side).ok_or_else(|| "a group has no liberty".into())
}

pub(super) fn fen(game: &NoGo) -> String {
    let piece = |column, row| Some(letter(game, column, row)).filter(|&c| c != '.');
    let side = if game.side_to_move() == Player::First { 'x' } else { 'o' };
    format!("{} {side}", board_text::write_board(SIDE, SIDE, piece))
}

fn letter(game: &NoGo, column: usize, row: usize) -> char {
    let bit = NoGoPoint::new(column, row).map_or(0, NoGoPoint::bit);
    let stone = Player::BOTH.into_iter().find(|&player| game.stones(player) & bit != 0);
    stone.map_or('.', |player| ['X', 'O'][player.index()])
}

pub(super) fn parse_move(game: &NoGo, text: &str) -> Result<NoGoPoint, MoveError> {
    let point = |column: usize, row: usize| match column {
        8 => None,
        _ => NoGoPoint::new(column - usize::from(column > 8), row.wrapping_sub(1)),
    };
    let points = read_squares(text, point).unwrap_or_default();
    let &[m] = points.as_slice() else {
        return Err(MoveError::syntax(
            text,
            phrase!("expected a point from a1 to j9 without i, as `e5`"),
        ));
    };
    if game.is_legal(m) {
        return Ok(m);
    }
    let us = game.side_to_move();
    let reason = if game.empty() & m.bit() == 0 {
        phrase!("there is a stone")
    } else if game.legal() == 0 {
        phrase!("the game is over")
    } else if game.atari[us.opponent().index()] & m.bit() != 0 {
        phrase!("it captures")
    } else {
        phrase!("it is suicide")
    };
    Err(MoveError::illegal(text, reason))
}

/// Draws the board for a terminal.
pub(super) fn diagram(game: &NoGo) -> String {
    let board = board_text::diagram((SIDE, SIDE), 1, 1, |c, r| letter(game, c, r));
    let side = if game.side_to_move() == Player::First { "Black (X)" } else { "White (O)" };
    format!("{}{side} to move\n", board.replace(" h i", " h j"))
}
