//! A sandbox for engines: bubblewrap, without network, other processes, or files but the engine's own.
//!
//! The engine sees the system's programs and libraries, the folder of its program, its working
//! directory if one is set, and the files and folders that its arguments and options name; all of
//! them read-only. Its only writable folder is an empty `/tmp`, which is dropped at its end. Logs and
//! secrets of matches are hidden even there.

use super::pin::level_programs;
use super::program::find_program;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::EngineEntry;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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
/// The sandbox's writable folder.
const SCRATCH: &str = "/tmp";

static HIDDEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Hides a file from all engines that start in a sandbox from now on.
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
    words.extend(["--tmpfs", SCRATCH].map(Into::into));
    for name in ["HOME", "TMPDIR"] {
        if !entry.env.iter().any(|setting| setting.name == name) {
            words.extend(["--setenv", name, SCRATCH].map(Into::into));
        }
    }
    words.extend(["--dir".into(), dir.clone().into()]);
    let readable = readable(entry, path, &dir);
    for own in &readable {
        add(&mut words, "--ro-bind", [own, own]);
    }
    let mut hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    hidden.extend(readable.iter().flat_map(|folder| logs_and_secrets(folder)));
    for file in hidden.iter().filter(|f| f.exists() && readable.iter().any(|r| f.starts_with(r))) {
        add(&mut words, "--ro-bind", [Path::new("/dev/null"), file]);
    }
    words.extend(["--chdir".into(), dir.into(), "--".into(), path.into()]);
    words.extend(entry.command.iter().skip(1).map(Into::into));
    Ok(words)
}

fn add(words: &mut Vec<OsString>, flag: &str, paths: [&Path; 2]) {
    words.push(flag.into());
    words.extend(paths.map(Into::into));
}

/// The files in a folder whose names are those of logs and secrets, perhaps of other matches.
fn logs_and_secrets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map_while(Result::ok);
    let paths = entries.map(|entry| entry.path());
    let is_secret = |path: &PathBuf| {
        ["jsonl", "part", "secret"].iter().any(|e| path.extension() == Some(e.as_ref()))
    };
    paths.filter(is_secret).collect()
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
}
