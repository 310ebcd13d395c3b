//! Untrusted text: making it safe to show, quoting it, splitting off words.
//!
//! Engines, files and managers can send any bytes. A control character can clear a terminal or end
//! a string, and a direction mark can reorder what a reader sees. [`visible`] is the only function
//! that decides which characters are shown as they are; [`SafeText`] can be made by nothing else.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Number of characters that [`excerpt`] shows.
const MAX_CHARS: usize = 120;

/// One line of text that a terminal, a log and a page show as it is. Only [`SafeText::new`] and
/// [`SafeText::from_bytes`] make it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SafeText(String);

impl SafeText {
    /// The text with every unsafe character escaped; see [`visible`].
    pub fn new(text: &str) -> SafeText {
        SafeText(visible(text).into_owned())
    }

    /// The same for bytes, which may be invalid UTF-8: U+FFFD stands for what is invalid.
    pub fn from_bytes(bytes: &[u8]) -> SafeText {
        SafeText::new(&String::from_utf8_lossy(bytes))
    }
}

impl Deref for SafeText {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a character can change what is around it or is not seen at all: controls (C0, DEL, C1),
/// direction marks and overrides, invisible format characters, line separators, noncharacters.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        || c as u32 & 0xfffe == 0xfffe
}

/// The text with each unsafe character (a control, a direction mark, an invisible character)
/// replaced by its visible escape, such as `\u{1b}` or `\n`, and each tab by a blank.
///
/// ```
/// use agon_games::text::visible;
///
/// assert_eq!(visible("a\u{1b}c \0 \u{202e}txt\tb"), r"a\u{1b}c \u{0} \u{202e}txt b");
/// assert_eq!(visible("h2e2 炮二平五"), "h2e2 炮二平五");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// As [`visible`], but line breaks stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| c == '\n')
}

fn escape(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_plain = |c: char| !is_unsafe(c) || is_kept(c);
    let plain = text.bytes().all(|b| (b' '..=b'~').contains(&b)) || text.chars().all(is_plain);
    if plain {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_plain(c) => out.push(c),
            '\t' => out.push(' '),
            c => out.extend(c.escape_default()),
        }
    }
    Cow::Owned(out)
}

/// The first 120 characters of an untrusted text, made visible, for messages.
pub fn excerpt(text: &str) -> String {
    let end = text.char_indices().nth(MAX_CHARS).map(|(at, _)| at);
    let start = visible(&text[..end.unwrap_or(text.len())]);
    if end.is_some() { format!("{start}...") } else { start.into_owned() }
}

/// The full-width forms of a Chinese keyboard and dashes as the usual characters.
pub fn usual(text: &str) -> Cow<'_, str> {
    let plain = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c,
    };
    if text.chars().all(|c| plain(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(plain).collect())
}

/// The first word of a text and the rest, both trimmed.
pub fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

/// The text with line breaks replaced by blanks, so that it stays on one line of a command.
pub fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_a_cursor_or_hides_itself_is_left() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            let shown = visible(&text);
            if is_unsafe(c) {
                assert!(shown.is_ascii() && !shown.contains(|c: char| c.is_control()), "{shown:?}");
            } else {
                assert_eq!(shown, text);
            }
        }
        for c in ['\0', '\u{1b}', '\u{7f}', '\u{9b}', '\u{85}', '\u{2028}', '\u{202e}', '\u{2066}']
        {
            assert!(is_unsafe(c), "{c:?}");
        }
    }

    #[test]
    fn line_breaks_stay_where_lines_are_wanted() {
        assert_eq!(visible_lines("a\nb\u{1b}\r\n"), "a\nb\\u{1b}\\r\n");
        assert_eq!(visible("a\nb"), r"a\nb");
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        assert_eq!(&*SafeText::from_bytes(b"d1\0d7,\xff"), "d1\\u{0}d7,\u{fffd}");
    }

    #[test]
    fn an_excerpt_is_cut_before_it_is_escaped() {
        let long = "\u{202e}".repeat(1000);
        assert_eq!(excerpt(&long), format!("{}...", r"\u{202e}".repeat(MAX_CHARS)));
        assert_eq!(excerpt("short"), "short");
    }
}
