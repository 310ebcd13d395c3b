//! Where the program of a log's engine is now: at its old place, or in a folder that the user names, and the same file.

use crate::pin::{cached_hash, place};
use crate::program::find_program;
use agon_matchlog::{EngineEntry, Setting};
use std::path::{Path, PathBuf};

/// The entry of an engine of a log with the program and the pinned files where they are now. `folders` are
/// looked through after the places that the log names, by the name of the file.
///
/// # Errors
///
/// Says which program or file is missing, or is another one than that of the match.
pub fn locate(entry: &EngineEntry, folders: &[PathBuf]) -> Result<EngineEntry, String> {
    let wrong = |what: String| format!("engine {}: {what}", entry.name);
    let mut here = entry.clone();
    let dir = entry.dir.as_deref();
    if let Some(dir) = dir.filter(|dir| !Path::new(dir).is_dir()) {
        return Err(wrong(format!("its working directory `{dir}` does not exist")));
    }
    let program =
        here.command.first_mut().ok_or_else(|| wrong("the log names no program".into()))?;
    let moved = named(folders, program).filter_map(|path| find_program(path.to_str()?, None).ok());
    let found = find_program(program, dir);
    let missing = found.as_ref().err().map(ToString::to_string);
    let places = found.into_iter().chain(moved);
    let path = same_file(places, &entry.sha256, program, missing).map_err(wrong)?;
    *program = text(&path).map_err(wrong)?;
    for file in &mut here.files {
        let Setting { name, value } = &*file;
        let old = place(name, &path, dir);
        let is_argument = here.command[1..].contains(name);
        let moved = named(folders, name).filter(|_| is_argument);
        let places = std::iter::once(old.clone()).chain(moved).filter(|path| path.is_file());
        let found = same_file(places, value, name, None).map_err(wrong)?;
        if found != old {
            let now = std::path::absolute(&found).unwrap_or(found);
            let now = text(&now).map_err(wrong)?;
            let arguments = here.command[1..].iter_mut();
            arguments.filter(|argument| **argument == *name).for_each(|a| a.clone_from(&now));
            file.name = now;
        }
    }
    Ok(here)
}

/// The paths that a file of this name would have in these folders. The log may be of another system.
fn named<'a>(folders: &'a [PathBuf], file: &str) -> impl Iterator<Item = PathBuf> + 'a {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
    folders.iter().map(move |folder| folder.join(&name))
}

/// The first of the files with this hash.
fn same_file(
    places: impl Iterator<Item = PathBuf>,
    sha256: &str,
    name: &str,
    missing: Option<String>,
) -> Result<PathBuf, String> {
    const HINT: &str = "--engine-dir FOLDER says where the file of the match is now";
    let mut other = None;
    for path in places {
        match cached_hash(&path) {
            Ok(found) if found == sha256 => return Ok(path),
            Ok(found) => {
                other.get_or_insert(format!(
                    "{} is another file than that of the match (SHA-256 {sha256} then, {found} now)",
                    path.display()
                ));
            }
            Err(cause) => {
                other.get_or_insert(format!("{} cannot be read: {cause}", path.display()));
            }
        }
    }
    let why = other.or(missing).unwrap_or_else(|| format!("`{name}` is not there"));
    Err(format!("{why}; {HINT}"))
}

fn text(path: &Path) -> Result<String, String> {
    let text = path.to_str().map(String::from);
    text.ok_or_else(|| format!("the path {} is not UTF-8 text", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::MatchHeader;

    #[test]
    fn a_program_and_its_script_are_found_where_they_moved_and_only_if_they_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        let program = file("new/engine", "1");
        let script = file("new/play.py", "2");
        let folders = [file("other/engine", "3"), program.clone()];
        let folders = folders.map(|path| path.parent().unwrap().to_path_buf());
        let mut entry = MatchHeader::example().engines[0].clone();
        entry.command = ["C:\\old\\engine", "/old/play.py", "4"].map(String::from).into();
        entry.sha256 = cached_hash(&program).unwrap();
        let pinned = Setting { name: "/old/play.py".into(), value: cached_hash(&script).unwrap() };
        entry.files = vec![pinned];
        let here = locate(&entry, &folders).unwrap();
        let [now, script] = [program, script].map(|path| path.display().to_string());
        assert_eq!(here.command, [now.as_str(), &script, "4"]);
        assert_eq!(here.files[0].name, script);
        let error = locate(&entry, &folders[..1]).unwrap_err();
        assert!(error.contains("is another file") && error.contains(&entry.sha256), "{error}");
        let error = locate(&entry, &[]).unwrap_err();
        assert!(error.contains("cannot find") && error.contains("--engine-dir"), "{error}");
        std::fs::write(&script, "changed").unwrap();
        let error = locate(&entry, &folders).unwrap_err();
        assert!(error.contains("play.py is another file"), "{error}");
        entry.dir = Some("/no/such/folder".into());
        assert!(locate(&entry, &folders).unwrap_err().contains("working directory"));
    }
}
