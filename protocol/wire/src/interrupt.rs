//! Ctrl-C and its relatives, the same on all systems.

use std::io;

/// Calls `handler` in a thread of its own at each Ctrl-C or, on Unix, signal INT, TERM or HUP, and, on
/// Windows, closing of the console. The signals no longer end the program.
///
/// # Errors
///
/// Fails with the system's error, and on Windows at a second call.
pub fn on_interrupt(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let mut handler = handler;
        let wait = move || signals.forever().for_each(|_| handler());
        std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
    }
    #[cfg(windows)]
    ctrlc::set_handler(handler).map_err(io::Error::other)
}
