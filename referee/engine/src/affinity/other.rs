//! Processor affinity on systems where it cannot be set.

use std::io;

/// Not supported on this system.
///
/// # Errors
///
/// Fails unless the list is empty.
pub fn restrict(cores: &[usize]) -> io::Result<()> {
    if cores.is_empty() { Ok(()) } else { pin_thread(0) }
}

/// Not supported on this system.
///
/// # Errors
///
/// Always fails.
pub fn pin_thread(_number: usize) -> io::Result<()> {
    Err(io::Error::other("cores can be chosen on Linux and Windows only"))
}
