//! The words of the command line: flags with their keys, and what each means here.

use anyhow::{Result, bail};

/// The version of fastchess whose words these are; frameworks compare it.
pub const VERSION: &str = "1.8.2";

/// What a word means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It is done.
    Played,
    /// It changes nothing that matters; the text says why.
    Harmless(&'static str),
    /// It would change the match, and cannot be done; the text says what to do instead.
    Refused(&'static str),
}

/// The values behind a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// None.
    Nothing,
    /// Exactly one.
    One,
    /// `key=value` pairs with these keys, at least one.
    Pairs(&'static [Key]),
    /// Any number of words.
    Any,
}

/// A key and its meaning; `option.` stands for all names behind it.
pub type Key = (&'static str, Meaning);

/// A flag.
#[derive(Debug)]
pub struct Word {
    /// Its name, with the dash.
    pub name: &'static str,
    /// Its values.
    pub takes: Takes,
    /// What it means here.
    pub meaning: Meaning,
}

use Meaning::{Harmless, Played, Refused};
use Takes::{Any, Nothing, One, Pairs};

const ENGINE: &[Key] = &[
    ("cmd", Played),
    ("name", Played),
    ("args", Played),
    ("arg", Played),
    ("dir", Played),
    ("proto", Played),
    ("tc", Played),
    ("st", Played),
    ("nodes", Played),
    ("depth", Played),
    ("plies", Played),
    ("timemargin", Played),
    ("option.", Played),
    ("ponder", Played),
    ("stderr", Played),
    ("restart", Played),
    ("initstr", Refused("give the engine its options as option.NAME=VALUE")),
    ("conf", Refused("give the fields of the engine here")),
    ("book", Refused("the engine's own book is an option of the engine: option.NAME=FILE")),
    ("bookdepth", Refused("openings are those of -openings")),
    ("whitepov", Refused("scores are read from the side to move")),
    ("trust", Harmless("every move is checked by the rules")),
];

const OPENINGS: &[Key] = &[
    ("file", Played),
    ("format", Played),
    ("order", Played),
    ("plies", Played),
    ("start", Played),
    ("policy", Played),
];

const PGNOUT: &[Key] = &[
    ("file", Played),
    ("append", Played),
    ("nodes", Played),
    ("seldepth", Played),
    ("nps", Played),
    ("min", Played),
    ("notation", Played),
    (
        "match_line",
        Harmless("lines of engines are not copied into the PGN; -log file=F engine=true has them"),
    ),
    ("hashfull", Harmless("the log does not hold it")),
    ("tbhits", Harmless("the log does not hold it")),
    ("timeleft", Harmless("the log holds the times of the moves")),
    ("latency", Harmless("the log holds the times of the moves")),
    ("pv", Harmless("-log file=F engine=true has the engines' lines")),
];

const LOG: &[Key] = &[
    ("file", Played),
    ("engine", Played),
    ("level", Harmless("the file holds the dialogue with the engines")),
    ("append", Harmless("the file is always appended to")),
    ("compress", Harmless("the file is plain text")),
    ("realtime", Harmless("every line is written at once")),
];

const SPRT: &[Key] =
    &[("elo0", Played), ("elo1", Played), ("alpha", Played), ("beta", Played), ("model", Played)];

const CONFIG: &[Key] = &[
    ("file", Played),
    ("outname", Played),
    (
        "discard",
        Refused("a match that is resumed keeps its games: leave -config out to begin another"),
    ),
    (
        "stats",
        Refused("a match that is resumed keeps its games: leave -config out to begin another"),
    ),
];

const fn word(name: &'static str, takes: Takes, meaning: Meaning) -> Word {
    Word { name, takes, meaning }
}

const SYZYGY: Meaning = Refused("tablebases are those of the program that -tb names");

/// All flags.
pub const WORDS: &[Word] = &[
    word("-engine", Pairs(ENGINE), Played),
    word("-each", Pairs(ENGINE), Played),
    word("-variant", One, Played),
    word("-rounds", One, Played),
    word("-games", One, Played),
    word("-repeat", Any, Played),
    word("-noswap", Nothing, Played),
    word("-reverse", Nothing, Played),
    word("-tournament", One, Played),
    word("-seeds", One, Played),
    word("-sprt", Pairs(SPRT), Played),
    word("-openings", Pairs(OPENINGS), Played),
    word("-srand", One, Played),
    word(
        "-draw",
        Pairs(&[("movenumber", Played), ("movecount", Played), ("score", Played)]),
        Played,
    ),
    word(
        "-resign",
        Pairs(&[("movecount", Played), ("score", Played), ("twosided", Played)]),
        Played,
    ),
    word("-maxmoves", One, Played),
    word("-tb", One, Played),
    word("-tbpieces", One, SYZYGY),
    word("-tbignore50", Nothing, SYZYGY),
    word("-tbadjudicate", One, SYZYGY),
    word("-concurrency", One, Played),
    word("-force-concurrency", Nothing, Played),
    word("-use-affinity", Any, Played),
    word("-wait", One, Played),
    word("-recover", Nothing, Played),
    word("-pgnout", Any, Played),
    word("-epdout", Any, Refused("`referee export LOG --format csv` writes the last positions")),
    word("-event", Any, Played),
    word("-site", Any, Played),
    word("-output", Pairs(&[("format", Played)]), Played),
    word("-report", Pairs(&[("penta", Played)]), Played),
    word("-ratinginterval", One, Played),
    word("-scoreinterval", One, Played),
    word("-outcomeinterval", One, Harmless("`referee report LOG` counts how games ended")),
    word("-autosaveinterval", One, Harmless("every finished game is in the log at once")),
    word("-config", Pairs(CONFIG), Played),
    word("-log", Pairs(LOG), Played),
    word("-startup-ms", One, Played),
    word("-ucinewgame-ms", One, Played),
    word("-ping-ms", One, Played),
    word("-quick", Pairs(&[("cmd", Played), ("book", Played)]), Played),
    word(
        "-crc32",
        Pairs(&[("pgn", Harmless("the log's lines are chained by their hashes"))]),
        Played,
    ),
    word("-testEnv", Nothing, Harmless("there is nothing to leave out")),
    word("-strict", Nothing, Harmless("the referee is always strict")),
    word("-check-mate-pvs", Nothing, Harmless("`referee check` tests engines")),
    word("-show-latency", Nothing, Harmless("the referee measures its own latency")),
    word("-bookmode", One, Harmless("books are read into memory")),
    word("-resultformat", One, Harmless("results have one form")),
    word("-debug", Any, Refused("-log file=F engine=true writes the dialogue with the engines")),
    word("-livepgnout", Any, Refused("`referee match --serve` shows the running games")),
    word("-jsonout", Any, Refused("the log is JSON")),
    word("-bookdepth", One, Refused("give -openings plies=N")),
    word("-compliance", Any, Refused("use `referee check`")),
    word("--compliance", Any, Refused("use `referee check`")),
    word("-version", Nothing, Played),
    word("--version", Nothing, Played),
    word("-v", Nothing, Played),
    word("--v", Nothing, Played),
    word("-help", Nothing, Played),
    word("--help", Nothing, Played),
];

/// A flag of a command line with its values.
#[derive(Debug)]
pub struct Given<'a> {
    /// The flag.
    pub word: &'static Word,
    /// Its values.
    pub values: Vec<&'a str>,
}

impl<'a> Given<'a> {
    /// The one value of [`Takes::One`].
    pub fn value(&self) -> &'a str {
        self.values.first().copied().unwrap_or("")
    }

    /// The values as pairs, with the meanings of their keys.
    ///
    /// # Errors
    ///
    /// A value is no pair, or its key is unknown.
    pub fn pairs(&self) -> Result<Vec<(&'a str, &'a str, Meaning)>> {
        let Pairs(keys) = self.word.takes else { return Ok(Vec::new()) };
        self.pairs_of(keys)
    }

    /// The same for the flags whose pairs may be missing, or stand behind a name alone.
    ///
    /// # Errors
    ///
    /// As [`Given::pairs`].
    fn pairs_of(&self, keys: &[Key]) -> Result<Vec<(&'a str, &'a str, Meaning)>> {
        let flag = self.word.name;
        self.values
            .iter()
            .map(|value| {
                // cutechess-cli's word for an engine that ponders.
                let value = if *value == "ponder" { "ponder=true" } else { value };
                let Some((key, value)) = value.split_once('=').filter(|(key, _)| !key.is_empty())
                else {
                    bail!("{flag}: `{value}`: expected KEY=VALUE; keys: {}", names(keys));
                };
                if value.is_empty() {
                    bail!("{flag} {key}=: expected a value");
                }
                let is = |name: &str| match name.strip_suffix('.') {
                    Some(_) => key.starts_with(name) && key.len() > name.len(),
                    None => name == key,
                };
                match keys.iter().find(|(name, _)| is(name)) {
                    Some((_, meaning)) => Ok((key, value, *meaning)),
                    None => bail!(
                        "{flag}: unknown key `{key}`{}; keys: {}",
                        suggestion(key, keys.iter().map(|(name, _)| *name)),
                        names(keys)
                    ),
                }
            })
            .collect()
    }

    /// The pairs of `-pgnout`; cutechess-cli has the file's name alone, and `min` behind it.
    ///
    /// # Errors
    ///
    /// As [`Given::pairs`].
    pub fn pgn_pairs(&self) -> Result<Vec<(&'a str, &'a str, Meaning)>> {
        let bare = |value: &&str| !value.contains('=');
        let Some((file, rest)) = self.values.split_first().filter(|(file, _)| bare(file)) else {
            return self.pairs_of(PGNOUT);
        };
        let rest = rest.iter().map(|value| match *value {
            "min" => Ok(("min", "true", Played)),
            "fi" => Ok(("fi", "true", Harmless("unfinished games are not written"))),
            value => {
                bail!("{}: `{value}`: expected KEY=VALUE; keys: {}", self.word.name, names(PGNOUT))
            }
        });
        std::iter::once(Ok(("file", *file, Played))).chain(rest).collect()
    }
}

