//! What it does with lines that make no sense, and how it ends.

use super::conversation::{Conversation, text};
use super::moves::{ANSWER_TIMEOUT, check_legal};
use super::positions::TestPosition;
use super::{EngineUnderTest, Outcome, passed, remark, skipped};
use agon_protocol::message::{Command, Limits};
use agon_protocol::rng;
use std::time::Duration;

fn start(subject: &EngineUnderTest) -> Result<TestPosition, String> {
    let mut position = TestPosition::start(subject)?;
    position.play_chance(&mut rng::stream(1, 0, "first move of a check"))?;
    Ok(position)
}

/// Whether it still finds a legal move.
fn still_plays(subject: &EngineUnderTest, engine: &mut Conversation<'_>) -> Result<(), String> {
    let position = start(subject)?;
    let limits = Limits::with_move_time(Duration::from_millis(50));
    let best = engine.go(&position, &limits, ANSWER_TIMEOUT)?;
    check_legal(&position, &best)
}

/// Lines of a manager that has gone mad, with what is wrong with them. The flag says whether nobody could
/// blame an engine for giving up.
fn nonsense() -> Vec<(&'static str, Vec<u8>, bool)> {
    vec![
        ("empty lines", b"\n \n\t\n\r\n".to_vec(), false),
        ("an unknown command", b"frobnicate the bits\n".to_vec(), false),
        ("a command in capitals", b"STOP THINKING\n".to_vec(), false),
        ("bytes that are no text", b"\xff\xfe\x80\xc3\x28 \x01\x02\x1b[2J\n".to_vec(), false),
        ("a NUL byte", b"abc\0def\n".to_vec(), false),
        ("a line of 100,000 bytes", [vec![b'x'; 100_000], b"\n".to_vec()].concat(), false),
        ("`go` with a limit that is no number", b"go movetime soon\nstop\n".to_vec(), true),
        ("a position that is none", b"position fen 9/9/9 x moves\n".to_vec(), true),
        ("a move that is none", b"position startpos moves zz99\n".to_vec(), true),
        ("an option without a name", b"setoption\nsetoption name\n".to_vec(), true),
    ]
}

/// It survives lines that make no sense.
pub(super) fn garbage(subject: &EngineUnderTest) -> Outcome {
    if !subject.has_words_for(&Command::IsReady) || !subject.has_words_for(&Command::Stop) {
        let dialect = &subject.entry.dialect;
        return skipped(format!("in the dialect {dialect} a line is always an order or an answer"));
    }
    let mut survived = 0;
    let mut excused = Vec::new();
    for (what, bytes, excusable) in nonsense() {
        let mut engine = Conversation::open(subject)?;
        engine.send_bytes(&bytes)?;
        let outcome = engine.ready().and_then(|_| {
            // It may have made something of it; only what it says when it is asked counts.
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
        return passed(format!("{survived} kinds of nonsense survived"));
    }
    remark(format!("it does not survive {}", excused.join(", nor ")))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// How an ended program is judged.
fn ending(
    engine: &mut Conversation<'_>,
    subject: &EngineUnderTest,
    when: &str,
) -> Result<(String, Duration), String> {
    let (status, time) =
        engine.ended(subject.timeouts.grace).map_err(|e| format!("{when}: {e}"))?;
    if engine.left_children() {
        return Err(format!("{when}: it ended, and left processes behind"));
    }
    Ok((status, time))
}

/// It ends when its input does, idle and in a search, so that a dead manager leaves no orphans.
pub(super) fn end_of_input(subject: &EngineUnderTest) -> Outcome {
    let mut worst = Duration::ZERO;
    let mut engine = Conversation::open(subject)?;
    engine.close();
    worst = worst.max(ending(&mut engine, subject, "idle at the end of its input")?.1);
    if subject.has_words_for(&Command::Stop) {
        let mut engine = Conversation::open(subject)?;
        engine.begin_search(&start(subject)?, &Limits { infinite: true, ..Limits::default() })?;
        std::thread::sleep(Duration::from_millis(100));
        engine.close();
        worst = worst.max(ending(&mut engine, subject, "searching at the end of its input")?.1);
    }
    passed(format!("it ends within {}", text(worst)))
}

/// It ends when it is told to, idle and in a search.
pub(super) fn quit(subject: &EngineUnderTest) -> Outcome {
    if !subject.has_words_for(&Command::Quit) {
        return skipped(format!("the dialect {} has no word for it", subject.entry.dialect));
    }
    let mut worst = Duration::ZERO;
    let mut statuses = Vec::new();
    for searching in [false, true] {
        if searching && !subject.has_words_for(&Command::Stop) {
            continue;
        }
        let mut engine = Conversation::open(subject)?;
        let when = if searching { "told to quit in a search" } else { "told to quit" };
        if searching {
            engine
                .begin_search(&start(subject)?, &Limits { infinite: true, ..Limits::default() })?;
            std::thread::sleep(Duration::from_millis(100));
        }
        engine.send(&Command::Quit)?;
        let (status, time) = ending(&mut engine, subject, when)?;
        worst = worst.max(time);
        if status != "it ended with exit status 0" {
            statuses.push(format!("{when}, {status}"));
        }
    }
    if statuses.is_empty() {
        return passed(format!("it ends within {}", text(worst)));
    }
    remark(statuses.join("; "))
}
