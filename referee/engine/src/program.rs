//! Finding programs.

use agon_games::phrase::{Phrase, phrase};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Finds a program as a shell does: a name with a slash is a path, any other is searched in `PATH`. On
/// Windows the ending `.exe` may be left out.
pub fn find_program(program: &str) -> Result<PathBuf, Phrase> {
    if program.contains(std::path::is_separator) {
        let path = std::path::absolute(program)
            .map_err(|cause| phrase!("`{program}`: {cause}", program, cause))?;
        let path = existing(path.clone()).unwrap_or(path);
        return match path.metadata() {
            Ok(data) if data.is_file() => Ok(path),
            Ok(_) => Err(phrase!("`{program}` is not a program file", program)),
            Err(cause) => {
                Err(phrase!("cannot find the program `{program}`: {cause}", program, cause))
            }
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).find_map(|folder| existing(folder.join(program))).ok_or_else(
        || {
            phrase!(
                "cannot find the program `{program}` on PATH; a program in this folder is `./{program}`",
                program
            )
        },
    )
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
        assert_eq!(find_program(path.to_str().unwrap()), Ok(path.clone()));
        assert_eq!(find_program(without.to_str().unwrap()), Ok(path.clone()));
        assert_eq!(program_name(&path), "引擎 1");
        let error = find_program(&format!("{}2", path.display())).unwrap_err().to_string();
        assert!(error.contains("cannot find the program"), "{error}");
        assert!(
            find_program(folder.path().to_str().unwrap())
                .unwrap_err()
                .to_string()
                .contains("is not a")
        );
    }
}
