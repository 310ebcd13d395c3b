//! `lab connect6 sgf`.

use agon_games::connect6::sgf::{self, Form};
use anyhow::{Context, Result};
use std::fs;
use std::io::{Read, Write, stdin, stdout};
use std::path::PathBuf;

/// Input and output form.
#[derive(Debug, clap::Args)]
pub struct SgfArgs {
    /// The file to read; default: standard input
    file: Option<PathBuf>,
    /// Write SGF with one turn per node, as on Little Golem
    #[arg(long)]
    golem: bool,
    /// Write SGF with one stone per node
    #[arg(long, conflicts_with = "golem")]
    single: bool,
}

impl SgfArgs {
    /// Converts the game.
    pub(super) fn run(&self) -> Result<()> {
        let mut text = String::new();
        match &self.file {
            Some(path) => {
                text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            }
            None => _ = stdin().read_to_string(&mut text).context("standard input")?,
        }
        let (header, record) = sgf::read(&text)?;
        let mut out = stdout().lock();
        if self.golem || self.single {
            let form = if self.golem { Form::LittleGolem } else { Form::StoneANode };
            write!(out, "{}", sgf::write(&header, &record, form)?)?;
        } else {
            writeln!(out, "startpos moves {}", record.tokens().join(" "))?;
        }
        Ok(())
    }
}
