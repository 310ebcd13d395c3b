//! The state of a sequential test as text, JSON and an exit code, and Elo estimates with their methods.

use agon_base::counted;
use agon_stats::{ConfidenceSequence, Estimate, Sequential, SprtVerdict, Test, TestSample};
use std::process::ExitCode;
use std::time::Duration;

/// Exit code of `referee sprt` if H0 was accepted.
pub const REJECTED: u8 = 3;
/// Exit code of `referee sprt` if the test is undecided after all games, and of `referee match
/// --until-width` if the interval is still wider.
pub const UNDECIDED: u8 = 4;

/// 0: H1 accepted, or the required width reached.
pub fn exit_code(test: &Sequential) -> ExitCode {
    match test.state().verdict {
        SprtVerdict::Accepted | SprtVerdict::Measured => ExitCode::SUCCESS,
        SprtVerdict::Rejected => ExitCode::from(REJECTED),
        SprtVerdict::Undecided => ExitCode::from(UNDECIDED),
    }
}

/// What the test counts.
pub fn unit(test: &Sequential) -> &'static str {
    match test.sample() {
        TestSample::Pair => "pairs",
        TestSample::Game => "games",
    }
}

/// What the test counts, with the number.
fn samples(test: &Sequential, n: u64) -> String {
    counted(n, unit(test).trim_end_matches('s'))
}

/// The name of the test.
fn name(test: &Sequential) -> &'static str {
    match test.test() {
        Test::Sprt(_) => "SPRT",
        Test::Betting(_) => "test by betting",
        Test::Width(_) | Test::Open(_) => "confidence sequence",
    }
}

/// The evidence and its bounds.
fn evidence(test: &Sequential) -> String {
    let state = test.state();
    match test.test() {
        Test::Sprt(_) => {
            format!("LLR {:.2} [{:.2}, {:.2}]", state.evidence, state.lower, state.upper)
        }
        Test::Betting(_) => {
            let [up, down] = test.e_values().unwrap_or([1.0; 2]);
            format!(
                "e-values {} against H0 (H1 at {:.0}), {} against H1 (H0 at {:.0})",
                positive(up, 3),
                state.upper.exp(),
                positive(down, 3),
                (-state.lower).exp()
            )
        }
        Test::Width(_) => {
            format!("width {} Elo (to {:.1})", positive(state.evidence, 1), state.upper)
        }
        Test::Open(_) => String::new(),
    }
}

/// The confidence sequence in one line, for a live display; `None` without pairs.
pub fn confidence(test: &Sequential) -> Option<String> {
    let pairs = test.pairs();
    if test.sample() == TestSample::Game || pairs.pairs() == 0 {
        return None;
    }
    let interval = ConfidenceSequence::of_pairs(pairs);
    let end = |x: f64| if x.is_finite() { format!("{x:+.1}") } else { signed_infinity(x) };
    let (low, high) = (end(interval.low), end(interval.high));
    Some(format!("Elo 95% at all times [{low}, {high}] after {}", counted(pairs.pairs(), "pair")))
}

/// A number that is not negative, with `+inf` for the infinite one.
fn positive(x: f64, digits: usize) -> String {
    if x.is_finite() { format!("{x:.digits$}") } else { signed_infinity(x) }
}

fn signed_infinity(x: f64) -> String {
    if x > 0.0 { "+inf".into() } else { "-inf".into() }
}

/// The Elo difference and how it was computed.
pub fn estimate(estimate: &Estimate, samples: &str) -> String {
    format!("Elo {}, 95%: {}, {samples}", estimate.elo, estimate.method.name())
}

/// The estimate of a whole sequence, in one line; `None` without samples.
pub fn estimate_of(test: &Sequential) -> Option<String> {
    let n = test.decision().map_or(test.samples(), |d| d.samples);
    test.estimate().map(|e| estimate(&e, &samples(test, n)))
}

