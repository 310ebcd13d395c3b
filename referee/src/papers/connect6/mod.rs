//! Dependency-based search for Connect6 (Kang 2012, chapter 4): tables 3 to 5 and figures 42 to 44
//! on the problem set of `openings/connect6/problems`. Nothing is solved here: the rows come from
//! `connect6 solve --json`.

mod claims;
mod report;
pub mod run;
mod tables;

pub use report::report;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The game's name, the program's and the experiment's.
pub const NAME: &str = "connect6";
/// The problem set that belongs to the program.
pub const PROBLEMS: &str = include_str!("../../../../openings/connect6/problems/problems.jsonl");
/// Where it lies.
pub const PROBLEMS_FILE: &str = "openings/connect6/problems/problems.jsonl";
/// The quick run takes the problems whose number leaves 1 when divided by this.
pub const QUICK_PART: usize = 3;
/// The thesis's number of positions.
pub const PAPER_POSITIONS: usize = 260;

/// A search of the thesis's chapter 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// For rows.
    pub name: &'static str,
    /// What `connect6 solve` is told.
    pub arguments: &'static [&'static str],
}

/// No limit: the depth alone ends a search.
const NO_LIMIT: &str = "18446744073709551615";

/// The searches, in the order in which they are run on a position.
pub const SEARCHES: [Search; 5] = [
    Search {
        name: "plain",
        arguments: &["--plain", "--depth", "20", "--iteration", "130000", "--total", "7200000"],
    },
    Search {
        name: "db",
        arguments: &["--blame", "--depth", "20", "--iteration", "130000", "--total", "7200000"],
    },
    Search {
        name: "db-adjusted",
        arguments: &["--depth", "20", "--iteration", "70000", "--total", "3800000"],
    },
    Search {
        name: "plain-vcdt",
        arguments: &["--plain", "--vcdt", "--depth", "20", "--unlimited", "--total", NO_LIMIT],
    },
    Search {
        name: "db-vcdt",
        arguments: &["--blame", "--vcdt", "--depth", "20", "--unlimited", "--total", NO_LIMIT],
    },
];

/// A table of the thesis: the two searches that it compares, and its figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiment {
    /// The number of the table.
    pub table: u32,
    /// The number of the figure.
    pub figure: u32,
    /// What is compared, in words.
    pub words: &'static str,
    /// The names of the original search and of the dependency-based one.
    pub searches: [&'static str; 2],
    /// The thesis's moves, seconds and solved positions of either.
    pub paper: [(u64, f64, u64); 2],
}

/// Sections 4.2, 4.3 and the last one (numbered 4.1 again).
pub const EXPERIMENTS: [Experiment; 3] = [
    Experiment {
        table: 3,
        figure: 42,
        words: "VCDT and VCST, the original limits",
        searches: ["plain", "db"],
        paper: [(62_865_372, 4678.0, 180), (45_717_611, 3719.0, 199)],
    },
    Experiment {
        table: 4,
        figure: 43,
        words: "VCDT and VCST, adjusted limits for the dependency-based search",
        searches: ["plain", "db-adjusted"],
        paper: [(62_865_372, 4678.0, 180), (30_007_630, 2620.0, 181)],
    },
    Experiment {
        table: 5,
        figure: 44,
        words: "VCDT alone, unlimited time",
        searches: ["plain-vcdt", "db-vcdt"],
        paper: [(45_536_423, 2183.0, 72), (7_169_103, 507.0, 72)],
    },
];

/// A position of the problem set: what the experiment needs of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// Its number, from 1.
    pub number: usize,
    /// `startpos moves ...`.
    pub position: String,
    /// `VCDT`, `VCST` or `unknown`.
    pub result: String,
}

/// What one search did on one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The problem's number.
    pub number: usize,
    /// Its position.
    pub position: String,
    /// The SHA-256 of the program that answered.
    pub program: String,
    /// The search's name.
    pub search: String,
    /// What `connect6 solve --json` printed.
    #[serde(flatten)]
    pub answer: Answer,
}

