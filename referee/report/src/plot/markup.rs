//! Helpers for pictures and pages: lengths in user units, and escaped text.

use std::fmt::{self, Display};

/// Replaces every character that XML forbids by U+FFFD: the names and messages of engines may
/// contain any byte.
pub fn without_control_characters(document: &str) -> String {
    let forbidden = |c: char| {
        c.is_control() && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    document.replace(forbidden, "\u{fffd}")
}

/// A length in user units, printed with at most two decimals.
pub fn px(x: f64) -> impl Display {
    struct Px(f64);
    impl Display for Px {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let text = format!("{:.2}", self.0);
            let text = text.trim_end_matches('0').trim_end_matches('.');
            f.write_str(if text == "-0" { "0" } else { text })
        }
    }
    Px(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            [px(1.0), px(0.126), px(-0.001), px(12.5)].map(|p| p.to_string()),
            ["1", "0.13", "0", "12.5"]
        );
    }

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        assert_eq!(without_control_characters("a\u{0}\tb\u{1b}\n"), "a\u{fffd}\tb\u{fffd}\n");
    }
}
