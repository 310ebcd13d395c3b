//! Whether it keeps to limits and clocks, and stops when it is told.

use super::moves::{PATIENCE, judge};
use super::places::{Place, odd_places};
use super::talk::{Talk, text};
use super::{Outcome, Subject, good, remark, skipped};
use agon_protocol::message::{Command, Limits};
use agon_protocol::rng;
use std::time::{Duration, Instant};

/// What is expected of an answer to `stop`; later ones are a remark, much later ones a failure.
const AT_ONCE: Duration = Duration::from_millis(50);
const TOO_LATE: Duration = Duration::from_millis(1000);

/// A clock with less on it is not asked to last for another move.
const EMPTY: Duration = Duration::from_millis(5);

fn no_limits(subject: &Subject) -> Option<Outcome> {
    let silent = !subject.has_words_for(&Command::Stop);
    silent.then(|| skipped(format!("the dialect {} has no words for them", subject.entry.dialect)))
}

/// The start, where it is a player's turn.
fn start(subject: &Subject) -> Result<Place, String> {
    let mut place = Place::start(subject)?;
    place.settle(&mut rng::stream(1, 0, "first move of a check"))?;
    Ok(place)
}

/// Positions with something to think about.
fn middles(subject: &Subject) -> Result<Vec<Place>, String> {
    let mut places = odd_places(subject, 2)?;
    places.retain(|p| p.board.count_moves() > 1);
    places.truncate(6);
    Ok(places)
}

/// Depths, node counts and times for one move are kept.
pub(super) fn limits(subject: &Subject) -> Outcome {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut talk = Talk::open(subject)?;
    let place = start(subject)?;
    let ucci_seconds = subject.entry.dialect == "ucci";
    for (name, limits) in [
        ("depth 1", Limits::with_depth(1)),
        ("depth 2", Limits::with_depth(2)),
        ("nodes 1", Limits::with_nodes(1)),
        ("nodes 1000", Limits::with_nodes(1000)),
    ] {
        let best = talk.go(&place, &limits, PATIENCE).map_err(|e| format!("{name}: {e}"))?;
        judge(&place, &best).map_err(|e| format!("{name}: {e}"))?;
    }
    let mut worst = Duration::ZERO;
    for ms in [1, 10, 100, 500] {
        // A manager that counts in seconds has no tenths.
        let ms = if ucci_seconds { ms.max(10) } else { ms };
        let allowed = Duration::from_millis(ms);
        let best = talk.go(&place, &Limits::with_move_time(allowed), PATIENCE)?;
        judge(&place, &best)?;
        let over = best.time.saturating_sub(allowed);
        worst = worst.max(over);
        if over > subject.margin {
            let (taken, margin) = (text(best.time), text(subject.margin));
            return Err(format!("{ms} ms for a move took {taken}; {margin} more are forgiven"));
        }
    }
    good(format!("depth, nodes and movetime kept; at most {} over", text(worst)))
}

/// Its clock does not run out: not with little on it, not over a row of moves.
pub(super) fn clocks(subject: &Subject) -> Outcome {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut talk = Talk::open(subject)?;
    let places = middles(subject)?;
    let mut least = Duration::MAX;
    let mut moves = 0;
    for (total, increment) in [(1000, 0), (300, 20), (50, 50), (20, 0)] {
        let increment = Duration::from_millis(increment);
        let mut left = Duration::from_millis(total);
        for place in &places {
            let limits =
                Limits { time: [Some(left); 2], increment: [increment; 2], ..Limits::default() };
            let best = talk.go(place, &limits, PATIENCE)?;
            moves += 1;
            judge(place, &best)?;
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
    good(format!("{moves} moves on four small clocks, never below {}", text(least)))
}

/// `stop` ends a search at once, and a search answers `isready` meanwhile.
pub(super) fn stop(subject: &Subject) -> Outcome {
    if let Some(outcome) = no_limits(subject) {
        return outcome;
    }
    let mut talk = Talk::open(subject)?;
    let places = middles(subject)?;
    let mut all = Vec::new();
    for (i, place) in places.iter().enumerate() {
        let limits = Limits { infinite: true, ..Limits::default() };
        talk.begin_search(place, &limits)?;
        // From a search that has hardly begun to one that is deep in its tree.
        std::thread::sleep(Duration::from_millis([0, 1, 20, 100, 200, 400][i % 6]));
        if i == 3 {
            talk.ready().map_err(|e| format!("asked during a search, {e}"))?;
        }
        let begin = Instant::now();
        talk.say(&Command::Stop)?;
        let best = talk.best(begin, PATIENCE).map_err(|e| format!("after `stop`, {e}"))?;
        judge(place, &best)?;
        all.push(best.time);
    }
    all.sort_unstable();
    let worst = all.last().copied().unwrap_or_default();
    let median = all.get(all.len() / 2).copied().unwrap_or_default();
    let said = format!("{} after `stop`, at worst {}", text(median), text(worst));
    match median {
        m if m > TOO_LATE => Err(format!("its move came {said}")),
        m if m > AT_ONCE => remark(format!("its move came {said}; {} is usual", text(AT_ONCE))),
        _ => good(said),
    }
}
