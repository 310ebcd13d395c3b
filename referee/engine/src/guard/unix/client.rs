//! The referee's side of a guard.

use super::descendants;
use super::message::{GuardMessage, send_descriptor};
use crate::guard::error::SpawnError;
use crate::guard::launch::{Exit, Launch, Streams};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use rustix::process::{Pid, Signal, getpgid, kill_process, kill_process_group};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Read, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The first argument of a guard's command line.
pub const ARGUMENT: &str = "engine-guard";
/// How long a guard may take to start an engine.
const START: Duration = Duration::from_secs(30);
/// How long a guard may take to kill an engine and its descendants.
const END: Duration = Duration::from_secs(6);

/// The connections to all running guards, by process id.
static GUARDS: Mutex<BTreeMap<u32, Arc<UnixStream>>> = Mutex::new(BTreeMap::new());

/// The program that runs guards if this is a library of another program.
static LIBRARY: OnceLock<OsString> = OnceLock::new();

/// Makes `referee` the program of the guards; see [`crate::in_library`].
pub fn in_library(referee: &Path) {
    // It is said once.
    let _ = LIBRARY.set(referee.into());
}

/// A running guard.
#[derive(Debug)]
pub struct Guard {
    process: Child,
    control: Arc<UnixStream>,
    received: Vec<u8>,
    exit: Option<Exit>,
}

