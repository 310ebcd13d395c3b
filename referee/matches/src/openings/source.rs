//! Where the openings of a match come from: the fields of `--openings`.

use super::read::OpeningsFormat;
use agon_engine::spec::{fields, unquote};
use agon_games::text::excerpt;
use agon_matchlog::OpeningPolicy;
use std::path::{Path, PathBuf};

/// The order in which pairs take the openings of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningOrder {
    /// In the order of the file.
    #[default]
    Sequential,
    /// Shuffled by the match's random numbers.
    Random,
}

/// An openings file and how it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsSource {
    /// The file.
    pub file: PathBuf,
    /// Its format; `None`: known by the name's end.
    pub format: Option<OpeningsFormat>,
    /// The order; `None`: as the flag `--order` says.
    pub order: Option<OpeningOrder>,
    /// The first opening that is used, from 1, in the order of use.
    pub start: u64,
    /// The number of decisions that are kept of each game; `None`: all.
    pub plies: Option<u32>,
    /// When the next opening is taken.
    pub policy: OpeningPolicy,
    /// The seed of a random order that several matches share; `None`: the match's own chance.
    pub seed: Option<u64>,
}

impl OpeningsSource {
    /// All of a file's openings in their order.
    pub fn file(path: &Path) -> OpeningsSource {
        OpeningsSource {
            file: path.into(),
            format: None,
            order: None,
            start: 1,
            plies: None,
            policy: OpeningPolicy::default(),
            seed: None,
        }
    }

    /// Parses a file's name, or comma-separated `key=value` fields. The error says what is wrong.
    pub fn parse(text: &str) -> Result<OpeningsSource, String> {
        let keys = ["file=", "format=", "order=", "start=", "plies=", "policy=", "seed="];
        if Path::new(text).exists() || !keys.iter().any(|key| text.contains(key)) {
            return Ok(OpeningsSource::file(Path::new(text)));
        }
        let mut source = OpeningsSource::file(Path::new(""));
        for field in fields(text).map_err(|quote| format!("the quote {quote} is never closed"))? {
            let (key, value) = field.split_once('=').unwrap_or(("file", field));
            source.set(key.trim(), unquote(value.trim()))?;
        }
        if source.file.as_os_str().is_empty() {
            return Err("the file is missing; give file=FILE".into());
        }
        Ok(source)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let wrong = |expected: &str| format!("{key}: `{}`; expected {expected}", excerpt(value));
        let number = || value.parse::<u32>().ok().filter(|n| *n > 0);
        let whole = || wrong("a whole number from 1");
        match key {
            "file" => self.file = value.into(),
            "format" => self.format = Some(choice(&FORMATS, value).map_err(|all| wrong(&all))?),
            "order" => self.order = Some(choice(&ORDERS, value).map_err(|all| wrong(&all))?),
            "policy" => self.policy = choice(&POLICIES, value).map_err(|all| wrong(&all))?,
            "start" => self.start = number().ok_or_else(whole)?.into(),
            "plies" => self.plies = Some(number().ok_or_else(whole)?),
            "seed" => {
                let seed = value.parse().map_err(|_| wrong("a whole number"))?;
                self.seed = Some(seed);
            }
            _ => {
                let known = "file, format, order, start, plies, policy, seed";
                return Err(format!("unknown key `{}`; known keys: {known}", excerpt(key)));
            }
        }
        Ok(())
    }
}

/// The values of a key by name; an alias follows its name after a bar.
type Names<T, const N: usize> = [(&'static str, T); N];

const FORMATS: Names<OpeningsFormat, 4> = [
    ("text|epd", OpeningsFormat::Text),
    ("pgn", OpeningsFormat::Pgn),
    ("sgf", OpeningsFormat::Sgf),
    ("wxf", OpeningsFormat::Wxf),
];
const ORDERS: Names<OpeningOrder, 2> =
    [("sequential", OpeningOrder::Sequential), ("random", OpeningOrder::Random)];
const POLICIES: Names<OpeningPolicy, 3> = [
    ("round", OpeningPolicy::Round),
    ("encounter", OpeningPolicy::Encounter),
    ("pair|default", OpeningPolicy::Pair),
];

/// The value with this name in any case; the error lists the names.
fn choice<T: Copy, const N: usize>(names: &Names<T, N>, value: &str) -> Result<T, String> {
    let is_named = |names: &str| names.split('|').any(|name| name.eq_ignore_ascii_case(value));
    let found = names.iter().find(|(names, _)| is_named(names));
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let first = |(names, _): &(&'static str, T)| names.split('|').next().unwrap_or(names);
        names.iter().map(first).collect::<Vec<_>>().join(", ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_file_and_fields_say_more() {
        let parse = |text| OpeningsSource::parse(text).unwrap();
        assert_eq!(parse("a b.txt"), OpeningsSource::file(Path::new("a b.txt")));
        let all = "file='x,y.pgn',format=pgn,order=random,start=5,plies=8,policy=encounter";
        let source = parse(all);
        assert_eq!(source.file, Path::new("x,y.pgn"));
        assert_eq!(
            (source.format, source.order),
            (Some(OpeningsFormat::Pgn), Some(OpeningOrder::Random))
        );
        assert_eq!((source.start, source.plies), (5, Some(8)));
        assert_eq!(source.policy, OpeningPolicy::Encounter);
        assert_eq!(parse("book.sgf,plies=4").file, Path::new("book.sgf"));
        let wrong = |text| OpeningsSource::parse(text).unwrap_err();
        assert!(wrong("file=x,start=0").contains("whole number"));
        assert!(wrong("file=x,format=docx").contains("text, pgn"));
        assert!(wrong("file=x,ply=3,plies=3").contains("unknown key `ply`"));
        assert!(wrong("plies=4").contains("file=FILE"));
    }
}
