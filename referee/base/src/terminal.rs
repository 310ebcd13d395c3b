//! Standard output and standard error of the whole program.
//!
//! The macros here hide the standard ones of the same names in every crate that says `#[macro_use] extern crate agon_base`. So all
//! printed text goes through [`agon_games::text::visible_lines`], and a closed pipe
//! (`referee ... | head -1`) is no panic: the rest of the output is dropped, and a match ends as on
//! Ctrl-C.

use agon_games::text::visible_lines;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints to standard output.
#[macro_export]
macro_rules! print {
    ($($part:tt)*) => { $crate::terminal::write_out(&format!($($part)*)) };
}

/// Prints to standard output and ends the line.
#[macro_export]
macro_rules! println {
    () => { $crate::terminal::write_out("\n") };
    ($($part:tt)*) => { $crate::terminal::write_out(&(format!($($part)*) + "\n")) };
}

/// Prints to standard error and ends the line.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::terminal::write_error("\n") };
    ($($part:tt)*) => { $crate::terminal::write_error(&(format!($($part)*) + "\n")) };
}

static CLOSED: AtomicBool = AtomicBool::new(false);
static FAILED: OnceLock<std::io::Error> = OnceLock::new();

/// Writes to standard output; the text has been formatted.
pub fn write_out(text: &str) {
    if CLOSED.load(Ordering::Relaxed) || FAILED.get().is_some() {
        return;
    }
    let mut out = stdout().lock();
    match out.write_all(visible_lines(text).as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => CLOSED.store(true, Ordering::Relaxed),
        Err(e) => drop(FAILED.set(e)),
        Ok(()) => {}
    }
}

/// Writes to standard error; if that is closed, nobody reads it.
pub fn write_error(text: &str) {
    let _ = stderr().lock().write_all(visible_lines(text).as_bytes());
}

/// Whether the reader of standard output has gone.
pub fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// The first error of standard output other than a closed pipe, such as a full disk.
pub fn failure() -> Option<&'static std::io::Error> {
    FAILED.get()
}
