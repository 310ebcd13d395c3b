//! Whether it keeps to limits and clocks, and stops when it is told.

use super::conversation::{Conversation, text};
use super::moves::{ANSWER_TIMEOUT, check_legal};
use super::positions::{TestPosition, random_game_positions};
use super::{EngineUnderTest, Outcome, passed, remark, skipped};
use agon_protocol::message::{Command, Limits};
use agon_protocol::rng;
use std::time::{Duration, Instant};

/// What is expected of an answer to `stop`; later ones are a remark, much later ones a failure.
const AT_ONCE: Duration = Duration::from_millis(50);
const TOO_LATE: Duration = Duration::from_millis(1000);

/// A clock with less on it is not asked to last for another move.
const EMPTY: Duration = Duration::from_millis(5);

fn no_limits(subject: &EngineUnderTest) -> Option<Outcome> {
    let silent = !subject.has_words_for(&Command::Stop);
    silent.then(|| skipped(format!("the dialect {} has no words for them", subject.entry.dialect)))
}

/// The start, where it is a player's turn.
fn start(subject: &EngineUnderTest) -> Result<TestPosition, String> {
    let mut position = TestPosition::start(subject)?;
    position.play_chance(&mut rng::stream(1, 0, "first move of a check"))?;
    Ok(position)
}

/// Positions with something to think about.
fn middles(subject: &EngineUnderTest) -> Result<Vec<TestPosition>, String> {
    let mut positions = random_game_positions(subject, 2)?;
    positions.retain(|p| p.board.count_moves() > 1);
    positions.truncate(6);
    Ok(positions)
}

/// Depths, node counts and times for one move are kept.
pub(super) fn limits(subject: &EngineUnderTest) -> Outcome {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut engine = Conversation::open(subject)?;
    let position = start(subject)?;
    let ucci_seconds = subject.entry.dialect == "ucci";
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
    for ms in [1, 10, 100, 500] {
        // A manager that counts in seconds has no tenths.
        let ms = if ucci_seconds { ms.max(10) } else { ms };
        let allowed = Duration::from_millis(ms);
        let best = engine.go(&position, &Limits::with_move_time(allowed), ANSWER_TIMEOUT)?;
        check_legal(&position, &best)?;
        let over = best.time.saturating_sub(allowed);
        worst = worst.max(over);
        if over > subject.margin {
            let (taken, margin) = (text(best.time), text(subject.margin));
            return Err(format!("{ms} ms for a move took {taken}; {margin} more are forgiven"));
        }
    }
    passed(format!("depth, nodes and movetime kept; at most {} over", text(worst)))
}

/// Its clock does not run out: not with little on it, not over a row of moves.
pub(super) fn clocks(subject: &EngineUnderTest) -> Outcome {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut engine = Conversation::open(subject)?;
    let positions = middles(subject)?;
    let mut least = Duration::MAX;
    let mut moves = 0;
    for (total, increment) in [(1000, 0), (300, 20), (50, 50), (20, 0)] {
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
            // On an empty clock only the margin is left, which belongs to the machine.
            if left < EMPTY {
                break;
            }
        }
        least = least.min(left);
    }
    passed(format!("{moves} moves on four small clocks, never below {}", text(least)))
}

/// `stop` ends a search at once, and a search answers `isready` meanwhile.
pub(super) fn stop(subject: &EngineUnderTest) -> Outcome {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut engine = Conversation::open(subject)?;
    let positions = middles(subject)?;
    let mut all = Vec::new();
    for (i, position) in positions.iter().enumerate() {
        let limits = Limits { infinite: true, ..Limits::default() };
        engine.begin_search(position, &limits)?;
        // From a search that has hardly begun to one that is deep in its tree.
        std::thread::sleep(Duration::from_millis([0, 1, 20, 100, 200, 400][i % 6]));
        if i == 3 {
            engine.ready().map_err(|e| format!("asked during a search, {e}"))?;
        }
        let begin = Instant::now();
        engine.send(&Command::Stop)?;
        let best = engine.best(begin, ANSWER_TIMEOUT).map_err(|e| format!("after `stop`, {e}"))?;
        check_legal(position, &best)?;
        all.push(best.time);
    }
    all.sort_unstable();
    let worst = all.last().copied().unwrap_or_default();
    let median = all.get(all.len() / 2).copied().unwrap_or_default();
    let said = format!("{} after `stop`, at worst {}", text(median), text(worst));
    match median {
        m if m > TOO_LATE => Err(format!("its move came {said}")),
        m if m > AT_ONCE => remark(format!("its move came {said}; {} is usual", text(AT_ONCE))),
        _ => passed(said),
    }
}
