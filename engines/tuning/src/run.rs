//! An SPSA tuning run. Its state is saved to a file after every iteration, so the same command
//! resumes it.

use super::spsa::{Parameter, SpsaPlan, SpsaState};
use agon_wire::input_file::{self, MAX_TEXT};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why a run cannot start or resume.
#[derive(Debug, thiserror::Error)]
pub enum SpsaRunError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is not a complete state file.
    #[error(
        "{0} is not a complete state of a tuning run ({1}): remove it to begin anew, or restore a copy"
    )]
    Torn(PathBuf, String),
    /// The file belongs to another run.
    #[error("{0} belongs to a run with other {1}: name another file, or use the flags of that run")]
    Other(PathBuf, &'static str),
    /// There is no parameter of this name.
    #[error("`{0}` is no weight; they are {1}")]
    Name(String, String),
}

/// The contents of the state file.
#[derive(Serialize, Deserialize)]
struct Saved<S> {
    settings: S,
    /// The parameters' names and start values in the program that wrote the file.
    weights: Vec<(String, i32)>,
    state: SpsaState,
}

/// A tuning run; `S` is everything that its games depend on besides the parameters.
#[derive(Debug)]
pub struct SpsaRun<S> {
    settings: S,
    parameters: Vec<Parameter>,
    plan: SpsaPlan,
    state: SpsaState,
    file: Option<PathBuf>,
}

impl<S: Serialize + DeserializeOwned + PartialEq + Clone> SpsaRun<S> {
    /// Starts from the parameters' start values, or resumes from the file.
    ///
    /// # Errors
    /// The file is truncated, cannot be written, or belongs to another run.
    pub fn open(
        settings: S,
        parameters: Vec<Parameter>,
        plan: SpsaPlan,
        file: Option<&Path>,
    ) -> Result<SpsaRun<S>, SpsaRunError> {
        let state = SpsaState::new(&parameters);
        let file = file.map(Path::to_path_buf);
        let mut run = SpsaRun { settings, parameters, plan, state, file };
        if let Some(path) = run.file.clone() {
            match input_file::read_text(&path, MAX_TEXT) {
                Ok(text) => run.state = run.read(path, &text)?,
                // Report a file that cannot be written before spending hours.
                Err(e) if e.kind() == ErrorKind::NotFound => run.save()?,
                Err(e) => return Err(SpsaRunError::File(path, e)),
            }
        }
        Ok(run)
    }

    fn read(&self, path: PathBuf, text: &str) -> Result<SpsaState, SpsaRunError> {
        let saved: Saved<S> = match serde_json::from_str(text) {
            Ok(saved) => saved,
            Err(e) => return Err(SpsaRunError::Torn(path, e.to_string())),
        };
        if saved.settings != self.settings {
            return Err(SpsaRunError::Other(path, "settings"));
        }
        if saved.weights != self.starts() {
            return Err(SpsaRunError::Other(path, "weights"));
        }
        if !saved.state.is_consistent(&self.parameters, &self.plan) {
            return Err(SpsaRunError::Torn(path, "its numbers do not belong together".into()));
        }
        Ok(saved.state)
    }

    fn starts(&self) -> Vec<(String, i32)> {
        self.parameters.iter().map(|p| (p.name.clone(), p.start)).collect()
    }

    /// Writes to a temporary file and renames it, so that the state file is always complete.
    fn save(&self) -> Result<(), SpsaRunError> {
        let Some(path) = &self.file else { return Ok(()) };
        let (settings, state) = (self.settings.clone(), self.state.clone());
        let saved = Saved { settings, weights: self.starts(), state };
        let mut name = path.clone().into_os_string();
        name.push(".new");
        let aside = PathBuf::from(name);
        let write = || -> io::Result<()> {
            let mut file = File::create(&aside)?;
            writeln!(file, "{}", serde_json::to_string(&saved)?)?;
            file.sync_data()?;
            fs::rename(&aside, path)
        };
        write().map_err(|e| SpsaRunError::File(path.clone(), e))
    }

    /// The total number of iterations.
    pub fn iterations(&self) -> u64 {
        self.plan.iterations
    }

    /// Everything that the next iteration depends on.
    pub fn state(&self) -> &SpsaState {
        &self.state
    }

    /// Runs the next iteration and saves the state; false if none is left. `play` is as in
    /// [`SpsaState::advance`].
    ///
    /// # Errors
    /// An error of `play`, or the file cannot be written.
    pub fn step<E: From<SpsaRunError>>(
        &mut self,
        play: impl FnOnce(u64, [Vec<i32>; 2]) -> Result<i32, E>,
    ) -> Result<bool, E> {
        if self.state.done >= self.plan.iterations {
            return Ok(false);
        }
        self.state.advance(&self.parameters, &self.plan, play)?;
        self.save()?;
        Ok(true)
    }

