//! `referee completions` and `referee man`: shell completions and manual pages.

use anyhow::{Context, Result};
use clap::Command;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the shell completions of this program
///
/// For bash: referee completions bash > ~/.local/share/bash-completion/completions/referee
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Print the manual page of this program, or write one page per subcommand
#[derive(clap::Args)]
pub struct ManArgs {
    /// Write all pages into this folder
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints completions.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "referee", &mut text);
    print(&text)
}

/// Prints or writes manual pages.
pub fn man(args: &ManArgs, command: Command) -> Result<ExitCode> {
    match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            clap_mangen::generate_to(command, folder)
                .with_context(|| folder.display().to_string())?;
        }
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(command).render(&mut text)?;
            return print(&text);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print(text: &[u8]) -> Result<ExitCode> {
    std::io::stdout().write_all(text)?;
    Ok(ExitCode::SUCCESS)
}
