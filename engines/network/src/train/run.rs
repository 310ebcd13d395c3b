//! A training run by AdamW (Loshchilov and Hutter 2019) over all weights, with a cosine schedule of the
//! learning rate. Its state is saved to a file after every pass, so that the same command resumes it.

use super::{PositionSet, Trainable};
use crate::file::with_suffix;
use agon_games::rng;
use agon_wire::input_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Why a run cannot start or resume.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is not a complete state.
    #[error("{0} is not a complete state of a training run ({1}): remove it to begin anew")]
    Torn(PathBuf, String),
    /// The file belongs to another run.
    #[error("{0} belongs to a run with other {1}: remove it, or use what that run used")]
    Other(PathBuf, &'static str),
}

/// What a run depends on besides the positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainPlan {
    /// The shape of the network, in words.
    pub shape: String,
    /// The checksum of the first weights.
    pub start: u32,
    /// Passes over the positions.
    pub passes: u32,
    /// Positions for each step.
    pub batch: usize,
    /// The learning rate at the start.
    pub rate: f32,
    /// Seed of the order of the positions.
    pub seed: u64,
}

/// A training run.
#[derive(Debug)]
pub struct Training<'p, M: Trainable> {
    positions: &'p M::Positions,
    file: PathBuf,
    model: M,
    state: TrainingState,
    held_out: Vec<u32>,
}

/// The contents of the file.
#[derive(Debug, Serialize, Deserialize)]
struct TrainingState {
    plan: TrainPlan,
    /// The checksum of the positions.
    positions: u32,
    done: u32,
    weights: Vec<f32>,
    adamw: AdamW,
}

/// The result of a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassResult {
    /// Passes done.
    pub pass: u32,
    /// Mean squared error of the winning chance during the pass.
    pub loss: f64,
    /// The same after the pass, in the games that were held out.
    pub held_out: f64,
    /// The mean difference of the policy from the one to predict there, in nats.
    pub policy: Option<f64>,
}

impl<'p, M: Trainable> Training<'p, M> {
    /// Starts with the weights of the model, or resumes from the file. `plan`: [`TrainPlan::start`] is set here.
    ///
    /// # Errors
    /// The file is truncated, cannot be written, or belongs to another run.
    pub fn open(
        plan: TrainPlan,
        mut model: M,
        positions: &'p M::Positions,
        file: &Path,
    ) -> Result<Training<'p, M>, TrainError> {
        let plan = TrainPlan { start: checksum(model.weights()), ..plan };
        let count = model.weights().len();
        let state = match input_file::open(file) {
            Ok(found) => read(file, found, &plan, positions.checksum(), count)?,
            Err(error) if error.kind() == ErrorKind::NotFound => TrainingState {
                plan,
                positions: positions.checksum(),
                done: 0,
                adamw: AdamW::new(count),
                weights: model.weights().clone(),
            },
            Err(error) => return Err(TrainError::File(file.into(), error)),
        };
        model.weights_mut().clone_from(&state.weights);
        let (held_out, file) = (positions.held_out(), file.to_path_buf());
        let run = Training { positions, file, model, state, held_out };
        // Report a file that cannot be written before the first pass.
        run.save()?;
        Ok(run)
    }

    /// Trains for one pass over the positions in a new order and saves the state; `None` if no
    /// pass is left.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn pass(
        &mut self,
        mut report: impl FnMut(usize),
    ) -> Result<Option<PassResult>, TrainError> {
        let TrainingState { plan, done, adamw, .. } = &mut self.state;
        if *done >= plan.passes {
            return Ok(None);
        }
        let pass = u64::from(*done);
        let order = self.positions.order(&mut rng::stream(plan.seed, pass, "network order"));
        let (mut loss, mut seen) = (0.0, 0);
        for batch in order.chunks(plan.batch.max(1)) {
            let mut gradient = self.model.gradient(self.positions, batch);
            let scale = 1.0 / batch.len() as f32;
            gradient.weights.iter_mut().for_each(|slope| *slope *= scale);
            let share = (pass as f64 + seen as f64 / order.len() as f64) / f64::from(plan.passes);
            let rate = cosine(plan.rate, share as f32);
            adamw.step(self.model.weights_mut(), &gradient.weights, rate);
            self.model.clip();
            loss += gradient.loss;
            seen += batch.len();
            report(batch.len());
        }
        *done += 1;
        self.state.weights.clone_from(self.model.weights());
        self.save()?;
        let held_out = self.model.loss(self.positions, &self.held_out);
        Ok(Some(PassResult {
            pass: self.state.done,
            loss: loss / order.len().max(1) as f64,
            held_out: held_out.value,
            policy: held_out.policy,
        }))
    }

    /// The number of positions that are trained on.
    pub fn positions(&self) -> usize {
        self.positions.len() - self.held_out.len()
    }

    /// The number of passes done.
    pub fn done(&self) -> u32 {
        self.state.done
    }

    /// The network as trained so far.
    pub fn network(&self) -> M::Network {
        self.model.network()
    }

    /// Writes to a temporary file and renames it, so that the file is always complete.
    fn save(&self) -> Result<(), TrainError> {
        let aside = with_suffix(&self.file, ".new");
        let write = || -> io::Result<()> {
            let mut file = BufWriter::new(File::create(&aside)?);
            serde_json::to_writer(&mut file, &self.state)?;
            file.flush()?;
            file.get_ref().sync_data()?;
            fs::rename(&aside, &self.file)
        };
        write().map_err(|error| TrainError::File(self.file.clone(), error))
    }
}