/// A line of `connect6 solve --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// `VCDT`, `VCST`, `VCNT`, `none`, `unknown` or `refuted`.
    pub result: String,
    /// Attacking turns played.
    pub moves: u64,
    /// Stones placed.
    pub stones: u64,
    /// Processor time of the search.
    pub cpu_seconds: f64,
    /// Processor time of the verifier, which replays a win.
    pub verify_seconds: f64,
    /// The rule that left out a turn of the plain search's win.
    #[serde(default)]
    pub lost_by: Option<String>,
}

impl Answer {
    /// Whether it is a win; the engine's verifier has replayed it.
    pub fn solved(&self) -> bool {
        matches!(self.result.as_str(), "VCDT" | "VCST" | "VCNT")
    }
}

/// Why lines could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// A line is not what it should be.
    #[error("line {line} of {of}: {error}; expected a line that the present version wrote")]
    Json {
        /// Counted from 1.
        line: usize,
        /// Which lines.
        of: String,
        /// What was wrong.
        error: serde_json::Error,
    },
    /// A position stands twice.
    #[error("{of} has two problems with the number {number}")]
    Twice {
        /// Which lines.
        of: String,
        /// The number.
        number: usize,
    },
}

fn lines<T: serde::de::DeserializeOwned>(text: &str, of: &str) -> Result<Vec<T>, LineError> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let read = |(i, line): (usize, &str)| {
        let fail = |error| LineError::Json { line: i + 1, of: of.into(), error };
        serde_json::from_str(line).map_err(fail)
    };
    lines.map(read).collect()
}

/// Reads a problem set; `of` is its name for errors.
///
/// # Errors
/// A line that is no problem, a number that stands twice.
pub fn problems(text: &str, of: &str) -> Result<Vec<Problem>, LineError> {
    let problems: Vec<Problem> = lines(text, of)?;
    let mut seen = std::collections::BTreeSet::new();
    match problems.iter().find(|p| !seen.insert(p.number)) {
        Some(p) => Err(LineError::Twice { of: of.into(), number: p.number }),
        None => Ok(problems),
    }
}

/// Reads rows of a run that was interrupted.
///
/// # Errors
/// A line that is no row.
pub fn rows(text: &str, of: &str) -> Result<Vec<Row>, LineError> {
    lines(text, of)
}

/// The rows of the problems that all searches have answered.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// By number of the problem and name of the search.
    answers: BTreeMap<usize, BTreeMap<String, Answer>>,
    /// What is known of each of them.
    known: BTreeMap<usize, String>,
    /// Problems that were to be run.
    pub wanted: usize,
    /// Problems in the whole set.
    pub all: usize,
}

impl Findings {
    /// Keeps what is complete. `wanted` are the problems to be run out of `all`.
    pub fn new(wanted: &[Problem], all: usize, rows: Vec<Row>) -> Findings {
        let known: BTreeMap<usize, String> =
            wanted.iter().map(|p| (p.number, p.result.clone())).collect();
        let mut answers: BTreeMap<usize, BTreeMap<String, Answer>> = BTreeMap::new();
        for row in rows.into_iter().filter(|r| known.contains_key(&r.number)) {
            answers.entry(row.number).or_default().insert(row.search, row.answer);
        }
        let complete = |m: &BTreeMap<String, Answer>| {
            SEARCHES.iter().all(|search| m.contains_key(search.name))
        };
        answers.retain(|_, m| complete(m));
        Findings { answers, known, wanted: wanted.len(), all }
    }

    /// The numbers of the problems that are complete.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.answers.keys().copied()
    }

    /// The answer of a search; `None` where it was not run.
    pub fn answer(&self, number: usize, search: &str) -> Option<&Answer> {
        self.answers.get(&number)?.get(search)
    }

    /// Both answers of an experiment for every complete problem.
    pub fn pairs(
        &self,
        searches: [&'static str; 2],
    ) -> impl Iterator<Item = (usize, [&Answer; 2])> + '_ {
        self.numbers().filter_map(move |n| {
            Some((n, [self.answer(n, searches[0])?, self.answer(n, searches[1])?]))
        })
    }

    /// What the problem set says about a problem.
    pub fn known(&self, number: usize) -> &str {
        self.known.get(&number).map_or("unknown", String::as_str)
    }
}
