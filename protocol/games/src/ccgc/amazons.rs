//! Amazons: `#[AM][FIRST][SECOND][后手胜][2020.10.01 15:04 重庆][2020 CCGC];`, then a numbered line for each two moves:
//! `1 D1D6(G6) A7B7(B1)`, that is from, to, and the arrow in brackets. Columns A to J from the left, rows 1 to
//! 10 from below; the first player begins on A4 D1 G1 J4, as in the protocol.

use super::frame;
use super::record::{ReadError, Record};
use super::scan::Scanner;
use crate::amazons::AmazonsSquare;
use crate::board_text::read_squares;

const COLUMNS: &str = "ABCDEFGHIJ";
const ROWS: usize = 10;
/// What may stand between the squares of a move.
const JOINTS: &str = "-/(),>";

/// Reads the moves after the header.
pub fn read(scan: &mut Scanner, record: &mut Record) -> Result<(), ReadError> {
    let what = "a move such as `D1D6(G6)`";
    loop {
        scan.skip_remarks(";,(){}");
        match scan.peek() {
            None => return Ok(()),
            Some(c) if c.is_ascii_digit() => {
                let at = scan.place();
                let number = scan.number("the number of a move")?;
                // Some writers number single moves.
                let due = [record.moves.len() / 2 + 1, record.moves.len() + 1];
                if !due.contains(&number) {
                    let reason = format!("number {number}: expected {}", due[0]);
                    return Err(scan.error_at(at, reason));
                }
                scan.skip(".:");
            }
            Some(_) => {
                let mut squares = Vec::new();
                for _ in 0..3 {
                    scan.skip(JOINTS);
                    let (column, row) = scan.square(COLUMNS, ROWS, what)?;
                    squares.extend(AmazonsSquare::new(column, row));
                }
                if let [from, to, arrow] = squares[..] {
                    record.moves.push(format!("{from}{to},{to}{arrow}"));
                }
            }
        }
    }
}

/// Writes the record.
pub fn write(record: &Record) -> Result<String, String> {
    let mut text = format!("#[AM]{};", frame::write(record, ["", ""]));
    for (i, token) in record.moves.iter().enumerate() {
        let squares =
            read_squares(token, |column, row| AmazonsSquare::new(column, row.checked_sub(1)?))?;
        let [from, to, again, arrow] = squares[..] else {
            return Err(format!("`{token}`: expected a move as `d1d6,d6g6`"));
        };
        if to != again {
            return Err(format!("`{token}`: the arrow is not shot from {to}"));
        }
        let gap = if i.is_multiple_of(2) { format!("\n{} ", i / 2 + 1) } else { " ".into() };
        let entry = format!("{from}{to}({arrow})").to_ascii_uppercase();
        text.push_str(&gap);
        text.push_str(&entry);
    }
    Ok(text + "\n")
}
