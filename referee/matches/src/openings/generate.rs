//! Generates openings by random legal plies from the start position. Each position occurs once.
//! With an engine, only positions that it evaluates as balanced are kept.

use crate::chance::Chance;
use agon_engine::driver::EngineContext;
use agon_engine::{Driver, Fault, StartError};
use agon_games::arbiter::{GameKind, OpenError};
use agon_games::hash::FastSet;
use agon_games::{Player, Turn, rng};
use agon_matchlog::EngineEntry;
use agon_matchlog::rule_pairs;
use agon_wire::message::{Limits, Score};
use std::sync::Arc;

/// Number of candidates evaluated together. It is fixed, so that the result does not depend on the
/// number of engines.
const BATCH: u64 = 64;

/// What happens if there are fewer positions than wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// It is an error.
    Refuse,
    /// The positions that were found are used.
    Accept,
}

/// Which openings to generate.
#[derive(Clone)]
pub struct Recipe {
    /// The game.
    pub kind: GameKind,
    /// Number of random decisions from the start position, excluding chance events.
    pub plies: u32,
    /// The number of positions.
    pub count: usize,
    /// The source of the random plies.
    pub chance: Chance,
    /// The filter for balanced positions, if any.
    pub balance: Option<Balance>,
}

/// The engine that evaluates positions, and the accepted range of its score.
#[derive(Clone, Debug)]
pub struct Balance {
    /// The engine, with its limit per position.
    pub engine: EngineEntry,
    /// The maximum absolute score in centipawns.
    pub window: i32,
    /// The number of engines that run concurrently.
    pub concurrency: usize,
}

/// A generated position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The moves from the start position.
    pub tokens: Vec<String>,
    /// The engine's score for the side to move in centipawns, if there is a filter.
    pub value: Option<i32>,
}

/// The generated openings.
#[derive(Clone, Debug)]
pub struct GeneratedOpenings {
    /// The positions, in the order in which they were found.
    pub openings: Vec<Opening>,
    /// The number of candidates that were tried.
    pub candidates: u64,
}

/// Error: openings could not be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The rules are invalid.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The engine cannot be started.
    #[error(transparent)]
    Start(#[from] Box<StartError>),
    /// The engine failed.
    #[error("engine {name} failed on a position: {fault}")]
    Engine {
        /// The engine's name.
        name: String,
        /// The fault.
        fault: Fault,
    },
    /// The engine reports no score.
    #[error("engine {name} reports no score; balanced positions cannot be found")]
    NoScore {
        /// The engine's name.
        name: String,
    },
    /// Too many candidates were rejected.
    #[error(
        "positions found: {found} of {wanted}, candidates tried: {candidates}; \
         use fewer positions, more plies or a wider window"
    )]
    TooFew {
        /// Number of positions found.
        found: usize,
        /// Number of positions requested.
        wanted: usize,
        /// Number of candidates tried.
        candidates: u64,
    },
}

struct Candidate {
    tokens: Vec<String>,
    hash: u64,
    mover: Player,
}

impl Recipe {
    /// Generates the openings and calls `progress` with their number so far. The same recipe with a
    /// deterministic engine gives the same openings for any number of engines.
    ///
    /// # Errors
    ///
    /// Fails if the engine fails or too many candidates are rejected.
    pub fn generate(
        &self,
        context: &Arc<EngineContext>,
        shortage: Shortage,
        mut progress: impl FnMut(usize),
    ) -> Result<GeneratedOpenings, GenerateError> {
        let mut engines = self.start_engines(context)?;
        let mut seen = FastSet::default();
        let mut openings = Vec::new();
        let mut candidates = 0;
        let max = 1000 + 200 * self.count as u64;
        while openings.len() < self.count {
            if candidates >= max && shortage == Shortage::Accept && !openings.is_empty() {
                break;
            }
            if candidates >= max {
                let (found, wanted) = (openings.len(), self.count);
                return Err(GenerateError::TooFew { found, wanted, candidates });
            }
            let mut batch = Vec::new();
            for number in candidates..candidates + BATCH {
                let candidate = self.candidate(number, context)?;
                batch.extend(candidate.filter(|c| seen.insert(c.hash)).map(|c| (number, c)));
            }
            candidates += BATCH;
            for (number, opening) in self.filter(batch, &mut engines)? {
                if openings.len() < self.count {
                    openings.push(opening);
                    if openings.len() == self.count {
                        candidates = number + 1;
                    }
                }
            }
            progress(openings.len());
        }
        engines.into_iter().for_each(Driver::quit);
        Ok(GeneratedOpenings { openings, candidates })
    }

    fn start_engines(&self, context: &Arc<EngineContext>) -> Result<Vec<Driver>, GenerateError> {
        let Some(balance) = &self.balance else { return Ok(Vec::new()) };
        let entry = Arc::new(balance.engine.clone());
        let start = |_| Driver::start(&entry, context).map_err(|e| Box::new(e).into());
        (0..balance.concurrency.max(1)).map(start).collect()
    }

