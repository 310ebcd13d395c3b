//! Presets of events: game, clock, order of first moves and form of the record, read from TOML. Those of
//! `referee/events/` are part of the program; a copy of one, edited, describes any other event.

use crate::games::find_game;
use agon_games::arbiter::GameKind;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use agon_matchlog::{Limit, Setting, TimeControl, rule_pairs};
use agon_wire::input_file::{self, MAX_TEXT};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use toml::{Spanned, Value};

/// The embedded presets: file names and contents, in the order of the list.
const EMBEDDED: [(&str, &str); 12] = [
    ("ccgc-amazons.toml", include_str!("../../events/ccgc-amazons.toml")),
    ("ccgc-connect6.toml", include_str!("../../events/ccgc-connect6.toml")),
    ("ccgc-einstein.toml", include_str!("../../events/ccgc-einstein.toml")),
    ("ccgc-nogo.toml", include_str!("../../events/ccgc-nogo.toml")),
    ("ccgc-xiangqi.toml", include_str!("../../events/ccgc-xiangqi.toml")),
    ("icga-amazons.toml", include_str!("../../events/icga-amazons.toml")),
    ("icga-connect6.toml", include_str!("../../events/icga-connect6.toml")),
    ("icga-darkchess.toml", include_str!("../../events/icga-darkchess.toml")),
    ("icga-einstein.toml", include_str!("../../events/icga-einstein.toml")),
    ("icga-nogo.toml", include_str!("../../events/icga-nogo.toml")),
    ("icga-xiangqi.toml", include_str!("../../events/icga-xiangqi.toml")),
    ("taiwan-darkchess.toml", include_str!("../../events/taiwan-darkchess.toml")),
];

/// Maximum number of games of a match.
const MAX_GAMES: u32 = 99;

/// What a clock is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockScope {
    /// Each game begins with a full clock.
    #[default]
    Game,
    /// One clock for all games of the match.
    Match,
}

/// How many games decide a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// The first team with this many points wins.
    FirstTo(u32),
    /// At most this number of games; over once a team has more than half of this many points.
    BestOf(u32),
    /// All of this number of games.
    Games(u32),
}

impl Length {
    /// The maximum number of games without draws.
    pub fn max_games(self) -> u32 {
        match self {
            Length::FirstTo(points) => (2 * points).saturating_sub(1),
            Length::BestOf(games) | Length::Games(games) => games,
        }
    }
}

/// The form of the record to hand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// China's national form.
    Ccgc,
    /// SGF.
    Sgf,
    /// PGN.
    Pgn,
    /// The form of the World Xiangqi Federation.
    Wxf,
}

impl RecordForm {
    /// All forms, with their names and the games that they are for; no games: all.
    const ALL: [(RecordForm, &str, &[&str]); 4] = [
        (RecordForm::Ccgc, "ccgc", &["amazons", "connect6", "einstein", "nogo"]),
        (RecordForm::Sgf, "sgf", &["amazons", "connect6", "nogo"]),
        (RecordForm::Pgn, "pgn", &[]),
        (RecordForm::Wxf, "wxf", &["xiangqi"]),
    ];

    /// The name in presets and of `referee export --format`.
    pub fn name(self) -> &'static str {
        RecordForm::ALL.iter().find(|(form, ..)| *form == self).map_or("", |(_, name, _)| name)
    }
}

/// An event.
#[derive(Clone)]
pub struct Event {
    /// The name: lower-case letters, digits and `-`.
    pub name: String,
    /// The title in English.
    pub title: String,
    /// The title in Chinese; the English one if there is none.
    pub title_zh: String,
    /// The game.
    pub kind: GameKind,
    /// Rules that differ from the game's defaults.
    pub rules: Vec<Setting>,
    /// Time for each side.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// What the time is for.
    pub scope: ClockScope,
    /// How the match is decided.
    pub length: Length,
    /// Who moves first in each game: 0 is A, 1 is B; as long as the match may be.
    pub first: Vec<usize>,
    /// The form of the record to hand in.
    pub record: RecordForm,
    /// The preset's text, as read.
    pub text: String,
}

