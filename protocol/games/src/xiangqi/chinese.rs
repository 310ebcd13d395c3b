//! Moves in Chinese characters, as books and Chinese programs write them: `炮二平五`, `马8进7`,
//! `前車退一`. Read are traditional and simplified characters and Chinese, full-width or ASCII numbers; written are
//! simplified ones, with Chinese numbers for Red and ASCII digits for Black.
//!
//! The four characters say the same as those of the federation's notation, from which and to which they are
//! translated: the piece, its file or its place among those on its file, the direction, the number. Of three pawns
//! on a file the places are front, middle and rear; of more on crowded files the numbers from the right and from the
//! front, Chinese ones for both sides.

use super::square::XiangqiMove;
use super::{Board, Kind, wxf};
use crate::game::Player;

/// The numbers from 1 to 9.
const NUMBERS: &str = "一二三四五六七八九";

/// The text of a move whose piece is on the board.
pub fn print(board: &Board, m: XiangqiMove) -> String {
    let federation: Vec<char> = wxf::print(board, m).chars().collect();
    let (Some((side, kind)), &[_, name, direction, to]) =
        (board.piece_at(m.from).split(), federation.as_slice())
    else {
        return m.to_string();
    };
    let piece = character(side, kind);
    let direction = match direction {
        '+' => '进',
        '-' => '退',
        _ => '平',
    };
    let who = match name {
        '+' => ['前', piece],
        '-' => ['后', piece],
        'a'..='e' => {
            let places =
                if wxf::crowded(board, side, kind).len() == 3 { "前中后" } else { NUMBERS };
            let nth = usize::from(name as u8 - b'a');
            [places.chars().nth(nth).unwrap_or(name), piece]
        }
        file => [piece, numeral(side, file)],
    };
    [who[0], who[1], direction, numeral(side, to)].into_iter().collect()
}

/// The simplified character of a piece.
fn character(side: Player, kind: Kind) -> char {
    let both = match kind {
        Kind::King => ['帅', '将'],
        Kind::Advisor => ['仕', '士'],
        Kind::Elephant => ['相', '象'],
        Kind::Horse => ['马'; 2],
        Kind::Rook => ['车'; 2],
        Kind::Cannon => ['炮'; 2],
        Kind::Pawn => ['兵', '卒'],
    };
    both[side.index()]
}

/// A digit as the side writes it.
fn numeral(side: Player, digit: char) -> char {
    let chinese =
        digit.to_digit(10).and_then(|n| NUMBERS.chars().nth((n as usize).checked_sub(1)?));
    if side == Player::First { chinese.unwrap_or(digit) } else { digit }
}

/// Translates to the normal form of the federation's notation; `None` if the text has another form.
pub fn normal_form(text: &str) -> Option<String> {
    let chars: Vec<char> = crate::text::usual(text).chars().collect();
    let &[first, second, direction, number] = chars.as_slice() else { return None };
    let direction = match direction {
        '平' => '.',
        '进' | '進' => '+',
        '退' => '-',
        _ => return None,
    };
    let number = digit(number)?;
    let who = match (piece(first), place(first), piece(second), digit(second)) {
        (Some(piece), _, _, Some(file)) => format!("{piece}{file}"),
        // Pawns are counted from the front if there are more than three.
        (_, _, Some('P'), _) if digit(first).is_some_and(|n| n <= '5') => {
            let nth = digit(first)?.to_digit(10)?;
            format!("P{}", char::from(b'a' + u8::try_from(nth).ok()? - 1))
        }
        (_, Some(place), Some(piece), _) => format!("{piece}{place}"),
        // Two files have several pawns: the file stands for the piece.
        (_, Some(place), _, Some(file)) => format!("P{place}{file}"),
        _ => return None,
    };
    Some(format!("{who}{direction}{number}"))
}

/// The canonical letter of a piece.
fn piece(c: char) -> Option<char> {
    Some(match c {
        '帅' | '帥' | '将' | '將' => 'K',
        '仕' | '士' => 'A',
        '相' | '象' => 'E',
        '马' | '馬' | '傌' => 'H',
        '车' | '車' | '俥' | '伡' => 'R',
        '炮' | '砲' | '包' => 'C',
        '兵' | '卒' => 'P',
        _ => return None,
    })
}

/// The letter of a place on a file: front, middle or rear.
fn place(c: char) -> Option<char> {
    Some(match c {
        '前' => 'f',
        '中' => 'm',
        '后' | '後' => 'r',
        _ => return None,
    })
}

/// The ASCII digit of a number from 1 to 9.
fn digit(c: char) -> Option<char> {
    let number = match c {
        '1'..='9' => return Some(c),
        _ => 1 + NUMBERS.chars().position(|chinese| chinese == c)? as u32,
    };
    char::from_digit(number, 10)
}
