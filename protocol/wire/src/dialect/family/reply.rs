//! Replies of the UCI family, sent by an engine.
//!
//! The reader is for managers, which may drive any engine: it skips whatever it cannot parse, and
//! nothing is an error.

use super::{Family, one_line, split_word};
use crate::message::{Bound, Info, Reply, Score};
use std::fmt::Write as _;
use std::time::Duration;

/// Name and author of an engine, as far as received.
#[derive(Clone, Debug, Default)]
pub(in crate::dialect) struct EngineNames {
    name: String,
    author: String,
}

impl Family {
    /// The lines for `reply`.
    pub fn write_reply(&self, reply: &Reply) -> Vec<String> {
        let line = match reply {
            Reply::Id { name, author } => {
                return vec![
                    one_line(&format!("id name {name}")),
                    one_line(&format!("id author {author}")),
                ];
            }
            Reply::Option(spec) => format!("option {spec}"),
            Reply::RawOption { name, rest } => format!("option name {name} {rest}"),
            Reply::Identified => self.identified.into(),
            Reply::Ready => "readyok".into(),
            Reply::Info(info) => return self.write_info(info),
            Reply::BestMove(token) => {
                format!("bestmove {}", token.as_deref().unwrap_or(self.no_move))
            }
            Reply::Response(text) => format!("response {text}"),
            Reply::Text(text) => return text.lines().map(String::from).collect(),
            Reply::Error(text) | Reply::EngineError(text) => format!("info string error: {text}"),
            Reply::Acknowledged | Reply::Annotation(_) | Reply::Bye => return Vec::new(),
        };
        vec![one_line(&line)]
    }

    /// One line for the fields and one for each text, since `pv` extends to the end of its line.
    fn write_info(&self, info: &Info) -> Vec<String> {
        let mut line = String::from("info");
        let mut add = |word: &str, value: Option<u128>| {
            if let Some(value) = value {
                let _ = write!(line, " {word} {value}");
            }
        };
        add("depth", info.depth.map(u128::from));
        add("seldepth", info.seldepth.map(u128::from));
        add("multipv", info.multipv.map(u128::from));
        add("time", info.time.map(|t| t.as_millis()));
        add("nodes", info.nodes.map(u128::from));
        add("nps", info.nps.map(u128::from));
        add("hashfull", info.hashfull.map(u128::from));
        if let Some(score) = info.score {
            line.push_str(" score ");
            line.push_str(&self.write_score(score));
            line.push_str(match info.bound {
                Some(Bound::Lower) => " lowerbound",
                Some(Bound::Upper) => " upperbound",
                None => "",
            });
        }
        if let Some([win, draw, loss]) = info.wdl {
            let _ = write!(line, " wdl {win} {draw} {loss}");
        }
        if !info.pv.is_empty() {
            line.push_str(" pv ");
            line.push_str(&info.pv.join(" "));
        }
        let fields = (line != "info").then(|| one_line(&line));
        let text = info.text.as_ref().map(|t| one_line(&format!("info string {t}")));
        let leaves = info.leaves.map(|n| format!("info string {LEAVES}{n}"));
        fields.into_iter().chain(text).chain(leaves).collect()
    }

    fn write_score(&self, score: Score) -> String {
        match score {
            Score::Cp(x) => format!("cp {x}"),
            Score::Mate(plies) if self.mate_in_moves => {
                format!("mate {}", plies.signum() * plies.unsigned_abs().div_ceil(2) as i32)
            }
            Score::Mate(plies) => format!("mate {plies}"),
        }
    }

    /// Reads an engine's line.
    pub fn read_reply(&self, line: &str, names: &mut EngineNames) -> Option<Reply> {
        let (word, rest) = split_word(line);
        match word {
            "id" => read_id(rest, names),
            "option" => read_option(rest),
            "readyok" => Some(Reply::Ready),
            "info" => self.read_info(rest),
            "bestmove" => Some(Reply::BestMove(self.read_best_move(rest))),
            "response" if !rest.is_empty() => Some(Reply::Response(rest.into())),
            _ if word == self.identified => Some(Reply::Identified),
            _ => None,
        }
    }

