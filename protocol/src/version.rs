//! What `--version` prints: the version, the commit, the target and the CPU path that runs.

use crate::cpu::LEVEL;
use std::env::consts::{ARCH, OS};
use std::sync::OnceLock;

/// The version of all programs.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit of the build, if `AGON_COMMIT` was set then, as `.ci/package` does.
pub const COMMIT: Option<&str> = option_env!("AGON_COMMIT");

/// What stands in place of an unknown commit.
pub const NO_COMMIT: &str = "unknown, built without AGON_COMMIT";

/// The version with the commit, the target and the CPU path that runs.
pub fn long() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let commit = COMMIT.unwrap_or(NO_COMMIT);
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
