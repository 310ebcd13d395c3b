//! Dependency-based search for Connect6 (Kang 2012, chapter 4): tables 3 to 5 and figures 42 to 44
//! on the problem set of `openings/connect6/problems`. This module solves nothing: the rows come
//! from `connect6 solve --json`.

mod claims;
mod limits;
mod report;
pub mod run;
mod tables;

pub use report::report;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The names of the game, the program and the experiment.
pub const NAME: &str = "connect6";
/// The problem set embedded in the program.
pub const PROBLEMS: &str = include_str!("../../../../openings/connect6/problems/problems.jsonl");
/// Its path.
pub const PROBLEMS_FILE: &str = "openings/connect6/problems/problems.jsonl";
/// The number of positions in the thesis.
pub const PAPER_POSITIONS: usize = 260;

/// A search of chapter 4 of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThesisSearch {
    /// Its name in rows.
    pub name: &'static str,
    /// Its arguments for `connect6 solve`.
    pub arguments: &'static [&'static str],
}

/// A search as the program is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchCall {
    /// Its name in rows.
    pub name: String,
    /// Its arguments for `connect6 solve`.
    pub arguments: Vec<String>,
}

impl From<ThesisSearch> for SearchCall {
    fn from(search: ThesisSearch) -> SearchCall {
        let arguments = search.arguments.iter().map(|word| word.to_string()).collect();
        SearchCall { name: search.name.into(), arguments }
    }
}

/// No limit: only the depth ends a search.
const NO_LIMIT: &str = "18446744073709551615";

/// The searches, in the order in which they run on a position.
pub const SEARCHES: [ThesisSearch; 5] = [
    ThesisSearch {
        name: "plain",
        arguments: &["--plain", "--depth", "20", "--iteration", "130000", "--total", "7200000"],
    },
    ThesisSearch {
        name: "db",
        arguments: &[
            "--missed-wins",
            "--depth",
            "20",
            "--iteration",
            "130000",
            "--total",
            "7200000",
        ],
    },
    ThesisSearch {
        name: "db-adjusted",
        arguments: &["--depth", "20", "--iteration", "70000", "--total", "3800000"],
    },
    ThesisSearch {
        name: "plain-vcdt",
        arguments: &["--plain", "--vcdt", "--depth", "20", "--unlimited", "--total", NO_LIMIT],
    },
    ThesisSearch {
        name: "db-vcdt",
        arguments: &[
            "--missed-wins",
            "--vcdt",
            "--depth",
            "20",
            "--unlimited",
            "--total",
            NO_LIMIT,
        ],
    },
];

/// A table of the thesis: the two searches that it compares, and its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct ThesisTable {
    /// The table number.
    pub table: u32,
    /// The same, with what else tells it from others.
    pub label: &'static str,
    /// The figure number.
    pub figure: u32,
    /// A description of the comparison.
    pub words: &'static str,
    /// The names of the original search and of the dependency-based one.
    pub searches: [Cow<'static, str>; 2],
    /// The thesis's moves, seconds and solved positions of both searches.
    pub paper: [(u64, f64, u64); 2],
}

/// Sections 4.2, 4.3 and the last one (which is also numbered 4.1).
pub const EXPERIMENTS: [ThesisTable; 3] = [
    ThesisTable {
        table: 3,
        label: "3",
        figure: 42,
        words: "VCDT and VCST, the original limits",
        searches: [Cow::Borrowed("plain"), Cow::Borrowed("db")],
        paper: [(62_865_372, 4678.0, 180), (45_717_611, 3719.0, 199)],
    },
    ThesisTable {
        table: 4,
        label: "4, thesis's limits",
        figure: 43,
        words: "VCDT and VCST, the thesis's adjusted limits for the dependency-based search",
        searches: [Cow::Borrowed("plain"), Cow::Borrowed("db-adjusted")],
        paper: [(62_865_372, 4678.0, 180), (30_007_630, 2620.0, 181)],
    },
    ThesisTable {
        table: 5,
        label: "5",
        figure: 44,
        words: "VCDT alone, unlimited time",
        searches: [Cow::Borrowed("plain-vcdt"), Cow::Borrowed("db-vcdt")],
        paper: [(45_536_423, 2183.0, 72), (7_169_103, 507.0, 72)],
    },
];

/// The fields of a problem that the experiment needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ThesisProblem {
    /// Its number, from 1.
    pub number: usize,
    /// `startpos moves ...`.
    pub position: String,
    /// `VCDT`, `VCST` or `unknown`.
    pub result: String,
}

