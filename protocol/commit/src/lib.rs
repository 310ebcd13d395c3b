//! The macro [`commit`]: the commit of the source tree that a program is built from.
//!
//! A build script would make cargo compile the program's library again after every commit. The macro
//! stands in a program's `main.rs` and names the files of git that change with the commit as its
//! sources, so only `main.rs` is compiled again. The crate `git-version` does nearly the same, but it
//! also takes the commit of a foreign repository around an unpacked archive, and compiles again after
//! every `git status`.

use proc_macro::TokenStream;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The commit as a `&'static str`: 40 hexadecimal digits, followed by `-modified` if sources differ
/// from it. The environment variable `AGON_COMMIT` replaces it, for a build without the folder `.git`.
/// Without both, or without git, it is an empty text.
#[proc_macro]
pub fn commit(_: TokenStream) -> TokenStream {
    let found =
        env::var_os("CARGO_MANIFEST_DIR").and_then(|package| Workspace::around(package.as_ref()));
    let commit = found.as_ref().and_then(Workspace::commit).unwrap_or_default();
    let files = found.map(|tree| tree.files()).unwrap_or_default();
    let sources: String =
        files.iter().map(|file| format!("const _: &[u8] = include_bytes!({file:?});")).collect();
    let text = format!(
        "{{ {sources} match option_env!(\"AGON_COMMIT\") {{ Some(commit) => commit, None => {commit:?} }} }}"
    );
    text.parse().expect("the text above is an expression")
}

/// The workspace, which has a folder `.git` of its own (or a file in its place: a worktree).
struct Workspace(PathBuf);

impl Workspace {
    fn around(package: &Path) -> Option<Workspace> {
        let root = package.ancestors().find(|folder| folder.join("Cargo.lock").exists())?;
        root.join(".git").exists().then(|| Workspace(root.into()))
    }

    /// What a command of git prints; `None` if it fails or there is no git.
    fn git(&self, words: &[&str]) -> Option<String> {
        let output = Command::new("git")
            .arg("--no-optional-locks")
            .args(words)
            .current_dir(&self.0)
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim_end().to_string())
    }

    fn commit(&self) -> Option<String> {
        let commit = self.git(&["rev-parse", "--verify", "HEAD"])?;
        // Documents are not part of a program.
        let changed =
            self.git(&["status", "--porcelain", "--untracked-files=no", "--", ":!*.md"])?;
        Some(if changed.is_empty() { commit } else { format!("{commit}-modified") })
    }

    /// The files that change when the commit does: the log of HEAD or, without one, HEAD and its branch.
    fn files(&self) -> Vec<PathBuf> {
        let branch = self.git(&["symbolic-ref", "--quiet", "HEAD"]);
        let names = ["logs/HEAD", "HEAD"].into_iter().chain(branch.as_deref());
        names
            .filter_map(|name| self.git(&["rev-parse", "--git-path", name]))
            .map(|path| self.0.join(path))
            .filter(|path| path.is_file())
            .collect()
    }
}