impl Event {
    /// The limits of an engine under the event's clock, which runs `scale` times as long (1: as at the
    /// event), with this margin in milliseconds.
    pub fn limit(&self, scale: f64, margin_ms: u64) -> Limit {
        let scaled = |time: Duration| (time.as_millis() as f64 * scale).round() as u64;
        let clock = TimeControl {
            time_ms: scaled(self.time).max(1),
            increment_ms: scaled(self.increment),
            moves: None,
        };
        Limit { clock: Some(clock), margin_ms, ..Limit::default() }
    }

    /// The clock as in the preset, such as `4:00` or `30:00+10`.
    pub fn clock_text(&self) -> String {
        let seconds = self.time.as_secs();
        let increment = match self.increment.as_secs() {
            0 => String::new(),
            s => format!("+{s}"),
        };
        format!("{}:{:02}{increment}", seconds / 60, seconds % 60)
    }
}

/// The keys of a preset.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    name: Spanned<String>,
    title: String,
    title_zh: Option<String>,
    game: Spanned<String>,
    clock: Spanned<String>,
    increment: Option<Spanned<Value>>,
    per: Option<Spanned<String>>,
    #[serde(rename = "match")]
    length: Spanned<LengthKeys>,
    order: Option<Spanned<String>>,
    record: Option<Spanned<String>>,
    #[serde(default)]
    rules: BTreeMap<String, Spanned<Value>>,
}

/// The keys of `match`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LengthKeys {
    first_to: Option<u32>,
    best_of: Option<u32>,
    games: Option<u32>,
}

/// All embedded presets.
///
/// # Errors
///
/// None, as a test reads them all.
pub fn embedded() -> Result<Vec<Event>, Phrase> {
    EMBEDDED.iter().map(|(file, text)| parse(text, file)).collect()
}

/// Finds an embedded preset by name, or reads a file.
///
/// # Errors
///
/// There is neither, or the file is bad: see [`parse`].
pub fn find(name: &str) -> Result<Event, Phrase> {
    let file = format!("{name}.toml");
    if let Some((file, text)) = EMBEDDED.iter().find(|(f, _)| f.eq_ignore_ascii_case(&file)) {
        return parse(text, file);
    }
    let path = Path::new(name);
    match input_file::read_stream_text(path, MAX_TEXT) {
        Ok(text) => parse(&text, name),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(phrase!(
            "event `{name}`: no preset and no file of this name; presets: {known}",
            name = excerpt(name),
            known = EMBEDDED.map(|(f, _)| f.trim_end_matches(".toml")).join(", ")
        )),
        Err(cause) => Err(phrase!("event file {path}: {cause}", path = excerpt(name), cause)),
    }
}

/// Reads a preset; `path` is named in errors.
///
/// # Errors
///
/// The text is not TOML, a key is unknown or missing, or a value is bad; the error names the line and what
/// would be right.
pub fn parse(text: &str, path: &str) -> Result<Event, Phrase> {
    let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
    let bad = |at: usize, reason: Phrase| {
        phrase!("{path}, line {line}: {reason}", path = excerpt(path), line = line(at), reason)
    };
    let keys: Keys = toml::from_str(text).map_err(|e| {
        let reason = Phrase::Plain(e.message().replace('\n', ", "));
        bad(e.span().map_or(0, |s| s.start), reason)
    })?;
    let at = |span: &Spanned<String>| span.span().start;
    let kind = find_game(keys.game.get_ref())
        .map_err(|cause| bad(at(&keys.game), phrase!("game: {cause}", cause)))?;
    let name = keys.name.get_ref();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        let name = excerpt(name);
        let reason = phrase!("name `{name}`: expected lower-case letters, digits and `-`", name);
        return Err(bad(at(&keys.name), reason));
    }
    let time = clock(keys.clock.get_ref()).map_err(|e| bad(at(&keys.clock), e))?;
    let increment = keys.increment.as_ref().map_or(Ok(Duration::ZERO), |value| {
        increment(value.get_ref()).map_err(|e| bad(value.span().start, e))
    })?;
    let scope = match keys.per.as_ref().map(|per| (per, per.get_ref().as_str())) {
        None | Some((_, "game")) => ClockScope::Game,
        Some((_, "match")) => ClockScope::Match,
        Some((per, word)) => {
            return Err(bad(at(per), wrong_scope(word)));
        }
    };
    let length = length(keys.length.get_ref()).map_err(|e| bad(keys.length.span().start, e))?;
    let first = match &keys.order {
        None => (0..length.max_games() as usize).map(|i| i % 2).collect(),
        Some(text) => order(text.get_ref(), length).map_err(|e| bad(at(text), e))?,
    };
    let record = match &keys.record {
        None => RecordForm::Pgn,
        Some(word) => record(word.get_ref(), kind.name).map_err(|e| bad(at(word), e))?,
    };
    let mut rules = Vec::new();
    for (name, value) in &keys.rules {
        let wrong = |cause: Phrase| bad(value.span().start, phrase!("rules: {cause}", cause));
        let rule = rule(name, value.get_ref()).map_err(wrong)?;
        let opened = kind.open(None, &rule_pairs(std::slice::from_ref(&rule)));
        opened.map_err(|e| wrong(e.to_phrase()))?;
        rules.push(rule);
    }
    Ok(Event {
        name: name.clone(),
        title_zh: keys.title_zh.unwrap_or_else(|| keys.title.clone()),
        title: keys.title,
        kind,
        rules,
        time,
        increment,
        scope,
        length,
        first,
        record,
        text: text.into(),
    })
}