/// The result of one search on one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The problem's number.
    pub number: usize,
    /// The position.
    pub position: String,
    /// The SHA-256 of the program that solved it.
    pub program: String,
    /// The name of the search.
    pub search: String,
    /// The output of `connect6 solve --json`.
    #[serde(flatten)]
    pub answer: SolveLine,
}

/// An output line of `connect6 solve --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveLine {
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
    /// The rule that excludes a turn of the plain search's win.
    #[serde(default)]
    pub lost_by: Option<String>,
}

impl SolveLine {
    /// Whether the result is a win; the engine's verifier has replayed it.
    pub fn solved(&self) -> bool {
        matches!(self.result.as_str(), "VCDT" | "VCST" | "VCNT")
    }
}

/// Why lines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SolveLineError {
    /// A line is invalid.
    #[error("line {line} of {of}: {error}; expected a line that the present version wrote")]
    Json {
        /// The line number, from 1.
        line: usize,
        /// The source of the lines.
        of: String,
        /// The reason.
        error: serde_json::Error,
    },
    /// A problem number occurs twice.
    #[error("{of} has two problems with the number {number}")]
    Twice {
        /// The source of the lines.
        of: String,
        /// The number.
        number: usize,
    },
}

fn lines<T: serde::de::DeserializeOwned>(text: &str, of: &str) -> Result<Vec<T>, SolveLineError> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let read = |(i, line): (usize, &str)| {
        let fail = |error| SolveLineError::Json { line: i + 1, of: of.into(), error };
        serde_json::from_str(line).map_err(fail)
    };
    lines.map(read).collect()
}

/// Reads a problem set; errors call it `of`.
///
/// # Errors
/// An invalid line or a number that occurs twice.
pub fn problems(text: &str, of: &str) -> Result<Vec<ThesisProblem>, SolveLineError> {
    let problems: Vec<ThesisProblem> = lines(text, of)?;
    let mut seen = std::collections::BTreeSet::new();
    match problems.iter().find(|p| !seen.insert(p.number)) {
        Some(p) => Err(SolveLineError::Twice { of: of.into(), number: p.number }),
        None => Ok(problems),
    }
}

/// Reads the rows of an interrupted run.
///
/// # Errors
/// An invalid line.
pub fn rows(text: &str, of: &str) -> Result<Vec<SearchResult>, SolveLineError> {
    lines(text, of)
}

/// The rows of the problems that all searches have finished.
#[derive(Clone, Debug, Default)]
pub struct SolvedProblems {
    /// By problem number and search name.
    answers: BTreeMap<usize, BTreeMap<String, SolveLine>>,
    /// The known result of each problem.
    known: BTreeMap<usize, String>,
    /// Number of problems in the set.
    pub wanted: usize,
}

impl SolvedProblems {
    /// Keeps the complete problems of the set `wanted`.
    pub fn new(wanted: &[ThesisProblem], rows: Vec<SearchResult>) -> SolvedProblems {
        let known: BTreeMap<usize, String> =
            wanted.iter().map(|p| (p.number, p.result.clone())).collect();
        let mut answers: BTreeMap<usize, BTreeMap<String, SolveLine>> = BTreeMap::new();
        for row in rows.into_iter().filter(|r| known.contains_key(&r.number)) {
            answers.entry(row.number).or_default().insert(row.search, row.answer);
        }
        let complete = |m: &BTreeMap<String, SolveLine>| {
            SEARCHES.iter().all(|search| m.contains_key(search.name))
        };
        answers.retain(|_, m| complete(m));
        SolvedProblems { answers, known, wanted: wanted.len() }
    }

    /// The numbers of the complete problems.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.answers.keys().copied()
    }

    /// The result of a search; `None` if it has not run.
    pub fn answer(&self, number: usize, search: &str) -> Option<&SolveLine> {
        self.answers.get(&number)?.get(search)
    }

    /// Both results of an experiment for every complete problem.
    pub fn pairs<'a>(
        &'a self,
        experiment: &'a ThesisTable,
    ) -> impl Iterator<Item = (usize, [&'a SolveLine; 2])> {
        let [plain, db] = &experiment.searches;
        self.numbers().filter_map(|n| Some((n, [self.answer(n, plain)?, self.answer(n, db)?])))
    }

    /// The number of positions that a search has solved; `None` if it has not run on all.
    pub fn solved(&self, search: &str) -> Option<u64> {
        let ran = self.numbers().filter_map(|n| self.answer(n, search));
        let (mut run, mut solved) = (0, 0);
        for answer in ran {
            run += 1;
            solved += u64::from(answer.solved());
        }
        (run == self.wanted).then_some(solved)
    }

    /// The known result of a problem in the problem set.
    pub fn known(&self, number: usize) -> &str {
        self.known.get(&number).map_or("unknown", String::as_str)
    }
}
