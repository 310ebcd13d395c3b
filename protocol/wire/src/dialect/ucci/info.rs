//! Search reports: effort and result are separate lines, a score is a bare number, a mate score is
//! near ten thousand.

use crate::message::{Info, Reply, Score};
use std::fmt::Write as _;
use std::time::Duration;

/// The score for an immediate mate; a mate in n plies is n less.
const MATE: i32 = 10_000;
/// Scores from here on are mate scores.
const NEAR_MATE: i32 = 9_000;
/// The lines for a report.
pub(super) fn write(info: &Info) -> Vec<String> {
    let mut effort = String::new();
    if let Some(time) = info.time {
        let _ = write!(effort, " time {}", time.as_millis());
    }
    if let Some(nodes) = info.nodes {
        let _ = write!(effort, " nodes {nodes}");
    }
    let mut result = String::new();
    if let Some(depth) = info.depth {
        let _ = write!(result, " depth {depth}");
    }
    if let Some(score) = info.score {
        let value = match score {
            Score::Cp(x) => x.clamp(1 - NEAR_MATE, NEAR_MATE - 1),
            Score::Mate(plies) if plies > 0 => MATE - plies,
            Score::Mate(plies) => -MATE - plies,
        };
        let _ = write!(result, " score {value}");
    }
    if !info.pv.is_empty() {
        let _ = write!(result, " pv {}", info.pv.join(" "));
    }
    let text = info.text.as_ref().map(|t| format!(" message {t}"));
    let lines = [effort, result].into_iter().filter(|l| !l.is_empty()).chain(text);
    lines.map(|l| format!("info{l}")).collect()
}

/// Reads the text after the word `info`.
pub(super) fn read(rest: &str) -> Option<Reply> {
    let mut info = Info::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "message" => {
                info.text = rest.split_once("message").map(|t| t.1.trim().into());
                break;
            }
            "time" => info.time = words.next()?.parse().ok().map(Duration::from_millis),
            "nodes" => info.nodes = words.next()?.parse().ok(),
            "depth" => info.depth = words.next()?.parse().ok(),
            "score" => info.score = words.next()?.parse().ok().map(read_score),
            "pv" => info.pv = words.by_ref().map(String::from).collect(),
            _ => {}
        }
    }
    (info != Info::default()).then_some(Reply::Info(info))
}

fn read_score(value: i32) -> Score {
    if value.unsigned_abs() < NEAR_MATE.unsigned_abs() {
        Score::Cp(value)
    } else if value > 0 {
        Score::Mate((MATE - value).max(1))
    } else {
        Score::Mate((-MATE).saturating_sub(value).min(0))
    }
}