/// Reads the state of a run with this plan and these positions.
fn read(
    path: &Path,
    file: File,
    plan: &TrainPlan,
    positions: u32,
    size: usize,
) -> Result<TrainingState, TrainError> {
    let torn = |what: String| TrainError::Torn(path.into(), what);
    let state: TrainingState =
        serde_json::from_reader(BufReader::new(file)).map_err(|error| torn(error.to_string()))?;
    if state.plan != *plan {
        return Err(TrainError::Other(path.into(), "flags"));
    }
    if state.positions != positions {
        return Err(TrainError::Other(path.into(), "positions"));
    }
    let lengths = [&state.weights, &state.adamw.first, &state.adamw.second].map(Vec::len);
    if lengths != [size; 3] || state.done > plan.passes {
        return Err(torn("its numbers do not belong together".into()));
    }
    Ok(state)
}

/// The checksum of weights.
fn checksum(weights: &[f32]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    weights.iter().for_each(|weight| hasher.update(&weight.to_le_bytes()));
    hasher.finalize()
}

/// Decay rates of the moments, and the weight decay per step at the full learning rate.
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const WEIGHT_DECAY: f32 = 0.01;
const EPSILON: f32 = 1e-8;

/// The moments of the gradient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdamW {
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
    steps: i32,
}

impl AdamW {
    /// For this number of weights.
    pub fn new(weights: usize) -> AdamW {
        AdamW { first: vec![0.0; weights], second: vec![0.0; weights], steps: 0 }
    }

    /// One step against the gradient.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let scale = |decay: f32| 1.0 / (1.0 - libm::powf(decay, self.steps as f32));
        let (first_scale, second_scale) = (scale(FIRST_DECAY), scale(SECOND_DECAY));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, &slope), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * slope;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * slope * slope;
            let direction = *first * first_scale / ((*second * second_scale).sqrt() + EPSILON);
            *weight -= rate * (direction + WEIGHT_DECAY * *weight);
        }
    }
}

/// The learning rate at a share of the training, 0 to 1: from the full rate to a hundredth of it.
pub fn cosine(full: f32, share: f32) -> f32 {
    full * (0.01 + 0.99 * 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * share)))
}

#[cfg(test)]
mod tests {
    use super::super::Positions;
    use super::super::model::Model;
    use super::*;
    use crate::file::NetworkShape;
    use tempfile::TempDir;

    /// Positions whose target follows from the feature of the side to move.
    fn positions(count: u32) -> Positions {
        let mut rng = rng::stream(6, 0, "positions");
        let mut positions = Positions::default();
        for number in 0..count {
            let mut feature = || rng::below(&mut rng, 12) as u16;
            let features = [[feature(), feature()]];
            let target = if features[0][0] < 6 { 0.9 } else { 0.2 };
            positions.push(features, (number % 2) as u8, target, number % 10 == 0);
        }
        positions
    }

    fn plan() -> TrainPlan {
        TrainPlan {
            shape: "numbers".to_string(),
            start: 0,
            passes: 6,
            batch: 64,
            rate: 0.02,
            seed: 1,
        }
    }

    fn start<'p>(
        positions: &'p Positions,
        file: &Path,
    ) -> Result<Training<'p, Model<8>>, TrainError> {
        start_as(plan(), 1, positions, file)
    }

    fn start_as<'p>(
        plan: TrainPlan,
        seed: u64,
        positions: &'p Positions,
        file: &Path,
    ) -> Result<Training<'p, Model<8>>, TrainError> {
        let shape = NetworkShape { game: "numbers-1", features: 12, buckets: 2, active: 1 };
        let model = Model::start(&shape, None, &mut rng::stream(seed, 0, "network weights"));
        Training::open(plan, model, positions, file)
    }

    fn finish(training: &mut Training<Model<8>>) -> Vec<PassResult> {
        std::iter::from_fn(|| training.pass(|_| {}).unwrap()).collect()
    }

    #[test]
    fn training_learns_and_an_interrupted_run_ends_like_one_that_was_not() {
        let folder = TempDir::new().unwrap();
        let file = |name: &str| folder.path().join(name);
        let positions = positions(3000);
        let mut whole = start(&positions, &file("whole")).unwrap();
        let passes = finish(&mut whole);
        assert_eq!(passes.len(), 6);
        assert!(passes[5].held_out < 0.002, "{:?}", passes[5]);
        let mut part = start(&positions, &file("part")).unwrap();
        assert_eq!(part.pass(|_| {}).unwrap(), Some(passes[0]));
        drop(part);
        let mut rest = start(&positions, &file("part")).unwrap();
        assert_eq!(finish(&mut rest), passes[1..]);
        assert_eq!(rest.network(), whole.network());
        // No temporary file remains.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_result() {
        let folder = TempDir::new().unwrap();
        let positions = positions(1000);
        let train = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let file = folder.path().join(threads.to_string());
            let mut training = start(&positions, &file).unwrap();
            pool.install(|| finish(&mut training))
        };
        assert_eq!(train(1), train(3));
    }

    #[test]
    fn a_torn_file_and_one_of_another_run_are_refused_and_left_alone() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("state");
        let given = positions(200);
        start(&given, &file).unwrap().pass(|_| {}).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        for cut in [0, 1, text.len() / 2, text.len() - 1] {
            fs::write(&file, &text[..cut]).unwrap();
            let refused = start(&given, &file).unwrap_err();
            assert!(matches!(refused, TrainError::Torn(..)), "cut at {cut}: {refused}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text[..cut]);
        }
        fs::write(&file, &text).unwrap();
        let plan_of_two = TrainPlan { seed: 2, ..plan() };
        let refused = start_as(plan_of_two, 1, &given, &file).unwrap_err();
        assert!(matches!(refused, TrainError::Other(_, "flags")), "{refused}");
        let fewer = positions(199);
        let refused = start(&fewer, &file).unwrap_err();
        assert!(matches!(refused, TrainError::Other(_, "positions")), "{refused}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}
