//! The depth of the reading `fitting`: the greatest that alpha-beta finishes within the move time in
//! 95% of the first moves, measured on the openings before the match.

use super::{FittingDepth, PAPER_DEPTH, Reading, alpha_beta, limit};
use agon_engine::Driver;
use agon_engine::driver::EngineContext;
use agon_games::arbiter::GameKind;
use agon_matches::openings::Openings;
use agon_matches::openings::open_checked;
use agon_wire::message::Limits;
use anyhow::{Context, Result, anyhow, bail};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Minimum share in percent of the first moves that the depth is finished in.
const SHARE: u64 = 95;
/// Number of openings whose first move is measured.
const OPENINGS: usize = 40;

/// First moves at one depth.
#[derive(Clone, PartialEq, Debug)]
struct Trial {
    depth: u32,
    /// Number of first moves that were searched.
    tried: usize,
    /// The times of those that were finished.
    times: Vec<Duration>,
    /// Number of first moves to search.
    wanted: usize,
}

impl Trial {
    /// Whether so many searches were not finished that the depth cannot fit.
    fn has_failed(&self) -> bool {
        let missed = self.tried - self.times.len();
        (missed * 100) as u64 > (100 - SHARE) * self.wanted as u64
    }

    fn words(&self) -> String {
        let Trial { depth, tried, times, .. } = self;
        let mut times = times.clone();
        times.sort();
        let time = times
            .get(times.len() / 2)
            .map_or(String::new(), |t| format!(", median {:.1} ms", t.as_secs_f64() * 1000.0));
        format!("depth {depth}: {} of {tried} first moves finished{time}", times.len())
    }
}

/// Measures depth after depth until one does not fit. A depth that cannot fit any more is given up
/// early.
pub(super) fn measure(
    program: &Path,
    kind: GameKind,
    context: &Arc<EngineContext>,
    openings: &Openings,
    move_ms: u64,
) -> Result<FittingDepth> {
    let mut trials: Vec<Trial> = Vec::new();
    for depth in 1..=PAPER_DEPTH {
        let trial = try_depth(program, kind, context, openings, move_ms, depth)?;
        let failed = trial.has_failed();
        trials.push(trial);
        if failed {
            break;
        }
    }
    Ok(conclusion(&trials, move_ms))
}

/// The greatest depth that fits, with all trials as its evidence. Depth 1 is the least.
fn conclusion(trials: &[Trial], move_ms: u64) -> FittingDepth {
    let fitting = trials.iter().take_while(|t| !t.has_failed()).last();
    let words: Vec<String> = trials.iter().map(Trial::words).collect();
    let mut evidence = format!("measured at {move_ms} ms per move: {}", words.join("; "));
    if fitting.is_none() {
        evidence.push_str("; no depth fits, so depth 1 is played");
    }
    FittingDepth { depth: fitting.map_or(1, |t| t.depth), evidence }
}

fn try_depth(
    program: &Path,
    kind: GameKind,
    context: &Arc<EngineContext>,
    openings: &Openings,
    move_ms: u64,
    depth: u32,
) -> Result<Trial> {
    let limits = Limits::with_move_time(Duration::from_millis(move_ms));
    let entry = alpha_beta(program, Reading::Fitting, depth).entry(&limit(move_ms))?;
    let mut engine = Driver::start(&Arc::new(entry), context)?;
    let texts = openings.texts().iter().take(OPENINGS);
    let mut trial = Trial { depth, tried: 0, times: Vec::new(), wanted: texts.len() };
    for text in texts {
        if trial.has_failed() {
            break;
        }
        if agon_engine::interrupted() {
            bail!("interrupted while measuring the depth that fits");
        }
        let board = open_checked(kind, text, &[]).map_err(|reason| anyhow!(reason))?;
        let mover = board.turn().player().context("an opening with a player to move")?;
        let fen = board.fen();
        let during = || format!("alpha-beta at depth {depth} in `{text}`");
        engine.new_game().with_context(during)?;
        let answer = engine.go(Some(&fen), &[], mover, &limits, None).with_context(during)?;
        trial.tried += 1;
        if answer.info.depth.is_some_and(|d| d > 0) {
            trial.times.push(answer.time);
        }
    }
    engine.quit();
    Ok(trial)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(depth: u32, tried: usize, finished: usize) -> Trial {
        let times = (1..=finished as u64).map(Duration::from_millis).collect();
        Trial { depth, tried, times, wanted: 40 }
    }

    #[test]
    fn the_greatest_depth_with_95_percent_finished_fits() {
        let trials = [trial(1, 40, 40), trial(2, 40, 38), trial(3, 5, 2)];
        let found = conclusion(&trials, 200);
        assert_eq!(found.depth, 2);
        for part in ["200 ms", "38 of 40 first moves finished, median 20.0 ms", "depth 3: 2 of 5"] {
            assert!(found.evidence.contains(part), "{part} in {}", found.evidence);
        }
        assert_eq!(conclusion(&[trial(1, 40, 40), trial(2, 40, 37)], 200).depth, 1);
    }

    #[test]
    fn if_no_depth_fits_the_least_is_played_and_this_is_said() {
        let found = conclusion(&[trial(1, 3, 0)], 1);
        assert_eq!(found.depth, 1);
        assert!(found.evidence.ends_with("no depth fits, so depth 1 is played"));
    }
}
