//! Standard output and standard error of the whole program.
//!
//! The macros here hide the standard ones of the same names in every crate that says `#[macro_use] extern crate agon_base`. So all
//! printed text goes through [`agon_games::text::visible_lines`], and a closed pipe
//! (`referee ... | head -1`) is no panic: the rest of the output is dropped, and a match ends as on
//! Ctrl-C. On a terminal no word is broken at the end of a line; [`write_whole`] leaves a command to copy in one piece.

use crate::width::{TerminalSize, hang, of_errors, of_output};
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

/// The text as it is shown on a terminal of this size, or in a pipe.
fn shown(text: &str, size: Option<TerminalSize>) -> String {
    let text = visible_lines(text);
    match size {
        Some(size) => hang(&text, size.width).into_owned(),
        None => text.into_owned(),
    }
}

/// Writes to standard output; the text has been formatted.
pub fn write_out(text: &str) {
    write_shown(&shown(text, of_output()));
}

fn write_shown(text: &str) {
    if CLOSED.load(Ordering::Relaxed) || FAILED.get().is_some() {
        return;
    }
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => CLOSED.store(true, Ordering::Relaxed),
        Err(e) => drop(FAILED.set(e)),
        Ok(()) => {}
    }
}

/// Writes to standard error; if that is closed, nobody reads it.
pub fn write_error(text: &str) {
    let _ = stderr().lock().write_all(shown(text, of_errors()).as_bytes());
}

/// Writes a line to standard error in one piece, such as a command to copy.
pub fn write_whole(line: &str) {
    let _ = stderr().lock().write_all(format!("{}\n", visible_lines(line)).as_bytes());
}

/// Writes a file's text to standard output as it is, for people to copy.
pub fn write_text(text: &str) {
    write_shown(&visible_lines(text));
}

/// Whether the reader of standard output has gone.
pub fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// The first error of standard output other than a closed pipe, such as a full disk.
pub fn failure() -> Option<&'static std::io::Error> {
    FAILED.get()
}
