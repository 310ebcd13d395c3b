//! Tuning the evaluation's weights by matches of the engine against itself: SPSA chooses which two
//! sets of weights play next, [`arena`] lets them play, and a file holds the state of the run.

pub mod arena;

use crate::play::Weights;
use agon_protocol::connect6::Connect6Rules;
use agon_protocol::record::{Record, RecordError};
use agon_search::transposition::AllocationError;
use agon_tuning::run::{Run, RunError, tune_only};
use agon_tuning::spsa::{Parameter, Plan};
use arena::Arena;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Settings of a tuning run; the same settings give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningSettings {
    /// Names openings and perturbations.
    pub seed: u64,
    /// Pairs of games.
    pub pairs: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// How far the last pair moves a weight for a point, in thousandths of its perturbation.
    pub rate: u32,
    /// Columns and rows.
    pub size: usize,
    /// The names in [`Weights::RANGES`] of those that are tuned; empty: all.
    #[serde(default)]
    pub only: Vec<String>,
    /// The openings that pairs begin with, as after `startpos moves`; empty: random turns.
    #[serde(default)]
    pub openings: Vec<String>,
}

/// Why a run cannot begin or resume.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The flags or the state file are wrong.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An opening that the rules do not allow.
    #[error("opening `{0}`: {1}")]
    Opening(String, RecordError),
    /// Memory is short.
    #[error(transparent)]
    Table(#[from] AllocationError),
}

/// A tuning run and where its games are played.
pub struct WeightTuning {
    /// The run.
    pub run: Run<TuningSettings>,
    arena: Arena,
    seed: u64,
}

impl WeightTuning {
    /// Begins with some weights, or where the file was left.
    ///
    /// # Errors
    /// A weight or an opening does not exist, the file is torn or belongs to a run with other
    /// settings, or memory is short.
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
                min: range.least,
                max: range.most,
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
        let plan = Plan { seed, iterations: pairs, rate: f64::from(rate) / 1000.0 };
        Ok(WeightTuning { run: Run::open(settings, parameters, plan, file)?, arena, seed })
    }

    /// The run, and what plays pair `index` between two sets of weights.
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

    /// The weights now, and the mean of the second half of the run, which is the answer.
    pub fn found(&self) -> [Weights; 2] {
        self.run.values().map(|numbers| weights(&numbers))
    }
}

fn weights(numbers: &[i32]) -> Weights {
    Weights::from_numbers(std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0)))
}

#[cfg(test)]
mod tests;
