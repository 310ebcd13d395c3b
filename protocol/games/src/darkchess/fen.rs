//! The FEN, described in the parent module.

use super::board::{FILES, Squares};
use super::notation::{parse_square, square_name};
use super::piece::{COUNTS, Colour, PIECES, Piece, letters};
use super::rules::DarkRules;
use super::state::DarkChess;
use crate::board_text::{self, BoardFormat};
use crate::game::{FenError, Player};

const FORMAT: BoardFormat =
    BoardFormat { files: 1..=FILES, ranks: 1..=8, first_rank: 1, letters: "KGMRNCPkgmrncp?" };

const EXAMPLE: &str = "`????/????/????/????/????/????/????/???? - - \
                       KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0`";

/// Reads a position.
pub fn parse(text: &str, rules: &DarkRules) -> Result<DarkChess, FenError> {
    read(text, rules).map_err(|reason| FenError::new(text, reason))
}

fn read(text: &str, rules: &DarkRules) -> Result<DarkChess, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (&[rows, side, first, pool, captured, quiet], rest) =
        fields.split_first_chunk::<6>().ok_or_else(|| {
            format!("{} fields; expected six or seven, as in {EXAMPLE}", fields.len())
        })?;
    let (side, first) = (colour("colour to move", side)?, colour("first player's colour", first)?);
    let mover = match (side, first) {
        (None, None) => Player::First,
        (Some(side), Some(first)) if side == first => Player::First,
        (Some(_), Some(_)) => Player::Second,
        _ => return Err("the colours are either both decided or both `-`".into()),
    };
    let face = |c| match c {
        '?' | 'X' => Some(None),
        _ => Piece::from_letter(c).map(Some),
    };
    let board = FORMAT.read(rows, face)?;
    let squares =
        (0..board.ranks).fold(0, |set, r| set | ((1u32 << board.files) - 1) << (r * FILES));
    let mut state = DarkChess::empty(squares, rules);
    state.set_side(mover, first);
    state.set_quiet(quiet.parse().map_err(|_| {
        format!("plies without capture or flip `{quiet}`: expected a whole number up to 65535")
    })?);
    for (file, rank, piece) in board.pieces {
        let square = (rank * FILES + file) as u8;
        match piece {
            Some(piece) => state.place(square, piece),
            None => state.place_hidden(square),
        }
    }
    state.set_reserve(&counts("pieces face down", pool)?, &counts("captured pieces", captured)?);
    if let Some(&square) = rest.first() {
        let place = parse_square(square)
            .filter(|&s| state.hidden() >> s & 1 != 0)
            .ok_or_else(|| format!("no piece lies face down on `{square}`"))?;
        state.set_turning(place);
    }
    if let Some(extra) = rest.get(1) {
        return Err(format!("`{extra}` after the seventh field"));
    }
    check(&state)?;
    Ok(state)
}

fn colour(what: &str, text: &str) -> Result<Option<Colour>, String> {
    match text {
        "r" | "R" => Ok(Some(Colour::Red)),
        "b" | "B" => Ok(Some(Colour::Black)),
        "-" => Ok(None),
        _ => Err(format!("{what} `{text}`: expected `r`, `b` or `-`")),
    }
}

fn counts(what: &str, text: &str) -> Result<[u8; PIECES], String> {
    let mut counts = [0u8; PIECES];
    if text == "-" {
        return Ok(counts);
    }
    for c in text.chars() {
        let piece = Piece::from_letter(c)
            .ok_or_else(|| format!("`{c}` among the {what}: expected KGMRNCP or kgmrncp"))?;
        counts[piece.index()] = counts[piece.index()].saturating_add(1);
    }
    Ok(counts)
}

/// Checks that the pieces do not exceed the full set and match the squares and the colours.
fn check(state: &DarkChess) -> Result<(), String> {
    for piece in Piece::all() {
        let i = piece.index();
        let on_board = state.pieces(piece).count_ones();
        let all = on_board + u32::from(state.pool()[i]) + u32::from(state.captured()[i]);
        let most = COUNTS[piece.kind().index()];
        if all > u32::from(most) {
            return Err(format!("{all} pieces {}, there are {most}", piece.letter()));
        }
    }
    let (hidden, pool): (u32, u32) =
        (state.hidden().count_ones(), state.pool().iter().map(|&n| u32::from(n)).sum());
    if hidden != pool {
        return Err(format!("{hidden} squares `?`, but {pool} pieces that lie face down"));
    }
    let on_board = state.side_pieces(Colour::Red) | state.side_pieces(Colour::Black);
    if state.colour_to_move().is_none() && (on_board != 0 || hidden == 0) {
        return Err("the colours are decided once a piece has been turned over".into());
    }
    if on_board == 0 && hidden == 0 {
        return Err("there are no pieces".into());
    }
    if state.turning().is_some() && state.is_bare() {
        return Err("a side has no piece left: nothing is turned over any more".into());
    }
    Ok(())
}

/// The canonical text.
pub fn print(state: &DarkChess) -> String {
    let (files, ranks) = state.size();
    let board = board_text::write_board(files, ranks, |file, rank| state.letter_at(file, rank));
    let colour = |c: Option<Colour>| match c {
        None => "-",
        Some(Colour::Red) => "r",
        Some(Colour::Black) => "b",
    };
    let mut text = format!(
        "{board} {} {} {} {} {}",
        colour(state.colour_to_move()),
        colour(state.colour_of(Player::First)),
        letters(state.pool()),
        letters(state.captured()),
        state.quiet_plies()
    );
    for square in Squares(state.turning().map_or(0, |s| 1 << s)) {
        text += &format!(" {}", square_name(square));
    }
    text
}
