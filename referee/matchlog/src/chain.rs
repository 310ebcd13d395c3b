//! The chain of a log: every line after the header begins with a hash of the line before it.
//!
//! The hash is the first 16 bytes of SHA-256. Whoever changes a line of a finished log without
//! touching the next line needs a second preimage, which costs 2^128 evaluations. The cheaper
//! collisions (2^64) help only the program that writes both lines, and that program could write
//! anything.

use super::{Continuation, LogEnd, MergedPart, Resumption};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Length of a hash in hexadecimal digits.
const DIGITS: usize = 32;
const START: &str = "{\"prev\":\"";

/// A hash of a line, in lower-case hexadecimal.
pub type LineHash = String;

/// The hash of a line; a line break at its end does not count.
pub fn line_hash(line: &str) -> LineHash {
    let digest = Sha256::digest(line.strip_suffix('\n').unwrap_or(line));
    digest.iter().take(DIGITS / 2).fold(String::with_capacity(DIGITS), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Puts the hash of the line before into a JSON object, as its first field. Returns the whole line
/// with its line break.
pub fn linked(prev: &str, object: &str) -> String {
    let fields = object.trim_end().strip_prefix('{').unwrap_or(object);
    format!("{START}{prev}\",{fields}\n")
}

/// Splits a line into the hash of the line before and the fields that follow it, without the opening
/// brace. `None` for the hash of a line that has none.
pub fn split(line: &str) -> (Option<&str>, &str) {
    let parts = line.strip_prefix(START).and_then(|rest| rest.split_once("\","));
    match parts {
        Some((prev, fields)) if prev.len() == DIGITS => (Some(prev), fields),
        _ => (None, line.strip_prefix('{').unwrap_or(line)),
    }
}

/// A line that is not that of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Mark {
    /// The match, or one section of it, is finished.
    #[serde(rename = "end")]
    End(LogEnd),
    /// Another section follows.
    #[serde(rename = "continue")]
    Continue(Continuation),
    /// A referee goes on with a log that it found.
    #[serde(rename = "resume")]
    Resume(Resumption),
    /// The logs that were merged into this one.
    #[serde(rename = "merged")]
    Merged(Vec<MergedPart>),
}

/// How the fields of a line that is not that of a game begin.
const MARKS: [&str; 4] = ["\"end\":", "\"continue\":", "\"resume\":", "\"merged\":"];

impl Mark {
    /// The line with its line break.
    pub fn line(&self, prev: &str) -> Result<String, serde_json::Error> {
        Ok(linked(prev, &serde_json::to_string(self)?))
    }

    /// The first format that has such lines.
    pub fn format(&self) -> u32 {
        match self {
            Mark::End(_) | Mark::Continue(_) => 2,
            Mark::Resume(_) | Mark::Merged(_) => 3,
        }
    }

    /// The JSON object of a line without its link; `None` if the line is that of a game.
    pub fn object(line: &str) -> Option<String> {
        let fields = split(line).1;
        MARKS.iter().any(|mark| fields.starts_with(mark)).then(|| format!("{{{fields}"))
    }
}

/// The number of bytes that tell what kind a line is.
pub const MARK: usize = 64;

/// Whether a line is not that of a game.
pub fn is_mark(line: &[u8]) -> bool {
    let linked = START.len() + DIGITS + 2;
    let mut starts = [1, linked].into_iter().filter_map(|at| line.get(at..));
    starts.any(|fields| MARKS.iter().any(|mark| fields.starts_with(mark.as_bytes())))
}

/// The running state of a chain while a log is read or written.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The hash of the last line.
    head: LineHash,
    line: u64,
}

impl Chain {
    /// A chain that begins with the header line.
    pub fn new(header: &str) -> Chain {
        Chain { head: line_hash(header), line: 1 }
    }

    /// The hash of the last line.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Adds a line that was written with [`Chain::head`].
    pub fn push(&mut self, line: &str) {
        self.head = line_hash(line);
        self.line += 1;
    }

    /// Adds a line that was read.
    ///
    /// # Errors
    ///
    /// Describes the broken link if the line does not carry the hash of the line before.
    pub fn check(&mut self, line: &str) -> Result<(), String> {
        let link = match split(line).0 {
            None => Err("it does not begin with the hash of the line before (\"prev\")".into()),
            Some(prev) if prev != self.head => Err(format!(
                "it follows a line with the hash {prev}, but line {} has the hash {}: line {} was \
                 changed, or lines between them were removed, added or moved",
                self.line, self.head, self.line
            )),
            Some(_) => Ok(()),
        };
        self.push(line);
        link
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_linked_and_split_again() {
        let line = linked(&line_hash("header\n"), r#"{"game":0}"#);
        assert_eq!(line_hash("header"), line_hash("header\n"));
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
        assert_eq!(split(&line), (Some(line_hash("header").as_str()), "\"game\":0}\n"));
        assert_eq!(split("{\"game\":0}"), (None, "\"game\":0}"));
    }

    #[test]
    fn a_changed_line_is_named_by_the_line_after_it() {
        let mut chain = Chain::new("header");
        let first = linked(chain.head(), r#"{"game":0}"#);
        assert_eq!(chain.check(&first), Ok(()));
        let second = linked(chain.head(), r#"{"game":1}"#);
        let mut changed = Chain::new("header");
        assert_eq!(changed.check(&first.replace(":0}", ":2}")), Ok(()));
        let error = changed.check(&second).unwrap_err();
        assert!(error.contains("line 2 was changed"), "{error}");
    }
}