impl Guard {
    /// Starts a program under a guard.
    ///
    /// # Errors
    ///
    /// Fails with the system's error number if the guard or the program cannot be started.
    pub fn start(launch: &Launch) -> Result<(Guard, Streams), SpawnError> {
        static ADOPTING: Once = Once::new();
        if LIBRARY.get().is_none() {
            ADOPTING.call_once(adopt_orphans);
        }
        let (control, other_end) = UnixStream::pair()?;
        let (input, stdin) = std::io::pipe()?;
        let mut command = Command::new(own_program()?);
        command
            // The name under which a program that holds several finds the referee.
            .arg0("referee")
            .arg(ARGUMENT)
            .stdin(Stdio::from(OwnedFd::from(other_end)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let control = Arc::new(control);
        let mut running = guards();
        let mut process = command.spawn()?;
        running.insert(process.id(), Arc::clone(&control));
        drop(running);
        // The command holds the guard's end of the connection.
        drop(command);
        let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
        let mut guard = Guard { process, control, received: Vec::new(), exit: None };
        guard.launch(launch, input)?;
        let missing = || Error::other("a pipe is missing");
        let stdin = ChildStdin::from(OwnedFd::from(stdin));
        Ok((guard, (stdin, stdout.ok_or_else(missing)?, stderr.ok_or_else(missing)?)))
    }

    /// Sends the launch and waits until the program runs.
    fn launch(&mut self, launch: &Launch, input: impl AsFd) -> Result<(), SpawnError> {
        send_descriptor(&self.control, input.as_fd())?;
        let text = serde_json::to_string(launch).map_err(Error::from)? + "\n";
        (&*self.control).write_all(text.as_bytes())?;
        let deadline = Instant::now() + START;
        match self.receive(deadline) {
            Some(GuardMessage::Started) => Ok(()),
            Some(GuardMessage::Failed(errno, reason)) => {
                let known = errno.map(|errno| Error::from_raw_os_error(errno).to_phrase());
                let known = known.filter(|known| known.to_string() == reason);
                Err(SpawnError::new(known.unwrap_or(Phrase::Plain(reason)), errno))
            }
            _ => Err(SpawnError::new(phrase!("its guard process does not start"), None)),
        }
    }

    /// Waits for a message until the deadline.
    fn receive(&mut self, deadline: Instant) -> Option<GuardMessage> {
        loop {
            if let Some(end) = self.received.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.received.drain(..=end).collect();
                return serde_json::from_slice(&line).ok();
            }
            let mut chunk = [0; 512];
            let left = deadline.saturating_duration_since(Instant::now());
            let read = match left.is_zero() {
                // A timeout of zero is an error, so read without waiting.
                true => self.control.set_nonblocking(true),
                false => self.control.set_read_timeout(Some(left)),
            };
            let read = read.and_then(|()| (&*self.control).read(&mut chunk));
            if left.is_zero() {
                let _ = self.control.set_nonblocking(false);
            }
            match read {
                Ok(0) => return None,
                Ok(n) => self.received.extend_from_slice(&chunk[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// How the program ended; `None` if it still runs.
    pub fn exit(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            // Look at the guard first: one that exits has sent its report before.
            let guard_is_gone = matches!(self.process.try_wait(), Ok(Some(_)));
            self.exit = match self.receive(Instant::now()) {
                Some(GuardMessage::Ended(exit)) => Some(exit),
                // A guard that was killed takes its engine with it.
                _ => guard_is_gone.then_some(LOST),
            };
        }
        self.exit
    }

    /// Kills the program and its descendants; returns how it ended.
    pub fn end(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        // An error means that the guard is gone.
        let _ = self.control.shutdown(Shutdown::Write);
        let exit = match self.receive(Instant::now() + END) {
            Some(GuardMessage::Ended(exit)) => exit,
            _ => LOST,
        };
        *self.exit.insert(exit)
    }
}

/// The exit of a program whose guard was killed.
const LOST: Exit = Exit { code: None, signal: Some(9), survivors: 0, excess: None };

impl Drop for Guard {
    fn drop(&mut self) {
        let exit = self.end();
        if exit == LOST {
            // A stopped guard cannot act: the kernel kills the engine with it.
            let _ = self.process.kill();
        }
        // Once the guard is reaped, another may have its process id.
        guards().remove(&self.process.id());
        let _ = self.process.wait();
        if exit == LOST {
            kill_orphans();
        }
    }
}

fn guards() -> std::sync::MutexGuard<'static, BTreeMap<u32, Arc<UnixStream>>> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all engines and their descendants at once.
pub fn end_all() {
    let guards = guards();
    for control in guards.values() {
        // An error means that the guard is gone.
        let _ = control.shutdown(Shutdown::Write);
    }
    let deadline = Instant::now() + END;
    for (&id, mut control) in guards.iter().map(|(id, control)| (id, &**control)) {
        let left = deadline.saturating_duration_since(Instant::now());
        let _ = control.set_read_timeout(Some(left.max(Duration::from_millis(1))));
        // The connection ends with the guard.
        while matches!(control.read(&mut [0; 512]), Ok(1..)) {}
        if let Some(guard) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            let _ = kill_process(guard, Signal::KILL);
            let _ = kill_process_group(guard, Signal::KILL);
        }
    }
    drop(guards);
    kill_orphans();
}

/// Kills the descendants of engines whose guard was killed: this process has become their parent.
/// They have left its process group, as guards do, and are not guards.
fn kill_orphans() {
    // The other children of another program are its own.
    if LIBRARY.get().is_some() {
        return;
    }
    let own = getpgid(None).ok();
    // While the lock is held, no guard starts.
    let guards = guards();
    let is_guard = |pid: Pid| guards.contains_key(&pid.as_raw_nonzero().get().unsigned_abs());
    descendants::kill(|child| getpgid(Some(child)).ok() != own && !is_guard(child));
}

/// The program that runs guards: this one, whose file may have been replaced or removed since it was started.
fn own_program() -> std::io::Result<OsString> {
    if let Some(program) = LIBRARY.get() {
        return Ok(program.clone());
    }
    if cfg!(target_os = "linux") && std::fs::exists("/proc/self/exe").unwrap_or(false) {
        return Ok("/proc/self/exe".into());
    }
    Ok(std::env::current_exe()?.into())
}

#[cfg(target_os = "linux")]
fn adopt_orphans() {
    if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
        log::warn!("processes of engines may survive: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans() {}

/// The processor time of the engines that have ended, with their descendants and guards.
pub fn ended_processor_time() -> Duration {
    let time = |t: libc::timeval| {
        let (seconds, us) = (u64::try_from(t.tv_sec), u64::try_from(t.tv_usec));
        Duration::from_secs(seconds.unwrap_or(0)) + Duration::from_micros(us.unwrap_or(0))
    };
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to memory of the structure's size, and zeros are a valid value of it.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Whether the memory of engines can be limited.
///
/// # Errors
///
/// The reason why it cannot.
pub fn check_memory_limit() -> Result<(), Phrase> {
    if cfg!(target_os = "linux") {
        return Ok(());
    }
    Err(phrase!("a memory limit needs Linux: play without `memory=`"))
}