fn wrong_scope(word: &str) -> Phrase {
    phrase!("per = \"{word}\": expected \"game\" or \"match\"", word = excerpt(word))
}

/// Reads `m:ss`.
fn clock(text: &str) -> Result<Duration, Phrase> {
    let read = || {
        let (minutes, seconds) = text.split_once(':')?;
        let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        let fits = digits(minutes) && digits(seconds) && seconds.len() == 2 && minutes.len() <= 4;
        let (m, s) =
            fits.then_some((minutes.parse::<u64>().ok()?, seconds.parse::<u64>().ok()?))?;
        (s < 60 && m + s > 0).then(|| Duration::from_secs(60 * m + s))
    };
    read().ok_or_else(|| {
        phrase!(
            "clock = \"{text}\": expected minutes and seconds for each side, as in \"4:00\"",
            text = excerpt(text)
        )
    })
}

/// Reads seconds, whole or not.
fn increment(value: &Value) -> Result<Duration, Phrase> {
    let seconds = match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    };
    let seconds = seconds.filter(|s| (0.0..=3600.0).contains(s));
    let expected = || phrase!("increment: expected seconds from 0 to 3600, as in 10 or 0.5");
    seconds.map(Duration::from_secs_f64).ok_or_else(expected)
}

fn length(keys: &LengthKeys) -> Result<Length, Phrase> {
    let length = match (keys.first_to, keys.best_of, keys.games) {
        (Some(n), None, None) => Length::FirstTo(n),
        (None, Some(n), None) => Length::BestOf(n),
        (None, None, Some(n)) => Length::Games(n),
        _ => {
            return Err(phrase!(
                "match: expected one of { first_to = N }, { best_of = N } and { games = N }"
            ));
        }
    };
    let n = keys.first_to.or(keys.best_of).or(keys.games).unwrap_or(0);
    if n == 0 || n > MAX_GAMES || length.max_games() > MAX_GAMES {
        return Err(phrase!(
            "match: {n}: expected a number that gives 1 to {most} games",
            n,
            most = MAX_GAMES
        ));
    }
    Ok(length)
}

fn order(text: &str, length: Length) -> Result<Vec<usize>, Phrase> {
    let games = length.max_games() as usize;
    let read: Option<Vec<usize>> =
        text.chars().map(|c| matches!(c, 'A' | 'B').then_some(usize::from(c == 'B'))).collect();
    read.filter(|letters| letters.len() == games).ok_or_else(|| {
        phrase!(
            "order = \"{text}\": expected {n} letters A or B, one for each game of the match: who moves first",
            text = excerpt(text),
            n = games
        )
    })
}

