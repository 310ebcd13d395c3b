//! A sandbox for engines: bubblewrap, without network, other processes, or files but the engine's own.
//!
//! The engine sees the system's programs and libraries, the folder of its program, its working
//! directory if one is set, and the files and folders that its arguments and options name; all of
//! them read-only, and so is what the kernel shows in `/proc`: root could change the whole system there.
//! Its only writable folders are an empty `/tmp` and `/dev/shm`, which are dropped at its end. Logs and
//! secrets of matches, and dialogues with engines, are hidden wherever they are.

use super::pin::level_programs;
use super::program::find_program;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::EngineEntry;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

/// System folders that may be links into `/usr`.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// What programs need besides: the loader's cache, links to alternatives, the time zone, and the
/// programs of Nix.
const SETTINGS: [&str; 6] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/nix/store",
];
/// The sandbox's writable folders: for files, and for shared memory.
pub const SCRATCH: [&str; 2] = ["/tmp", "/dev/shm"];
/// What may not be written, once everything is in its place.
const READ_ONLY: [&str; 3] = ["/proc", "/dev", "/"];

static HIDDEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Hides a file or a folder from all engines that start in a sandbox from now on.
pub fn hide(file: &Path) {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.into());
    HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
}

/// The sandbox's program.
///
/// # Errors
///
/// Fails if it is not installed.
pub fn program() -> Result<PathBuf, Phrase> {
    if !cfg!(target_os = "linux") {
        return Err(phrase!("a sandbox needs Linux: play without a sandbox"));
    }
    find_program("bwrap", None).map_err(|_| {
        phrase!(
            "a sandbox needs bubblewrap on Linux, and there is no program `bwrap` on PATH: install the package bubblewrap, or play without a sandbox"
        )
    })
}

/// The command that runs an engine's program, found at `path`, in a sandbox.
///
/// # Errors
///
/// Fails if bubblewrap is not installed or the working directory is unknown.
pub fn command(entry: &EngineEntry, path: &Path) -> std::io::Result<Vec<OsString>> {
    let bwrap = program().map_err(std::io::Error::other)?;
    let dir = std::path::absolute(entry.dir.as_deref().unwrap_or("."))?;
    let mut words: Vec<OsString> = vec![bwrap.into()];
    words.extend(["--unshare-all", "--die-with-parent", "--new-session"].map(Into::into));
    words.extend(["--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"].map(Into::into));
    for folder in SYSTEM.map(Path::new) {
        match std::fs::read_link(folder) {
            Ok(target) => add(&mut words, "--symlink", [&target, folder]),
            Err(_) => add(&mut words, "--ro-bind-try", [folder, folder]),
        }
    }
    for file in SETTINGS.map(Path::new) {
        add(&mut words, "--ro-bind-try", [file, file]);
    }
    for folder in SCRATCH {
        if let Some(mib) = entry.memory_mib.filter(|_| has_sizes(&words[0])) {
            words.extend(["--size".into(), mib.saturating_mul(1 << 20).to_string().into()]);
        }
        words.extend(["--tmpfs", folder].map(Into::into));
    }
    for name in ["HOME", "TMPDIR"] {
        if !entry.env.iter().any(|setting| setting.name == name) {
            words.extend(["--setenv", name, SCRATCH[0]].map(Into::into));
        }
    }
    words.extend(["--dir".into(), dir.clone().into()]);
    let readable = readable(entry, path, &dir);
    for own in &readable {
        add(&mut words, "--ro-bind", [own, own]);
    }
    let hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for place in places(&hidden, &readable) {
        if place.is_dir() {
            if path.starts_with(&place) || dir.starts_with(&place) {
                return Err(std::io::Error::other(format!(
                    "the dialogues with the engines are to be hidden, but their folder {} is the engine's \
                     own: give --engine-log another one",
                    place.display()
                )));
            }
            words.extend(["--tmpfs".into(), place.clone().into()]);
            words.extend(["--remount-ro".into(), place.into()]);
        } else {
            add(&mut words, "--ro-bind", [Path::new("/dev/null"), &place]);
        }
    }
    for folder in READ_ONLY {
        words.extend(["--remount-ro", folder].map(Into::into));
    }
    words.extend(["--chdir".into(), dir.into(), "--".into(), path.into()]);
    words.extend(entry.command.iter().skip(1).map(Into::into));
    Ok(words)
}

fn add(words: &mut Vec<OsString>, flag: &str, paths: [&Path; 2]) {
    words.push(flag.into());
    words.extend(paths.map(Into::into));
}

/// Whether bubblewrap can bound the size of a folder in memory: since version 0.7.
fn has_sizes(bwrap: &OsString) -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let help = Command::new(bwrap).arg("--help").output();
        let has = help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("--size "));
        if !has {
            log::warn!(
                "`memory=` does not bound the files in an engine's /tmp: this bubblewrap is older than 0.7"
            );
        }
        has
    })
}

