//! Where the programs of the levels are: in the folder `levels` beside this program.

use std::io::Error;
use std::path::{Path, PathBuf};

/// The folder of the levels.
const FOLDER: &str = "levels";

/// The program of a level. `own` is the path of this program, or of a symbolic link to it.
pub fn program(own: &Path, level: &str) -> PathBuf {
    let beside = |own: &Path| {
        let name = own.file_name().unwrap_or_default();
        own.with_file_name(FOLDER).join(level).join(name)
    };
    let found = beside(own);
    let linked = own.canonicalize().map(|real| beside(&real));
    linked.ok().filter(|linked| !found.exists() && linked.exists()).unwrap_or(found)
}

/// What to tell if a program does not start.
pub fn refusal(program: &Path, error: &Error) -> String {
    format!(
        "cannot start {}: {error}; keep the archive's folder `{FOLDER}` beside this program",
        program.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_a_level_has_the_own_name() {
        let path = program(Path::new("/opt/no such folder/bin/amazons"), "x86-64-v3");
        assert_eq!(path, Path::new("/opt/no such folder/bin/levels/x86-64-v3/amazons"));
        let text = refusal(&path, &Error::other("no such file"));
        assert!(text.contains(&format!("{}: no such file; keep", path.display())), "{text}");
    }
}
