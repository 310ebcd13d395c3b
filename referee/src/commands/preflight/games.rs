//! Steps that play: whole games under the event's clocks, and one that is resumed after the engine was killed.

use super::step::{Preflight, PreflightStep};
use agon_engine::driver::EngineContext;
use agon_engine::{Driver, dialects, interrupted};
use agon_games::Player;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matches::chance::Chance;
use agon_matches::overhead::Overhead;
use agon_matches::play::{MatchContext, play};
use agon_matches::schedule::ScheduledGame;
use agon_matches::slot::{EngineSlot, GameAborted};
use agon_matchlog::{Adjudication, EngineEntry, GameRecord};
use agon_wire::dialect::PositionSupport;
use agon_wire::message::Limits;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the engine may think before it is killed.
const BEFORE_CRASH: Duration = Duration::from_millis(300);

fn context(preflight: &Preflight) -> (MatchContext, Arc<EngineContext>) {
    let event = &preflight.event;
    let context = MatchContext {
        kind: event.kind,
        rules: event.rules.clone(),
        chance: Chance::seeded(1, true).into(),
        adjudication: Adjudication::default(),
        overhead: Overhead::default(),
    };
    let common = EngineContext::new(event.kind.name, event.rules.clone(), preflight.timeouts);
    (context, Arc::new(common))
}

/// Plays from an opening's text; `entries` have the clocks.
fn played(
    preflight: &Preflight,
    number: u64,
    opening: &str,
    entries: [EngineEntry; 2],
) -> Result<GameRecord, Phrase> {
    let (context, common) = context(preflight);
    let job = ScheduledGame { game: number, pair: number, opening: 0, players: [0, 1] };
    let [mut a, mut b] = entries.map(|entry| EngineSlot::new(Arc::new(entry), Arc::clone(&common)));
    let game = play(&context, job, opening, [&mut a, &mut b], None, None);
    a.quit();
    b.quit();
    game.map_err(|e| match e {
        GameAborted::Interrupted => phrase!("interrupted"),
        other => {
            phrase!("game {n}: {cause}", n = job.number().to_string(), cause = other)
        }
    })
}

/// A whole game of the engine against itself, and the game if it ended without a fault.
pub fn whole(
    preflight: &Preflight,
    number: u64,
) -> Result<(PreflightStep, Option<GameRecord>), Phrase> {
    let entry = &preflight.entry;
    let mut other = entry.clone();
    other.name.push_str(" (second)");
    let begin = Instant::now();
    let game = played(preflight, number, "startpos", [entry.clone(), other])?;
    let seconds = begin.elapsed().as_secs();
    let (plies, reason) = (game.by.len(), Phrase::of_key(game.reason.name()));
    if game.reason.is_fault() {
        let detail = phrase!(
            "ended after {plies} plies by a fault: {reason}: {detail}{tail}",
            plies,
            reason,
            detail = game.detail.clone().unwrap_or_default(),
            tail = game.output_tail().to_string()
        );
        return Ok((PreflightStep::failed("whole game", detail), None));
    }
    let detail = phrase!(
        "game {n} ends by {reason} after {plies} plies, in {seconds} s",
        n = game.number().to_string(),
        reason,
        plies,
        seconds
    );
    Ok((PreflightStep::passed("whole game", detail), Some(game)))
}

/// The time that each side used.
fn used(game: &GameRecord) -> [u64; 2] {
    let mut used = [0; 2];
    for (side, us) in game.movers().zip(&game.stats.us) {
        used[side] += us;
    }
    used
}

/// What the clocks said at the end of the games: least time left, longest move.
pub fn time_kept(preflight: &Preflight, games: &[GameRecord]) -> PreflightStep {
    let clock = preflight.entry.limit.clock.as_ref();
    let (time, increment) = clock.map_or((0, 0), |c| (c.time_ms, c.increment_ms));
    let Some(longest) = games.iter().flat_map(|g| &g.stats.us).max() else {
        return PreflightStep::failed("time", phrase!("no game was finished in time"));
    };
    let left = |game: &GameRecord| {
        let played = game.movers().take(game.moves_played()).collect::<Vec<_>>();
        let moves = |side| played.iter().filter(|&&s| s == side).count() as u64;
        let used = used(game);
        [0, 1].map(|side| (time + increment * moves(side)).saturating_sub(used[side] / 1000))
    };
    let least = games.iter().flat_map(left).min().unwrap_or(0);
    let seconds = |ms: u64| ms as f64 / 1000.0;
    let detail = phrase!(
        "of {time} s per side at least {left} s left at the end; longest move {longest} s",
        time = seconds(time),
        left = format_args!("{:.1}", seconds(least)),
        longest = format_args!("{:.1}", *longest as f64 / 1e6)
    );
    if least < time / 50 {
        let detail = phrase!("{detail}: nothing is left for a typing error or a crash", detail);
        return PreflightStep::remark("time", detail);
    }
    PreflightStep::passed("time", detail)
}

