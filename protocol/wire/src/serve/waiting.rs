//! Lines that wait until all earlier ones are answered.

use std::collections::VecDeque;

/// The maximum number of bytes of all lines together.
const MOST_BYTES: usize = 16 << 20;

/// A queue of lines with bounded memory.
#[derive(Debug, Default)]
pub(super) struct WaitingLines {
    lines: VecDeque<String>,
    bytes: usize,
}

impl WaitingLines {
    /// Whether no line waits.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Appends a line; `false` if there is no room for it.
    pub(super) fn push(&mut self, line: String) -> bool {
        // Empty lines count too.
        let bytes = self.bytes + size(&line);
        if bytes > MOST_BYTES {
            return false;
        }
        self.bytes = bytes;
        self.lines.push_back(line);
        true
    }

    /// The oldest line.
    pub(super) fn pop(&mut self) -> Option<String> {
        let line = self.lines.pop_front()?;
        self.bytes -= size(&line);
        Some(line)
    }

    /// Drops all lines.
    pub(super) fn clear(&mut self) {
        *self = WaitingLines::default();
    }
}

/// The bytes that a line takes.
fn size(line: &str) -> usize {
    line.len() + size_of::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_in_order_and_a_flood_is_refused() {
        let mut lines = WaitingLines::default();
        assert!(lines.push("a".into()) && lines.push("b".into()));
        assert_eq!(lines.pop().as_deref(), Some("a"));
        assert_eq!(lines.pop().as_deref(), Some("b"));
        assert!(lines.is_empty() && lines.bytes == 0);
        let count = (0..10_000_000).take_while(|_| lines.push(String::new())).count();
        assert!(count < 1_000_000, "{count}");
        lines.clear();
        assert!(lines.push("c".into()));
    }
}
