//! Move tokens and the text board.

use super::board::{FILES, SQUARES};
use super::piece::{Colour, Piece, letters};
use super::state::{DarkChess, DarkMove};
use crate::board_text::{self, read_squares};
use crate::game::{Game, MoveError, Outcome, Turn};
use crate::phrase::{Phrase, phrase};

/// A square as text, `a1` to `d8`.
pub fn square_name(square: u8) -> String {
    let square = usize::from(square) % SQUARES;
    format!("{}{}", char::from(b'a' + (square % FILES) as u8), square / FILES + 1)
}

/// Parses a square such as `b3`.
pub fn parse_square(text: &str) -> Option<u8> {
    match read_squares(text, square).ok()?[..] {
        [square] => Some(square),
        _ => None,
    }
}

fn square(file: usize, rank: usize) -> Option<u8> {
    (file < FILES && (1..=8).contains(&rank)).then(|| ((rank - 1) * FILES + file) as u8)
}

/// The canonical token.
pub fn token(m: DarkMove) -> String {
    match m {
        DarkMove::Flip(square) => square_name(square),
        DarkMove::Step { from, to } => square_name(from) + &square_name(to),
        DarkMove::Reveal(piece) => format!("={}", piece.letter()),
    }
}

/// The human-readable form: with a hyphen, or an `x` for a capture.
pub fn for_people(state: &DarkChess, m: DarkMove) -> String {
    let DarkMove::Step { from, to } = m else { return token(m) };
    let takes = state.piece_at(to).is_some();
    format!("{}{}{}", square_name(from), if takes { 'x' } else { '-' }, square_name(to))
}

/// Reads a token and checks that it is legal.
pub fn parse(state: &DarkChess, text: &str) -> Result<DarkMove, MoveError> {
    let m = read(text).ok_or_else(|| {
        MoveError::syntax(
            text,
            phrase!(
                "expected a flip such as `b3`, a move such as `a1a2`, or, after a flip, the piece such as `=K`"
            ),
        )
    })?;
    if state.is_legal(m) {
        return Ok(m);
    }
    let reason = match (state.turn(), m) {
        (Turn::Over(_), _) => phrase!("the game is over"),
        (Turn::Chance, DarkMove::Reveal(piece)) => {
            phrase!("no {piece} lies face down any more", piece = piece.letter())
        }
        (Turn::Chance, _) => phrase!("the piece that is turned over must be revealed first"),
        (_, DarkMove::Reveal(_)) => phrase!("no piece is being turned over"),
        (_, DarkMove::Flip(square)) => {
            phrase!("no piece lies face down on {square}", square = square_name(square))
        }
        (_, DarkMove::Step { from, to }) => why_no_step(state, from, to),
    };
    Err(MoveError::illegal(text, reason))
}

fn why_no_step(state: &DarkChess, from: u8, to: u8) -> Phrase {
    let Some(own) = state.colour_to_move() else {
        return phrase!("the first turn is a flip: no piece has been turned over");
    };
    let Some(piece) = state.piece_at(from).filter(|p| p.colour() == own) else {
        return phrase!(
            "no {colour} piece that is turned over on {square}",
            colour = Phrase::of_key(own.word()),
            square = square_name(from)
        );
    };
    match state.piece_at(to) {
        _ if state.hidden() >> to & 1 != 0 => {
            phrase!("the piece on {square} lies face down", square = square_name(to))
        }
        Some(other) if other.colour() == own => {
            phrase!("{square} is own", square = square_name(to))
        }
        Some(other) => phrase!(
            "a {piece} on {from} does not take a {other} on {to}",
            piece = piece.letter(),
            from = square_name(from),
            other = other.letter(),
            to = square_name(to)
        ),
        None => {
            phrase!("{to} is not next to {from}", to = square_name(to), from = square_name(from))
        }
    }
}

fn read(text: &str) -> Option<DarkMove> {
    if let [letter] | [b'=', letter] = *text.as_bytes() {
        return Piece::from_letter(char::from(letter)).map(DarkMove::Reveal);
    }
    match read_squares(text, square).ok()?[..] {
        [square] => Some(DarkMove::Flip(square)),
        [from, to] if from == to => Some(DarkMove::Flip(from)),
        [from, to] => Some(DarkMove::Step { from, to }),
        _ => None,
    }
}

/// A text board, face-down pieces as `?`.
pub fn diagram(state: &DarkChess) -> String {
    let letter = |file, rank| state.letter_at(file, rank).unwrap_or('.');
    let board = board_text::diagram(state.size(), 1, 1, letter);
    let pool = letters(state.pool());
    let captured = letters(state.captured());
    format!("{board}face down {pool}, taken {captured}\n{}", whose_turn(state))
}

fn whose_turn(state: &DarkChess) -> String {
    let side = state.colour_to_move().map_or("the first player", Colour::word);
    match (state.turn(), state.turning()) {
        (Turn::Over(Outcome::Draw), _) => "drawn\n".into(),
        (Turn::Over(Outcome::Win(player)), _) => match state.colour_of(player) {
            Some(colour) => format!("{} has won\n", colour.word()),
            None => "over\n".into(),
        },
        (Turn::Chance, Some(square)) => format!("{side} turns {} over\n", square_name(square)),
        _ => format!("{side} to move, {} plies without capture or flip\n", state.quiet_plies()),
    }
}
