//! The three pipes of an engine process. Reading and writing never wait; one call waits for all of
//! them.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::Pipes;
