//! Checks of limits, clocks and `stop`.

use super::conversation::{Conversation, text};
use super::moves::{ANSWER_TIMEOUT, check_legal};
use super::positions::{TestPosition, random_game_positions};
use super::{CheckResult, EngineUnderTest, passed, remark, skipped};
use agon_base::counted;
use agon_games::rng;
use agon_wire::message::{Command, Limits};
use std::time::{Duration, Instant};

/// Answers to `stop` within this time pass; a later one is a remark, a much later one a failure.
const PROMPT: Duration = Duration::from_millis(50);
const TOO_LATE: Duration = Duration::from_millis(1000);

/// The clock check stops when the engine has less time than this left.
const MIN_TIME: Duration = Duration::from_millis(5);

fn no_limits(subject: &EngineUnderTest) -> Option<CheckResult> {
    let silent = !subject.supports(&Command::Stop);
    silent.then(|| skipped(format!("the dialect {} has no limits", subject.entry.dialect)))
}

/// The start position, after its chance events.
fn start(subject: &EngineUnderTest) -> Result<TestPosition, String> {
    let mut position = TestPosition::start(subject)?;
    position.play_chance(&mut rng::stream(1, 0, "first move of a check"))?;
    Ok(position)
}

/// Positions with a choice of moves.
fn middle_positions(subject: &EngineUnderTest) -> Result<Vec<TestPosition>, String> {
    let mut positions = random_game_positions(subject, 2)?;
    positions.retain(|p| p.board.count_moves() > 1);
    positions.truncate(6);
    Ok(positions)
}

/// The engine obeys depth limits, node limits and times per move.
pub(super) fn limits(subject: &EngineUnderTest) -> CheckResult {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut engine = Conversation::open(subject)?;
    let position = start(subject)?;
    for (name, limits) in [
        ("depth 1", Limits::with_depth(1)),
        ("depth 2", Limits::with_depth(2)),
        ("nodes 1", Limits::with_nodes(1)),
        ("nodes 1000", Limits::with_nodes(1000)),
    ] {
        let best =
            engine.go(&position, &limits, ANSWER_TIMEOUT).map_err(|e| format!("{name}: {e}"))?;
        check_legal(&position, &best).map_err(|e| format!("{name}: {e}"))?;
    }
    let mut worst = Duration::ZERO;
    let in_seconds = engine.time_unit() > Duration::from_millis(1);
    for ms in if in_seconds { &[1000, 2000][..] } else { &[1, 10, 100, 500] } {
        // UCCI uses units of 10 ms.
        let ms = if subject.entry.dialect == "ucci" { *ms.max(&10) } else { *ms };
        let allowed = Duration::from_millis(ms);
        let best = engine.go(&position, &Limits::with_move_time(allowed), ANSWER_TIMEOUT)?;
        check_legal(&position, &best)?;
        let over = best.time.saturating_sub(allowed);
        worst = worst.max(over);
        if over > subject.margin {
            let (taken, margin) = (text(best.time), text(subject.margin));
            return Err(format!("a move with {ms} ms took {taken}; the time margin is {margin}"));
        }
    }
    passed(format!("depth, nodes and movetime kept; at most {} over", text(worst)))
}

/// The engine does not lose on time with little time left or over several moves.
pub(super) fn clocks(subject: &EngineUnderTest) -> CheckResult {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut engine = Conversation::open(subject)?;
    let positions = middle_positions(subject)?;
    let mut least = Duration::MAX;
    let mut moves = 0;
    let in_seconds = engine.time_unit() > Duration::from_millis(1);
    let small = [(1000, 0), (300, 20), (50, 50), (20, 0)];
    for (total, increment) in if in_seconds { &[(4000, 0), (3000, 1000)][..] } else { &small } {
        let (total, increment) = (*total, *increment);
        let increment = Duration::from_millis(increment);
        let mut left = Duration::from_millis(total);
        for position in &positions {
            let limits =
                Limits { time: [Some(left); 2], increment: [increment; 2], ..Limits::default() };
            let best = engine.go(position, &limits, ANSWER_TIMEOUT)?;
            moves += 1;
            check_legal(position, &best)?;
            if best.time > left + subject.margin {
                let (taken, had) = (text(best.time), text(left));
                return Err(format!("with {had} left of {total} ms it took {taken} for a move"));
            }
            left = left.saturating_sub(best.time) + increment;
            // On an empty clock only the margin remains, which covers the machine's delays.
            if left < MIN_TIME.max(engine.time_unit()) {
                break;
            }
        }
        least = least.min(left);
    }
    passed(format!(
        "{moves} on small clocks, never below {}",
        text(least),
        moves = counted(moves, "move")
    ))
}

/// `stop` ends a search promptly, and the engine answers `isready` during a search.
pub(super) fn stop(subject: &EngineUnderTest) -> CheckResult {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut engine = Conversation::open(subject)?;
    let positions = middle_positions(subject)?;
    let mut all = Vec::new();
    let mut early = None;
    for (i, position) in positions.iter().enumerate() {
        let limits = Limits { infinite: true, ..Limits::default() };
        engine.begin_search(position, &limits)?;
        // Stop searches that have just started as well as deep ones.
        let mut answer = engine.early(Duration::from_millis([0, 1, 20, 100, 200, 400][i % 6]))?;
        if i == 3 && answer.is_none() {
            let ready = engine.ready_or_move();
            answer = ready.map_err(|e| format!("during a search, {e}"))?;
        }
        if let Some(best) = answer {
            check_legal(position, &best)?;
            early.get_or_insert(best.line);
            continue;
        }
        let begin = Instant::now();
        engine.send(&Command::Stop)?;
        let best = engine.best(begin, ANSWER_TIMEOUT).map_err(|e| format!("after `stop`, {e}"))?;
        check_legal(position, &best)?;
        all.push(best.time);
    }
    if let Some(line) = early {
        return remark(format!("it answers `go infinite` before `stop`, with `{line}`"));
    }
    all.sort_unstable();
    let worst = all.last().copied().unwrap_or_default();
    let median = all.get(all.len() / 2).copied().unwrap_or_default();
    let said = format!("{} after `stop`, at worst {}", text(median), text(worst));
    match median {
        m if m > TOO_LATE => Err(format!("its move came {said}")),
        m if m > PROMPT => remark(format!("its move came {said}; {} is usual", text(PROMPT))),
        _ => passed(said),
    }
}
