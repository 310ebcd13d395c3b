//! Ctrl-C and the signals TERM and HUP: the first ends the match, the second the program.

use super::guard;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the user has interrupted the program, or nobody reads its output any more. Every wait for
/// an engine then ends within 0.1 s.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst) || agon_base::terminal::is_closed()
}

/// The exit status of an interrupted program.
pub const EXIT_STATUS: u8 = 130;

static CAUGHT: Once = Once::new();

/// Leaves Ctrl-C and the other signals to the program that this is a library of.
pub fn leave_signals() {
    CAUGHT.call_once(|| {});
}

/// Sets up the handler, once: called before the first engine starts.
pub fn catch() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            guard::end_all();
            std::process::exit(EXIT_STATUS.into());
        }
    };
    CAUGHT.call_once(|| {
        if let Err(error) = agon_wire::interrupt::on_interrupt(handler) {
            log::warn!("Ctrl-C will not end the match cleanly: {error}");
        }
    });
}
