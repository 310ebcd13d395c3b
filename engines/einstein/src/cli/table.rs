//! `einstein table`: the endgame table of every position of at most 5 stones.

use agon_einstein::table::{
    BuildOptions, MAX_ERROR, Monitor, Table, build, random_position, verify,
};
use agon_protocol::einstein::{EinStein, EinSteinRules};
use agon_protocol::game::{Game, Turn, legal_moves};
use agon_protocol::rng;
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
        /// The file to write; for 5 stones it takes 0.87 GB, and computing it 1.8 GB of memory
        file: PathBuf,
        /// The most stones of a position
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=5))]
        stones: u8,
        /// Threads; 0 for as many as there are cores
        #[arg(long, default_value_t = 0)]
        threads: usize,
    },
    /// Check a table: its checksum, all positions of at most 3 stones and a random sample of the
    /// others by plain expectimax, and a thousand times as many against their successors
    Verify {
        /// The table
        file: PathBuf,
        /// Positions of 4 and more stones to recompute
        #[arg(long, default_value_t = 200)]
        samples: u64,
        /// Which ones
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure lookups a second
    Bench {
        /// The table
        file: PathBuf,
        /// Lookups of random positions
        #[arg(long, default_value_t = 20_000_000)]
        lookups: u64,
    },
    /// Print the side to move's probability of winning, or with a die in the FEN that of each move
    Probe {
        /// The table
        file: PathBuf,
        /// The position, such as `3A1/5/2B2/1b3/4d u -`
        fen: String,
    },
}

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Runs `einstein table ...`. The rule about missing numbers is that of the option `MissingDie`.
pub fn run(task: &Task, rules: &EinSteinRules) -> Result<()> {
    match task {
        Task::Build { file, stones, threads } => {
            let (stones, threads) = (usize::from(*stones), *threads);
            run_build(file, &BuildOptions { stones, rule: rules.missing_die, threads })
        }
        Task::Verify { file, samples, seed } => run_verify(file, *samples, *seed),
        Task::Bench { file, lookups } => run_bench(file, *lookups),
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
    let checksum: String = header.checksum.iter().map(|b| format!("{b:02x}")).collect();
    writeln!(
        stdout(),
        "{}: {} values of positions of at most {} stones, {} bytes, SHA-256 of the values \
         {checksum}, {:.1} s",
        file.display(),
        header.values,
        header.stones,
        header.file_len(),
        begun.elapsed().as_secs_f64()
    )?;
    Ok(())
}

fn run_verify(file: &Path, samples: u64, seed: u64) -> Result<()> {
    let (monitor, begun) = (monitor()?, Instant::now());
    let report = verify(file, samples, seed, &monitor)?;
    writeln!(
        stdout(),
        "checksum right; {} positions of at most 3 stones (all) and {} larger ones agree with \
         expectimax within {:.2e} (bound {MAX_ERROR:.2e}); {} agree with their successors; {:.1} s",
        report.exhaustive,
        report.sampled,
        report.max_error,
        report.one_ply,
        begun.elapsed().as_secs_f64()
    )?;
    Ok(())
}

fn run_probe(file: &Path, fen: &str, rules: &EinSteinRules) -> Result<()> {
    let table = Table::open(file)?;
    let state = EinStein::parse_fen(fen, rules)?;
    if table.rule() != rules.missing_die {
        bail!("{} is for MissingDie {:?}: set the option to it", file.display(), table.rule());
    }
    let absent = || format!("no value: the table holds at most {} stones", table.stones());
    let mut out = stdout().lock();
    match state.turn() {
        Turn::Over(outcome) => bail!("the game is over: {outcome:?}"),
        Turn::Chance => {
            let value = table.probe(&state).with_context(absent)?;
            writeln!(out, "{:.6}", value.probability())?;
        }
        Turn::Player(mover) => {
            let mut moves = Vec::new();
            for m in legal_moves(&state) {
                let mut next = state;
                next.play(m);
                let value = match next.turn() {
                    Turn::Over(outcome) => f64::from((outcome.sign_for(mover) + 1) / 2),
                    _ => 1.0 - table.probe(&next).with_context(absent)?.probability(),
                };
                moves.push((value, m));
            }
            moves.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (value, m) in moves {
                writeln!(out, "{} {value:.6}", state.move_token(m))?;
            }
        }
    }
    Ok(())
}

/// Random positions of the table's greatest size, so that nearly every lookup misses the caches.
fn run_bench(file: &Path, lookups: u64) -> Result<()> {
    let table = Table::open(file)?;
    let mut stream = rng::stream(1, 0, "table bench");
    let stones = table.stones();
    let positions: Vec<EinStein> = (0..1 << 18)
        .filter_map(|i| {
            random_position(
                &mut stream,
                [1 + i % (stones - 1), stones - 1 - i % (stones - 1)],
                table.rule(),
            )
        })
        .filter(|p| table.probe(p).is_some())
        .collect();
    if positions.is_empty() {
        bail!("{}: no position of {stones} stones was found in it", file.display());
    }
    let begun = Instant::now();
    let mut sum = 0u64;
    for i in 0..lookups {
        let position = &positions[i as usize % positions.len()];
        sum += table.probe(position).map_or(0, |value| u64::from(value.0));
    }
    let seconds = begun.elapsed().as_secs_f64().max(1e-9);
    let mean = sum as f64 / lookups.max(1) as f64 / 65535.0;
    writeln!(
        stdout(),
        "{lookups} lookups of {} positions: {:.2} million/s, mean value {mean:.4}",
        positions.len(),
        lookups as f64 / seconds / 1e6
    )?;
    Ok(())
}
