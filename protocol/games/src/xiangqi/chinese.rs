//! Moves in Chinese characters, as books and Chinese programs write them: `炮二平五`, `马８进７`,
//! `前車退一`. Characters may be traditional or simplified, numbers Chinese, full-width or ASCII.
//!
//! The four characters say the same as those of the federation's notation, to which they are
//! translated: the piece, its file or its place among those on its file, the direction, the number.

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
    const CHINESE: &str = "一二三四五六七八九";
    let number = match c {
        '1'..='9' => return Some(c),
        _ => 1 + CHINESE.chars().position(|chinese| chinese == c)? as u32,
    };
    char::from_digit(number, 10)
}
