//! `lab connect6 sgf`.

use agon_games::connect6::sgf::{self, Form};
use agon_search::program::read_text;
use agon_wire::input_file::{self, MAX_TEXT};
use anyhow::{Context, Result};
use std::io::{Write, stdin, stdout};
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
        let text = match &self.file {
            Some(path) => read_text(path)?,
            None => {
                let bytes = input_file::read_to_end(stdin(), MAX_TEXT).context("standard input")?;
                String::from_utf8(bytes).context("standard input")?
            }
        };
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
