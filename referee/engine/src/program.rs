//! Finding programs.

use agon_games::phrase::{Phrase, phrase};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Finds a program: a relative name first in `dir`, the engine's working folder, then as a shell does: with a
/// slash it is a path, without it is searched in `PATH`. On Windows the ending `.exe` may be left out.
///
/// # Errors
///
/// The error names the folders that were searched.
pub fn find_program(program: &str, dir: Option<&str>) -> Result<PathBuf, Phrase> {
    let dir = dir.filter(|_| Path::new(program).is_relative()).map(Path::new);
    if !program.contains(std::path::is_separator) {
        return find_by_name(program, dir);
    }
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(|cause| phrase!("`{program}`: {cause}", program, cause))
    };
    if let Some(path) = dir.and_then(|dir| existing(dir.join(program))) {
        return absolute(&path);
    }
    let path = absolute(Path::new(program))?;
    let path = existing(path.clone()).unwrap_or(path);
    match (path.metadata(), dir) {
        (Ok(data), _) if data.is_file() => Ok(path),
        (Ok(_), _) => Err(phrase!("`{program}` is not a program file", program)),
        (Err(cause), Some(dir)) => Err(phrase!(
            "cannot find the program `{program}` in {dir}, nor as {path}: {cause}",
            program,
            dir = absolute(dir)?.display(),
            path = path.display(),
            cause
        )),
        (Err(cause), None) if Path::new(program).is_relative() => Err(phrase!(
            "cannot find the program `{program}` as {path}: {cause}",
            program,
            path = path.display(),
            cause
        )),
        (Err(cause), None) => {
            Err(phrase!("cannot find the program `{program}`: {cause}", program, cause))
        }
    }
}

/// Finds a program without a folder in its name.
fn find_by_name(program: &str, dir: Option<&Path>) -> Result<PathBuf, Phrase> {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&on_path);
    let found = dir.map(Path::to_path_buf).into_iter().chain(folders);
    let found = found.map(|folder| folder.join(program)).find_map(existing);
    match (found, dir) {
        (Some(path), _) => std::path::absolute(&path)
            .map_err(|cause| phrase!("`{program}`: {cause}", program, cause)),
        (None, Some(dir)) => Err(phrase!(
            "cannot find the program `{program}` in {dir} nor on PATH",
            program,
            dir = dir.display()
        )),
        (None, None) => Err(phrase!(
            "cannot find the program `{program}` on PATH; a program in this folder is `./{program}`",
            program
        )),
    }
}

/// The file of this path, or else with the ending of programs.
fn existing(path: PathBuf) -> Option<PathBuf> {
    let mut with_ending = OsString::from(&path);
    with_ending.push(EXE_SUFFIX);
    [path, with_ending.into()].into_iter().find(|path| path.is_file())
}

/// The name of a program's file without the ending of programs.
pub fn program_name(program: &Path) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let at = name.len().saturating_sub(EXE_SUFFIX.len());
    match name.get(at..).is_some_and(|ending| ending.eq_ignore_ascii_case(EXE_SUFFIX)) {
        true => name[..at].into(),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_its_path_with_and_without_its_ending() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("引擎 1{EXE_SUFFIX}"));
        std::fs::write(&path, "x").unwrap();
        let without = folder.path().join("引擎 1");
        assert_eq!(find_program(path.to_str().unwrap(), None), Ok(path.clone()));
        assert_eq!(find_program(without.to_str().unwrap(), None), Ok(path.clone()));
        assert_eq!(program_name(&path), "引擎 1");
        let error = find_program(&format!("{}2", path.display()), None).unwrap_err().to_string();
        assert!(error.contains("cannot find the program"), "{error}");
        assert!(
            find_program(folder.path().to_str().unwrap(), None)
                .unwrap_err()
                .to_string()
                .contains("is not a")
        );
    }
    #[test]
    fn a_relative_program_is_looked_for_in_the_folder_of_the_engine_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("e{EXE_SUFFIX}"));
        std::fs::write(&path, "x").unwrap();
        let dir = folder.path().to_str();
        for program in ["./e", "e"] {
            let found = find_program(program, dir).unwrap();
            assert_eq!(found.canonicalize().unwrap(), path.canonicalize().unwrap(), "{program}");
            assert!(found.is_absolute());
            // Where the program is not there, the error says where it was looked for.
            let error = find_program(&format!("{program}2"), dir).unwrap_err().to_string();
            assert!(error.contains(dir.unwrap()), "{error}");
        }
        let here = std::env::current_dir().unwrap().display().to_string();
        assert!(find_program("./e2", dir).unwrap_err().to_string().contains(&here));
        assert!(find_program("e2", dir).unwrap_err().to_string().contains("nor on PATH"));
        // What is not there is looked for as without the folder.
        assert!(find_program("cargo", dir).is_ok());
    }
}
