//! Equivalence classes of Chinese dark chess: figure 8 and the headline of Hsiao et al., and the
//! compression that Chen, Lin, Chen and Hsu published in 2015. This module counts nothing: the rows
//! come from the engine program, and the Spark timings from `referee/cluster/spark`.

mod claims;
mod report;
pub mod run;

pub use report::report;

use serde::Deserialize;

/// The names of the game, the program and the experiment.
pub const NAME: &str = "darkchess";
/// The methods that visit sets, slowest first, and their descriptions.
pub const METHODS: [(&str, &str); 5] = [
    ("matching", "stepwise refinement matching, pair by pair (2015)"),
    ("accelerated", "its accelerated form (2015)"),
    ("pattern", "patterns, every piece permuted among its ties (the paper)"),
    ("pattern-kinds", "patterns, pieces of a kind kept together"),
    ("canonical", "canonical form of merged pieces (ours)"),
];
/// The paper's sets: minimum and maximum number of pieces.
pub const PAPER_PIECES: [u64; 2] = [3, 8];
/// The number of these sets.
pub const PAPER_SETS: u64 = 144_158;
/// The time for them that the paper quotes from 2015, and its own time on Spark, in seconds.
pub const PAPER_SECONDS: [f64; 2] = [11.1, 0.045];
/// The number of sets without hidden pieces and with them, in the introduction.
pub const PAPER_NUMBERS: [(bool, u64); 2] = [(false, 8_497_176), (true, 239_980_775_397)];
/// The time of 2015 for the former, in hours.
pub const PAPER_HOURS: f64 = 27.17;
/// The numbers of pieces of figure 8 on Spark.
pub const FIGURE_8: std::ops::RangeInclusive<u64> = 3..=9;
/// Its methods: by permuting all pieces, and by permuting the ties only.
pub const FIGURE_8_METHODS: [&str; 2] = ["matching", "pattern"];
/// Classes per set in percent, published in 2015: with hidden pieces or without, minimum and
/// maximum number of pieces.
pub const PUBLISHED: [(bool, u64, u64, f64); 4] =
    [(false, 3, 8, 5.82), (false, 3, 32, 28.93), (true, 3, 8, 5.98), (true, 3, 32, 42.52)];

/// Milliseconds of microseconds.
fn ms(microseconds: u64) -> f64 {
    microseconds as f64 / 1000.0
}

/// A row of `lab darkchess classes --json`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct ClassRow {
    /// The counting method.
    pub method: String,
    /// Whether the sets have hidden pieces.
    pub hidden: bool,
    /// Number of pieces.
    pub pieces: u64,
    /// Number of sets.
    pub sets: u64,
    /// Number of classes if colours are not exchanged.
    pub classes: u64,
    /// Number of classes that are their own exchange of colours.
    pub own: u64,
    /// Processor time, if the method visited sets.
    pub cpu_microseconds: Option<u64>,
}

/// The time of a method.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct ClassTiming {
    /// Its name.
    pub method: String,
    /// Wall-clock time.
    pub microseconds: u64,
    /// Processor time.
    pub cpu_microseconds: u64,
}

/// The output of `lab darkchess classes --json`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Classes {
    /// The counts.
    pub rows: Vec<ClassRow>,
    /// The times.
    pub times: Vec<ClassTiming>,
}

/// The last output line of `referee/cluster/spark`, in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct SparkTimes {
    /// Startup time of Spark.
    pub start_seconds: f64,
    /// Time from the start of the first shard to the end of the last.
    pub job_seconds: f64,
    /// Time of the longest shard.
    pub longest_shard_seconds: f64,
}

/// Wall-clock times of the same work on one core, in two processes, and on Spark with two cores.
#[derive(Clone, PartialEq, Debug)]
pub struct SparkRun {
    /// A description of the work.
    pub work: String,
    /// Number of visited sets.
    pub sets: u64,
    /// One process.
    pub one: f64,
    /// Two concurrent processes with half of the classes each.
    pub two: f64,
    /// Shards on Spark.
    pub shards: u64,
    /// The Spark timings.
    pub spark: SparkTimes,
    /// Whether the merged shards have the same rows as the single process.
    pub agrees: bool,
}

/// A point of figure 8 on Spark.
#[derive(Clone, PartialEq, Debug)]
pub struct SparkPoint {
    /// The counting method.
    pub method: String,
    /// Number of pieces.
    pub pieces: u64,
    /// The Spark timings.
    pub times: SparkTimes,
    /// Whether the merged shards have the exact counts.
    pub agrees: bool,
}

