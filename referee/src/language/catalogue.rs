//! The Chinese texts: the files `*.zh.txt`, in which a line in English comes before its translation.
//!
//! A hole `{name}` stands for any text. It is copied, or translated in turn if it is written `{~name}`.

use super::locale::Language;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The files.
const FILES: [&str; 7] = [
    include_str!("help.zh.txt"),
    include_str!("command_line.zh.txt"),
    include_str!("board.zh.txt"),
    include_str!("preflight.zh.txt"),
    include_str!("engines.zh.txt"),
    include_str!("rules.zh.txt"),
    include_str!("other.zh.txt"),
];

/// The longest line in bytes that is translated: output of an engine may be long.
const LONGEST: usize = 2000;

static ENTRIES: LazyLock<Vec<Translation>> =
    LazyLock::new(|| pairs().map(Translation::new).collect());

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Plain(&'static str),
    Hole { name: &'static str, translated: bool },
}

/// A text and its translation.
struct Translation {
    english: Vec<Piece>,
    chinese: Vec<Piece>,
}

/// What a text has in the hole of this name.
type Filling<'t> = (&'static str, bool, &'t str);

impl Language {
    /// The text in this language; a text that the catalogue does not know stays as it is.
    pub fn text(self, english: &str) -> Cow<'_, str> {
        if self == Language::English {
            return english.into();
        }
        let lines = english.split('\n').map(|line| {
            let text = line.trim_start();
            let indent = &line[..line.len() - text.len()];
            format!("{indent}{}", chinese(text).unwrap_or_else(|| text.into()))
        });
        lines.collect::<Vec<_>>().join("\n").into()
    }
}

/// The pairs of lines of all files.
pub fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.into_iter().flat_map(|file| {
        let mut lines = file.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
        std::iter::from_fn(move || Some((lines.next()?, lines.next()?)))
    })
}

/// The translation of a line, or of what comes after its first colon.
fn chinese(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let fits = ENTRIES.iter().filter_map(|entry| Some((entry, entry.fill(text)?)));
    if let Some((entry, filling)) = fits.max_by_key(|(entry, _)| entry.rank()) {
        return Some(entry.print(&filling));
    }
    let (head, rest) = text.split_once(": ")?;
    let parts = (chinese(head), chinese(rest));
    let is_known = parts.0.is_some() || parts.1.is_some();
    is_known.then(|| {
        format!("{}: {}", parts.0.as_deref().unwrap_or(head), parts.1.as_deref().unwrap_or(rest))
    })
}

impl Translation {
    fn new((english, chinese): (&'static str, &'static str)) -> Translation {
        Translation { english: pieces(english), chinese: pieces(chinese) }
    }

    /// How well a text fits that has this form: best if they begin alike, then by the bytes outside holes.
    fn rank(&self) -> (bool, usize) {
        let length = |piece: &Piece| if let Piece::Plain(text) = piece { text.len() } else { 0 };
        let begins = matches!(self.english.first(), Some(Piece::Plain(_)));
        (begins, self.english.iter().map(length).sum())
    }

    /// What the holes stand for, if the text has this form.
    fn fill<'t>(&self, text: &'t str) -> Option<Vec<Filling<'t>>> {
        let mut filling = Vec::new();
        fill(&self.english, text, &mut filling).then_some(filling)
    }

    /// The translation with filled holes.
    fn print(&self, filling: &[Filling<'_>]) -> String {
        let piece = |piece: &Piece| match *piece {
            Piece::Plain(text) => text.to_string(),
            Piece::Hole { name, .. } => match filling.iter().find(|(known, ..)| *known == name) {
                Some((_, true, text)) => chinese(text).unwrap_or_else(|| (*text).into()),
                Some((_, false, text)) => (*text).into(),
                None => String::new(),
            },
        };
        self.chinese.iter().map(piece).collect()
    }
}

/// Matches a text with pieces, from the left.
fn fill<'t>(pieces: &[Piece], text: &'t str, filling: &mut Vec<Filling<'t>>) -> bool {
    let Some((first, rest)) = pieces.split_first() else { return text.is_empty() };
    let (name, translated) = match *first {
        Piece::Plain(plain) => {
            return text.strip_prefix(plain).is_some_and(|text| fill(rest, text, filling));
        }
        Piece::Hole { name, translated } => (name, translated),
    };
    let Some(Piece::Plain(next)) = rest.first() else {
        filling.push((name, translated, text));
        return rest.is_empty();
    };
    text.match_indices(next).any(|(at, _)| {
        filling.push((name, translated, &text[..at]));
        let fits = fill(rest, &text[at..], filling);
        if !fits {
            filling.pop();
        }
        fits
    })
}

/// The pieces of a line of a file.
fn pieces(line: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(open) = line[from..].find('{').map(|at| from + at) {
        from = open + 1;
        let Some(close) = line[from..].find('}').map(|at| from + at) else { break };
        let name = line[from..close].trim_start_matches('~');
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase()) {
            continue;
        }
        if start < open {
            pieces.push(Piece::Plain(&line[start..open]));
        }
        pieces.push(Piece::Hole { name, translated: line[from..].starts_with('~') });
        (start, from) = (close + 1, close + 1);
    }
    if start < line.len() {
        pieces.push(Piece::Plain(&line[start..]));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_text_has_one_translation_with_the_same_holes() {
        let mut known = BTreeSet::new();
        for (english, chinese) in pairs() {
            assert!(english.is_ascii() || english.contains('炮'), "not English: {english}");
            assert!(!chinese.is_ascii() || english.is_ascii(), "not Chinese: {chinese}");
            let forms = |line| -> Vec<Piece> { pieces(line) };
            let names = |line| -> BTreeSet<&str> {
                let names = forms(line).into_iter().filter_map(|piece| match piece {
                    Piece::Hole { name, .. } => Some(name),
                    Piece::Plain(_) => None,
                });
                names.collect()
            };
            assert_eq!(names(english), names(chinese), "the holes of: {english}");
            let form: Vec<Piece> = forms(english)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Hole { .. } => Piece::Hole { name: "", translated: false },
                    plain @ Piece::Plain(_) => plain,
                })
                .collect();
            let holes =
                form.windows(2).any(|two| two.iter().all(|p| matches!(p, Piece::Hole { .. })));
            assert!(!holes, "two holes side by side: {english}");
            assert!(known.insert(format!("{form:?}")), "twice: {english}");
        }
        for file in FILES {
            let lines = file.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).count();
            assert_eq!(lines % 2, 0, "a line without its translation in: {file:.60}");
        }
    }

    #[test]
    fn holes_are_copied_or_translated_in_turn() {
        for (english, chinese) in [
            ("no roll is due", "现在不该掷骰子"),
            ("resuming mine.jsonl (7 actions)", "继续 mine.jsonl（已有 7 个操作）"),
            (
                "illegal move `h2e3`: the cannon on h2 cannot go to e3",
                "着法 `h2e3` 不合规则：h2 的炮走不到 e3",
            ),
            ("--rule: unknown game `go`", "--rule: 没有棋种 `go`"),
            ("the clock of no entry: xyz", "the clock of no entry: xyz"),
            ("  no roll is due\nand more", "  现在不该掷骰子\nand more"),
        ] {
            assert_eq!(Language::Chinese.text(english), chinese);
            assert_eq!(Language::English.text(english), english);
        }
        let long = "no roll is due: ".repeat(200);
        assert_eq!(Language::Chinese.text(&long), long);
    }
}
