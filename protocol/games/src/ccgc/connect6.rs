//! Connect6: `{[C6][FIRST B][SECOND W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}`, one entry
//! for each stone; columns A to S from the left with I, rows 1 to 19 from below. Black moves first.

use super::record::{ReadError, Record};
use super::scan::Scanner;
use super::{frame, stones};
use crate::board_text::read_squares;
use crate::connect6::{Connect6Move, MAX_SIZE, Point};

/// The letters of the columns.
const COLUMNS: &str = "ABCDEFGHIJKLMNOPQRS";

/// Reads the stones after the header into turns.
pub fn read(scan: &mut Scanner, record: &mut Record) -> Result<(), ReadError> {
    let mut open: Option<Point> = None;
    for stone in stones::read(scan, COLUMNS, MAX_SIZE)? {
        let turn = record.moves.len();
        if stone.side != turn % 2 {
            let (due, found) = if turn.is_multiple_of(2) { ('B', 'W') } else { ('W', 'B') };
            let reason = format!("a stone of {found}: turn {} is {due}'s", turn + 1);
            return Err(scan.error_at(stone.at, reason));
        }
        let point = Point::new(stone.column, stone.row);
        let point = point.ok_or_else(|| scan.error_at(stone.at, "off the board"))?;
        match (turn, open.take()) {
            (0, _) => record.moves.push(point.to_string()),
            (_, None) => open = Some(point),
            (_, Some(first)) => record.moves.push(Connect6Move::two(first, point).to_string()),
        }
    }
    record.moves.extend(open.map(|point| point.to_string()));
    Ok(())
}

/// Writes the record.
pub fn write(record: &Record) -> Result<String, String> {
    let mut text = format!("{{[C6]{}", frame::write(record, ["B", "W"]));
    for (turn, token) in record.moves.iter().enumerate() {
        let points = read_squares(token, |column, row| Some((column, row.checked_sub(1)?)))?;
        for (column, row) in points {
            text.push(';');
            text.push_str(&stones::entry(turn, column, row));
        }
    }
    Ok(text + "}\n")
}
