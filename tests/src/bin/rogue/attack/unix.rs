//! Attacks by signals, sessions and descriptors.

use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io;

/// What is done to a process.
#[derive(Clone, Copy, Debug)]
pub enum Blow {
    /// It is killed.
    Kill,
    /// It is stopped.
    Stop,
}

/// Leaves the session and the process group.
pub fn leave_session() {
    // An error means that the process leads a session already.
    let _ = rustix::process::setsid();
}

/// Sends itself SIGSTOP, and never continues by itself.
pub fn freeze() {
    let _ = kill_process(rustix::process::getpid(), Signal::STOP);
}

/// Kills the process that started this one.
pub fn kill_parent() {
    if let Some(parent) = rustix::process::getppid() {
        let _ = kill_process(parent, Signal::KILL);
    }
}

/// Kills or stops a process.
pub fn hit(pid: u32, blow: Blow) {
    let signal = match blow {
        Blow::Kill => Signal::KILL,
        Blow::Stop => Signal::STOP,
    };
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    // A process that has just ended, or belongs to somebody else, cannot be attacked.
    let _ = pid.map(|pid| kill_process(pid, signal));
}

/// Closes the engine's standard input: whoever writes to it gets an error.
pub fn close_input() -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdin(null()?)?)
}

/// Closes the engine's standard output: whoever reads from it sees the end.
pub fn close_output() -> io::Result<()> {
    rustix::stdio::dup2_stdout(null()?)?;
    Ok(rustix::stdio::dup2_stderr(null()?)?)
}

fn null() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/null")
}
