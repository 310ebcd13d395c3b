//! Move tokens and the text board.

use super::board::{FILES, SQUARES};
use super::piece::{Colour, Piece, letters};
use super::state::{DarkChess, DarkMove};
use crate::game::{Game, MoveError, Outcome, Turn};

/// A square as text, `a1` to `d8`.
pub fn square_name(square: u8) -> String {
    let square = usize::from(square) % SQUARES;
    format!("{}{}", char::from(b'a' + (square % FILES) as u8), square / FILES + 1)
}

/// The square of a text such as `b3`.
pub fn parse_square(text: &str) -> Option<u8> {
    match *text.as_bytes() {
        [file, rank] => square_of(file, rank),
        _ => None,
    }
}

fn square_of(file: u8, rank: u8) -> Option<u8> {
    let file = file.to_ascii_lowercase().checked_sub(b'a')?;
    let rank = rank.checked_sub(b'1')?;
    (file < 4 && rank < 8).then(|| rank * 4 + file)
}

/// The canonical token.
pub fn token(m: DarkMove) -> String {
    match m {
        DarkMove::Flip(square) => square_name(square),
        DarkMove::Step { from, to } => square_name(from) + &square_name(to),
        DarkMove::Reveal(piece) => format!("={}", piece.letter()),
    }
}

/// With a hyphen, or an `x` where a piece is taken.
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
            "expected a flip such as `b3`, a move such as `a1a2`, or, after a flip, the piece \
             such as `=K`",
        )
    })?;
    if state.is_legal(m) {
        return Ok(m);
    }
    let reason = match (state.turn(), m) {
        (Turn::Over(_), _) => "the game is over".to_string(),
        (Turn::Chance, DarkMove::Reveal(piece)) => {
            format!("no {} lies face down any more", piece.letter())
        }
        (Turn::Chance, _) => "the piece being turned over is to be told first".to_string(),
        (_, DarkMove::Reveal(_)) => "no piece is being turned over".to_string(),
        (_, DarkMove::Flip(square)) => {
            format!("no piece lies face down on {}", square_name(square))
        }
        (_, DarkMove::Step { from, to }) => why_no_step(state, from, to),
    };
    Err(MoveError::illegal(text, reason))
}

fn why_no_step(state: &DarkChess, from: u8, to: u8) -> String {
    let Some(own) = state.colour_to_move() else {
        return "the first turn is a flip: no piece has been turned over".into();
    };
    let Some(piece) = state.piece_at(from).filter(|p| p.colour() == own) else {
        return format!("no {} piece that is turned over on {}", own.word(), square_name(from));
    };
    match state.piece_at(to) {
        _ if state.hidden() >> to & 1 != 0 => {
            format!("the piece on {} lies face down", square_name(to))
        }
        Some(other) if other.colour() == own => format!("{} is own", square_name(to)),
        Some(other) => format!(
            "a {} on {} does not take a {} on {}",
            piece.letter(),
            square_name(from),
            other.letter(),
            square_name(to)
        ),
        None => format!("{} is not next to {}", square_name(to), square_name(from)),
    }
}

fn read(text: &str) -> Option<DarkMove> {
    let pair = |f1, r1, f2, r2| {
        let (from, to) = (square_of(f1, r1)?, square_of(f2, r2)?);
        Some(if from == to { DarkMove::Flip(from) } else { DarkMove::Step { from, to } })
    };
    match *text.as_bytes() {
        [letter] | [b'=', letter] => Piece::from_letter(char::from(letter)).map(DarkMove::Reveal),
        [file, rank] => square_of(file, rank).map(DarkMove::Flip),
        [f1, r1, f2, r2] | [f1, r1, b'-' | b'x' | b':', f2, r2] => pair(f1, r1, f2, r2),
        _ => None,
    }
}

/// A text board, what lies face down as `?`.
pub fn diagram(state: &DarkChess) -> String {
    let mut text = String::new();
    let (files, ranks) = state.size();
    for rank in (0..ranks).rev() {
        text.push_str(&(rank + 1).to_string());
        for file in 0..files {
            let square = (rank * FILES + file) as u8;
            text.push(' ');
            text.push(match state.piece_at(square) {
                Some(piece) => piece.letter(),
                None if state.hidden() >> square & 1 != 0 => '?',
                None => '.',
            });
        }
        text.push('\n');
    }
    text.push(' ');
    for file in 0..files {
        text.push(' ');
        text.push(char::from(b'a' + file as u8));
    }
    text.push('\n');
    let pool = letters(state.pool());
    let captured = letters(state.captured());
    text.push_str(&format!("face down {pool}, taken {captured}\n"));
    text.push_str(&whose_turn(state));
    text
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