fn names(keys: &[Key]) -> String {
    let all: Vec<String> = keys
        .iter()
        .filter(|(_, meaning)| !matches!(meaning, Refused(_)))
        .map(
            |(name, _)| {
                if name.ends_with('.') { format!("{name}NAME") } else { (*name).to_string() }
            },
        )
        .collect();
    all.join(", ")
}

/// `; did you mean X?`, if a known word is near.
fn suggestion<'b>(word: &str, known: impl Iterator<Item = &'b str>) -> String {
    // Of `options.Hash` only the part that is no name counts.
    let part = |name: &str| match word.split_once('.').filter(|_| name.ends_with('.')) {
        Some((head, _)) => format!("{head}."),
        None => word.into(),
    };
    let distance =
        |name: &str| strsim::osa_distance(&part(name).to_lowercase(), &name.to_lowercase());
    let near = known
        .map(|name| (distance(name), name))
        .min()
        .filter(|(distance, name)| *distance <= 2.max(name.len() / 3) && *distance < name.len());
    near.map_or(String::new(), |(_, name)| format!("; did you mean `{name}`?"))
}

/// Splits a command line into flags and values. A word that begins with a dash and is no negative number is a flag.
///
/// # Errors
///
/// Names the first flag that does not exist, with the nearest one that does, and flags with too few or too many values.
pub fn split(arguments: &[String]) -> Result<Vec<Given<'_>>> {
    let is_flag = |text: &str| {
        let rest = text.strip_prefix('-');
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut given: Vec<Given<'_>> = Vec::new();
    for argument in arguments {
        match given.last_mut() {
            _ if is_flag(argument) => match WORDS.iter().find(|word| word.name == argument) {
                Some(word) => given.push(Given { word, values: Vec::new() }),
                None => bail!(
                    "unknown flag `{argument}`{}",
                    suggestion(argument, WORDS.iter().map(|word| word.name))
                ),
            },
            Some(last) => last.values.push(argument),
            None => bail!("`{argument}`: expected a flag, such as -engine; -help lists them"),
        }
    }
    for Given { word, values } in &given {
        let (name, count) = (word.name, values.len());
        match word.takes {
            Nothing if count > 0 => bail!("{name}: `{}`: it takes no value", values[0]),
            One if count != 1 => bail!("{name}: expected one value, {count} given"),
            Pairs(keys) if count == 0 => bail!("{name}: expected KEY=VALUE; keys: {}", names(keys)),
            _ => {}
        }
    }
    Ok(given)
}

