//! The environment of engines: a few variables of the referee's, and those that the match sets.

use crate::matchlog::EngineEntry;
use std::ffi::OsString;

/// The variables that engines get from the referee's environment; also all that begin with `LC_`.
/// Others are set with `env.NAME=VALUE`.
pub const PASSED: [&str; 7] = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR"];

/// The whole environment of an engine; its own variables come last.
pub fn environment(entry: &EngineEntry) -> Vec<(OsString, OsString)> {
    let is_passed = |name: &OsString| {
        name.to_str().is_some_and(|name| PASSED.contains(&name) || name.starts_with("LC_"))
    };
    let own = entry.env.iter().map(|s| (OsString::from(&s.name), OsString::from(&s.value)));
    std::env::vars_os().filter(|(name, _)| is_passed(name)).chain(own).collect()
}
