//! The last words of a program on one of its outputs.

use agon_protocol::text::excerpt;

/// How many bytes are kept.
const KEPT: usize = 4096;

/// Keeps the end of a stream.
#[derive(Debug, Default)]
pub struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    /// Adds what was read and forgets what is too old.
    pub fn extend(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        self.bytes.extend_from_slice(bytes);
        // Moving what is kept is dear beside a short answer: only now and then.
        if self.bytes.len() > 4 * KEPT {
            self.bytes.drain(..self.bytes.len() - KEPT);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The last `most` lines, each shortened to what fits a line of a terminal or two; `None` if
    /// nothing was said.
    pub fn lines(&self, most: usize) -> Option<String> {
        let text = self.text()?;
        let lines: Vec<String> = text.lines().rev().take(most).map(excerpt).collect();
        Some(lines.into_iter().rev().collect::<Vec<_>>().join("\n"))
    }

    /// The kept text without blanks at its ends; `None` if there is none.
    fn text(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes[self.bytes.len().saturating_sub(KEPT)..]);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{fffd}');
        (!text.is_empty()).then(|| text.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_words_are_kept() {
        let mut tail = Tail::default();
        assert_eq!(tail.text(), None);
        for i in 0..10_000 {
            tail.extend(format!("line {i}\n").as_bytes());
        }
        let text = tail.text().unwrap();
        assert!(text.ends_with("line 9999") && text.len() <= KEPT);
        assert_eq!(tail.lines(2).unwrap(), "line 9998\nline 9999");
        tail.extend(b"half a line \0");
        assert!(tail.lines(1).unwrap().starts_with("half a line "), "{:?}", tail.lines(1));
    }
}
