//! Whether an engine's program, and the script of an interpreter, are still the files that the
//! match began with.

use crate::engine::hash::hash_file;
use crate::engine::program::program_name;
use crate::files::Stamp;
use crate::matchlog::{EngineEntry, Setting};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Programs that run a file named by an argument, or another program. A version may follow the name,
/// as in `python3.13`.
const INTERPRETERS: [&str; 37] = [
    "bash", "bun", "cmd", "dash", "deno", "dotnet", "env", "fish", "guile", "java", "julia", "ksh",
    "lua", "luajit", "mono", "nice", "node", "nodejs", "nohup", "perl", "php", "pwsh", "py",
    "pypy", "python", "racket", "Rscript", "ruby", "sbcl", "setarch", "sh", "stdbuf", "taskset",
    "tclsh", "timeout", "wine", "zsh",
];

/// Whether the program runs files that its arguments name.
fn is_interpreter(program: &Path) -> bool {
    let name = program_name(program);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || "._-".contains(c));
    INTERPRETERS.contains(&name)
}

/// The arguments of an interpreter that name existing files, with the SHA-256 of these; none for
/// other programs, whose arguments may name files that the program writes.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub fn script_files(command: &[String], dir: Option<&str>) -> io::Result<Vec<Setting>> {
    let [program, arguments @ ..] = command else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    for argument in arguments.iter().filter(|_| is_interpreter(Path::new(program))) {
        let path = resolve(argument, dir);
        if path.is_file() {
            let value = cached_hash(&path)
                .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
            files.push(Setting { name: argument.clone(), value });
        }
    }
    Ok(files)
}

/// The path of a file that an argument names.
fn resolve(argument: &str, dir: Option<&str>) -> PathBuf {
    Path::new(dir.unwrap_or("")).join(argument)
}

/// Checks that the program at `path` and the pinned files of `entry` have the content with which the
/// match began.
///
/// # Errors
///
/// The error names the first file that is missing or has changed, and says what to do.
pub fn check(entry: &EngineEntry, path: &Path) -> Result<(), String> {
    let program = (path.to_path_buf(), &entry.sha256);
    let files = entry.files.iter().map(|f| (resolve(&f.name, entry.dir.as_deref()), &f.value));
    for (path, expected) in std::iter::once(program).chain(files) {
        let what_to_do = "restore the file that the match began with, or begin a new match";
        match cached_hash(&path) {
            Ok(found) if found == *expected => {}
            Ok(found) => {
                return Err(format!(
                    "{} has changed since the match began (SHA-256 {expected} then, {found} now): \
                     {what_to_do}",
                    path.display()
                ));
            }
            Err(e) => {
                return Err(format!("{} cannot be read ({e}): {what_to_do}", path.display()));
            }
        }
    }
    Ok(())
}

/// The SHA-256 of a file, computed again only if the file's stamp has changed.
pub fn cached_hash(path: &Path) -> io::Result<String> {
    static KNOWN: Mutex<BTreeMap<PathBuf, (Stamp, String)>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let stamp = Stamp::of(&std::fs::metadata(path)?);
    if let Some((_, hash)) = known().get(path).filter(|(then, _)| *then == stamp) {
        return Ok(hash.clone());
    }
    let hash = hash_file(path)?;
    // Keep no hash of a file that changes while it is read.
    if Stamp::of(&std::fs::metadata(path)?) == stamp {
        known().insert(path.into(), (stamp, hash.clone()));
    }
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_are_known_with_their_versions() {
        for name in ["python3", "/usr/bin/python3.13", "java", "bash", "lua5.4", "env"] {
            assert!(is_interpreter(Path::new(name)), "{name}");
        }
        for name in ["./amazons", "stockfish", "envoy", "target/release/xiangqi"] {
            assert!(!is_interpreter(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn a_script_is_pinned_and_its_change_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("engine.py");
        std::fs::write(&script, "1").unwrap();
        let words = ["python3", "-u", "engine.py", "--level", "3"].map(String::from);
        let dir = folder.path().to_str();
        let files = script_files(&words, dir).unwrap();
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].name, "engine.py");
        let before = cached_hash(&script).unwrap();
        assert_eq!(files[0].value, before);
        std::fs::write(&script, "2").unwrap();
        assert_ne!(cached_hash(&script).unwrap(), before);
        assert!(script_files(&["./engine.py".into(), "engine.py".into()], dir).unwrap().is_empty());
    }
}
