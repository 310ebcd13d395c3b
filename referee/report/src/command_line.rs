//! The command line that reproduces a result.

/// This program's command line, quoted for a shell.
pub fn command_line() -> String {
    std::env::args().map(|arg| quoted(&arg)).collect::<Vec<_>>().join(" ")
}

/// A word, quoted for a shell if it needs that.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