    /// The current values, and the mean over the second half of the run, which is the result.
    pub fn values(&self) -> [Vec<i32>; 2] {
        self.state.values(&self.plan)
    }
}

/// Excludes from tuning the parameters not named in `only`; tunes all if it is empty.
///
/// # Errors
/// There is no parameter of this name.
pub fn tune_only(parameters: &mut [Parameter], only: &[String]) -> Result<(), SpsaRunError> {
    if let Some(name) = only.iter().find(|name| parameters.iter().all(|p| p.name != **name)) {
        let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
        return Err(SpsaRunError::Name(name.clone(), names.join(", ")));
    }
    for parameter in parameters.iter_mut().filter(|p| !only.is_empty() && !only.contains(&p.name)) {
        parameter.step = 0;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    type Played = Result<i32, SpsaRunError>;

    fn open(
        iterations: u64,
        name: &str,
        file: Option<&Path>,
    ) -> Result<SpsaRun<u32>, SpsaRunError> {
        let parameter =
            |name: &str| Parameter { name: name.into(), start: 100, step: 10, min: -500, max: 500 };
        let parameters = vec![parameter("free 2"), parameter(name)];
        let plan = SpsaPlan { seed: 5, iterations, rate: 0.02 };
        SpsaRun::open(7, parameters, plan, file)
    }

    /// The side with the larger sum wins.
    fn play(_: u64, [a, b]: [Vec<i32>; 2]) -> Played {
        Ok((a.iter().sum::<i32>() - b.iter().sum::<i32>()).signum() * 2)
    }

    #[test]
    fn an_interrupted_run_ends_like_one_that_was_not() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("state.json");
        let mut whole = open(6, "free 3", None).unwrap();
        while whole.step(play).unwrap() {}
        let mut part = open(6, "free 3", Some(&file)).unwrap();
        (0..3).for_each(|_| assert!(part.step(play).unwrap()));
        let mut rest = open(6, "free 3", Some(&file)).unwrap();
        assert_eq!(rest.state().done, 3);
        while rest.step(play).unwrap() {}
        assert_eq!(rest.state(), whole.state());
        assert!(whole.values()[0].iter().sum::<i32>() > 200);
        // No temporary file remains.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_torn_file_and_one_of_another_run_are_refused_and_left_alone() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("state.json");
        open(4, "free 3", Some(&file)).unwrap().step(play).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        for cut in [0, 1, text.len() / 2, text.len() - 3] {
            fs::write(&file, &text[..cut]).unwrap();
            let refused = open(4, "free 3", Some(&file)).unwrap_err();
            assert!(
                cut == 0 || matches!(refused, SpsaRunError::Torn(..)),
                "cut at {cut}: {refused}"
            );
            assert_eq!(fs::read_to_string(&file).unwrap(), text[..cut]);
        }
        let edits = [
            ("\"done\":1", "\"done\":2"),
            ("\"done\":1", "\"done\":5"),
            ("\"at\":[", "\"at\":[99999999999999,"),
            ("\"sums\":[", "\"sums\":[0,"),
            ("\"sums\":[0", "\"sums\":[9223372036854775807"),
            ("\"results\":[", "\"results\":[18446744073709551615,"),
        ];
        for (from, to) in edits {
            assert!(text.contains(from), "{text}");
            fs::write(&file, text.replacen(from, to, 1)).unwrap();
            let refused = open(4, "free 3", Some(&file)).unwrap_err();
            assert!(matches!(refused, SpsaRunError::Torn(..)), "{to}");
        }
        fs::write(&file, text.replacen("\"settings\":7", "\"settings\":8", 1)).unwrap();
        let refused = open(4, "free 3", Some(&file)).unwrap_err();
        assert!(matches!(refused, SpsaRunError::Other(_, "settings")));
        fs::write(&file, &text).unwrap();
        let refused = open(4, "free three", Some(&file)).unwrap_err();
        assert!(matches!(refused, SpsaRunError::Other(_, "weights")));
        assert_eq!(open(4, "free 3", Some(&file)).unwrap().state().done, 1);
    }

    #[test]
    fn only_named_parameters_are_tuned() {
        let named =
            |name: &str| Parameter { name: name.into(), start: 0, step: 1, min: -9, max: 9 };
        let mut parameters = vec![named("a"), named("b")];
        tune_only(&mut parameters, &[]).unwrap();
        assert_eq!(parameters[0].step, 1);
        tune_only(&mut parameters, &["b".into()]).unwrap();
        assert_eq!((parameters[0].step, parameters[1].step), (0, 1));
        let error = tune_only(&mut parameters, &["c".into()]).unwrap_err().to_string();
        assert_eq!(error, "`c` is no weight; they are a, b");
    }
}
