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
pub(crate) mod tests {
    use super::*;

    /// Checks nesting: every element is closed, in order, except the void elements of HTML. Scripts
    /// and styles are skipped.
    pub(crate) fn assert_well_formed(text: &str) {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find('<') {
            assert!(!rest[..start].contains('>'), "stray > before {}", &rest[start..]);
            rest = &rest[start + 1..];
            let end = rest.find('>').expect("a tag ends");
            let (tag, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if tag.starts_with('!') || tag.starts_with('?') || tag.ends_with('/') {
                continue;
            }
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "closing tag out of order");
                continue;
            }
            assert_eq!(tag.matches('"').count() % 2, 0, "unbalanced quotes in <{tag}>");
            let name = tag.split_whitespace().next().expect("a tag has a name");
            if matches!(name, "meta" | "input") {
                continue;
            }
            if matches!(name, "script" | "style") {
                let close = format!("</{name}>");
                let at = rest.find(&close).expect("raw text element ends");
                rest = &rest[at + close.len()..];
                continue;
            }
            open.push(name);
        }
        assert!(open.is_empty(), "left open: {open:?}");
    }

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

    #[test]
    #[should_panic(expected = "left open")]
    fn the_checker_finds_an_element_left_open() {
        assert_well_formed("<p><b></b>");
    }
}
