//! Windows has no signals and sessions: these attacks say so and end the engine.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

/// What is done to a process.
#[derive(Clone, Copy, Debug)]
pub enum Blow {
    /// It is killed.
    Kill,
    /// It is stopped.
    Stop,
}

/// A process has no session that it could leave.
pub fn leave_session() {}

/// Not on Windows.
pub fn freeze() {
    refuse();
}

/// Not on Windows.
pub fn kill_parent() {
    refuse();
}

/// Not on Windows.
pub fn hit(_pid: u32, _blow: Blow) {
    refuse();
}

fn refuse() -> ! {
    eprintln!("rogue: this attack is made for Unix");
    std::process::exit(2)
}

/// Closes the engine's standard input: whoever writes to it gets an error.
pub fn close_input() -> io::Result<()> {
    close(&io::stdin());
    Ok(())
}

/// Closes the engine's standard output: whoever reads from it sees the end.
pub fn close_output() -> io::Result<()> {
    close(&io::stdout());
    close(&io::stderr());
    Ok(())
}

fn close(stream: &impl AsRawHandle) {
    // SAFETY: the handle is open, and this program uses it no more.
    drop(unsafe { OwnedHandle::from_raw_handle(stream.as_raw_handle()) });
}
