//! Checks of malformed input, end of input and `quit`.

use super::conversation::{Conversation, text};
use super::moves::{ANSWER_TIMEOUT, check_legal};
use super::positions::TestPosition;
use super::{CheckResult, EngineUnderTest, passed, remark, skipped};
use agon_games::rng;
use agon_wire::message::{Command, Limits};
use std::time::Duration;

fn start(subject: &EngineUnderTest) -> Result<TestPosition, String> {
    let mut position = TestPosition::start(subject)?;
    position.play_chance(&mut rng::stream(1, 0, "first move of a check"))?;
    Ok(position)
}

/// Checks that the engine still plays a legal move.
fn still_plays(subject: &EngineUnderTest, engine: &mut Conversation<'_>) -> Result<(), String> {
    let position = start(subject)?;
    let limits = subject.usual_limits(50);
    let best = engine.go(&position, &limits, ANSWER_TIMEOUT)?;
    check_legal(&position, &best)
}

/// Malformed input: a description, the bytes, and whether a failure on it is only a remark.
fn malformed_input() -> Vec<(&'static str, Vec<u8>, bool)> {
    vec![
        ("empty lines", b"\n \n\t\n\r\n".to_vec(), false),
        ("an unknown command", b"frobnicate the bits\n".to_vec(), false),
        ("a command in capitals", b"STOP THINKING\n".to_vec(), false),
        ("bytes that are not UTF-8", b"\xff\xfe\x80\xc3\x28 \x01\x02\x1b[2J\n".to_vec(), false),
        ("a NUL byte", b"abc\0def\n".to_vec(), false),
        ("a line of 100,000 bytes", [vec![b'x'; 100_000], b"\n".to_vec()].concat(), false),
        ("`go` with a limit that is not a number", b"go movetime soon\nstop\n".to_vec(), true),
        ("an illegal position", b"position fen 9/9/9 x moves\n".to_vec(), true),
        ("an illegal move", b"position startpos moves zz99\n".to_vec(), true),
        ("an option without a name", b"setoption\nsetoption name\n".to_vec(), true),
    ]
}

/// The engine survives malformed input.
pub(super) fn garbage(subject: &EngineUnderTest) -> CheckResult {
    if !subject.supports(&Command::IsReady) || !subject.supports(&Command::Stop) {
        let dialect = &subject.entry.dialect;
        return skipped(format!("the dialect {dialect} has no room for malformed lines"));
    }
    let mut survived = 0;
    let mut excused = Vec::new();
    for (what, bytes, excusable) in malformed_input() {
        let mut engine = Conversation::open(subject)?;
        engine.send_bytes(&bytes)?;
        let outcome = engine.ready_or_move().and_then(|_| {
            // Ignore the replies; only the answers to valid commands count.
            while engine.unasked(Duration::from_millis(50)).is_some() {}
            still_plays(subject, &mut engine)
        });
        match outcome {
            Ok(()) => survived += 1,
            Err(e) if excusable => excused.push(format!("{what} ({})", first_line(&e))),
            Err(e) => return Err(format!("after {what}: {e}")),
        }
    }
    if excused.is_empty() {
        return passed(format!("{survived} kinds of malformed input survived"));
    }
    remark(format!("it does not survive {}", excused.join(", or ")))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Waits for the exit; returns its description and the elapsed time.
fn ending(
    engine: &mut Conversation<'_>,
    subject: &EngineUnderTest,
    when: &str,
) -> Result<(String, Duration), String> {
    let (status, time) =
        engine.ended(subject.context.timeouts.grace).map_err(|e| format!("{when}: {e}"))?;
    if engine.left_children() {
        return Err(format!("{when}: it exited and left child processes running"));
    }
    Ok((status, time))
}

/// The engine exits at the end of its input, idle and during a search. Otherwise processes would
/// survive when the manager dies.
pub(super) fn end_of_input(subject: &EngineUnderTest) -> CheckResult {
    let mut worst = Duration::ZERO;
    let mut engine = Conversation::open(subject)?;
    engine.close();
    worst = worst.max(ending(&mut engine, subject, "at the end of its input")?.1);
    if subject.supports(&Command::Stop) {
        let mut engine = Conversation::open(subject)?;
        engine.begin_search(&start(subject)?, &Limits { infinite: true, ..Limits::default() })?;
        std::thread::sleep(Duration::from_millis(100));
        engine.close();
        worst =
            worst.max(ending(&mut engine, subject, "at the end of its input during a search")?.1);
    }
    passed(format!("it exits within {}", text(worst)))
}

/// The engine exits on `quit`, idle and during a search.
pub(super) fn quit(subject: &EngineUnderTest) -> CheckResult {
    if !subject.supports(&Command::Quit) {
        return skipped(format!("the dialect {} has no `quit`", subject.entry.dialect));
    }
    let mut worst = Duration::ZERO;
    let mut statuses = Vec::new();
    for searching in [false, true] {
        if searching && !subject.supports(&Command::Stop) {
            continue;
        }
        let mut engine = Conversation::open(subject)?;
        let when = if searching { "after `quit` during a search" } else { "after `quit`" };
        if searching {
            engine
                .begin_search(&start(subject)?, &Limits { infinite: true, ..Limits::default() })?;
            std::thread::sleep(Duration::from_millis(100));
        }
        engine.send(&Command::Quit)?;
        let (status, time) = ending(&mut engine, subject, when)?;
        worst = worst.max(time);
        if status != "exit status 0" {
            statuses.push(format!("{when}, {status}"));
        }
    }
    if statuses.is_empty() {
        return passed(format!("it exits within {}", text(worst)));
    }
    remark(statuses.join("; "))
}
