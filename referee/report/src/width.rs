//! Text that fits a terminal.

use terminal_size::terminal_size_of;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns and lines of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerminalSize {
    /// Columns.
    pub width: usize,
    /// Lines.
    pub height: usize,
}

impl TerminalSize {
    fn of((width, height): (terminal_size::Width, terminal_size::Height)) -> TerminalSize {
        TerminalSize { width: width.0.into(), height: height.0.into() }
    }
}

/// The size of the terminal behind the standard output; `None` if it is not one.
pub fn of_output() -> Option<TerminalSize> {
    terminal_size_of(std::io::stdout()).map(TerminalSize::of)
}

/// The size of the terminal behind the standard error; `None` if it is not one.
pub fn of_errors() -> Option<TerminalSize> {
    terminal_size_of(std::io::stderr()).map(TerminalSize::of)
}

/// The line, cut off with an ellipsis if it is wider than `width` columns.
pub fn fit(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.into();
    }
    let mut left = width.saturating_sub(1);
    let kept = line.chars().take_while(|c| {
        let fits = c.width().unwrap_or(0) <= left;
        left = left.saturating_sub(c.width().unwrap_or(0));
        fits
    });
    let mut text: String = kept.collect();
    if width > 0 {
        text.push('…');
    }
    text
}

/// The text with spaces after it up to `width` columns.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{:1$}", "", width.saturating_sub(text.width()))
}

/// The line broken after commas into lines of at most `width` columns; a longer part is cut off.
pub fn wrap(line: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in line.split_inclusive(", ") {
        match lines.last_mut() {
            Some(last) if (last.width() + part.trim_end().width()) <= width => last.push_str(part),
            _ => lines.push(part.into()),
        }
    }
    let lines: Vec<String> = lines.iter().map(|l| fit(l.trim_end(), width)).collect();
    lines.join("\n")
}

/// The text broken between words into lines of at most `width` columns; a longer word stays whole.
pub fn fill(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.width() + 1 + word.width() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        assert_eq!(fit("alpha beta", 10), "alpha beta");
        assert_eq!(fit("alpha beta", 9), "alpha be…");
        assert_eq!(fit("亚马逊棋", 6), "亚马…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!((padded("棋谱", 6), padded("record", 4)), ("棋谱  ".into(), "record".into()));
        assert_eq!(fill("one two  three\nfour", 8), "one two\nthree\nfour");
        assert_eq!(fill("亚马逊 a longword b", 8), "亚马逊 a\nlongword\nb");
        let text = "new 10-5-3 against base, 63.9%, Elo +99 [-20, +240], LOS 95.1%";
        for width in 8..80 {
            assert!(wrap(text, width).lines().all(|l| l.width() <= width), "{width}");
        }
        assert_eq!(wrap(text, 80), text);
        let lines: Vec<String> = wrap(text, 40).lines().map(String::from).collect();
        assert_eq!(lines, ["new 10-5-3 against base, 63.9%,", "Elo +99 [-20, +240], LOS 95.1%"]);
    }
}
