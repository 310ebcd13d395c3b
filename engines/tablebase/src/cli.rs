//! The subcommand `table` of an engine's program builds, verifies and probes tablebases, with the
//! game's own arguments.

use crate::format::TableHeader;
use crate::indexer::Monitor;
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// `table ...`: `L` locates the tablebase, `B` selects what to build, `V` how to verify; `X` adds
/// the game's own subcommands.
#[derive(Debug, Subcommand)]
pub enum TableCommand<L: Args, B: Args, V: Args, X: Subcommand> {
    /// Compute and write a tablebase. Finished files are kept and unfinished ones removed; run the
    /// same command to resume
    Build {
        /// The location of the tablebase.
        #[command(flatten)]
        location: L,
        /// What to build.
        #[command(flatten)]
        what: B,
        /// Number of threads; 0 uses all cores
        #[arg(long, default_value_t = 0)]
        threads: usize,
    },
    /// Check a tablebase: its checksums, and its values against those of the successors and against
    /// plain search
    Verify {
        /// The location of the tablebase.
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
        /// The location of the tablebase.
        #[command(flatten)]
        location: L,
        /// The position
        fen: String,
    },
    /// The game's own subcommands.
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

/// A game's implementation of `table ...`. Reports are human-readable lines without timings.
pub trait TableProgram {
    /// The location of the tablebase.
    type Location: Args;
    /// What to build.
    type Build: Args;
    /// How to verify.
    type Verify: Args;
    /// The game's other subcommands.
    type Other: Subcommand;

    /// Builds the tablebase and reports the result.
    ///
    /// # Errors
    ///
    /// The tablebase cannot be built.
    fn build(
        &self,
        at: &Self::Location,
        what: &Self::Build,
        threads: usize,
        monitor: &Monitor<'_>,
    ) -> Result<String>;

    /// Verifies the tablebase and reports the result.
    ///
    /// # Errors
    ///
    /// A value is wrong or the tablebase cannot be read.
    fn verify(
        &self,
        at: &Self::Location,
        how: &Self::Verify,
        seed: u64,
        monitor: &Monitor<'_>,
    ) -> Result<String>;

    /// The value of a position and of each of its moves, one per line.
    ///
    /// # Errors
    ///
    /// The position has no value.
    fn probe(&self, at: &Self::Location, fen: &str) -> Result<String>;

    /// Runs another subcommand.
    ///
    /// # Errors
    ///
    /// As documented for the subcommand.
    fn other(&self, command: &Self::Other) -> Result<String>;
}

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Runs `table ...` with a progress bar on a terminal; Ctrl-C stops it.
///
/// # Errors
///
/// An error of the game's functions, or standard output is closed.
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
    agon_wire::interrupt::on_interrupt(|| CANCEL.store(true, Ordering::Relaxed))
        .context("preparing to be interrupted")?;
    // Draws nothing if stderr is not a terminal.
    let bar = ProgressBar::new(0);
    let style = "{msg} [{wide_bar}] {human_pos}/{human_len}, ETA {eta}";
    bar.set_style(ProgressStyle::with_template(style)?);
    let monitor = Monitor { bar, cancel: &CANCEL };
    let report = job(&monitor);
    monitor.bar.finish_and_clear();
    Ok(format!("{}; {:.1} s", report?, begun.elapsed().as_secs_f64()))
}

/// A move with its value for the player who makes it, as `probe` lists it.
pub struct ProbedMove<V> {
    /// The move's token.
    pub token: String,
    /// The value; `None` if the tablebase does not hold the position after the move.
    pub value: Option<V>,
}

/// One line per move, the best first and moves without a value last; equal moves keep their order.
/// The best ones are marked, unless some move has no value.
pub fn list_moves<V: Ord>(
    mut moves: Vec<ProbedMove<V>>,
    text: impl Fn(&V) -> String,
) -> Vec<String> {
    moves.sort_by(|a, b| b.value.cmp(&a.value));
    let all_known = moves.iter().all(|m| m.value.is_some());
    let best = |m: &ProbedMove<V>| all_known && Some(&m.value) == moves.first().map(|f| &f.value);
    let line = |m: &ProbedMove<V>| {
        let value = m.value.as_ref().map_or("unknown".into(), &text);
        format!("{} {value}{}", m.token, if best(m) { " (best)" } else { "" })
    };
    moves.iter().map(line).collect()
}

/// A line that reports a finished file.
pub fn describe(path: &Path, header: &TableHeader, contents: impl Display) -> Result<String> {
    let size = std::fs::metadata(path).with_context(|| path.display().to_string())?.len();
    let (path, values, checksum) = (path.display(), header.values, header.checksum);
    Ok(format!("{path}: {values} values of {contents}, {size} bytes, checksum {checksum:08x}"))
}

/// Parses a number of bytes: digits, then nothing, `kB`, `MB` or `GB`.
///
/// # Errors
///
/// Another text.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].trim().to_ascii_uppercase().as_str() {
        "" | "B" => Some(1),
        "K" | "KB" => Some(1_000),
        "M" | "MB" => Some(1_000_000),
        "G" | "GB" => Some(1_000_000_000),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let size = number.zip(unit).and_then(|(n, unit)| n.checked_mul(unit));
    size.ok_or_else(|| format!("`{text}` is no size; expected one like 200MB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(values: &[Option<i32>]) -> String {
        let moves = values.iter().enumerate();
        let moves = moves.map(|(i, &value)| ProbedMove { token: format!("m{i}"), value });
        list_moves(moves.collect(), i32::to_string).join(", ")
    }

    #[test]
    fn moves_are_listed_best_first_and_all_best_ones_are_marked() {
        let list = listed(&[Some(1), Some(3), Some(2), Some(3)]);
        assert_eq!(list, "m1 3 (best), m3 3 (best), m2 2, m0 1");
        assert_eq!(listed(&[None, Some(1), Some(2)]), "m2 2, m1 1, m0 unknown");
        assert_eq!(listed(&[]), "");
    }
}
