//! The environment of engines: a few variables of the referee's, and those that the match sets.

use agon_matchlog::EngineEntry;
use std::ffi::OsString;

/// The variables that engines get from the referee's environment; also all that begin with `LC_`.
/// `AGON_CACHE` names the folder of tablebases of the project's own engines.
/// Others are set with `env.NAME=VALUE`.
const PASSED: &[&str] = if cfg!(windows) {
    // Programs need most of these to find the system's libraries, interpreters and folders.
    &[
        "AGON_CACHE",
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LANG",
        "LOCALAPPDATA",
        "NUMBER_OF_PROCESSORS",
        "OS",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "PROGRAMFILES(X86)",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "TZ",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
    ]
} else {
    &["AGON_CACHE", "HOME", "LANG", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME"]
};

/// The whole environment of an engine; its own variables come last.
pub fn environment(entry: &EngineEntry) -> Vec<(OsString, OsString)> {
    let is_passed = |name: &OsString| {
        // Windows ignores the case of names.
        let name = name.to_str().map(|n| if cfg!(windows) { n.to_uppercase() } else { n.into() });
        name.is_some_and(|n| PASSED.contains(&n.as_str()) || n.starts_with("LC_"))
    };
    let own = entry.env.iter().map(|s| (OsString::from(&s.name), OsString::from(&s.value)));
    std::env::vars_os().filter(|(name, _)| is_passed(name)).chain(own).collect()
}
