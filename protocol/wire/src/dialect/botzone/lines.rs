//! A move as six numbers: in a text, in an object, and as a core token.

use crate::dialect::squares::{FileRow, amazons_places, amazons_token};
use serde_json::{Map, Value};

/// The side length of the board.
const SIDE: u8 = 8;

/// Stands for no move.
pub(super) const NONE: [i8; 6] = [-1; 6];

const FIELDS: [&str; 6] = ["x0", "y0", "x1", "y1", "x2", "y2"];

/// Whether a message contains no move.
pub(super) fn is_none(numbers: [i8; 6]) -> bool {
    numbers[0] == -1
}

/// The numbers of a message: a text, or an object with a field for each.
pub(super) fn numbers(message: &Value) -> Option<[i8; 6]> {
    if let Some(text) = message.as_str() {
        return read_move(text);
    }
    let mut numbers = NONE;
    for (number, field) in numbers.iter_mut().zip(FIELDS) {
        *number = message.get(field)?.as_i64()?.try_into().ok()?;
    }
    Some(numbers)
}

/// Six numbers separated by blanks, and nothing else.
pub(super) fn read_move(text: &str) -> Option<[i8; 6]> {
    let numbers = text.split_whitespace().map(|w| w.parse().ok()).collect::<Option<Vec<i8>>>()?;
    numbers.try_into().ok()
}

/// The core's token; `None` for squares off the board.
pub(super) fn write_move(numbers: [i8; 6]) -> Option<String> {
    let place = |x: i8, y: i8| {
        let (x, y) = (u8::try_from(x).ok()?, u8::try_from(y).ok()?);
        (x < SIDE && y < SIDE).then(|| (x, SIDE - 1 - y))
    };
    let [a, b, c, d, e, f] = numbers;
    Some(amazons_token([place(a, b)?, place(c, d)?, place(e, f)?]))
}

/// The numbers of a core token; `None` if its squares are off the board.
pub(super) fn read_token(token: &str) -> Option<[i8; 6]> {
    let numbers = |(column, row): FileRow| {
        let y = (SIDE - 1).checked_sub(row)?;
        (column < SIDE).then_some([column as i8, y as i8])
    };
    let [from, to, arrow] = amazons_places(token)?;
    let (from, to, arrow) = (numbers(from)?, numbers(to)?, numbers(arrow)?);
    Some([from[0], from[1], to[0], to[1], arrow[0], arrow[1]])
}

/// The numbers separated by blanks.
pub(super) fn text(numbers: [i8; 6]) -> String {
    numbers.map(|n| n.to_string()).join(" ")
}

/// The numbers as object fields.
pub(super) fn object(numbers: [i8; 6]) -> Value {
    let fields = FIELDS.into_iter().zip(numbers);
    Value::Object(fields.map(|(name, n)| (name.into(), n.into())).collect::<Map<_, _>>())
}
