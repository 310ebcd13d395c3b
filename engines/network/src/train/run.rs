//! A training run. Its state is saved to a file after every pass, so that the same command resumes
//! it.

use super::adamw::{AdamW, cosine};
use super::model::Model;
use super::positions::Positions;
use crate::file::with_suffix;
use crate::network::Network;
use agon_protocol::rng;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

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
    /// The number of features of the game.
    pub features: usize,
    /// The number of output buckets.
    pub buckets: usize,
    /// Passes over the positions.
    pub passes: u32,
    /// Positions for each step.
    pub batch: usize,
    /// The learning rate at the start.
    pub rate: f32,
    /// Seed of the first weights and of the order of the positions.
    pub seed: u64,
}

/// A training run.
#[derive(Debug)]
pub struct Training<'p, const H: usize> {
    plan: TrainPlan,
    positions: &'p Positions,
    file: PathBuf,
    state: State<H>,
    train: Vec<u32>,
    held_out: Vec<u32>,
}

/// The contents of the file besides the plan.
#[derive(Debug, Serialize, Deserialize)]
struct State<const H: usize> {
    plan: TrainPlan,
    /// The checksum of the positions.
    positions: u32,
    done: u32,
    model: Model<H>,
    adamw: AdamW,
}

/// The result of a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Passes done.
    pub pass: u32,
    /// Mean squared error of the winning chance during the pass.
    pub loss: f64,
    /// The same after the pass, in the games that were held out.
    pub held_out: f64,
}

impl<'p, const H: usize> Training<'p, H> {
    /// Starts with random weights, or resumes from the file.
    ///
    /// # Errors
    /// The file is truncated, cannot be written, or belongs to another run.
    pub fn open(
        plan: TrainPlan,
        positions: &'p Positions,
        file: &Path,
    ) -> Result<Training<'p, H>, TrainError> {
        let mut rng = rng::stream(plan.seed, 0, "network weights");
        let model = Model::random(plan.features, plan.buckets, &mut rng);
        let state = match File::open(file) {
            Ok(found) => read(file, found, &plan, positions, model.weights.len())?,
            Err(error) if error.kind() == ErrorKind::NotFound => State {
                plan: plan.clone(),
                positions: positions.checksum(),
                done: 0,
                adamw: AdamW::new(model.weights.len()),
                model,
            },
            Err(error) => return Err(TrainError::File(file.into(), error)),
        };
        let (train, held_out) = (positions.numbers(false), positions.numbers(true));
        let file = file.to_path_buf();
        let run = Training { plan, positions, file, state, train, held_out };
        // Report a file that cannot be written before the first pass.
        run.save()?;
        Ok(run)
    }

    /// Trains for one pass over the positions in a new order and saves the state; `None` if no
    /// pass is left.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn pass(&mut self, mut report: impl FnMut(usize)) -> Result<Option<Progress>, TrainError> {
        if self.state.done >= self.plan.passes {
            return Ok(None);
        }
        let mut order = self.train.clone();
        let pass = u64::from(self.state.done);
        rng::shuffle(&mut rng::stream(self.plan.seed, pass, "network order"), &mut order);
        let (mut loss, mut seen) = (0.0, 0);
        let State { model, adamw, .. } = &mut self.state;
        for batch in order.chunks(self.plan.batch.max(1)) {
            let mut gradient = model.gradient(self.positions, batch);
            let scale = 1.0 / batch.len() as f32;
            gradient.weights.iter_mut().for_each(|slope| *slope *= scale);
            let share =
                (pass as f64 + seen as f64 / order.len() as f64) / f64::from(self.plan.passes);
            let rate = cosine(self.plan.rate, share as f32);
            adamw.step(&mut model.weights, &gradient.weights, rate);
            model.clip();
            loss += gradient.loss;
            seen += batch.len();
            report(batch.len());
        }
        self.state.done += 1;
        self.save()?;
        Ok(Some(Progress {
            pass: self.state.done,
            loss: loss / order.len().max(1) as f64,
            held_out: self.state.model.loss(self.positions, &self.held_out),
        }))
    }

    /// The number of positions that are trained on.
    pub fn positions(&self) -> usize {
        self.train.len()
    }

    /// The number of passes done.
    pub fn done(&self) -> u32 {
        self.state.done
    }

    /// The network as trained so far.
    pub fn quantised(&self) -> Network<H> {
        self.state.model.quantised()
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
fn read<const H: usize>(
    path: &Path,
    file: File,
    plan: &TrainPlan,
    positions: &Positions,
    size: usize,
) -> Result<State<H>, TrainError> {
    let torn = |what: String| TrainError::Torn(path.into(), what);
    let state: State<H> =
        serde_json::from_reader(BufReader::new(file)).map_err(|error| torn(error.to_string()))?;
    if state.plan != *plan {
        return Err(TrainError::Other(path.into(), "flags"));
    }
    if state.positions != positions.checksum() {
        return Err(TrainError::Other(path.into(), "positions"));
    }
    let lengths = [&state.model.weights, &state.adamw.first, &state.adamw.second].map(Vec::len);
    if lengths != [size; 3] || state.done > plan.passes {
        return Err(torn("its numbers do not belong together".into()));
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        TrainPlan { features: 12, buckets: 2, passes: 6, batch: 64, rate: 0.02, seed: 1 }
    }

    fn finish(training: &mut Training<8>) -> Vec<Progress> {
        std::iter::from_fn(|| training.pass(|_| {}).unwrap()).collect()
    }

    #[test]
    fn training_learns_and_an_interrupted_run_ends_like_one_that_was_not() {
        let folder = TempDir::new().unwrap();
        let file = |name: &str| folder.path().join(name);
        let positions = positions(3000);
        let mut whole = Training::open(plan(), &positions, &file("whole")).unwrap();
        let passes = finish(&mut whole);
        assert_eq!(passes.len(), 6);
        assert!(passes[5].held_out < 0.002, "{:?}", passes[5]);
        let mut part = Training::<8>::open(plan(), &positions, &file("part")).unwrap();
        assert_eq!(part.pass(|_| {}).unwrap(), Some(passes[0]));
        drop(part);
        let mut rest = Training::open(plan(), &positions, &file("part")).unwrap();
        assert_eq!(finish(&mut rest), passes[1..]);
        assert_eq!(rest.quantised(), whole.quantised());
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
            let mut training = Training::<8>::open(plan(), &positions, &file).unwrap();
            pool.install(|| finish(&mut training))
        };
        assert_eq!(train(1), train(3));
    }

    #[test]
    fn a_torn_file_and_one_of_another_run_are_refused_and_left_alone() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("state");
        let given = positions(200);
        Training::<8>::open(plan(), &given, &file).unwrap().pass(|_| {}).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        for cut in [0, 1, text.len() / 2, text.len() - 1] {
            fs::write(&file, &text[..cut]).unwrap();
            let refused = Training::<8>::open(plan(), &given, &file).unwrap_err();
            assert!(matches!(refused, TrainError::Torn(..)), "cut at {cut}: {refused}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text[..cut]);
        }
        fs::write(&file, &text).unwrap();
        let plan_of_two = TrainPlan { seed: 2, ..plan() };
        let refused = Training::<8>::open(plan_of_two, &given, &file).unwrap_err();
        assert!(matches!(refused, TrainError::Other(_, "flags")), "{refused}");
        let fewer = positions(199);
        let refused = Training::<8>::open(plan(), &fewer, &file).unwrap_err();
        assert!(matches!(refused, TrainError::Other(_, "positions")), "{refused}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}
