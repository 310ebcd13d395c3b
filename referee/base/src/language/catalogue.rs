//! The Chinese texts by key: the files `*.zh.txt`, in which a pattern in English comes before its translation,
//! which is indented. A pattern is the key of a [`Phrase`]; help has its own text as the key.

use super::locale::Language;
use agon_games::arbiter::OpenError;
use agon_games::phrase::{Phrase, ToPhrase};
use agon_games::record::RecordError;
use agon_games::{FenError, MoveError};
use std::collections::HashMap;
use std::error::Error;
use std::sync::LazyLock;

/// The texts of messages.
const MESSAGES: [&str; 7] = [
    include_str!("command_line.zh.txt"),
    include_str!("board.zh.txt"),
    include_str!("analysis.zh.txt"),
    include_str!("preflight.zh.txt"),
    include_str!("engines.zh.txt"),
    include_str!("rules.zh.txt"),
    include_str!("other.zh.txt"),
];

/// The texts of help.
const HELP: &str = include_str!("help.zh.txt");

static CHINESE: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| messages().chain(help()).collect());

impl Language {
    /// The translation of a key; `None` if there is none, or none is needed.
    pub fn of_key(self, key: &str) -> Option<&'static str> {
        if self == Language::English { None } else { CHINESE.get(key).copied() }
    }

    /// A text in this language.
    pub fn say(self, text: &impl ToPhrase) -> String {
        text.to_phrase().translated(&|key| self.of_key(key))
    }

    /// An error and its causes in this language, as `{:#}` prints them in English.
    pub fn explain(self, error: &anyhow::Error) -> String {
        let links = error.chain().map(|link| match known(link) {
            Some(phrase) => self.say(&phrase),
            None => link.to_string(),
        });
        links.collect::<Vec<_>>().join(": ")
    }
}

/// The phrase of an error that has one.
fn known(error: &(dyn Error + 'static)) -> Option<Phrase> {
    fn of<E: ToPhrase + Error + 'static>(error: &(dyn Error + 'static)) -> Option<Phrase> {
        error.downcast_ref::<E>().map(ToPhrase::to_phrase)
    }
    let kinds = [
        of::<Phrase>,
        of::<std::io::Error>,
        of::<OpenError>,
        of::<RecordError>,
        of::<MoveError>,
        of::<FenError>,
    ];
    kinds.iter().find_map(|of| of(error))
}

/// Keys and Chinese texts of messages.
pub fn messages() -> impl Iterator<Item = (&'static str, &'static str)> {
    MESSAGES.into_iter().flat_map(pairs)
}

/// Texts of help, English and Chinese.
pub fn help() -> impl Iterator<Item = (&'static str, &'static str)> {
    pairs(HELP)
}

/// The pairs of lines of a file.
fn pairs(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut lines = file.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    std::iter::from_fn(move || Some((lines.next()?, lines.next()?.trim_start())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::phrase::phrase;
    use anyhow::Context;

    #[test]
    fn phrases_and_errors_are_said_by_their_keys() {
        let cause =
            MoveError::illegal("h2e3", phrase!("there is no piece on {square}", square = "h2"));
        let refused = phrase!("the engine's move is refused: {cause}", cause);
        assert_eq!(
            Language::Chinese.say(&refused),
            "引擎的着法不被接受：着法 `h2e3` 不合规则：h2 上没有棋子"
        );
        assert_eq!(Language::English.say(&refused), refused.to_string());
        let unknown = Phrase::of_key("a text that nobody has translated");
        assert_eq!(Language::Chinese.say(&unknown), unknown.to_string());
        let error = anyhow::Result::<()>::Err(cause.into()).context("--rule").unwrap_err();
        assert_eq!(Language::English.explain(&error), format!("{error:#}"));
        assert_eq!(
            Language::Chinese.explain(&error),
            "--rule: 着法 `h2e3` 不合规则：h2 上没有棋子"
        );
    }

    #[test]
    fn a_finished_sentence_is_never_matched() {
        let text = Phrase::Plain("no roll is due".into());
        assert_eq!(Language::Chinese.say(&text), "no roll is due");
        assert_eq!(Language::Chinese.say(&phrase!("no roll is due")), "现在不该掷骰子");
    }
}
