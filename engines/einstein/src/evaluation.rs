//! The evaluator of the expectimax searches, from the race, the pair weights and the tablebase.

use crate::pairs::PairNetwork;
use crate::params;
use crate::playout_board::PlayoutBoard;
use crate::race_distribution::{RaceDistributions, distance};
use crate::tablebase::EinSteinTablebase;
use agon_games::Player;
use agon_games::einstein::{EinStein, EinSteinMove, Layout, Stage, movable_stones};
use agon_search::expectimax::{ExpectimaxEvaluator, UNIT};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The maximum time for reading the tablebase before `readyok`; managers wait 20 s or more.
const WARM_LIMIT: Duration = Duration::from_secs(10);

/// Converts a probability to a value between `-UNIT` and `UNIT`.
#[inline]
pub fn value_of_chance(chance: f32) -> i32 {
    // Stay below certainty, which is reserved for finished games.
    let edge = UNIT as f32 - 1000.0;
    ((chance * 2.0 - 1.0) * UNIT as f32).clamp(-edge, edge) as i32
}

/// The probability that `player` wins the race in a position that is not over; one half until both
/// sides have set up.
#[inline]
pub fn race_chance(game: &EinStein, player: Player) -> f32 {
    match game.stage() {
        Stage::SetUp(_) | Stage::Reveal => 0.5,
        Stage::Roll(_) | Stage::Decide(..) => {
            RaceDistributions::of(game.missing_die()).wins(game, player)
        }
    }
}

/// The equivalence class of an outcome: dice that allow the same stones to move share one.
#[inline]
pub fn outcome_class(game: &EinStein, outcome: EinSteinMove) -> u32 {
    match (game.stage(), outcome) {
        (Stage::Roll(p), EinSteinMove::Roll(die)) => {
            movable_stones(game.missing_die(), game.alive(p), die).into()
        }
        (_, other) => pack(other),
    }
}

/// The move-ordering score: diagonal steps and captures of enemy stones first, captures of own
/// stones last.
#[inline]
pub fn ordering_score(game: &EinStein, decision: EinSteinMove) -> i32 {
    let EinSteinMove::Step { from, to } = decision else { return 0 };
    let mover = game.player();
    let step = i32::from(distance(mover, from)) - i32::from(distance(mover, to));
    let capture = match game.owner(to) {
        None => 0,
        Some(owner) if owner == mover => params::order_own_capture(),
        Some(_) => params::order_capture(),
    };
    step * params::order_step() + capture + 4 - i32::from(distance(mover, to))
}

/// Encodes a move in 24 bits.
#[inline]
pub fn pack(m: EinSteinMove) -> u32 {
    match m {
        EinSteinMove::Step { from, to } => u32::from(from) * 32 + u32::from(to),
        EinSteinMove::Roll(die) => 1024 + u32::from(die),
        EinSteinMove::SetUp(layout) => 2048 + u32::from(Layout::rank(layout)),
    }
}

/// The evaluator of the expectimax searches.
#[derive(Clone, Debug)]
pub struct EinSteinEvaluator {
    /// Trained weights of pairs; the race alone without them.
    network: Option<&'static PairNetwork>,
    tablebase: Option<Arc<EinSteinTablebase>>,
    /// The maximum number of stones in the tablebase.
    stones: u32,
}

impl EinSteinEvaluator {
    /// The probability of winning the race alone: the reference evaluation.
    pub fn race() -> EinSteinEvaluator {
        RaceDistributions::prepare();
        EinSteinEvaluator { network: None, tablebase: None, stones: 0 }
    }

    /// The evaluation of `best`: built-in pair weights, and exact values from a tablebase. A
    /// tablebase for the other rule about missing numbers has no effect.
    pub fn pairs(tablebase: Option<Arc<EinSteinTablebase>>) -> EinSteinEvaluator {
        let stones = tablebase.as_ref().map_or(0, |t| t.indexer().stones() as u32);
        RaceDistributions::prepare();
        EinSteinEvaluator { network: Some(PairNetwork::own()), tablebase, stones }
    }
}

impl ExpectimaxEvaluator<EinStein> for EinSteinEvaluator {
    #[inline]
    fn evaluate(&mut self, game: &EinStein, player: Player) -> i32 {
        let Some(network) = self.network else {
            return value_of_chance(race_chance(game, player));
        };
        match game.stage() {
            Stage::SetUp(_) | Stage::Reveal => 0,
            Stage::Roll(roller) | Stage::Decide(roller, _) => {
                let value = value_of_chance(network.chance(&PlayoutBoard::new(game)));
                if roller == player { value } else { -value }
            }
        }
    }

    #[inline]
    fn solve(&mut self, game: &EinStein, player: Player) -> Option<i32> {
        let stones =
            game.alive(Player::First).count_ones() + game.alive(Player::Second).count_ones();
        if stones > self.stones {
            return None;
        }
        let Stage::Roll(roller) = game.stage() else { return None };
        let won = i64::from(self.tablebase.as_ref()?.probe(game)?.0);
        let value = ((2 * won - 65535) * i64::from(UNIT) / 65535) as i32;
        Some(if roller == player { value } else { -value })
    }

    /// Reads the tablebase into memory: from a disk, a probe may take milliseconds.
    fn prepare(&mut self) {
        let Some(tablebase) = &self.tablebase else { return };
        let (from, mut tenths) = (Instant::now(), 0);
        let path = tablebase.file().path().display();
        let warmed = tablebase.warm(WARM_LIMIT, &mut |done, total| {
            if done * 10 / total.max(1) > tenths {
                tenths = done * 10 / total.max(1);
                log::info!("{path}: {} of {} MB are in memory", done >> 20, total >> 20);
            }
        });
        match warmed {
            Ok(true) => {
                log::info!("{path} is in memory after {:.1} s", from.elapsed().as_secs_f64())
            }
            Ok(false) => log::warn!(
                "{path}: {}0% are in memory after {} s; the next `isready` continues",
                tenths,
                WARM_LIMIT.as_secs()
            ),
            Err(error) => log::error!("{error} (it is not used any more)"),
        }
    }

    fn is_slow(&self) -> bool {
        self.tablebase.as_ref().is_some_and(|tablebase| !tablebase.file().is_warm())
    }

    #[inline]
    fn outcome_class(&self, game: &EinStein, outcome: EinSteinMove) -> u32 {
        outcome_class(game, outcome)
    }
    #[inline]
    fn ordering_score(&mut self, game: &EinStein, decision: EinSteinMove) -> i32 {
        ordering_score(game, decision)
    }
    #[inline]
    fn pack(decision: EinSteinMove) -> u32 {
        pack(decision)
    }
}
