//! Writing to the standard output.

use std::io::{Write, stdout};
use std::process;

/// Writes and flushes; ignores a closed pipe.
pub fn write(bytes: &[u8]) {
    let mut out = stdout();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Writes bytes again and again.
pub fn write_for_ever(bytes: &[u8]) -> ! {
    let many = bytes.repeat(1000);
    loop {
        if stdout().write_all(&many).is_err() {
            process::exit(1);
        }
    }
}
