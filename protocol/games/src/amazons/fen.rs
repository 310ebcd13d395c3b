//! Positions as text: ranks from the top, `Q` White (who moves first from the start position), `q`
//! Black, `*` an arrow, numbers for empty squares (10 is one number), then `w` or `b`.

use super::Amazons;
use super::square::{AmazonsSquare, MAX_SIDE};
use crate::board_text::{self, BoardFormat, ParsedBoard};
use crate::game::{FenError, Player};

const FORMAT: BoardFormat =
    BoardFormat { files: 4..=MAX_SIDE, ranks: 4..=MAX_SIDE, first_rank: 1, letters: "Qq*" };
/// Amazons per side: exactly this many on the 10x10 board, at most this many on other boards.
const MAX_AMAZONS: u32 = 4;

/// Reads a position; [`Amazons`] lists the accepted boards.
pub fn parse(fen: &str) -> Result<Amazons, FenError> {
    parse_fields(fen).map_err(|reason| FenError::new(fen, reason))
}

fn parse_fields(fen: &str) -> Result<Amazons, String> {
    let mut fields = fen.split_whitespace();
    let board = fields.next().ok_or("it is empty; expected a board and `w` or `b`")?;
    let ParsedBoard { files, ranks, pieces } = FORMAT.read(board, |c| "Qq*".find(c))?;
    let mut sets = [0; 3];
    for (file, row, kind) in pieces {
        sets[kind] |= AmazonsSquare::new(file, row).map_or(0, AmazonsSquare::bit);
    }
    let [white, black, arrows] = sets;
    check_amazons(files == MAX_SIDE && ranks == MAX_SIDE, white.count_ones(), black.count_ones())?;
    let side = board_text::read_side(fields.next(), "w", "b")?;
    check_rest(&fields.collect::<Vec<_>>())?;
    Ok(Amazons::from_parts([white, black], arrows, files, ranks, side))
}

/// Chess programs append castling, en passant and two counters, which have no meaning here.
fn check_rest(rest: &[&str]) -> Result<(), String> {
    for (i, field) in rest.iter().enumerate() {
        let is_number = field.bytes().all(|b| b.is_ascii_digit());
        let (ok, expected) = match i {
            0 | 1 => (*field == "-", "`-`"),
            2 | 3 => (is_number, "a number"),
            _ => return Err(format!("unexpected field `{field}` after `w - - 0 1`")),
        };
        if !ok {
            return Err(format!("field {} is `{field}`, expected {expected} or nothing", i + 3));
        }
    }
    Ok(())
}

fn check_amazons(full_size: bool, white: u32, black: u32) -> Result<(), String> {
    let found = format!("{white} white (`Q`) and {black} black (`q`) amazons");
    if full_size && (white, black) != (MAX_AMAZONS, MAX_AMAZONS) {
        return Err(format!("{found}, a 10x10 board has 4 of each"));
    }
    if white != black || !(1..=MAX_AMAZONS).contains(&white) {
        return Err(format!(
            "{found}, a board smaller than 10x10 has the same number of each, 1 to 4"
        ));
    }
    Ok(())
}

/// The canonical text.
pub fn print(game: &Amazons) -> String {
    let piece = |file, row| Some(letter(game, file, row)).filter(|&c| c != '.');
    let board = board_text::write_board(game.columns(), game.rows(), piece);
    let side = if game.side_to_move() == Player::First { 'w' } else { 'b' };
    format!("{board} {side}")
}

/// The letter of a square: `Q`, `q`, `*` or `.`.
fn letter(game: &Amazons, file: usize, row: usize) -> char {
    let bit = AmazonsSquare::new(file, row).map_or(0, AmazonsSquare::bit);
    let sets = [(game.white(), 'Q'), (game.black(), 'q'), (game.arrows(), '*')];
    sets.into_iter().find(|(set, _)| set & bit != 0).map_or('.', |(_, letter)| letter)
}

/// Draws the board for a terminal.
pub fn diagram(game: &Amazons) -> String {
    let size = (game.columns(), game.rows());
    let board = board_text::diagram(size, 1, 1, |file, row| letter(game, file, row));
    let side = if game.side_to_move() == Player::First { "White (Q)" } else { "Black (q)" };
    format!("{board}{side} to move\n")
}
