//! The FEN: described in the module above.

use super::board::{FILES, Squares};
use super::notation::{parse_square, square_name};
use super::piece::{COUNTS, Colour, PIECES, Piece, letters};
use super::rules::DarkRules;
use super::state::DarkChess;
use crate::game::{FenError, Player};

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
    let mut state = DarkChess::empty(board_of(rows)?, rules);
    state.set_side(mover, first);
    state.set_quiet(quiet.parse().map_err(|_| {
        format!("plies without capture or flip `{quiet}`: expected a whole number up to 65535")
    })?);
    place_rows(&mut state, rows)?;
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

/// The squares of a row: `None` an empty one, `Some(None)` a hidden piece.
fn row(text: &str, rank: usize) -> Result<Vec<Option<Option<Piece>>>, String> {
    let mut cells = Vec::new();
    for c in text.chars() {
        match c {
            '1'..='4' => cells.extend(std::iter::repeat_n(None, c as usize - '0' as usize)),
            '?' | 'X' => cells.push(Some(None)),
            _ => match Piece::from_letter(c) {
                Some(piece) => cells.push(Some(Some(piece))),
                None => {
                    return Err(format!(
                        "`{c}` in rank {rank}: expected a letter of KGMRNCP or kgmrncp, `?` or 1-4"
                    ));
                }
            },
        }
        if cells.len() > FILES {
            return Err(format!("rank {rank} holds more than four squares"));
        }
    }
    Ok(cells)
}

fn board_of(rows: &str) -> Result<u32, String> {
    let ranks = rows.split('/').count();
    if ranks > 8 {
        return Err(format!("{ranks} rows; expected at most eight, joined by `/`"));
    }
    let widths = rows.split('/').enumerate().map(|(i, r)| row(r, ranks - i).map(|r| r.len()));
    let widths = widths.collect::<Result<Vec<_>, _>>()?;
    let files = widths.first().copied().unwrap_or(0);
    if let Some(i) = widths.iter().position(|&w| w != files || w == 0) {
        let (rank, width) = (ranks - i, widths[i]);
        return Err(format!("rank {rank} holds {width} squares, rank {ranks} {files}"));
    }
    Ok((0..ranks).fold(0, |set, rank| set | ((1u32 << files) - 1) << (rank * FILES)))
}

fn place_rows(state: &mut DarkChess, rows: &str) -> Result<(), String> {
    let ranks = rows.split('/').count();
    for (i, text) in rows.split('/').enumerate() {
        let rank = ranks - 1 - i;
        for (file, cell) in row(text, rank + 1)?.into_iter().enumerate() {
            let square = (rank * FILES + file) as u8;
            match cell {
                None => {}
                Some(None) => state.place_hidden(square),
                Some(Some(piece)) => state.place(square, piece),
            }
        }
    }
    Ok(())
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

/// The pieces must be no more than there are, and fit the squares and the colours.
fn check(state: &DarkChess) -> Result<(), String> {
    for piece in Piece::all() {
        let i = piece.index();
        let standing = state.pieces(piece).count_ones();
        let all = standing + u32::from(state.pool()[i]) + u32::from(state.captured()[i]);
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
    let mut text = String::with_capacity(96);
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            let square = (rank * FILES + file) as u8;
            let letter = match state.piece_at(square) {
                Some(piece) => piece.letter(),
                None if state.hidden() >> square & 1 != 0 => '?',
                None => {
                    empty += 1;
                    continue;
                }
            };
            push_count(&mut text, &mut empty);
            text.push(letter);
        }
        push_count(&mut text, &mut empty);
        if rank > 0 {
            text.push('/');
        }
    }
    let colour = |c: Option<Colour>| match c {
        None => "-",
        Some(Colour::Red) => "r",
        Some(Colour::Black) => "b",
    };
    text += &format!(
        " {} {} {} {} {}",
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

fn push_count(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
