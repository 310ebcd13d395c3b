//! Finding programs.

use std::path::PathBuf;

/// Finds a program as a shell does: a name with a slash is a path, any other is searched in `PATH`.
pub fn find_program(program: &str) -> Result<PathBuf, String> {
    if program.contains('/') {
        let path = std::path::absolute(program).map_err(|e| format!("`{program}`: {e}"))?;
        return match path.metadata() {
            Ok(data) if data.is_file() => Ok(path),
            Ok(_) => Err(format!("`{program}` is not a program file")),
            Err(e) => Err(format!("cannot find the program `{program}`: {e}")),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
        .ok_or_else(|| {
            format!(
                "cannot find the program `{program}` on PATH; \
                 a program in this folder is `./{program}`"
            )
        })
}