fn record(word: &str, game: &str) -> Result<RecordForm, Phrase> {
    let fits = |games: &[&str]| games.is_empty() || games.contains(&game);
    let found = RecordForm::ALL.iter().find(|(_, name, games)| *name == word && fits(games));
    found.map(|(form, ..)| *form).ok_or_else(|| {
        let known = RecordForm::ALL.iter().filter(|(.., games)| fits(games));
        let known: Vec<&str> = known.map(|(_, name, _)| *name).collect();
        phrase!(
            "record = \"{word}\": expected for {game} one of {names}",
            word = excerpt(word),
            game,
            names = known.join(", ")
        )
    })
}

fn rule(name: &str, value: &Value) -> Result<Setting, Phrase> {
    let value = match value {
        Value::String(text) => text.clone(),
        Value::Integer(n) => n.to_string(),
        Value::Boolean(b) => b.to_string(),
        _ => {
            let name = excerpt(name);
            return Err(phrase!("{name}: expected a text, a whole number or true or false", name));
        }
    };
    Ok(Setting { name: name.into(), value })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = EMBEDDED[2].1;

    #[test]
    fn every_embedded_preset_is_sound_and_named_like_its_file() {
        let events = embedded().unwrap();
        assert_eq!(events.len(), EMBEDDED.len());
        for (event, (file, _)) in events.iter().zip(EMBEDDED) {
            assert_eq!(format!("{}.toml", event.name), file);
            assert_ne!(event.title_zh, event.title, "{file}");
        }
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../events")).unwrap();
        assert_eq!(files.count(), EMBEDDED.len(), "a file of events/ that is not embedded");
    }

    #[test]
    fn the_einstein_match_of_the_championship_is_as_its_rules_have_it() {
        let event = find("ccgc-einstein").unwrap();
        assert_eq!((event.kind.name, event.clock_text().as_str()), ("einstein", "4:00"));
        assert_eq!(event.length, Length::FirstTo(4));
        let by_a: Vec<usize> = (0..7).filter(|&i| event.first[i] == 0).map(|i| i + 1).collect();
        assert_eq!(by_a, [1, 4, 5]);
        let clock = event.limit(0.05, 100).clock.unwrap();
        assert_eq!((clock.time_ms, clock.increment_ms), (12_000, 0));
    }

    #[test]
    fn mistakes_are_named_with_their_line_and_what_would_be_right() {
        for (from, to, line, expected) in [
            ("per =", "pre =", 11, "expected one of"),
            ("\"4:00\"", "\"4\"", 9, "as in \"4:00\""),
            ("\"4:00\"", "\"4:60\"", 9, "as in \"4:00\""),
            ("\"game\"", "\"day\"", 11, "\"game\" or \"match\""),
            ("ABBAABB", "ABBAAB", 13, "expected 7 letters"),
            ("ABBAABB", "ABBAABC", 13, "expected 7 letters"),
            ("first_to = 4", "first_to = 0", 12, "1 to 99 games"),
            ("first_to = 4", "games = 4, best_of = 4", 12, "expected one of"),
            ("first_to = 4", "first = 4", 12, "expected one of"),
            ("\"ccgc\"", "\"wxf\"", 14, "one of ccgc, pgn"),
            ("\"einstein\"", "\"chess\"", 8, "known games"),
            ("\"next\"", "\"any\"", 18, "one of next, nearest"),
            ("MissingDie", "Missing", 18, "MissingDie"),
            ("increment = 0", "increment = -1", 10, "from 0 to 3600"),
            ("\"ccgc-einstein\"", "\"a/b\"", 5, "lower-case letters"),
            ("clock = \"4:00\"\n", "", 1, "missing field `clock`"),
            ("game = ", "game ", 8, "expected"),
        ] {
            let text = GOOD.replacen(from, to, 1);
            assert_ne!(text, GOOD, "{from}");
            let error = parse(&text, "mine.toml").map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("mine.toml, line {line}: ")), "{to}: {error}");
            assert!(error.contains(expected), "{to}: {error}");
        }
    }

    #[test]
    fn an_unknown_event_is_answered_with_the_known_ones() {
        let error = find("ccgc-chess").map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("ccgc-einstein, ccgc-nogo"), "{error}");
    }
}
