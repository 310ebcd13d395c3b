//! Moves in the notation of the World Xiangqi Federation: the piece, its file (1 to 9, counted from
//! the mover's right), `.` for sideways, `+` for forward and `-` for backward, and the number of
//! ranks, or the file for sideways moves and for pieces that change their file: `C2.5`, `H8+7`.
//!
//! Two of a kind on one file write `+` (front) or `-` (rear) for the file: `R+-1`. If that is
//! ambiguous, which happens to pawns only (three on a file, or two files with two), the pawns on
//! files with several are lettered a to e from the right and from the front: `Pb+1`. That is how we write;
//! read are also the signs and files of the federation's page (`P3.4`, `++.4`, `33.4`) and the numbers of
//! Fairy-Stockfish and pychess (`15=4`: the first pawn from the front on file 5).
//!
//! A spelling is a text of canonical characters: piece, name, direction, number. Names are a file, a sign, a letter
//! from a to e, and those that no text has as they are: `f`, `m`, `r` with or without a file for front, middle and
//! rear, `^` and `v` for the foremost and the rearmost of four or five, `=` before a file for the middle of three or five,
//! `#` before a place from the front and a file.

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
    names.push(file.clone());
    names.extend(OnFile::of(board, side, kind, m.from).names(&file));
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
    let crowded = crowded(board, side, kind);
    let place = crowded.iter().position(|&s| s == square)?;
    if crowded.len() == 2 {
        return Some(if place == 0 { "+" } else { "-" }.into());
    }
    Some(char::from(b'a' + place as u8).into())
}

/// The pieces of a kind on files with several of it, from the right and from the front.
pub fn crowded(board: &Board, side: Player, kind: Kind) -> Vec<Square> {
    let all: Vec<Square> = Squares(board.pieces(side, kind)).collect();
    let on_file = |s: Square| all.iter().filter(|o| o.file() == s.file()).count();
    let mut crowded: Vec<Square> = all.iter().copied().filter(|&s| on_file(s) > 1).collect();
    crowded.sort_by_key(|&s| (file_number(s, side), std::cmp::Reverse(s.rank_for(side))));
    crowded
}

/// A piece among those of its kind on its file.
struct OnFile {
    /// The place from the front, from 0.
    place: usize,
    count: usize,
    /// Whether another file has several, too.
    is_one_of_two: bool,
}

impl OnFile {
    fn of(board: &Board, side: Player, kind: Kind, square: Square) -> OnFile {
        let all: Vec<Square> = Squares(board.pieces(side, kind)).collect();
        let on = |file: usize| all.iter().filter(move |s| s.file() == file);
        let in_front = on(square.file()).filter(|s| s.rank_for(side) > square.rank_for(side));
        let crowded = (0..FILES).filter(|&file| on(file).count() > 1);
        OnFile {
            place: in_front.count(),
            count: on(square.file()).count(),
            is_one_of_two: crowded.count() > 1,
        }
    }

    /// The names that tell the piece from the others; `file` is the file's number.
    fn names(&self, file: &str) -> Vec<String> {
        let (place, last) = (self.place, self.count.saturating_sub(1));
        if last == 0 {
            return Vec::new();
        }
        let mut names = vec![format!("#{}{file}", place + 1)];
        if 2 * place == last {
            names.push(format!("={file}"));
        }
        let word = match place {
            0 => Some('f'),
            _ if place == last => Some('r'),
            _ => (last == 2).then_some('m'),
        };
        names.extend(word.into_iter().flat_map(|word| [word.to_string(), format!("{word}{file}")]));
        // Of four or five, the second and the last but one are front and rear, those outside are beyond.
        let sign = match (self.count, place) {
            (2 | 3, 0) | (4 | 5, 1) => Some("+"),
            (4 | 5, 0) => Some("^"),
            (4 | 5, _) if place == last => Some("v"),
            (4 | 5, _) if place + 1 == last => Some("-"),
            (2 | 3, _) if place == last => Some("-"),
            _ => None,
        };
        names.extend(sign.map(String::from));
        if self.is_one_of_two {
            // The first digit is the file, the second the sign, or the file again in the middle.
            names.push(format!("{file}{}", sign.unwrap_or(file)));
        }
        names
    }
}

/// The spellings that a text may mean, the likelier first: any case, `=` for `.`, the sign of a tandem before or after
/// the piece, `B`, `M` and `N` for elephant and horse, `G` and `S` as in some books for advisor ("guard") or king
/// ("general") and pawn ("soldier"), no direction at all for sideways (`C25`). Empty if the text has another form.
pub fn normal_forms(text: &str) -> Vec<String> {
    let mut chars: Vec<char> = crate::text::usual(text).chars().collect();
    match chars[..] {
        [piece, from @ '1'..='9', to @ '1'..='9'] => chars = vec![piece, from, '.', to],
        ['+' | '-', piece, ..] if piece.is_ascii_alphabetic() => chars.swap(0, 1),
        _ => {}
    }
    let [first, second, direction, number] = chars[..] else { return Vec::new() };
    let is_sideways = matches!(direction, '.' | '=');
    if !is_sideways && !matches!(direction, '+' | '-') || !number.is_ascii_digit() || number == '0'
    {
        return Vec::new();
    }
    let tail = if is_sideways { format!(".{number}") } else { format!("{direction}{number}") };
    let spelled = |names: &[String]| names.iter().map(|name| format!("{name}{tail}")).collect();
    match (first, second) {
        ('+', '+') => return spelled(&["P^".into()]),
        ('-', '-') => return spelled(&["Pv".into()]),
        ('1'..='9', '+' | '-') => return spelled(&[format!("P{first}{second}")]),
        ('1'..='9', '1'..='9') => {
            // The numbers are written with `=`, the files of the federation with `.`.
            let mut names = [format!("P{first}{second}"), format!("P#{first}{second}")];
            if direction == '=' {
                names.reverse();
            }
            return spelled(&names);
        }
        _ => {}
    }
    let name = second.to_ascii_lowercase();
    if !matches!(name, '1'..='9' | '+' | '-' | 'a'..='e') {
        return Vec::new();
    }
    let mut names: Vec<String> = pieces(first).chars().map(|p| format!("{p}{name}")).collect();
    if names == [format!("P{name}")] && name.is_ascii_digit() {
        // The file alone is first of all the pawn in the middle.
        names.insert(0, format!("P={name}"));
    }
    spelled(&names)
}

/// The canonical letters that a letter may mean.
pub fn pieces(letter: char) -> &'static str {
    match letter.to_ascii_uppercase() {
        'E' | 'B' | 'M' => "E",
        'H' | 'N' => "H",
        'A' => "A",
        'G' => "AK",
        'P' | 'S' => "P",
        'K' => "K",
        'R' => "R",
        'C' => "C",
        _ => "",
    }
}
