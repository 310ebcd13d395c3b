//! What `--version` prints: the version, the commit, the target and the instructions it was built for.

use std::env::consts::{ARCH, OS};
use std::sync::OnceLock;

/// The version of all programs.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The level of the x86-64 ABI supplement that the program is compiled for, or the name of another
/// architecture.
pub const LEVEL: &str = if cfg!(not(target_arch = "x86_64")) {
    ARCH
} else if cfg!(all(target_feature = "avx512bw", target_feature = "avx512vl")) {
    "x86-64-v4"
} else if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
    "x86-64-v3"
} else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
    "x86-64-v2"
} else {
    "x86-64"
};

/// What stands in place of an unknown commit.
const NO_COMMIT: &str = "unknown: the build found no git tree or no git, and no AGON_COMMIT";

static COMMIT: OnceLock<&str> = OnceLock::new();

/// Tells the libraries the commit of the program, which its `main.rs` gets from [`commit!`](crate::commit!).
/// The libraries do not contain it, so that a new commit does not compile them again.
pub fn set_commit(commit: &'static str) {
    // The first call counts.
    let _ = COMMIT.set(commit);
}

/// The commit of the program, 40 hexadecimal digits with `-modified` if sources differed from it; or a
/// sentence that says why it is unknown.
pub fn commit() -> &'static str {
    COMMIT.get().copied().filter(|commit| !commit.is_empty()).unwrap_or(NO_COMMIT)
}

/// The version with the commit, the target and the CPU path.
pub fn long() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let commit = commit();
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