/// Kills the engine in the middle of a finished game while it thinks, starts it again and lets it resume on
/// what its clock has left.
pub fn crash(preflight: &Preflight, game: &GameRecord) -> Result<PreflightStep, Phrase> {
    let entry = &preflight.entry;
    let dialect = dialects::engine_dialect(entry, preflight.event.kind.name);
    if dialect.is_ok_and(|d| d.position_support() == PositionSupport::OwnGames) {
        let dialect = &entry.dialect;
        return Ok(PreflightStep::remark(
            "crash",
            phrase!(
                "the dialect {dialect} plays only its own games: after a crash the engine cannot resume",
                dialect
            ),
        ));
    }
    let Some(half) = Half::of(game) else {
        let detail = phrase!("the game was too short to be broken off in its middle");
        return Ok(PreflightStep::failed("crash", detail));
    };
    let restart = match kill_and_restart(preflight, &half) {
        Ok(restart) => restart,
        Err(detail) => return Ok(PreflightStep::failed("crash", detail)),
    };
    if interrupted() {
        return Err(phrase!("interrupted"));
    }
    let mut left = remaining(entry, &half);
    let lost = u64::try_from((BEFORE_CRASH + restart).as_millis()).unwrap_or(u64::MAX);
    let side = half.mover.index();
    left[side] = left[side].saturating_sub(lost);
    if left[side] == 0 {
        let detail = phrase!("the crash takes {ms} ms, more than the clock has left", ms = lost);
        return Ok(PreflightStep::failed("crash", detail));
    }
    let opening = format!("startpos moves {}", half.moves.join(" "));
    let entries = left.map(|time_ms| {
        let mut entry = entry.clone();
        entry.limit.clock.iter_mut().for_each(|clock| clock.time_ms = time_ms);
        entry
    });
    let rest = played(preflight, preflight.games, &opening, entries)?;
    let (ply, plies) = (half.plies, rest.by.len());
    if rest.reason.is_fault() {
        let detail = phrase!(
            "resumed at ply {ply}, it loses by {reason}: {detail}",
            ply,
            reason = Phrase::of_key(rest.reason.name()),
            detail = rest.detail.clone().unwrap_or_default()
        );
        return Ok(PreflightStep::failed("crash", detail));
    }
    Ok(PreflightStep::passed(
        "crash",
        phrase!(
            "killed at ply {ply} while thinking, ready again in {ms} ms, resumed with {left} s left and played {plies} plies to the end",
            ply,
            ms = restart.as_millis(),
            left = format_args!("{:.1}", left[side] as f64 / 1000.0),
            plies
        ),
    ))
}

/// Kills the engine while it thinks and starts it again: the time that the restart takes, or what went
/// wrong.
fn kill_and_restart(preflight: &Preflight, half: &Half) -> Result<Duration, Phrase> {
    let (_, common) = context(preflight);
    let shared = Arc::new(preflight.entry.clone());
    let think = || -> Result<Driver, Phrase> {
        let mut driver = Driver::start(&shared, &common).map_err(|e| e.to_phrase())?;
        let limits = Limits::with_move_time(Duration::from_secs(60));
        driver
            .new_game()
            .and_then(|_| driver.begin(&half.moves, half.mover, &limits))
            .map_err(|e| e.to_phrase())?;
        Ok(driver)
    };
    let thinking = think().map_err(|cause| phrase!("before the crash: {cause}", cause))?;
    std::thread::sleep(BEFORE_CRASH);
    // This kills the engine and all its processes.
    drop(thinking);
    let restart = Instant::now();
    match Driver::start(&shared, &common) {
        Ok(driver) => driver.quit(),
        Err(cause) => return Err(phrase!("the engine does not start again: {cause}", cause)),
    }
    Ok(restart.elapsed())
}

/// The first half of a game, up to a decision.
struct Half {
    moves: Vec<String>,
    mover: Player,
    plies: usize,
    /// Microseconds that each side used, and its number of moves.
    used: [(u64, u64); 2],
}

impl Half {
    fn of(game: &GameRecord) -> Option<Half> {
        let by = game.by.as_bytes();
        let middle = by.len() / 2;
        let plies = (middle..by.len()).find(|&i| by[i] != b'c').filter(|&i| i > 0)?;
        let mut used = [(0, 0); 2];
        for (side, us) in by[..plies].iter().filter(|&&b| b != b'c').zip(&game.stats.us) {
            let (time, moves) = &mut used[usize::from(*side == b'2')];
            (*time, *moves) = (*time + us, *moves + 1);
        }
        let mover = if by[plies] == b'1' { Player::First } else { Player::Second };
        let moves = game.moves.split(' ').take(plies).map(String::from).collect();
        Some(Half { moves, mover, plies, used })
    }
}

/// Milliseconds that both clocks have left.
fn remaining(entry: &EngineEntry, half: &Half) -> [u64; 2] {
    let clock = entry.limit.clock.as_ref();
    let (time, increment) = clock.map_or((0, 0), |c| (c.time_ms, c.increment_ms));
    half.used.map(|(us, moves)| (time + increment * moves).saturating_sub(us / 1000).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::GameResult;

    #[test]
    fn a_game_is_broken_off_in_its_middle_before_a_decision() {
        let mut game = GameRecord::bare([0, 1], GameResult::First);
        game.moves = "261345 123456 4 b5c4 3 e2d3 4 c4d3".into();
        game.by = "12c1c2c1".into();
        game.stats.us = vec![1000, 2000, 4000, 8000, 16_000];
        let half = Half::of(&game).unwrap();
        assert_eq!((half.plies, half.mover), (5, Player::Second));
        assert_eq!(half.moves.last().map(String::as_str), Some("3"));
        assert_eq!(half.used, [(5000, 2), (2000, 1)]);
        game.by = "1".into();
        assert!(Half::of(&game).is_none());
    }
}
