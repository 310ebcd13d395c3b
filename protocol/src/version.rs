//! What `--version` prints: the version, the commit, the target and the CPU path that runs.

use crate::cpu::LEVEL;
use std::env::consts::{ARCH, OS};
use std::sync::OnceLock;

/// The version of all programs.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version with the commit, the target and the CPU path that runs. The commit is known to
/// packages only: `.ci/package` sets `AGON_COMMIT`.
pub fn long() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let commit = option_env!("AGON_COMMIT").unwrap_or("unknown, not built by .ci/package");
        let libc = if cfg!(target_env = "musl") {
            "-musl"
        } else if cfg!(target_env = "gnu") {
            "-gnu"
        } else {
            ""
        };
        format!("{VERSION}\ncommit: {commit}\ntarget: {ARCH}-{OS}{libc}\nCPU path: {LEVEL}")
    })
}
