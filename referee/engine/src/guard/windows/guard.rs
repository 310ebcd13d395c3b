//! Starts engines in job objects.

use super::job::{JobObject, hide_error_boxes};
use crate::affinity;
use crate::guard::error::SpawnError;
use crate::guard::launch::{Exit, Launch, Streams};
use agon_games::phrase::{Phrase, phrase};
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, ExitCode, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED};

/// How long Windows may take to kill an engine and its descendants.
const END: Duration = Duration::from_secs(6);

/// The jobs of all running engines, by process id.
static JOBS: Mutex<BTreeMap<u32, Arc<JobObject>>> = Mutex::new(BTreeMap::new());
/// The processor time of engines that have ended.
static ENDED: Mutex<Duration> = Mutex::new(Duration::ZERO);

/// A running engine.
#[derive(Debug)]
pub struct Guard {
    process: Child,
    job: Arc<JobObject>,
    exit: Option<Exit>,
}

impl Guard {
    /// Starts a program in a job of its own. Ctrl-C in the console reaches the referee only.
    ///
    /// # Errors
    ///
    /// Fails with the system's error number if the program cannot be started.
    pub fn start(launch: &Launch) -> Result<(Guard, Streams), SpawnError> {
        static QUIET: Once = Once::new();
        QUIET.call_once(hide_error_boxes);
        if launch.memory_mib.is_some() {
            check_memory_limit().map_err(|reason| Error::new(ErrorKind::Unsupported, reason))?;
        }
        let mut command = launch.to_command()?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Its first instruction runs when it is in its job.
            .creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP);
        let job = Arc::new(JobObject::new()?);
        let mut jobs = jobs();
        let mut process = command.spawn()?;
        jobs.insert(process.id(), Arc::clone(&job));
        drop(jobs);
        let streams = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let guard = Guard { process, job, exit: None };
        if let Err(error) = guard.run(&launch.cpus) {
            // A process that is not in its job does not end with it.
            let mut guard = guard;
            let _ = guard.process.kill();
            return Err(error.into());
        }
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(Error::other("a pipe is missing").into());
        };
        Ok((guard, (stdin, stdout, stderr)))
    }

    fn run(&self, cpus: &[usize]) -> Result<(), Error> {
        self.job.add(&self.process)?;
        affinity::restrict(&self.process, cpus)?;
        self.job.resume(&self.process)
    }

    /// How the program ended; `None` if it still runs.
    pub fn exit(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            let status = self.process.try_wait().ok().flatten()?;
            let own = self.process.id();
            let survivors = self.job.processes().into_iter().filter(|&id| id != own).count();
            self.job.kill();
            *ENDED.lock().unwrap_or_else(PoisonError::into_inner) += self.job.processor_time();
            let code = status.code();
            self.exit = Some(Exit { code, signal: None, survivors, excess: None });
        }
        self.exit
    }

    /// Kills the program and its descendants; returns how it ended.
    pub fn end(&mut self) -> Exit {
        if self.exit.is_none() {
            self.job.kill();
        }
        let deadline = Instant::now() + END;
        loop {
            match self.exit() {
                Some(exit) => return exit,
                None if Instant::now() > deadline => return *self.exit.insert(LOST),
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

/// The exit of a program that Windows could not kill in time.
const LOST: Exit = Exit { code: None, signal: None, survivors: 0, excess: None };

impl Drop for Guard {
    fn drop(&mut self) {
        self.end();
        jobs().remove(&self.process.id());
    }
}

fn jobs() -> MutexGuard<'static, BTreeMap<u32, Arc<JobObject>>> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all engines and their descendants at once.
pub fn end_all() {
    jobs().values().for_each(|job| job.kill());
}

/// The processor time of the engines that have ended, with their descendants.
pub fn ended_processor_time() -> Duration {
    *ENDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the memory of engines can be limited.
///
/// # Errors
///
/// The reason why it cannot.
pub fn check_memory_limit() -> Result<(), Phrase> {
    Err(phrase!("a memory limit needs Linux: play without `memory=`"))
}

/// Nothing: engines have no guard processes here.
pub fn in_library(_: &Path) {}

/// Engines have no guard processes here.
pub fn run_guard() -> Option<ExitCode> {
    None
}
