//! NoGo, in the frame of Connect6 with the letters `NG`: `{[NG][FIRST B][SECOND W][先手胜][DATE PLACE][EVENT];B(E,5)}`.
//! Columns are A to I from the left (with I, unlike the tokens of the protocol), rows 1 to 9 from below. Black
//! moves first. Writers are met that have `(` for `{` and `B:[E5]` for an entry; both are read.

use super::record::{ReadError, Record};
use super::scan::Scanner;
use super::{frame, stones};
use crate::board_text::read_squares;
use crate::nogo::{NoGoPoint, SIDE};

/// The letters of the columns; a record that skips I as on a go board ends with J.
const COLUMNS: &str = "ABCDEFGHIJ";
/// The columns of our tokens by letter from `a`: `i` is none.
const TOKEN_COLUMNS: &str = "abcdefghj";

/// Reads the stones after the header.
pub fn read(scan: &mut Scanner, record: &mut Record) -> Result<(), ReadError> {
    let stones = stones::read(scan, COLUMNS, SIDE)?;
    let last = |letter: usize| stones.iter().find(|s| s.column == letter);
    if let (Some(i), Some(j)) = (last(SIDE - 1), last(SIDE)) {
        let at = i.at.max(j.at);
        return Err(scan.error_at(
            at,
            "columns I and J: a board of 9 columns has A to I, or A to J without I",
        ));
    }
    for stone in &stones {
        let turn = record.moves.len();
        if stone.side != turn % 2 {
            let due = ['B', 'W'][turn % 2];
            let reason =
                format!("a stone of {}: move {} is {due}'s", ['B', 'W'][stone.side], turn + 1);
            return Err(scan.error_at(stone.at, reason));
        }
        let point = NoGoPoint::new(stone.column.min(SIDE - 1), stone.row);
        let point = point.ok_or_else(|| scan.error_at(stone.at, "off the board"))?;
        record.moves.push(point.to_string());
    }
    Ok(())
}

/// Writes the record.
pub fn write(record: &Record) -> Result<String, String> {
    let mut text = format!("{{[NG]{}", frame::write(record, ["B", "W"]));
    for (turn, token) in record.moves.iter().enumerate() {
        let column = token.chars().next().and_then(|c| TOKEN_COLUMNS.find(c));
        let points = read_squares(token, |_, row| Some((column?, row.checked_sub(1)?)))?;
        let &[(column, row)] = points.as_slice() else {
            return Err(format!("`{token}`: expected one point, as in `e5`"));
        };
        text.push(';');
        text.push_str(&stones::entry(turn, column, row));
    }
    Ok(text + "}\n")
}