    /// The first word; [`read_ponder`] reads the rest. Every known way to report no legal move
    /// counts, including an empty text.
    fn read_best_move(&self, rest: &str) -> Option<String> {
        let (token, _) = split_word(rest);
        let none = ["", "0000", "(none)", "none", "null", self.no_move].contains(&token);
        (!none).then(|| token.into())
    }

    fn read_info(&self, rest: &str) -> Option<Reply> {
        if let ("string", text) = split_word(rest) {
            return Some(match text.strip_prefix("error:") {
                Some(error) => Reply::Error(error.trim().into()),
                None if leaves(text).is_some() => {
                    Reply::Info(Info { leaves: leaves(text), ..Info::default() })
                }
                None => Reply::Info(Info { text: Some(text.into()), ..Info::default() }),
            });
        }
        let mut info = Info::default();
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = value(&mut words),
                "seldepth" => info.seldepth = value(&mut words),
                "time" => info.time = value(&mut words).map(Duration::from_millis),
                "nodes" => info.nodes = value(&mut words),
                "nps" => info.nps = value(&mut words),
                "hashfull" => info.hashfull = value(&mut words),
                "lowerbound" => info.bound = Some(Bound::Lower),
                "upperbound" => info.bound = Some(Bound::Upper),
                "wdl" => {
                    let mut next = || value::<u32>(&mut words);
                    info.wdl = next().zip(next()).zip(next()).map(|((w, d), l)| [w, d, l]);
                }
                "score" => info.score = self.read_score(words.next(), words.next()),
                "multipv" => info.multipv = value(&mut words),
                "pv" => {
                    while let Some(token) = words.next_if(|w| !KEYWORDS.contains(w)) {
                        info.pv.push(token.into());
                    }
                }
                _ => {}
            }
        }
        (info != Info::default()).then_some(Reply::Info(info))
    }

    fn read_score(&self, kind: Option<&str>, number: Option<&str>) -> Option<Score> {
        let number: i32 = number?.parse().ok()?;
        match kind? {
            "cp" => Some(Score::Cp(number)),
            "mate" if !self.mate_in_moves => Some(Score::Mate(number)),
            // A mate in n moves happens on the mover's n-th move, one ply before being mated.
            "mate" if number > 0 => Some(Score::Mate(number.saturating_mul(2).saturating_sub(1))),
            "mate" => Some(Score::Mate(number.saturating_mul(2))),
            _ => None,
        }
    }
}

/// The text that precedes the number of leaves: the family has no field for it.
const LEAVES: &str = "leaves ";

fn leaves(text: &str) -> Option<u64> {
    text.strip_prefix(LEAVES)?.trim().parse().ok()
}

/// Words that end a list of moves in an `info` line.
const KEYWORDS: [&str; 16] = [
    "lowerbound",
    "upperbound",
    "wdl",
    "depth",
    "seldepth",
    "time",
    "nodes",
    "nps",
    "hashfull",
    "score",
    "multipv",
    "currmove",
    "currmovenumber",
    "tbhits",
    "cpuload",
    "string",
];

fn value<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

/// Reads the text after the word `id`.
pub(in crate::dialect) fn read_id(rest: &str, names: &mut EngineNames) -> Option<Reply> {
    match split_word(rest) {
        ("name", name) => names.name = name.into(),
        ("author", author) => names.author = author.into(),
        _ => return None,
    }
    Some(Reply::Id { name: names.name.clone(), author: names.author.clone() })
}

/// The predicted reply in an engine's line: the word after `ponder` behind the move.
pub(in crate::dialect) fn read_ponder(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    (words.next()? == "bestmove").then(|| words.find(|word| *word == "ponder"))??;
    words.next()
}

fn read_option(rest: &str) -> Option<Reply> {
    let ("name", rest) = split_word(rest) else { return None };
    let (name, rest) = match rest.split_once(" type ") {
        Some((name, kind)) => (name.trim(), format!("type {}", kind.trim())),
        None => (rest, String::new()),
    };
    (!name.is_empty()).then(|| Reply::RawOption { name: name.into(), rest })
}