/// Where the hidden files and folders, and all logs and secrets, are in what an engine can read. Their
/// paths may lead there through links.
fn places(hidden: &BTreeSet<PathBuf>, readable: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut places = BTreeSet::new();
    for own in readable {
        let Ok(real) = own.canonicalize() else { continue };
        for path in hidden.iter().filter_map(|path| path.strip_prefix(&real).ok()) {
            // Joining nothing would add a slash to the name of a file.
            let is_own = path.as_os_str().is_empty();
            places.insert(if is_own { own.clone() } else { own.join(path) });
        }
        logs_and_secrets(own, &mut places);
    }
    // What lies in a hidden folder is hidden with it.
    let folders: Vec<PathBuf> = places.iter().filter(|path| path.is_dir()).cloned().collect();
    let inside = |path: &PathBuf| folders.iter().any(|f| path != f && path.starts_with(f));
    places.retain(|path| !inside(path));
    places
}

/// Adds the files in a folder and its subfolders whose names are those of logs and secrets, perhaps of
/// other matches.
fn logs_and_secrets(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    const ENDINGS: [&str; 3] = ["jsonl", "part", "secret"];
    for entry in std::fs::read_dir(folder).into_iter().flatten().map_while(Result::ok) {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        // A rescue may have a number.
        let is_secret = ENDINGS.contains(&ending) || ending.starts_with("rescue");
        if kind.is_dir() {
            logs_and_secrets(&path, found);
        } else if is_secret && kind.is_file() {
            found.insert(path);
        }
    }
}

/// The engine's own files and folders, parents before their children.
fn readable(entry: &EngineEntry, path: &Path, dir: &Path) -> BTreeSet<PathBuf> {
    let mut own = BTreeSet::new();
    let real = path.canonicalize();
    for program in std::iter::once(path).chain(real.as_deref().ok()) {
        match program.parent().filter(|folder| is_narrow(folder)) {
            Some(folder) => own.extend([folder.into()]),
            None => {
                own.insert(program.into());
                own.extend(level_programs(program).into_iter().map(|(_, path)| path));
            }
        }
    }
    if entry.dir.is_some() && is_narrow(dir) {
        own.insert(dir.into());
    }
    let arguments = entry.command.iter().skip(1);
    let values = arguments.chain(entry.options.iter().map(|option| &option.value));
    for text in values {
        // `--option Name=FILE`, `--weights=FILE`, `FILE`
        let value = text.rsplit_once('=').map_or(text.as_str(), |(_, value)| value);
        for named in [text.as_str(), value].map(|name| dir.join(name)) {
            if !text.is_empty() && is_narrow(&named) && named.exists() {
                own.insert(named);
            }
        }
    }
    own.retain(|path| !SYSTEM.iter().any(|system| path.starts_with(system)));
    own
}

/// Whether a folder is neither a home folder nor contains one.
fn is_narrow(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map_or_else(|| PathBuf::from("/root"), PathBuf::from);
    !home.starts_with(folder) && !Path::new("/tmp").starts_with(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::MatchHeader;

    #[test]
    fn an_engine_sees_its_folder_and_the_files_that_it_is_given() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "x").unwrap();
            path
        };
        let (program, net) = (file("bin/engine"), file("nets/a.net"));
        let mut entry = MatchHeader::example().engines[0].clone();
        entry.command = vec!["engine".into(), format!("--net={}", net.display())];
        let own = readable(&entry, &program, Path::new("/"));
        let expected = [folder.path().join("bin"), net].map(|p| p.to_path_buf());
        assert_eq!(own.into_iter().collect::<Vec<_>>(), expected);
        let system = readable(&entry, Path::new("/usr/bin/env"), Path::new("/"));
        assert!(!system.contains(Path::new("/usr/bin")), "{system:?}");
        assert!(!is_narrow(Path::new("/")) && !is_narrow(Path::new("/tmp")));
    }

    #[cfg(unix)]
    #[test]
    fn logs_secrets_and_dialogues_are_hidden_in_subfolders_and_behind_links() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let file = |name: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "x").unwrap();
            path
        };
        let logs = ["bin/a.jsonl", "bin/x/y/b.jsonl.secret", "bin/x/c.part", "bin/d.jsonl.rescue2"];
        let mut expected: BTreeSet<PathBuf> = logs.map(file).into();
        file("bin/engine");
        file("bin/x/book.txt");
        expected.insert(file("bin/x/dialogue.txt"));
        file("bin/dialogues/best.log");
        file("bin/dialogues/old.jsonl");
        expected.insert(root.join("bin/dialogues"));
        std::os::unix::fs::symlink(root.join("bin"), root.join("link")).unwrap();
        let hidden = ["link/x/dialogue.txt", "link/dialogues", "missing"].map(|p| root.join(p));
        let readable = [root.join("bin")].into();
        assert_eq!(places(&hidden.into(), &readable), expected);
    }
}
