//! Lines of bounded length from a stream with arbitrary content.

use std::io::{self, BufRead};

/// The maximum line length in bytes: a `position` command with tens of thousands of moves.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLine {
    /// A line without its line break; bytes that are not UTF-8 are replaced. The end of the stream
    /// also ends a line.
    Text(String),
    /// A line above the limit, with its length in bytes; the content is skipped.
    TooLong(usize),
}

/// Reads to the next line break. `None` at the end of the stream. Never holds more than `longest`
/// bytes and the reader's own buffer.
pub fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<InputLine>> {
    let mut kept = Vec::new();
    let mut length = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let end = chunk.iter().position(|b| *b == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        let at_end_of_stream = chunk.is_empty();
        length += text.len();
        if length <= longest {
            kept.extend_from_slice(text);
        }
        let used = text.len() + usize::from(end.is_some());
        input.consume(used);
        if at_end_of_stream && length == 0 {
            return Ok(None);
        }
        if end.is_some() || at_end_of_stream {
            return Ok(Some(finish(kept, length, longest)));
        }
    }
}

fn finish(mut kept: Vec<u8>, length: usize, longest: usize) -> InputLine {
    if length > longest {
        return InputLine::TooLong(length);
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    InputLine::Text(String::from_utf8_lossy(&kept).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(bytes: &[u8], longest: usize) -> Vec<InputLine> {
        // A tiny buffer, so that lines arrive in several pieces.
        let mut input = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut input, longest).expect("memory cannot fail")).collect()
    }

    fn text(s: &str) -> InputLine {
        InputLine::Text(s.into())
    }

    #[test]
    fn lines_end_with_a_break_or_with_the_stream() {
        assert_eq!(all(b"one\r\n\ntwo", 100), [text("one"), text(""), text("two")]);
        assert_eq!(all(b"", 100), []);
    }

    #[test]
    fn a_line_above_the_bound_is_counted_and_the_next_one_is_read() {
        assert_eq!(all(b"12345678\nok\n", 7), [InputLine::TooLong(8), text("ok")]);
        assert_eq!(all(b"1234567\n", 7), [text("1234567")]);
        assert_eq!(all(b"123456789", 7), [InputLine::TooLong(9)]);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(all(b"\xff\x00k\n", 7), [text("\u{fffd}\0k")]);
    }
}
