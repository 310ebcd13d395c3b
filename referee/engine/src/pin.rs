//! Whether an engine's program, the script of an interpreter, and the programs that one of an archive
//! starts are still the files that the match began with.

use crate::hash::hash_file;
use crate::program::program_name;
use agon_base::files::Stamp;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::{EngineEntry, Setting};
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

/// The folder beside an engine's program of an archive. It has a folder for each level of processors with
/// a program of the same name, one of which the program starts.
const LEVELS: &str = "levels";

/// Whether the program runs files that its arguments name.
fn is_interpreter(program: &Path) -> bool {
    let name = program_name(program);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || "._-".contains(c));
    INTERPRETERS.contains(&name)
}

/// What the program of a command, found at `path`, runs, with the SHA-256 of each: the arguments of an
/// interpreter that name existing files, and the [`level_programs`]. The arguments of other programs may
/// name files that the program writes.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub fn pinned_files(
    command: &[String],
    path: &Path,
    dir: Option<&str>,
) -> io::Result<Vec<Setting>> {
    let program = command.first().map_or("", String::as_str);
    let arguments = command.iter().skip(1).filter(|_| is_interpreter(Path::new(program)));
    let scripts = arguments.map(|argument| (argument.clone(), resolve(argument, dir)));
    let mut files = Vec::new();
    for (name, path) in scripts.filter(|(_, path)| path.is_file()).chain(level_programs(path)) {
        let value = cached_hash(&path)
            .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        files.push(Setting { name, value });
    }
    Ok(files)
}

/// The programs for the levels of processors, if the program at `path` is one that starts them: their
/// names in its folder, and their paths.
pub fn level_programs(path: &Path) -> Vec<(String, PathBuf)> {
    let real = real(path);
    let Some(program) = real.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let folders = std::fs::read_dir(real.with_file_name(LEVELS)).into_iter().flatten().flatten();
    let mut levels: Vec<String> =
        folders.filter_map(|folder| folder.file_name().into_string().ok()).collect();
    levels.sort_unstable();
    let names = levels.into_iter().map(|level| format!("{LEVELS}/{level}/{program}"));
    names
        .map(|name| (name.clone(), real.with_file_name(name)))
        .filter(|(_, p)| p.is_file())
        .collect()
}

/// The path of a program behind symbolic links.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.into())
}

/// The path of a pinned file of the program at `path`.
pub fn place(name: &str, path: &Path, dir: Option<&str>) -> PathBuf {
    let real = real(path);
    let is_level = name.strip_prefix(LEVELS).is_some_and(|rest| rest.starts_with('/'))
        && Path::new(name).file_name() == real.file_name();
    if is_level { real.with_file_name(name) } else { resolve(name, dir) }
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
pub fn check(entry: &EngineEntry, path: &Path) -> Result<(), Phrase> {
    let program = (path.to_path_buf(), &entry.sha256);
    let dir = entry.dir.as_deref();
    let files = entry.files.iter().map(|f| (place(&f.name, path, dir), &f.value));
    for (path, expected) in std::iter::once(program).chain(files) {
        match cached_hash(&path) {
            Ok(found) if found == *expected => {}
            Ok(found) => {
                return Err(phrase!(
                    "{path} has changed since the match began (SHA-256 {expected} then, {found} now): restore the file that the match began with, or begin a new match",
                    path = path.display(),
                    expected,
                    found
                ));
            }
            Err(cause) => {
                return Err(phrase!(
                    "{path} cannot be read ({cause}): restore the file that the match began with, or begin a new match",
                    path = path.display(),
                    cause
                ));
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
    use agon_matchlog::MatchHeader;

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
        let program = Path::new("/usr/bin/python3");
        let files = pinned_files(&words, program, dir).unwrap();
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].name, "engine.py");
        let before = cached_hash(&script).unwrap();
        assert_eq!(files[0].value, before);
        std::fs::write(&script, "2").unwrap();
        assert_ne!(cached_hash(&script).unwrap(), before);
        let words = ["./engine.py", "engine.py"].map(String::from);
        assert!(pinned_files(&words, &script, dir).unwrap().is_empty());
    }

    #[test]
    fn the_programs_of_the_levels_are_pinned_and_a_change_of_one_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        let program = file("bin/amazons", "chooser");
        file("bin/levels/x86-64/amazons", "1");
        file("bin/levels/x86-64/nogo", "2");
        let highest = file("bin/levels/x86-64-v3/amazons", "3");
        let mut entry = MatchHeader::example().engines[0].clone();
        // The names do not depend on the folder of the engine or of the archive.
        entry.dir = folder.path().to_str().map(String::from);
        entry.command = vec!["amazons".into()];
        entry.sha256 = cached_hash(&program).unwrap();
        entry.files = pinned_files(&entry.command, &program, entry.dir.as_deref()).unwrap();
        let names: Vec<&str> = entry.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["levels/x86-64/amazons", "levels/x86-64-v3/amazons"]);
        assert_eq!(check(&entry, &program), Ok(()));
        std::fs::write(&highest, "another").unwrap();
        let error = check(&entry, &program).unwrap_err().to_string();
        assert!(error.contains("x86-64-v3") && error.contains("has changed"), "{error}");
        std::fs::remove_file(&highest).unwrap();
        let error = check(&entry, &program).unwrap_err().to_string();
        assert!(error.contains("x86-64-v3") && error.contains("cannot be read"), "{error}");
    }
}