/// The data of the report.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClassCounts {
    /// The methods on the paper's sets, all in one run.
    pub headline: Classes,
    /// The methods by number of pieces, within the time limit.
    pub figure: Classes,
    /// The exact counts.
    pub exact: Classes,
    /// The Spark runs; empty if there is no Spark.
    pub spark: Vec<SparkRun>,
    /// Figure 8 on Spark; empty if there is no Spark.
    pub figure_on_spark: Vec<SparkPoint>,
    /// Why there are no Spark runs.
    pub without_spark: Option<String>,
}

/// Why the engine's lines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClassesError {
    /// A line is invalid.
    #[error("line {line} of `lab darkchess classes --json`: {error}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The reason.
        error: serde_json::Error,
    },
    /// Lines are missing.
    #[error(
        "`lab darkchess classes --json` printed {found} lines behind its header, which says {wanted}"
    )]
    Rows {
        /// The number of lines found.
        found: usize,
        /// The number of lines expected.
        wanted: usize,
    },
}

/// A line after the header.
#[derive(Deserialize)]
#[serde(tag = "table", rename_all = "lowercase")]
enum ClassesLine {
    Classes(ClassRow),
    Time(ClassTiming),
}

#[derive(Deserialize)]
struct ClassesHeader {
    rows: usize,
}

impl Classes {
    /// Reads JSON lines.
    ///
    /// # Errors
    ///
    /// Invalid or missing lines.
    pub fn parse(text: &str) -> Result<Classes, ClassesError> {
        let mut lines = text.lines().enumerate();
        let wrong = |line, error| ClassesError::Line { line: line + 1, error };
        let (_, first) = lines.next().unwrap_or((0, ""));
        let header: ClassesHeader = serde_json::from_str(first).map_err(|e| wrong(0, e))?;
        let mut classes = Classes::default();
        for (i, line) in lines {
            match serde_json::from_str(line).map_err(|e| wrong(i, e))? {
                ClassesLine::Classes(row) => classes.rows.push(row),
                ClassesLine::Time(time) => classes.times.push(time),
            }
        }
        let found = classes.rows.len() + classes.times.len();
        if found != header.rows {
            return Err(ClassesError::Rows { found, wanted: header.rows });
        }
        Ok(classes)
    }

    /// The sum over a method's rows from `least` to `most` pieces; `None` unless all are present.
    pub fn sum(&self, method: &str, hidden: bool, [least, most]: [u64; 2]) -> Option<ClassRow> {
        let wanted = |r: &&ClassRow| {
            r.method == method && r.hidden == hidden && (least..=most).contains(&r.pieces)
        };
        let rows: Vec<&ClassRow> = self.rows.iter().filter(wanted).collect();
        let total = |field: fn(&ClassRow) -> u64| rows.iter().map(|r| field(r)).sum();
        let times: Option<Vec<u64>> = rows.iter().map(|r| r.cpu_microseconds).collect();
        (rows.len() as u64 == most - least + 1).then(|| ClassRow {
            method: method.into(),
            hidden,
            pieces: most,
            sets: total(|r| r.sets),
            classes: total(|r| r.classes),
            own: total(|r| r.own),
            cpu_microseconds: times.map(|t| t.iter().sum()),
        })
    }

    /// The timing of a method.
    pub fn time(&self, method: &str) -> Option<&ClassTiming> {
        self.times.iter().find(|t| t.method == method)
    }
}

impl ClassRow {
    /// Number of classes by the paper's definition, which keeps the colours.
    pub fn of_the_paper(&self) -> u64 {
        self.classes
    }

    /// Number of classes with exchangeable colours.
    pub fn exchangeable(&self) -> u64 {
        (self.classes + self.own) / 2
    }

    /// Number of classes as a share of the sets.
    pub fn percent(&self, classes: u64) -> f64 {
        100.0 * classes as f64 / self.sets.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_engine_are_read_and_torn_ones_refused() {
        let row = r#"{"table":"classes","method":"canonical","hidden":false,"pieces":3,"sets":378,"classes":40,"own":0,"microseconds":9,"cpu_microseconds":8}"#;
        let time =
            r#"{"table":"time","method":"canonical","microseconds":20,"cpu_microseconds":15}"#;
        let text = format!("{{\"darkchess_classes\":1,\"rows\":2}}\n{row}\n{time}\n");
        let classes = Classes::parse(&text).unwrap();
        assert_eq!(classes.time("canonical").map(|t| t.cpu_microseconds), Some(15));
        let sum = classes.sum("canonical", false, [3, 3]).unwrap();
        assert_eq!((sum.sets, sum.classes, sum.exchangeable()), (378, 40, 20));
        assert_eq!(classes.sum("canonical", false, [3, 4]), None);
        let error = Classes::parse(text.trim_end().rsplit_once('\n').unwrap().0).unwrap_err();
        assert!(error.to_string().contains("1 lines behind its header, which says 2"), "{error}");
        let error = Classes::parse("{\"rows\":1}\n{}").unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
