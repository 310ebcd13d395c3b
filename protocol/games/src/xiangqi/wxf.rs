//! Moves in the notation of the World Xiangqi Federation: the piece, its file (1 to 9, counted from
//! the mover's right), `.` for sideways, `+` for forward and `-` for backward, and the number of
//! ranks, or the file for sideways moves and for pieces that change their file: `C2.5`, `H8+7`.
//!
//! Two of a kind on one file write `+` (front) or `-` (rear) for the file: `R+-1`. If that is
//! ambiguous, which happens to pawns only (three on a file, or two files with two), the pawns on
//! files with several are lettered a to e from the right and from the front: `Pb+1`.

use super::square::{FILES, Square, Squares, XiangqiMove};
use super::{Board, Kind};
use crate::game::Player;

/// The canonical text of a move whose piece is on the board.
pub fn print(board: &Board, m: XiangqiMove) -> String {
    spellings(board, m).into_iter().next().unwrap_or_else(|| m.to_string())
}

/// All spellings of a move in the canonical characters, the preferred one first.
pub fn spellings(board: &Board, m: XiangqiMove) -> Vec<String> {
    let Some((side, kind)) = board.piece_at(m.from).split() else { return Vec::new() };
    let letter = match kind {
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        other => other.letter(),
    };
    let file = file_number(m.from, side).to_string();
    let tail = destination(side, kind, m);
    let mut names: Vec<String> = special_name(board, side, kind, m.from).into_iter().collect();
    if let Some(place) = place_on_file(board, side, kind, m.from) {
        names.extend([place.to_string(), format!("{place}{file}")]);
    }
    names.push(file);
    names.into_iter().map(|name| format!("{letter}{name}{tail}")).collect()
}

fn file_number(square: Square, side: Player) -> usize {
    match side {
        Player::First => FILES - square.file(),
        Player::Second => square.file() + 1,
    }
}

/// Direction and number.
fn destination(side: Player, kind: Kind, m: XiangqiMove) -> String {
    let (from, to) = (m.from.rank_for(side), m.to.rank_for(side));
    let file = file_number(m.to, side);
    let sign = match to.cmp(&from) {
        std::cmp::Ordering::Equal => return format!(".{file}"),
        std::cmp::Ordering::Greater => '+',
        std::cmp::Ordering::Less => '-',
    };
    match kind {
        Kind::Advisor | Kind::Elephant | Kind::Horse => format!("{sign}{file}"),
        _ => format!("{sign}{}", to.abs_diff(from)),
    }
}

/// The replacement for the file if the file is ambiguous. Advisors and elephants on one file are
/// distinguished by their direction.
fn special_name(board: &Board, side: Player, kind: Kind, square: Square) -> Option<String> {
    if matches!(kind, Kind::King | Kind::Advisor | Kind::Elephant) {
        return None;
    }
    let all: Vec<Square> = Squares(board.pieces(side, kind)).collect();
    let on_file = |s: Square| all.iter().filter(|o| o.file() == s.file()).count();
    if on_file(square) < 2 {
        return None;
    }
    let mut crowded: Vec<Square> = all.iter().copied().filter(|&s| on_file(s) > 1).collect();
    crowded.sort_by_key(|&s| (file_number(s, side), std::cmp::Reverse(s.rank_for(side))));
    let place = crowded.iter().position(|&s| s == square)?;
    if crowded.len() == 2 {
        return Some(if place == 0 { "+" } else { "-" }.into());
    }
    Some(char::from(b'a' + place as u8).into())
}

/// The place among those of a kind on one file: `+` front, `-` rear, `=` in the middle of three.
fn place_on_file(board: &Board, side: Player, kind: Kind, square: Square) -> Option<char> {
    let same = |s: &Square| s.file() == square.file();
    let mut ranks: Vec<usize> =
        Squares(board.pieces(side, kind)).filter(same).map(|s| s.rank_for(side)).collect();
    ranks.sort_unstable();
    match (ranks.len(), ranks.iter().position(|&rank| rank == square.rank_for(side))?) {
        (1, _) => None,
        (_, 0) => Some('-'),
        (3, 1) => Some('='),
        (n, place) if place + 1 == n => Some('+'),
        _ => None,
    }
}

/// Normalises human input: any case, `=` for `.`, the sign or letter of a tandem before or after
/// the piece, `B` and `N` for elephant and horse, `G` and `S` as in some books for advisor
/// ("guard") and pawn ("soldier"). `None` if it is not of this form.
pub fn normal_form(text: &str) -> Option<String> {
    let mut chars: Vec<char> = text.chars().collect();
    if let ['+' | '-', _, ..] = chars[..] {
        chars.swap(0, 1);
    }
    let [piece, name, direction, number] = chars[..] else { return None };
    let piece = match piece.to_ascii_uppercase() {
        'E' | 'B' => 'E',
        'H' | 'N' => 'H',
        'A' | 'G' => 'A',
        'P' | 'S' => 'P',
        letter @ ('K' | 'R' | 'C') => letter,
        _ => return None,
    };
    let name = name.to_ascii_lowercase();
    let direction = if direction == '=' { '.' } else { direction };
    let known = matches!(name, '1'..='9' | '+' | '-' | 'a'..='e')
        && matches!(direction, '.' | '+' | '-')
        && matches!(number, '1'..='9');
    known.then(|| format!("{piece}{name}{direction}{number}"))
}
