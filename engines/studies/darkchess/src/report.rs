//! The results of a run over the classes: JSON lines for programs and for merging shards.
//!
//! The first line is the [`Header`], with the number of lines that follow. Then come the rows, one
//! per method and number of pieces, and one line per method with its time. All sets of a class
//! belong to one shard, so merging shards adds their rows.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, AddAssign};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The shard of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The index of the shard, from 1 to `of`.
    pub part: u64,
    /// The number of shards.
    pub of: u64,
}

/// The parameters of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub darkchess_classes: u32,
    /// The names of the methods.
    pub methods: Vec<String>,
    /// The minimum and maximum numbers of pieces.
    pub pieces: [usize; 2],
    /// Sets without hidden pieces, with them, or both.
    pub hidden: Vec<bool>,
    /// The shard of this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The number of lines after this one.
    pub rows: usize,
}

/// The sets of a given number of pieces, and their classes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The method.
    pub method: String,
    /// Whether the sets have hidden pieces.
    pub hidden: bool,
    /// The number of pieces.
    pub pieces: usize,
    /// The number of combinations with pieces of both sides.
    pub sets: u64,
    /// The number of their classes, colours kept.
    pub classes: u64,
    /// The number of classes that are their own colour exchange; the number of classes with
    /// exchangeable colours is half the sum of `classes` and `own`.
    pub own: u64,
    /// The time to find the classes, if sets were visited.
    #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
}

/// The time of a method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Timing {
    /// The name of the method.
    pub method: String,
    /// The total time until the last class, tables included.
    #[serde(flatten)]
    pub time: Time,
}

/// A duration; for merged shards, the sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Time {
    /// Wall-clock time in microseconds.
    pub microseconds: u64,
    /// CPU time of the thread in microseconds.
    pub cpu_microseconds: u64,
}

/// A line after the header.
#[derive(Serialize, Deserialize)]
#[serde(tag = "table")]
enum Line {
    #[serde(rename = "classes")]
    Row(Row),
    #[serde(rename = "time")]
    Timing(Timing),
}

/// The complete result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The parameters of the run.
    pub header: Header,
    /// The counts.
    pub rows: Vec<Row>,
    /// The times.
    pub times: Vec<Timing>,
}

/// An error in parsing or merging runs.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The first line is not a header.
    #[error("line 1 is no header of `lab darkchess classes`: {0}")]
    Header(serde_json::Error),
    /// The input is empty.
    #[error("it is empty")]
    Empty,
    /// Another version of the format.
    #[error("it has format {0}; this program reads {FORMAT}")]
    Format(u32),
    /// An invalid row.
    #[error("line {line}: {error}")]
    Line {
        /// Its line number, from 1.
        line: usize,
        /// The cause.
        error: serde_json::Error,
    },
    /// A wrong number of lines.
    #[error("{found} lines follow the header, which says {wanted}")]
    Rows {
        /// The actual number.
        found: usize,
        /// The expected number.
        wanted: usize,
    },
    /// Shards of different runs.
    #[error("part {part} of {of} was run with other settings than the first shard")]
    Settings {
        /// The shard.
        part: u64,
        /// The number of shards.
        of: u64,
    },
    /// An unsharded run among shards.
    #[error("a run without --shard is whole already")]
    Whole,
    /// The set of shards is not complete.
    #[error("the shards are not the parts 1 to {of}, each once: {parts:?}")]
    Parts {
        /// The number of shards.
        of: u64,
        /// The given shards.
        parts: Vec<u64>,
    },
}

impl Run {
    /// The run as JSON lines.
    pub fn json(&self) -> String {
        let text = |value: Result<String, serde_json::Error>| value.unwrap_or_default() + "\n";
        let mut out = text(serde_json::to_string(&self.header));
        for row in &self.rows {
            out += &text(serde_json::to_string(&Line::Row(row.clone())));
        }
        for time in &self.times {
            out += &text(serde_json::to_string(&Line::Timing(time.clone())));
        }
        out
    }

