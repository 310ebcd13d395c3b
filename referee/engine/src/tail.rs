//! The end of a program's output.

use agon_games::text::excerpt;

/// Maximum number of bytes kept.
const MAX_BYTES: usize = 4096;

/// Keeps the end of a stream.
#[derive(Debug, Default)]
pub struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    /// Appends bytes and drops the oldest.
    pub fn extend(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(MAX_BYTES)..];
        self.bytes.extend_from_slice(bytes);
        // Moving the kept bytes costs more than appending a short answer, so do it rarely.
        if self.bytes.len() > 4 * MAX_BYTES {
            self.bytes.drain(..self.bytes.len() - MAX_BYTES);
        }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The last `max` lines, each cut to a readable length; `None` if there was no output.
    pub fn lines(&self, max: usize) -> Option<String> {
        let text = self.text()?;
        let lines: Vec<String> = text.lines().rev().take(max).map(excerpt).collect();
        Some(lines.into_iter().rev().collect::<Vec<_>>().join("\n"))
    }

    /// The kept text without surrounding whitespace; `None` if it is empty.
    fn text(&self) -> Option<String> {
        let text =
            String::from_utf8_lossy(&self.bytes[self.bytes.len().saturating_sub(MAX_BYTES)..]);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{fffd}');
        (!text.is_empty()).then(|| text.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut tail = Tail::default();
        assert_eq!(tail.text(), None);
        for i in 0..10_000 {
            tail.extend(format!("line {i}\n").as_bytes());
        }
        let text = tail.text().unwrap();
        assert!(text.ends_with("line 9999") && text.len() <= MAX_BYTES);
        assert_eq!(tail.lines(2).unwrap(), "line 9998\nline 9999");
        tail.extend(b"half a line \0");
        assert!(tail.lines(1).unwrap().starts_with("half a line "), "{:?}", tail.lines(1));
    }
}
