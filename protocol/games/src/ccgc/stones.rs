//! Entries of one stone each, as records of Connect6 and NoGo have them: `B(J,10)`.

use super::record::ReadError;
use super::scan::Scanner;

/// A stone: 0 for Black, column and row from 0, and where it was read.
pub struct Stone {
    /// 0 for Black, 1 for White.
    pub side: usize,
    /// From 0, from the left.
    pub column: usize,
    /// From 0, from the bottom.
    pub row: usize,
    /// The place in the text.
    pub at: usize,
}

/// Reads all stones of a board of so many rows; `columns` are the letters of the columns.
///
/// # Errors
/// An entry is not a stone, or something follows the end.
pub fn read(scan: &mut Scanner, columns: &str, rows: usize) -> Result<Vec<Stone>, ReadError> {
    let what = format!("a stone such as `B(E,{})`", rows.div_ceil(2));
    let mut stones = Vec::new();
    loop {
        scan.skip_remarks(";,.");
        let at = scan.place();
        match scan.peek() {
            None => return Ok(stones),
            Some('}' | ')') => {
                scan.skip_remarks("})");
                return if scan.peek().is_none() {
                    Ok(stones)
                } else {
                    Err(scan.expected("the end"))
                };
            }
            Some(c) if is_property(scan, c) => {
                scan.until('[')
                    .and_then(|_| scan.until(']'))
                    .ok_or_else(|| scan.expected("`]`"))?;
            }
            Some(c @ ('B' | 'W')) => {
                scan.next();
                scan.skip(":");
                scan.take("([");
                let (column, row) = scan.square(columns, rows, &what)?;
                scan.take(")]");
                stones.push(Stone { side: usize::from(c == 'W'), column, row, at });
            }
            _ => return Err(scan.expected(&what)),
        }
    }
}

/// Whether a property such as `MARK[1]` or `C[a remark]` follows: letters and a bracket, but no stone.
fn is_property(scan: &Scanner, first: char) -> bool {
    let is_letter = |n: &usize| scan.peek_at(*n).is_some_and(|c| c.is_ascii_alphabetic());
    let length = (0..10).take_while(is_letter).count();
    let is_stone = matches!(first, 'B' | 'W') && length == 1;
    length > 0 && !is_stone && scan.peek_at(length) == Some('[')
}

/// An entry.
pub fn entry(side: usize, column: usize, row: usize) -> String {
    let letter = char::from(b'A' + (column % 26) as u8);
    format!("{}({letter},{})", ['B', 'W'][side % 2], row + 1)
}
