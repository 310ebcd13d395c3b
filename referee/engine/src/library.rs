//! Engines in somebody else's program, which has signals and child processes of its own.

use super::{guard, interrupt};
use std::path::Path;

/// Says that this crate is a library of another program. Call it before the first engine starts. `referee` runs the
/// guards of the engines, as the program itself cannot; signals and the program's other processes are left alone.
pub fn in_library(referee: &Path) {
    interrupt::leave_signals();
    guard::in_library(referee);
}
