//! Positions as text: ranks from the top, `X` Black (who moves first), `O` White, numbers for empty
//! points, then `x` or `o` for the side to move. `B` and `W` are also read, in either case.

use super::{Connect6, MAX_SIZE, MIN_SIZE, Point};
use crate::board_text::{self, BoardFormat};
use crate::game::{FenError, Player};

const FORMAT: BoardFormat = BoardFormat {
    files: MIN_SIZE..=MAX_SIZE,
    ranks: MIN_SIZE..=MAX_SIZE,
    first_rank: 1,
    letters: "XO",
};
/// All accepted letters for Black and White.
const LETTERS: [&str; 2] = ["xXbB", "oOwW"];

/// Reads a position. Any number of stones of either colour is accepted, so that positions can be
/// set up by hand.
pub fn parse(fen: &str) -> Result<Connect6, FenError> {
    parse_fields(fen).map_err(|reason| FenError::new(fen, reason))
}

fn parse_fields(fen: &str) -> Result<Connect6, String> {
    let mut fields = fen.split_whitespace();
    let board = fields.next().ok_or("it is empty; expected a board and `x` or `o`")?;
    let colour = |c| Player::BOTH.into_iter().find(|p| LETTERS[p.index()].contains(c));
    let board = FORMAT.read(board, colour)?;
    let size = board.ranks;
    if board.files != size {
        return Err(format!("{size} ranks of {} points, expected as many", board.files));
    }
    let side = board_text::read_side(fields.next(), LETTERS[0], LETTERS[1])?;
    if let Some(extra) = fields.next() {
        return Err(format!("unexpected `{extra}` after the side to move"));
    }
    let mut game = Connect6::empty_board(size, side);
    for (column, row, player) in board.pieces {
        if let Some(point) = Point::new(column, row) {
            game.toggle(player, point);
            game.empty -= 1;
        }
    }
    if side == Player::Second && game.empty_points() == size * size {
        return Err("the board is empty and White is to move; Black begins".into());
    }
    let winners: Vec<Player> = game.winners().collect();
    match winners[..] {
        [] => {}
        [winner] => game.winner = Some(winner),
        _ => return Err("both sides have six in a row".into()),
    }
    Ok(game)
}

/// The canonical text.
pub fn print(game: &Connect6) -> String {
    let piece = |column, row| Some(letter(game, column, row)).filter(|&c| c != '.');
    let board = board_text::write_board(game.size(), game.size(), piece);
    let side = if game.side_to_move() == Player::First { 'x' } else { 'o' };
    format!("{board} {side}")
}

fn letter(game: &Connect6, column: usize, row: usize) -> char {
    let stone = Player::BOTH.into_iter().find(|&player| game.has(player, column, row));
    stone.map_or('.', |player| ['X', 'O'][player.index()])
}

/// Draws the board for a terminal.
pub fn diagram(game: &Connect6) -> String {
    let size = (game.size(), game.size());
    let board = board_text::diagram(size, 1, 1, |column, row| letter(game, column, row));
    let side = if game.side_to_move() == Player::First { "Black (X)" } else { "White (O)" };
    format!("{board}{side} to move\n")
}
