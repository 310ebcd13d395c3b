//! The outcome of a match: printed, as JSON, and as an exit code.

use super::command_line::{command_line, quoted};
use super::{sprt, standings};
use agon_base::terminal::write_whole;
use agon_engine::INTERRUPTED;
use agon_matches::run_end::RunEnd;
use agon_matches::run_settings::RunSettings;
use agon_matches::session::MatchOutcome;
use agon_stats::{ConfidenceSequence, Sequential, SprtVerdict};
use std::process::ExitCode;

/// The exit status of a complete match in which an engine lost a game by a fault: an illegal move, its
/// time, a crash, a hang, a flood of output, or a breach of the protocol. A part of a match
/// (`--shard`) exits with 0: it is complete.
pub const LOST_BY_FAULTS: u8 = 5;

/// Prints the score and how the match ended; returns the exit code.
pub fn conclude(outcome: &MatchOutcome, run: &RunSettings) -> ExitCode {
    if run.json {
        println!("{}", json(outcome));
    } else {
        print!("{}", standings::tables(&outcome.header, &outcome.progress));
        if let Some(bill) = outcome.overhead.filter(|b| b.plies > 0) {
            println!("{bill}");
        }
        println!("log: {}", outcome.log.display());
        println!("hash of its last line: {}", outcome.head);
    }
    let code = explain(outcome);
    if let Some(line) = next(outcome).filter(|_| !run.json) {
        println!("next: {line}");
    }
    code
}

/// What to do with a match that has ended: a command, or what continues it.
fn next(outcome: &MatchOutcome) -> Option<String> {
    if !matches!(outcome.ended, RunEnd::Complete | RunEnd::Decided) {
        return None;
    }
    let is_open = |test: &Sequential| test.state().verdict == SprtVerdict::Undecided;
    let log = quoted(&outcome.log.display().to_string());
    Some(match &outcome.progress.test {
        _ if outcome.header.shard.is_some() => format!("referee merge {log} OTHER_PARTS --out LOG"),
        Some(test) if is_open(test) => {
            let more = 2 * outcome.progress.games();
            format!("the same command with --games {more} continues; or referee report {log}")
        }
        _ => format!("referee report {log}"),
    })
}

/// The result as a line of JSON.
pub fn json(outcome: &MatchOutcome) -> serde_json::Value {
    let mut result = standings::json(&outcome.header, &outcome.progress);
    if let (Some(test), Some(object)) = (&outcome.progress.test, result.as_object_mut()) {
        object.insert("sprt".into(), sprt::test_json(test));
    }
    if let (Some(sequence), Some(object)) = (outcome.progress.sequence(), result.as_object_mut()) {
        let estimate = sequence.estimate().map(|e| sprt::estimate_json(&e));
        object.insert("estimate".into(), estimate.unwrap_or_default());
        let interval = ConfidenceSequence::of_pairs(sequence.pairs());
        object.insert("confidence_sequence".into(), sprt::confidence_json(interval));
    }
    result["head"] = outcome.head.clone().into();
    if let (Some(bill), Some(object)) = (outcome.overhead, result.as_object_mut()) {
        object.insert("overhead".into(), serde_json::json!(bill));
    }
    result
}

/// Prints why the match is incomplete and how to resume it; returns the exit code.
pub fn explain(outcome: &MatchOutcome) -> ExitCode {
    let verdict = outcome.progress.test.as_ref().map(sprt::exit_code);
    let (why, code) = match &outcome.ended {
        RunEnd::Complete | RunEnd::Decided => {
            return verdict.unwrap_or_else(|| complete(outcome));
        }
        RunEnd::RoundFinished => {
            eprintln!(
                "referee: round finished; run `referee sprt --judge` with the logs of all parts"
            );
            return verdict.unwrap_or(ExitCode::SUCCESS);
        }
        RunEnd::Interrupted => ("interrupted", ExitCode::from(INTERRUPTED)),
        RunEnd::OutOfTime => ("the time limit of this run is reached", ExitCode::SUCCESS),
        RunEnd::Stopped => ("stopped after the running games", ExitCode::from(INTERRUPTED)),
        RunEnd::Failed(why) => (why.as_str(), ExitCode::FAILURE),
        RunEnd::Disturbed(why) => {
            eprintln!("referee: {why}");
            write_whole(&format!("  {}", command_line()));
            return ExitCode::FAILURE;
        }
    };
    eprintln!("referee: {why}");
    eprintln!(
        "finished games are saved in {}; run the same command to resume:",
        outcome.log.display()
    );
    write_whole(&format!("  {}", command_line()));
    code
}

/// The exit code of a complete match without a sequential test.
fn complete(outcome: &MatchOutcome) -> ExitCode {
    let faults: u64 =
        outcome.progress.standings.rows.iter().flat_map(|row| row.faults.values()).sum();
    if faults == 0 || outcome.header.shard.is_some() {
        return ExitCode::SUCCESS;
    }
    eprintln!("referee: games lost by faults: {faults}");
    ExitCode::from(LOST_BY_FAULTS)
}
