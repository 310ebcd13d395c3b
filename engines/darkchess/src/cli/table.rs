//! `darkchess table`: the endgame table of every position of at most 4 pieces, or 5.

use agon_darkchess::table::{BuildOptions, Monitor, Table, build, verify};
use agon_protocol::darkchess::{DarkChess, DarkRules};
use agon_protocol::game::{Game, Turn, legal_moves};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[derive(Debug, clap::Subcommand)]
pub enum Task {
    /// Compute the table and write it; nothing is written if it is interrupted
    Build {
        /// The file to write
        file: PathBuf,
        /// The most pieces of a position
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=5))]
        pieces: u8,
        /// Threads; 0 for as many as there are cores
        #[arg(long, default_value_t = 0)]
        threads: usize,
    },
    /// Check a table: its checksum, every value against those of the position's successors, and a
    /// random sample against forward search of 7 plies
    Verify {
        /// The table
        file: PathBuf,
        /// Positions to search
        #[arg(long, default_value_t = 2000)]
        samples: u64,
        /// Which ones
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print a position's value and that of each of its moves, for the side to move
    Probe {
        /// The table
        file: PathBuf,
        /// The position, such as `k3/4/4/2R1/4/4/4/1G2 r r - - 0`
        fen: String,
    },
}

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Runs `darkchess table ...`.
pub fn run(task: &Task, rules: &DarkRules) -> Result<()> {
    match task {
        Task::Build { file, pieces, threads } => {
            let (pieces, threads) = (usize::from(*pieces), *threads);
            run_build(file, &BuildOptions { pieces, threads })
        }
        Task::Verify { file, samples, seed } => run_verify(file, *samples, *seed),
        Task::Probe { file, fen } => run_probe(file, fen, rules),
    }
}

fn monitor() -> Result<Monitor<'static>> {
    ctrlc::set_handler(|| CANCEL.store(true, Ordering::Relaxed))
        .context("preparing to be interrupted")?;
    // Draws nothing where stderr is not a terminal.
    let bar = ProgressBar::new(0);
    let style = "{msg} [{wide_bar}] {human_pos}/{human_len}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style)?);
    Ok(Monitor { bar, cancel: &CANCEL })
}

fn run_build(file: &Path, options: &BuildOptions) -> Result<()> {
    let (monitor, begun) = (monitor()?, Instant::now());
    let header = build(file, options, &monitor)?;
    monitor.bar.finish_and_clear();
    let (classes, materials) = Table::open(file)?.classes();
    let checksum: String = header.checksum.iter().map(|b| format!("{b:02x}")).collect();
    writeln!(
        stdout(),
        "{}: {} values of positions of at most {} pieces, {classes} classes of {materials} sets \
         with a side to move, {} bytes, SHA-256 of the values {checksum}, {:.1} s",
        file.display(),
        header.values,
        header.pieces,
        header.file_len(),
        begun.elapsed().as_secs_f64()
    )?;
    Ok(())
}

fn run_verify(file: &Path, samples: u64, seed: u64) -> Result<()> {
    let (monitor, begun) = (monitor()?, Instant::now());
    let report = verify(file, samples, seed, &monitor)?;
    let [won, drawn, lost] = report.results;
    writeln!(
        stdout(),
        "checksum right; {} positions (all; {} numbers are unused) agree with their successors, \
         {} random ones with forward search of 7 plies; {won} won, {drawn} drawn, {lost} lost for \
         the side to move, the farthest {} plies from the end; {:.1} s",
        report.positions,
        report.unused,
        report.searched,
        report.longest,
        begun.elapsed().as_secs_f64()
    )?;
    Ok(())
}

fn run_probe(file: &Path, fen: &str, rules: &DarkRules) -> Result<()> {
    let table = Table::open(file)?;
    let state = DarkChess::parse_fen(fen, rules)?;
    if let Turn::Over(outcome) = state.turn() {
        bail!("the game is over: {outcome:?}");
    }
    let value = table.probe(&state).with_context(|| {
        format!(
            "no value: the table holds positions of the full board with at most {} pieces, none \
             of them face down",
            table.pieces()
        )
    })?;
    let mut out = stdout().lock();
    writeln!(out, "{value}")?;
    for m in legal_moves(&state) {
        let mut next = state;
        next.play(m);
        let reply = match next.turn() {
            Turn::Over(_) => "wins at once".to_string(),
            _ => table.probe(&next).map_or("unknown".into(), |v| format!("{v} for the other")),
        };
        writeln!(out, "{} {reply}", state.move_token(m))?;
    }
    Ok(())
}
