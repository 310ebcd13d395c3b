//! The last words of a program on its standard error.

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
        let excess = self.bytes.len().saturating_sub(KEPT);
        self.bytes.drain(..excess);
    }

    /// The kept text without blanks at its ends; `None` if there is none.
    pub fn text(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes);
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
    }
}
