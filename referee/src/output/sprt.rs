//! The state of a sequential test as text, JSON and an exit code.

use crate::stats::{Sample, Sequential, Verdict};
use std::process::ExitCode;
use std::time::Duration;

/// Exit code of `referee sprt` if H0 was accepted.
pub const REJECTED: u8 = 3;
/// Exit code of `referee sprt` if the test is undecided after all games.
pub const UNDECIDED: u8 = 4;

/// 0: H1 accepted.
pub fn exit_code(test: &Sequential) -> ExitCode {
    match test.state().verdict {
        Verdict::Accepted => ExitCode::SUCCESS,
        Verdict::Rejected => ExitCode::from(REJECTED),
        Verdict::Undecided => ExitCode::from(UNDECIDED),
    }
}

/// What the test counts.
pub fn unit(test: &Sequential) -> &'static str {
    match test.sample() {
        Sample::Pair => "pairs",
        Sample::Game => "games",
    }
}

fn ratio(test: &Sequential) -> String {
    let state = test.state();
    format!("LLR {:.2} [{:.2}, {:.2}]", state.llr, state.lower, state.upper)
}

/// One line during the test: the LLR, its bounds, and the ETA.
pub fn progress(test: &Sequential, elapsed: Duration, played: u64) -> String {
    let mut text = format!("{} after {} {}", ratio(test), test.samples(), unit(test));
    let state = test.state();
    let bound = if state.llr < 0.0 { state.lower } else { state.upper };
    let per_sample = if test.sample() == Sample::Pair { 2.0 } else { 1.0 };
    if state.llr.abs() > 0.1 && played > 0 {
        let games = per_sample * test.samples() as f64 * (bound / state.llr - 1.0).max(0.0);
        let seconds = games * elapsed.as_secs_f64() / played as f64;
        if seconds < 1e9 {
            let left = indicatif::HumanDuration(Duration::from_secs_f64(seconds));
            text.push_str(&format!(", ETA {left}"));
        }
    }
    text
}

/// The verdict in one line.
pub fn verdict(test: &Sequential) -> String {
    let word = match test.state().verdict {
        Verdict::Accepted => "accepted (H1)",
        Verdict::Rejected => "rejected (H0)",
        Verdict::Undecided => "undecided",
    };
    let samples = test.decision().map_or(test.samples(), |d| d.samples);
    let mut text = format!("SPRT: {word}, {} after {samples} {}", ratio(test), unit(test));
    if test.decision().is_none() && test.waiting() > 0 {
        text.push_str(&format!(
            "; {} games wait for an earlier one of the schedule",
            test.waiting()
        ));
    }
    text
}

/// The test as JSON.
pub fn test_json(test: &Sequential) -> serde_json::Value {
    let state = test.state();
    serde_json::json!({
        "verdict": match state.verdict {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Undecided => "undecided",
        },
        "llr": state.llr,
        "lower": state.lower,
        "upper": state.upper,
        "unit": unit(test),
        "samples": test.decision().map_or(test.samples(), |d| d.samples),
    })
}
