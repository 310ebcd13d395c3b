//! Tuning the evaluation's weights by matches of the engine against itself: [`spsa`] says which two
//! sets of weights play next, [`arena`] lets them play, and a file holds how far it is.

pub mod arena;
pub mod spsa;

use crate::play::Weights;
use agon_protocol::connect6::Connect6Rules;
use agon_protocol::record::{Record, RecordError};
use agon_search::transposition::AllocationError;
use arena::Arena;
use serde::{Deserialize, Serialize};
use spsa::{Knob, Plan, State};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What a tuning run does; the same settings give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Names openings and perturbations.
    pub seed: u64,
    /// Pairs of games.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// What the last pair moves a weight by for a point, in thousandths of its perturbation.
    pub rate: u32,
    /// Columns and rows.
    pub size: usize,
    /// The names in [`Weights::KINDS`] of those that are tuned, the others stay; empty: all.
    #[serde(default)]
    pub only: Vec<String>,
    /// The openings that pairs begin with, as behind `startpos moves`; empty: turns by lot.
    #[serde(default)]
    pub openings: Vec<String>,
}

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Saved {
    settings: Settings,
    /// The weights' names, as of the program that wrote it, and where they began.
    weights: Vec<(String, i32)>,
    state: State,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is no state, or part of one.
    #[error(
        "{0} is no whole state of a tuning run ({1}): remove it to begin anew, or put back a copy"
    )]
    Torn(PathBuf, String),
    /// The file is of another run.
    #[error("{0} is of a run with other {1}: name another file, or give it what it was begun with")]
    Other(PathBuf, &'static str),
    /// A name that no weight has.
    #[error("`{0}` is no weight; they are {all}", all = Weights::KINDS.map(|k| k.name).join(", "))]
    Name(String),
    /// An opening that the rules do not allow.
    #[error("opening `{0}`: {1}")]
    Opening(String, RecordError),
    /// Memory is short.
    #[error(transparent)]
    Table(#[from] AllocationError),
}

/// A tuning run.
pub struct Run {
    settings: Settings,
    knobs: Vec<Knob>,
    state: State,
    file: Option<PathBuf>,
    arena: Arena,
}

impl Run {
    /// Begins at some weights, or goes on where the file was left.
    ///
    /// # Errors
    /// A weight or an opening is none, the file is torn or of a run with other settings, or memory
    /// is missing.
    pub fn open(
        settings: Settings,
        start: Weights,
        rules: &Connect6Rules,
        file: Option<&Path>,
    ) -> Result<Run, TuneError> {
        let known = |name: &String| Weights::KINDS.iter().any(|k| k.name == *name);
        if let Some(name) = settings.only.iter().find(|name| !known(name)) {
            return Err(TuneError::Name(name.clone()));
        }
        let tuned = |name| settings.only.is_empty() || settings.only.iter().any(|n| n == name);
        let knob = |(start, kind): (i32, crate::play::Kind)| Knob {
            start,
            step: if tuned(kind.name) { kind.step } else { 0 },
            least: kind.least,
            most: kind.most,
        };
        let knobs: Vec<Knob> = start.numbers().into_iter().zip(Weights::KINDS).map(knob).collect();
        let read = |moves: &String| {
            let tokens: Vec<&str> = moves.split_whitespace().collect();
            Record::from_text(None, &tokens, rules)
                .map_err(|e| TuneError::Opening(moves.clone(), e))
        };
        let openings = settings.openings.iter().map(read).collect::<Result<_, _>>()?;
        let arena = Arena::new(settings.nodes, rules)?.beginning_with(openings);
        let state = State::new(&knobs);
        let file = file.map(Path::to_path_buf);
        let mut run = Run { settings, knobs, state, file, arena };
        if let Some(path) = run.file.clone() {
            match fs::read_to_string(&path) {
                Ok(text) => run.state = run.read(path, &text)?,
                // What cannot be written is said before hours are spent.
                Err(e) if e.kind() == ErrorKind::NotFound => run.save()?,
                Err(e) => return Err(TuneError::File(path, e)),
            }
        }
        Ok(run)
    }

    fn plan(&self) -> Plan {
        let Settings { seed, pairs, rate, .. } = self.settings;
        Plan { seed, steps: pairs, rate: f64::from(rate) / 1000.0 }
    }

    fn read(&self, path: PathBuf, text: &str) -> Result<State, TuneError> {
        let saved: Saved = match serde_json::from_str(text) {
            Ok(saved) => saved,
            Err(e) => return Err(TuneError::Torn(path, e.to_string())),
        };
        if saved.settings != self.settings {
            return Err(TuneError::Other(path, "settings"));
        }
        if saved.weights != self.weights() {
            return Err(TuneError::Other(path, "weights"));
        }
        if !saved.state.fits(&self.knobs, &self.plan()) {
            let why = "its numbers do not belong together".into();
            return Err(TuneError::Torn(path, why));
        }
        Ok(saved.state)
    }

    fn weights(&self) -> Vec<(String, i32)> {
        Weights::KINDS
            .iter()
            .zip(&self.knobs)
            .map(|(k, knob)| (k.name.into(), knob.start))
            .collect()
    }

    /// Writes the file: aside, then renamed, so that it is always whole.
    fn save(&self) -> Result<(), TuneError> {
        let Some(path) = &self.file else { return Ok(()) };
        let (settings, state) = (self.settings.clone(), self.state.clone());
        let saved = Saved { settings, weights: self.weights(), state };
        let mut name = path.clone().into_os_string();
        name.push(".new");
        let aside = PathBuf::from(name);
        let write = || -> io::Result<()> {
            let mut file = File::create(&aside)?;
            writeln!(file, "{}", serde_json::to_string(&saved)?)?;
            file.sync_data()?;
            fs::rename(&aside, path)
        };
        write().map_err(|e| TuneError::File(path.clone(), e))
    }

    /// Pairs played.
    pub fn done(&self) -> u64 {
        self.state.done
    }

    /// Plays the next pair and writes it down; false where there is none.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn step(&mut self) -> Result<bool, TuneError> {
        let plan = self.plan();
        if self.state.done >= plan.steps {
            return Ok(false);
        }
        let (arena, seed) = (&mut self.arena, self.settings.seed);
        self.state.advance(&self.knobs, &plan, |index, sides| {
            Ok::<_, TuneError>(arena.pair(seed, index, sides.map(|numbers| weights(&numbers))))
        })?;
        self.save()?;
        Ok(true)
    }

    /// Where the weights are now, and the mean of the second half of the run: the answer.
    pub fn found(&self) -> [Weights; 2] {
        self.state.numbers(&self.plan()).map(|numbers| weights(&numbers))
    }

    /// Pairs by result, from both games lost by the weights with the perturbation added to both won.
    pub fn results(&self) -> [u64; 5] {
        self.state.results
    }
}

fn weights(numbers: &[i32]) -> Weights {
    Weights::from_numbers(std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0)))
}

#[cfg(test)]
mod tests;
