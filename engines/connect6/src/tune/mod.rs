//! Tunes the evaluation's weights by matches of the engine against itself: SPSA chooses the next
//! two sets of weights, [`arena`] plays them, and a file holds the state of the run.

pub mod arena;

use crate::play::Weights;
use agon_protocol::connect6::Connect6Rules;
use agon_protocol::record::{Record, RecordError};
use agon_search::transposition::AllocationError;
use agon_tuning::run::{Run, RunError, tune_only};
use agon_tuning::spsa::{Parameter, SpsaPlan};
use arena::Arena;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Settings of a tuning run; the same settings give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningSettings {
    /// The seed of openings and perturbations.
    pub seed: u64,
    /// Number of game pairs.
    pub pairs: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Step of the last pair per point of result, in thousandths of a weight's perturbation.
    pub rate: u32,
    /// Board size in columns and rows.
    pub size: usize,
    /// Names from [`Weights::RANGES`] of the weights to tune; empty: all.
    #[serde(default)]
    pub only: Vec<String>,
    /// The openings of the pairs, as after `startpos moves`; empty: random turns.
    #[serde(default)]
    pub openings: Vec<String>,
}

/// Why a run cannot start or resume.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The flags or the state file are wrong.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An illegal opening.
    #[error("opening `{0}`: {1}")]
    Opening(String, RecordError),
    /// The tables cannot be allocated.
    #[error(transparent)]
    Table(#[from] AllocationError),
}

/// A tuning run and the arena of its games.
pub struct WeightTuning {
    /// The run.
    pub run: Run<TuningSettings>,
    arena: Arena,
    seed: u64,
}

impl WeightTuning {
    /// Starts from the given weights, or resumes from the file.
    ///
    /// # Errors
    /// A weight does not exist, an opening is illegal, the file is truncated or belongs to a run
    /// with other settings, or the tables cannot be allocated.
    pub fn open(
        settings: TuningSettings,
        start: Weights,
        rules: &Connect6Rules,
        file: Option<&Path>,
    ) -> Result<WeightTuning, TuneError> {
        let mut parameters: Vec<Parameter> = start
            .numbers()
            .into_iter()
            .zip(Weights::RANGES)
            .map(|(start, range)| Parameter {
                name: range.name.into(),
                start,
                step: range.step,
                min: range.min,
                max: range.max,
            })
            .collect();
        tune_only(&mut parameters, &settings.only)?;
        let read = |moves: &String| {
            let tokens: Vec<&str> = moves.split_whitespace().collect();
            Record::from_text(None, &tokens, rules)
                .map_err(|e| TuneError::Opening(moves.clone(), e))
        };
        let openings = settings.openings.iter().map(read).collect::<Result<_, _>>()?;
        let arena = Arena::new(settings.nodes, rules)?.beginning_with(openings);
        let TuningSettings { seed, pairs, rate, .. } = settings;
        let plan = SpsaPlan { seed, iterations: pairs, rate: f64::from(rate) / 1000.0 };
        Ok(WeightTuning { run: Run::open(settings, parameters, plan, file)?, arena, seed })
    }

    /// The run, and a function that plays pair `index` between two sets of weights.
    #[allow(clippy::type_complexity)] // A closure in a return type has no name.
    pub fn parts(
        &mut self,
    ) -> (&mut Run<TuningSettings>, impl FnMut(u64, [Vec<i32>; 2]) -> i32 + '_) {
        let (arena, seed) = (&mut self.arena, self.seed);
        let play = move |index, sides: [Vec<i32>; 2]| {
            arena.pair(seed, index, sides.map(|numbers| weights(&numbers)))
        };
        (&mut self.run, play)
    }

    /// The current weights, and the mean over the second half of the run, which is the result.
    pub fn found(&self) -> [Weights; 2] {
        self.run.values().map(|numbers| weights(&numbers))
    }
}

fn weights(numbers: &[i32]) -> Weights {
    Weights::from_numbers(std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0)))
}

#[cfg(test)]
mod tests;