/// The help: every flag with its keys and what it means here.
pub fn help() -> String {
    let mut text = String::from(
        "The command line of fastchess for every game of the referee.\n\
         -engine cmd=A -engine cmd=B -each tc=10+0.1 -rounds 100 -openings file=BOOK -pgnout file=games.pgn\n",
    );
    for word in WORDS {
        let values = match word.takes {
            Nothing => String::new(),
            One => " VALUE".into(),
            Any if word.name == "-pgnout" => format!(" KEY=VALUE ... ({})", names(PGNOUT)),
            Any => " WORD ...".into(),
            Pairs(keys) => format!(" KEY=VALUE ... ({})", names(keys)),
        };
        let meaning = match word.meaning {
            Played => String::new(),
            Harmless(why) => format!(": accepted; {why}"),
            Refused(instead) => format!(": refused; {instead}"),
        };
        text.push_str(&format!("  {}{values}{meaning}\n", word.name));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let given = match split(&words) {
            Ok(given) => given,
            Err(error) => return error.to_string(),
        };
        let pairs =
            given.iter().map(|g| if g.word.name == "-pgnout" { g.pgn_pairs() } else { g.pairs() });
        pairs.filter_map(Result::err).map(|e| e.to_string()).next().unwrap_or_default()
    }

    #[test]
    fn a_typing_error_is_answered_with_the_near_word() {
        for (line, near) in [
            ("-engin cmd=x", "did you mean `-engine`?"),
            ("-concurency 2", "did you mean `-concurrency`?"),
            ("-pngout file=x", "did you mean `-pgnout`?"),
            ("-Recover", "did you mean `-recover`?"),
            ("-engine cdm=x", "did you mean `cmd`?"),
            ("-each timemargn=5", "did you mean `timemargin`?"),
            ("-engine options.Hash=5", "did you mean `option.`?"),
            ("-pgnout fiel=x", "did you mean `file`?"),
            ("-openings file=x odrer=random", "did you mean `order`?"),
            ("-sprt elo0=1 elo2=3", "did you mean `elo0`?"),
        ] {
            let text = error(line);
            assert!(text.contains(near), "{line}: {text}");
        }
        for (line, expected) in [
            ("-frobnicate 3", "unknown flag `-frobnicate`"),
            ("cmd=x", "expected a flag"),
            ("-rounds", "-rounds: expected one value, 0 given"),
            ("-rounds 1 2", "expected one value, 2 given"),
            ("-recover yes", "it takes no value"),
            ("-engine", "-engine: expected KEY=VALUE"),
            ("-engine cmd", "`cmd`: expected KEY=VALUE"),
            ("-engine cmd=", "-engine cmd=: expected a value"),
            ("-engine option.=3", "unknown key `option.`"),
        ] {
            let text = error(line);
            assert!(text.contains(expected), "{line}: {text}");
        }
        assert_eq!(error("-concurrency -1 -sprt elo0=-5 elo1=0"), "");
    }

    #[test]
    fn no_flag_is_listed_twice() {
        let mut names: Vec<_> = WORDS.iter().map(|word| word.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), WORDS.len());
        assert!(WORDS.iter().all(|word| help().contains(&format!("  {}", word.name))));
    }
}