/// One line during the test: the LLR, its bounds, and the ETA.
pub fn progress(test: &Sequential, elapsed: Duration, played: u64) -> String {
    let mut text = format!("{} after {}", evidence(test), samples(test, test.samples()));
    let state = test.state();
    if matches!(test.test(), Test::Width(_) | Test::Open(_)) {
        return text;
    }
    let bound = if state.evidence < 0.0 { state.lower } else { state.upper };
    let per_sample = if test.sample() == TestSample::Pair { 2.0 } else { 1.0 };
    if state.evidence.abs() > 0.1 && played > 0 {
        let games = per_sample * test.samples() as f64 * (bound / state.evidence - 1.0).max(0.0);
        let seconds = games * elapsed.as_secs_f64() / played as f64;
        if seconds < 1e9 {
            let left = indicatif::HumanDuration(Duration::from_secs_f64(seconds));
            text.push_str(&format!(", ETA {left}"));
        }
    }
    text
}

/// What the other test says of the same games, in one line.
pub fn beside(test: &Sequential) -> String {
    let word = match test.state().verdict {
        SprtVerdict::Accepted => "H1",
        SprtVerdict::Rejected => "H0",
        _ => "undecided",
    };
    format!("the {} says: {word}, {}", name(test), evidence(test))
}

/// The verdict in one line.
pub fn verdict(test: &Sequential) -> String {
    let word = match test.state().verdict {
        SprtVerdict::Accepted => "accepted (H1)",
        SprtVerdict::Rejected => "rejected (H0)",
        SprtVerdict::Measured => "reached",
        SprtVerdict::Undecided => "undecided",
    };
    let samples = samples(test, test.decision().map_or(test.samples(), |d| d.samples));
    let (name, evidence) = (name(test), evidence(test));
    let mut text = format!("{name}: {word}, {evidence} after {samples}");
    if test.decision().is_none() && test.waiting() > 0 {
        text.push_str(&format!(
            "; {} waiting for an earlier one of the schedule",
            counted(test.waiting(), "game")
        ));
    }
    text
}

/// The test as JSON.
pub fn test_json(test: &Sequential) -> serde_json::Value {
    let state = test.state();
    let kind = match test.test() {
        Test::Sprt(_) => "sprt",
        Test::Betting(_) => "betting",
        Test::Width(_) => "width",
        Test::Open(_) => "none",
    };
    let mut json = serde_json::json!({
        "test": kind,
        "verdict": match state.verdict {
            SprtVerdict::Accepted => "accepted",
            SprtVerdict::Rejected => "rejected",
            SprtVerdict::Measured => "reached",
            SprtVerdict::Undecided => "undecided",
        },
        "lower": state.lower,
        "upper": state.upper,
        "unit": unit(test),
        "samples": test.decision().map_or(test.samples(), |d| d.samples),
    });
    json[evidence_key(test)] = number(state.evidence);
    if let Some([against_h0, against_h1]) = test.e_values() {
        json["e_values"] = serde_json::json!([number(against_h0), number(against_h1)]);
    }
    json
}

/// The JSON key of the evidence of a test.
pub fn evidence_key(test: &Sequential) -> &'static str {
    match test.test() {
        Test::Sprt(_) => "llr",
        Test::Betting(_) => "log_wealth",
        Test::Width(_) | Test::Open(_) => "width",
    }
}

/// An estimate as JSON; infinite values are null.
pub fn estimate_json(estimate: &Estimate) -> serde_json::Value {
    let elo = estimate.elo;
    serde_json::json!({
        "elo": number(elo.value),
        "low": number(elo.low),
        "high": number(elo.high),
        "level": 0.95,
        "method": estimate.method.key(),
        "means": estimate.method.name(),
    })
}

/// The confidence sequence as JSON; infinite ends are null.
pub fn confidence_json(interval: ConfidenceSequence) -> serde_json::Value {
    serde_json::json!({
        "low": number(interval.low), "high": number(interval.high), "level": 0.95
    })
}

/// A number; null if it is not finite.
fn number(x: f64) -> serde_json::Value {
    if x.is_finite() { x.into() } else { serde_json::Value::Null }
}
