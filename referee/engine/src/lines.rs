//! Splits the output of an untrusted program into lines of bounded length. Every line that enters the
//! referee is a [`SafeText`].

use agon_games::text::SafeText;

/// Maximum length of a line in bytes. A principal variation of a thousand moves is many times
/// shorter.
pub const MAX_LINE_BYTES: usize = 1 << 18;

/// Error: a line is longer than [`MAX_LINE_BYTES`].
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// Collects bytes and returns lines.
#[derive(Debug, Default)]
pub struct LineSplitter {
    bytes: Vec<u8>,
    /// The start of the next line.
    begin: usize,
    /// There is no line break before this index.
    scanned: usize,
}

impl LineSplitter {
    /// Appends bytes.
    pub fn extend(&mut self, bytes: &[u8]) {
        if self.begin > 0 {
            self.bytes.drain(..self.begin);
            self.scanned -= self.begin;
            self.begin = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether there is a complete line.
    pub fn has_line(&self) -> bool {
        self.bytes[self.scanned..].contains(&b'\n')
    }

    /// The next complete line without its line break.
    pub fn next(&mut self) -> Result<Option<SafeText>, TooLong> {
        let Some(at) = self.bytes[self.scanned..].iter().position(|&b| b == b'\n') else {
            self.scanned = self.bytes.len();
            let open = self.bytes.len() - self.begin;
            return if open > MAX_LINE_BYTES { Err(TooLong) } else { Ok(None) };
        };
        let end = self.scanned + at;
        let line = &self.bytes[self.begin..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE_BYTES {
            return Err(TooLong);
        }
        let text = SafeText::from_bytes(line);
        self.begin = end + 1;
        self.scanned = self.begin;
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_however_they_arrive() {
        let mut lines = LineSplitter::default();
        lines.extend(b"ab");
        assert_eq!(lines.next(), Ok(None));
        lines.extend(b"c\r\nd\n\xff\0");
        assert_eq!(lines.next(), Ok(Some(SafeText::new("abc"))));
        assert_eq!(lines.next(), Ok(Some(SafeText::new("d"))));
        assert_eq!(lines.next(), Ok(None));
        lines.extend(b"\n");
        assert_eq!(lines.next(), Ok(Some(SafeText::new("\u{fffd}\0"))));
        assert_eq!(lines.next(), Ok(None));
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = LineSplitter::default();
        lines.extend(&vec![b'x'; MAX_LINE_BYTES + 1]);
        assert_eq!(lines.next(), Err(TooLong));
    }
}