    /// Generates a position by random plies; `None` if the game ended earlier.
    fn candidate(
        &self,
        number: u64,
        context: &EngineContext,
    ) -> Result<Option<Candidate>, GenerateError> {
        let mut game = self.kind.open(None, &rule_pairs(&context.rules))?;
        let mut random = self.chance.opening(number);
        let (mut decisions, mut events) = (0, 0);
        loop {
            let token = match game.turn() {
                Turn::Over(_) => return Ok(None),
                Turn::Player(mover) if decisions == self.plies => {
                    let (tokens, hash) = (game.tokens(), game.hash());
                    return Ok(Some(Candidate { tokens, hash, mover }));
                }
                Turn::Player(_) => {
                    decisions += 1;
                    let mut legal = game.legal_tokens();
                    let pick = rng::below(&mut random, legal.len().max(1) as u64) as usize;
                    if legal.is_empty() { None } else { Some(legal.swap_remove(pick)) }
                }
                Turn::Chance => {
                    events += 1;
                    let outcomes = game.chance_tokens();
                    let chance = &self.chance;
                    chance.draw_in_opening(number, events - 1, &outcomes).map(String::from)
                }
            };
            if token.and_then(|t| game.push(&t).ok()).is_none() {
                return Ok(None);
            }
        }
    }

    /// Returns the balanced candidates in their order.
    fn filter(
        &self,
        batch: Vec<(u64, Candidate)>,
        engines: &mut [Driver],
    ) -> Result<Vec<(u64, Opening)>, GenerateError> {
        let Some(balance) = &self.balance else {
            let plain = |(n, c): (u64, Candidate)| (n, Opening { tokens: c.tokens, value: None });
            return Ok(batch.into_iter().map(plain).collect());
        };
        let share = batch.len().div_ceil(engines.len().max(1)).max(1);
        let name = &balance.engine.name;
        let values: Vec<Result<Vec<Option<i32>>, GenerateError>> = std::thread::scope(|scope| {
            let workers: Vec<_> = batch
                .chunks(share)
                .zip(engines.iter_mut())
                .map(|(chunk, engine)| {
                    let limits = limits_of(&balance.engine);
                    scope.spawn(move || {
                        chunk.iter().map(|(_, c)| evaluate(engine, c, &limits, name)).collect()
                    })
                })
                .collect();
            // Workers do not panic.
            workers.into_iter().filter_map(|w| w.join().ok()).collect()
        });
        let mut kept = Vec::new();
        let values = values.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
        for ((number, candidate), value) in batch.into_iter().zip(values) {
            if let Some(value) = value.filter(|v| v.abs() <= balance.window) {
                kept.push((number, Opening { tokens: candidate.tokens, value: Some(value) }));
            }
        }
        Ok(kept)
    }
}

fn limits_of(engine: &EngineEntry) -> Limits {
    Limits {
        depth: engine.limit.depth,
        nodes: engine.limit.nodes,
        move_time: engine.limit.move_ms.map(std::time::Duration::from_millis),
        ..Limits::default()
    }
}

/// Returns the engine's score for the side to move; `None` for a mate score.
fn evaluate(
    engine: &mut Driver,
    candidate: &Candidate,
    limits: &Limits,
    name: &str,
) -> Result<Option<i32>, GenerateError> {
    let failed = |fault| GenerateError::Engine { name: name.into(), fault };
    engine.new_game().map_err(failed)?;
    let answer =
        engine.go(None, &candidate.tokens, candidate.mover, limits, None).map_err(failed)?;
    match answer.info.score {
        Some(Score::Cp(value)) => Ok(Some(value)),
        Some(Score::Mate(_)) => Ok(None),
        None => Err(GenerateError::NoScore { name: name.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::open_checked;
    use agon_games::arbiter::game;

    fn make(plies: u32, count: usize, seed: u64) -> Result<GeneratedOpenings, GenerateError> {
        let kind = game("amazons").unwrap();
        let timeouts = agon_engine::driver::Timeouts::default();
        let common = Arc::new(EngineContext::new("amazons", Vec::new(), timeouts));
        let chance = Chance::seeded(seed, true);
        let recipe = Recipe { kind, plies, count, chance, balance: None };
        recipe.generate(&common, Shortage::Refuse, |_| ())
    }

    #[test]
    fn openings_are_legal_different_and_named_by_their_seed() {
        let made = make(4, 50, 1).unwrap();
        let kind = game("amazons").unwrap();
        let mut seen = FastSet::default();
        for opening in &made.openings {
            let text = format!("startpos moves {}", opening.tokens.join(" "));
            let board = open_checked(kind, &text, &[]).unwrap();
            assert_eq!(opening.tokens.len(), 4);
            assert!(seen.insert(board.hash()));
        }
        assert_eq!(make(4, 50, 1).unwrap().openings, made.openings);
        assert_ne!(make(4, 50, 2).unwrap().openings, made.openings);
    }

    #[test]
    fn more_openings_than_there_are_is_an_error() {
        let error = make(0, 2, 1).unwrap_err().to_string();
        assert!(error.starts_with("positions found: 1 of 2"), "{error}");
    }
}
