//! Small helpers for untrusted text: quoting it safely, splitting off words, keeping it on one
//! line.

/// The first 120 characters of an untrusted text, control characters escaped, for messages.
pub fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    let mut out = String::new();
    for c in text.chars().take(MAX_CHARS) {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        out.push_str("...");
    }
    out
}

/// The first word of a text and the rest, both trimmed.
pub fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

/// The text with line breaks replaced by blanks, so that it stays on one line.
pub fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
