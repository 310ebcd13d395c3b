//! Text that fits a terminal.

use std::borrow::Cow;
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

/// The line broken after commas into lines of at most `width` columns; a longer part is broken between words, and a
/// longer word is cut off.
pub fn wrap(line: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in line.split_inclusive(", ") {
        match lines.last_mut() {
            Some(last) if (last.width() + part.trim_end().width()) <= width => last.push_str(part),
            _ => lines.push(part.into()),
        }
    }
    let lines = lines.iter().map(|line| fill(line, width));
    let lines: Vec<String> =
        lines.flat_map(|l| l.lines().map(|l| fit(l, width)).collect::<Vec<_>>()).collect();
    lines.join("\n")
}

/// The text with its long lines broken between words, for a terminal of `width` columns. What follows begins below the last
/// column of its line, or a little further to the right than the line. A longer word stays whole, and so does a line of
/// JSON, which programs read.
pub fn hang(text: &str, width: usize) -> Cow<'_, str> {
    if text.lines().all(|line| line.width() <= width) {
        return Cow::Borrowed(text);
    }
    let lines = text.split('\n').map(|line| match line.width() <= width || line.starts_with('{') {
        true => Cow::Borrowed(line),
        false => Cow::Owned(hung(line, width)),
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// A line that is too long.
fn hung(line: &str, width: usize) -> String {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    // Text in columns has at least two blanks before each.
    let column = line.trim_end().rfind("  ").map(|at| line[..at + 2].width());
    let column = column.filter(|&column| column > blanks && 3 * column <= 2 * width);
    let indent = column.unwrap_or((blanks + 2).min(width / 2));
    let (mut out, mut rest, mut used) = (String::new(), line, 0);
    while used + rest.width() > width {
        // The last blank before the edge; of a word that is too long, the first one after it.
        let start = if out.is_empty() { blanks } else { 0 };
        let mut edge = None;
        for (at, _) in rest.match_indices(' ').filter(|(at, _)| *at > start) {
            let fits = used + rest[..at].trim_end().width() <= width;
            if fits || edge.is_none() {
                edge = Some(at);
            }
            if !fits {
                break;
            }
        }
        let Some(edge) = edge else { break };
        out.push_str(rest[..edge].trim_end());
        rest = rest[edge..].trim_start();
        if rest.is_empty() {
            return out;
        }
        out.push('\n');
        out.push_str(&" ".repeat(indent));
        used = indent;
    }
    out + rest
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
        assert_eq!(wrap("one long part, two", 8), "one long\npart,\ntwo");
        let lines: Vec<String> = wrap(text, 40).lines().map(String::from).collect();
        assert_eq!(lines, ["new 10-5-3 against base, 63.9%,", "Elo +99 [-20, +240], LOS 95.1%"]);
    }

    #[test]
    fn long_lines_are_broken_between_words_below_their_last_column() {
        let row = "  e-values          1.2, 0.3   wealth of fixed bets against H0 and H1";
        let below = " ".repeat(31);
        let first = "  e-values          1.2, 0.3   wealth of fixed";
        assert_eq!(hang(row, 47), format!("{first}\n{below}bets against H0\n{below}and H1"));
        assert_eq!(hang("referee: one two three", 16), "referee: one two\n  three");
        assert_eq!(hang("a http://127.0.0.1/long/ b", 10), "a\n  http://127.0.0.1/long/\n  b");
        assert_eq!(hang("{\"a\": \"b c d e f\"}", 5), "{\"a\": \"b c d e f\"}");
        assert_eq!(hang("short\n\n", 5), "short\n\n");
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let texts = [
            "  x   y 亚马逊 棋 z  w",
            "alpha  beta gamma   delta",
            "      indented far too much here",
            row,
        ];
        for text in texts {
            for width in 1..60 {
                let broken = hang(text, width);
                assert_eq!(words(&broken), words(text), "{width}");
                for line in broken.lines().filter(|line| line.width() > width) {
                    assert_eq!(line.split_whitespace().count(), 1, "{width}: {line:?}");
                }
            }
        }
    }
}
