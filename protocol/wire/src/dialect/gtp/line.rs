//! The line syntax of GTP and its derivatives: a command with an optional id, an answer.

use crate::dialect::split_word;

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) struct GtpLine<'a> {
    /// The id before the command, which the answer repeats.
    pub id: Option<u32>,
    /// The command name.
    pub name: &'a str,
    /// The arguments.
    pub rest: &'a str,
}

impl GtpLine<'_> {
    /// Reads a line; `None` if it is empty apart from a comment.
    pub fn read(line: &str) -> Option<GtpLine<'_>> {
        let text = line.split('#').next().unwrap_or_default();
        let (first, rest) = split_word(text);
        if first.is_empty() {
            return None;
        }
        let Ok(id) = first.parse() else { return Some(GtpLine { id: None, name: first, rest }) };
        let (name, rest) = split_word(rest);
        Some(GtpLine { id: Some(id), name, rest })
    }
}

/// The lines of an answer, including the empty line at its end.
pub(in crate::dialect) fn answer(good: bool, id: Option<u32>, text: &str) -> Vec<String> {
    let mark = if good { '=' } else { '?' };
    let id = id.map_or(String::new(), |id| id.to_string());
    let text = text.replace('\r', " ").replace("\n\n", "\n");
    let first = format!("{mark}{id} {text}");
    first.trim_end().split('\n').map(String::from).chain([String::new()]).collect()
}

/// The first line of an answer to a command with an id: success flag, id, text. `None` for other
/// lines.
pub(in crate::dialect) fn read_answer(line: &str) -> Option<(bool, Option<u32>, &str)> {
    let good = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (id, text) = rest.split_at(digits);
    Some((good, id.parse().ok(), text.trim()))
}
