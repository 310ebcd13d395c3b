//! The subcommand `table` of an engine's program: build, verify and probe tablebases, with the
//! game's own arguments plugged in.

use crate::format::Header;
use crate::monitor::Monitor;
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// `table ...`: `L` says where the tablebase is, `B` what to build, `V` how to verify; `X` are the
/// game's other subcommands.
#[derive(Debug, Subcommand)]
pub enum TableCommand<L: Args, B: Args, V: Args, X: Subcommand> {
    /// Compute a tablebase and write it. Finished files are kept, and the same command resumes
    /// after an interruption; an unfinished file is removed
    Build {
        /// Where it is.
        #[command(flatten)]
        location: L,
        /// What to build.
        #[command(flatten)]
        what: B,
        /// Threads; 0 uses every core
        #[arg(long, default_value_t = 0)]
        threads: usize,
    },
    /// Check a tablebase: checksums, values against those of the successors and against plain
    /// search
    Verify {
        /// Where it is.
        #[command(flatten)]
        location: L,
        /// How thoroughly.
        #[command(flatten)]
        how: V,
        /// Seed of the random sample
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the value of a position and of each of its moves
    Probe {
        /// Where it is.
        #[command(flatten)]
        location: L,
        /// The position
        fen: String,
    },
    /// The game's own
    #[command(flatten)]
    Other(X),
}

/// The location of a tablebase that is one file.
#[derive(Debug, Args)]
pub struct FileLocation {
    /// The tablebase file
    pub file: PathBuf,
}

/// The location of a tablebase that is a folder.
#[derive(Debug, Args)]
pub struct FolderLocation {
    /// The folder of the tablebase files
    #[arg(long)]
    pub dir: PathBuf,
}

/// What a game does for `table ...`. Reports are lines for people, without the time.
pub trait TableProgram {
    /// Where the tablebase is.
    type Location: Args;
    /// What to build.
    type Build: Args;
    /// How to verify.
    type Verify: Args;
    /// The game's other subcommands.
    type Other: Subcommand;

    /// Builds and reports.
    ///
    /// # Errors
    ///
    /// If the tablebase cannot be built.
    fn build(
        &self,
        at: &Self::Location,
        what: &Self::Build,
        threads: usize,
        monitor: &Monitor<'_>,
    ) -> Result<String>;

    /// Verifies and reports.
    ///
    /// # Errors
    ///
    /// If a value is wrong or the tablebase cannot be read.
    fn verify(
        &self,
        at: &Self::Location,
        how: &Self::Verify,
        seed: u64,
        monitor: &Monitor<'_>,
    ) -> Result<String>;

    /// The value of a position, then of each move, one a line.
    ///
    /// # Errors
    ///
    /// If there is no value.
    fn probe(&self, at: &Self::Location, fen: &str) -> Result<String>;

    /// Runs another subcommand.
    ///
    /// # Errors
    ///
    /// As the subcommand says.
    fn other(&self, command: &Self::Other) -> Result<String>;
}

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Runs `table ...` with a progress bar on a terminal, and Ctrl-C to stop.
///
/// # Errors
///
/// Those of the game's functions, and if standard output is closed.
pub fn run<P: TableProgram>(
    program: &P,
    command: &TableCommand<P::Location, P::Build, P::Verify, P::Other>,
) -> Result<()> {
    let text = match command {
        TableCommand::Build { location, what, threads } => {
            with_monitor(|monitor| program.build(location, what, *threads, monitor))?
        }
        TableCommand::Verify { location, how, seed } => {
            with_monitor(|monitor| program.verify(location, how, *seed, monitor))?
        }
        TableCommand::Probe { location, fen } => program.probe(location, fen)?,
        TableCommand::Other(command) => program.other(command)?,
    };
    Ok(writeln!(stdout(), "{text}")?)
}

fn with_monitor(job: impl FnOnce(&Monitor<'_>) -> Result<String>) -> Result<String> {
    let begun = Instant::now();
    ctrlc::set_handler(|| CANCEL.store(true, Ordering::Relaxed))
        .context("preparing to be interrupted")?;
    // Draws nothing where stderr is not a terminal.
    let bar = ProgressBar::new(0);
    let style = "{msg} [{wide_bar}] {human_pos}/{human_len}, ETA {eta}";
    bar.set_style(ProgressStyle::with_template(style)?);
    let monitor = Monitor { bar, cancel: &CANCEL };
    let report = job(&monitor);
    monitor.bar.finish_and_clear();
    Ok(format!("{}; {:.1} s", report?, begun.elapsed().as_secs_f64()))
}

/// A line on a finished file.
pub fn describe(path: &Path, header: &Header, contents: impl Display) -> Result<String> {
    let size = std::fs::metadata(path).with_context(|| path.display().to_string())?.len();
    let (path, values, checksum) = (path.display(), header.values, header.checksum);
    Ok(format!("{path}: {values} values of {contents}, {size} bytes, checksum {checksum:08x}"))
}
