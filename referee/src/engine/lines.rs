//! Bytes from an untrusted program, cut into lines of bounded length.

/// The longest line that an honest engine writes, in bytes. A principal variation of a thousand
/// moves fits many times over.
pub const LONGEST_LINE: usize = 1 << 18;

/// A line was longer than [`LONGEST_LINE`].
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// Collects bytes and hands out lines.
#[derive(Debug, Default)]
pub struct Lines {
    bytes: Vec<u8>,
    /// Where the next line begins.
    begin: usize,
    /// Up to where there is no line break.
    seen: usize,
}

impl Lines {
    /// Adds what was read.
    pub fn extend(&mut self, bytes: &[u8]) {
        if self.begin > 0 {
            self.bytes.drain(..self.begin);
            self.seen -= self.begin;
            self.begin = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether a complete line waits.
    pub fn has_line(&self) -> bool {
        self.bytes[self.begin..].contains(&b'\n')
    }

    /// The next complete line without its line break; bytes that are no UTF-8 are replaced.
    pub fn next(&mut self) -> Result<Option<String>, TooLong> {
        let Some(at) = self.bytes[self.seen..].iter().position(|&b| b == b'\n') else {
            self.seen = self.bytes.len();
            let open = self.bytes.len() - self.begin;
            return if open > LONGEST_LINE { Err(TooLong) } else { Ok(None) };
        };
        let end = self.seen + at;
        let line = &self.bytes[self.begin..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LONGEST_LINE {
            return Err(TooLong);
        }
        let text = String::from_utf8_lossy(line).into_owned();
        self.begin = end + 1;
        self.seen = self.begin;
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_however_they_arrive() {
        let mut lines = Lines::default();
        lines.extend(b"ab");
        assert_eq!(lines.next(), Ok(None));
        lines.extend(b"c\r\nd\n\xff\0");
        assert_eq!(lines.next(), Ok(Some("abc".into())));
        assert_eq!(lines.next(), Ok(Some("d".into())));
        assert_eq!(lines.next(), Ok(None));
        lines.extend(b"\n");
        assert_eq!(lines.next(), Ok(Some("\u{fffd}\0".into())));
        assert_eq!(lines.next(), Ok(None));
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::default();
        lines.extend(&vec![b'x'; LONGEST_LINE + 1]);
        assert_eq!(lines.next(), Err(TooLong));
    }
}