    /// Parses JSON lines.
    ///
    /// # Errors
    ///
    /// If a line is not in the format of [`Run::json`], or lines are missing.
    pub fn parse(text: &str) -> Result<Run, RunError> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        if first.trim().is_empty() {
            return Err(RunError::Empty);
        }
        let header: Header = serde_json::from_str(first).map_err(RunError::Header)?;
        if header.darkchess_classes != FORMAT {
            return Err(RunError::Format(header.darkchess_classes));
        }
        let (mut rows, mut times) = (Vec::new(), Vec::new());
        for (i, line) in rest.lines().enumerate() {
            let parsed = serde_json::from_str(line);
            match parsed.map_err(|error| RunError::Line { line: i + 2, error })? {
                Line::Row(row) => rows.push(row),
                Line::Timing(time) => times.push(time),
            }
        }
        let (found, wanted) = (rows.len() + times.len(), header.rows);
        if found != wanted {
            return Err(RunError::Rows { found, wanted });
        }
        Ok(Run { header, rows, times })
    }

    /// Merges the shards of a run.
    ///
    /// # Errors
    ///
    /// If the shards are of different runs, or one is missing or duplicated.
    pub fn merge(shards: Vec<Run>) -> Result<Run, RunError> {
        let mut header = shards.first().ok_or(RunError::Empty)?.header.clone();
        let of = header.shard.ok_or(RunError::Whole)?.of;
        let mut parts = Vec::new();
        let mut rows: BTreeMap<(usize, bool, usize), Row> = BTreeMap::new();
        let mut times: BTreeMap<usize, Timing> = BTreeMap::new();
        let place = |method: &str| header.methods.iter().position(|m| m == method).unwrap_or(0);
        for shard in shards {
            let Shard { part, of: whole } = shard.header.shard.ok_or(RunError::Whole)?;
            let same = Header { shard: header.shard, ..shard.header };
            if same != header || whole != of {
                return Err(RunError::Settings { part, of: whole });
            }
            parts.push(part);
            for row in shard.rows {
                let key = (place(&row.method), row.hidden, row.pieces);
                match rows.get_mut(&key) {
                    Some(sum) => sum.add(&row),
                    None => {
                        rows.insert(key, row);
                    }
                }
            }
            for time in shard.times {
                let sum = times.entry(place(&time.method));
                let zero = || Timing { method: time.method.clone(), time: Time::default() };
                sum.or_insert_with(zero).time += time.time;
            }
        }
        let distinct: BTreeSet<u64> = parts.iter().copied().collect();
        if parts.len() as u64 != of || !distinct.into_iter().eq(1..=of) {
            return Err(RunError::Parts { of, parts });
        }
        header.shard = None;
        Ok(Run { header, rows: rows.into_values().collect(), times: times.into_values().collect() })
    }
}

impl Time {
    /// CPU time in milliseconds.
    pub fn cpu_ms(self) -> f64 {
        self.cpu_microseconds as f64 / 1000.0
    }
}

impl Add for Time {
    type Output = Time;

    fn add(self, other: Time) -> Time {
        Time {
            microseconds: self.microseconds + other.microseconds,
            cpu_microseconds: self.cpu_microseconds + other.cpu_microseconds,
        }
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        *self = *self + other;
    }
}

impl Row {
    /// Classes with exchangeable colours.
    pub fn exchangeable(&self) -> u64 {
        (self.classes + self.own) / 2
    }

    fn add(&mut self, other: &Row) {
        self.sets += other.sets;
        self.classes += other.classes;
        self.own += other.own;
        self.time = self.time.zip(other.time).map(|(sum, part)| sum + part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(part: u64, of: u64) -> Run {
        let row = |pieces| Row {
            method: "pattern".into(),
            hidden: false,
            pieces,
            sets: 10 * part,
            classes: part,
            own: 1,
            time: Some(Time { microseconds: 7, cpu_microseconds: 5 }),
        };
        let times = vec![Timing {
            method: "pattern".into(),
            time: Time { microseconds: 20, cpu_microseconds: 10 },
        }];
        let header = Header {
            darkchess_classes: FORMAT,
            methods: vec!["pattern".into()],
            pieces: [3, 4],
            hidden: vec![false],
            shard: Some(Shard { part, of }),
            rows: 3,
        };
        Run { header, rows: vec![row(3), row(4)], times }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let run = shard(1, 2);
        assert_eq!(Run::parse(&run.json()).unwrap(), run);
    }

    #[test]
    fn a_torn_file_is_refused() {
        let text = shard(1, 2).json();
        let cut = text.trim_end().rfind('\n').unwrap();
        let error = Run::parse(&text[..cut]).unwrap_err().to_string();
        assert_eq!(error, "2 lines follow the header, which says 3");
        let error = Run::parse(&text[..cut + 9]).unwrap_err().to_string();
        assert!(error.starts_with("line 4:"), "{error}");
        assert!(matches!(Run::parse(""), Err(RunError::Empty)));
        assert!(matches!(Run::parse("K\n"), Err(RunError::Header(_))));
        let other = text.replacen(":1,", ":9,", 1);
        assert!(matches!(Run::parse(&other), Err(RunError::Format(9))), "{other}");
    }

    #[test]
    fn only_all_parts_of_one_run_merge() {
        let merge = |parts: &[(u64, u64)]| {
            Run::merge(parts.iter().map(|&(part, of)| shard(part, of)).collect())
        };
        let whole = merge(&[(2, 3), (1, 3), (3, 3)]).unwrap();
        assert_eq!((whole.rows[1].sets, whole.rows[1].classes, whole.rows[1].own), (60, 6, 3));
        let time = Time { microseconds: 21, cpu_microseconds: 15 };
        assert_eq!(whole.rows[0].time, Some(time));
        assert_eq!(whole.times[0].time, Time { microseconds: 60, cpu_microseconds: 30 });
        assert!(matches!(merge(&[(2, 3), (1, 3)]), Err(RunError::Parts { .. })));
        assert!(matches!(merge(&[(2, 2), (2, 2)]), Err(RunError::Parts { .. })));
        assert!(matches!(merge(&[(1, 2), (2, 3)]), Err(RunError::Settings { part: 2, of: 3 })));
        assert!(matches!(merge(&[]), Err(RunError::Empty)));
    }
}
