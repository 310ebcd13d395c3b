//! `xiangqi table`: building, checking and asking the endgame tables.

use agon_protocol::game::{Game, Turn};
use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};
use agon_xiangqi::endgame::build::positions;
use agon_xiangqi::endgame::file::TableFile;
use agon_xiangqi::endgame::format::Header;
use agon_xiangqi::endgame::layout::Shared;
use agon_xiangqi::endgame::verify::{Thoroughness, verify};
use agon_xiangqi::endgame::{Builder, Built, EndgameSet, Monitor, TableError, Tables, Value, file};
use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Debug, clap::Subcommand)]
pub enum Task {
    /// Compute tables and write them into a folder; those that are there are left alone, so that
    /// an interrupted command, given again, goes on
    Build {
        /// The folder
        #[arg(long)]
        dir: PathBuf,
        /// A set such as KRKAABB, with all that captures lead to; may be given several times
        #[arg(long = "set", value_name = "NAME")]
        sets: Vec<String>,
        /// All sets of one attacking piece whose positions, a byte each, take no more than this,
        /// such as 200MB
        #[arg(long, value_name = "SIZE", value_parser = parse_size)]
        all_under: Option<u64>,
        /// Threads; 0 for as many as there are cores
        #[arg(long, default_value_t = 0)]
        threads: usize,
        /// Most memory for one set
        #[arg(long, default_value = "8GB", value_parser = parse_size)]
        memory: u64,
        /// Stop before the first set that begins after so many seconds
        #[arg(long, value_name = "SECONDS")]
        within: Option<u64>,
    },
    /// List the sets of one attacking piece, or those named, and what a folder holds of them
    List {
        /// The folder
        #[arg(long)]
        dir: Option<PathBuf>,
        /// A set such as KRKAABB; may be given several times
        #[arg(long = "set", value_name = "NAME")]
        sets: Vec<String>,
    },
    /// Check tables: checksums, values against their successors' and against a forward search
    Verify {
        /// The folder
        #[arg(long)]
        dir: PathBuf,
        /// A set such as KRKAABB, instead of all in the folder; may be given several times
        #[arg(long = "set", value_name = "NAME")]
        sets: Vec<String>,
        /// Compare every position with its successors, not a sample
        #[arg(long)]
        all: bool,
        /// Positions of a set, for each side to move, to compare with their successors
        #[arg(long, default_value_t = Thoroughness::default().successors)]
        samples: u64,
        /// Positions of a set to search
        #[arg(long, default_value_t = Thoroughness::default().searches)]
        searches: u64,
        /// Plies to search
        #[arg(long, default_value_t = Thoroughness::default().depth)]
        depth: u16,
        /// Names the sample
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the value of a position and of each of its moves
    Probe {
        /// The folder
        #[arg(long)]
        dir: PathBuf,
        /// The position, for example `4k4/9/9/9/9/9/9/9/4R4/3K5 w`
        fen: String,
    },
}

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Runs `xiangqi table ...`.
pub fn run(task: Task, rules: &XiangqiRules) -> Result<()> {
    match task {
        Task::Build { dir, sets, all_under, threads, memory, within } => {
            let mut sets = parse_sets(&sets)?;
            if let Some(most) = all_under {
                let shared = Shared::default();
                let all = EndgameSet::with_one_attacker();
                sets.extend(all.into_iter().filter(|&set| 2 * positions(&shared, set) <= most));
            }
            ensure!(!sets.is_empty(), "nothing to build: give --set KRKAABB or --all-under 200MB");
            let mut builder = Builder::new(&dir, threads)?;
            builder.memory = memory;
            build(&builder, &sets, within.map(Duration::from_secs))
        }
        Task::List { dir, sets } => list(dir.as_deref(), &parse_sets(&sets)?),
        Task::Verify { dir, sets, all, samples, searches, depth, seed } => {
            let successors = if all { u64::MAX } else { samples };
            let how = Thoroughness { successors, searches, depth, seed };
            verify_all(&dir, parse_sets(&sets)?, how)
        }
        Task::Probe { dir, fen } => probe(&dir, &fen, rules),
    }
}

fn parse_sets(names: &[String]) -> Result<Vec<EndgameSet>> {
    names.iter().map(|name| EndgameSet::parse(name).map_err(Into::into)).collect()
}

/// A number of bytes: digits, then nothing, `kB`, `MB` or `GB`.
fn parse_size(text: &str) -> Result<u64, String> {
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

/// Runs a job with a line of progress on a terminal, and Ctrl-C to stop it.
fn with_monitor<T>(job: impl FnOnce(&Monitor<'_>, &ProgressBar) -> Result<T>) -> Result<T> {
    ctrlc::set_handler(|| CANCEL.store(true, Ordering::Relaxed))
        .context("preparing to be interrupted")?;
    // Draws nothing where stderr is not a terminal.
    let bar = ProgressBar::new(0);
    bar.set_style(ProgressStyle::with_template("[{bar:30}] {pos}/{len} {wide_msg} {elapsed}")?);
    let report = |text: &str| bar.set_message(text.to_string());
    let result = job(&Monitor { report: &report, cancel: &CANCEL }, &bar);
    bar.finish_and_clear();
    result
}

fn build(builder: &Builder, sets: &[EndgameSet], within: Option<Duration>) -> Result<()> {
    let (begun, missing) = (Instant::now(), builder.missing(sets)?);
    with_monitor(|monitor, bar| {
        bar.set_length(missing.len() as u64);
        for (done, &set) in missing.iter().enumerate() {
            if within.is_some_and(|limit| begun.elapsed() >= limit) {
                bar.suspend(|| -> Result<()> {
                    let left = missing.len() - done;
                    Ok(writeln!(stdout(), "{left} sets are left; give the command again")?)
                })?;
                break;
            }
            let built = builder.build(set, monitor)?;
            bar.inc(1);
            bar.suspend(|| report(builder, &built))?;
        }
        Ok(())
    })?;
    let (here, all) = (missing.len(), begun.elapsed());
    writeln!(stdout(), "{here} sets were missing; {:.1} s", all.as_secs_f64())?;
    Ok(())
}

fn report(builder: &Builder, built: &Built) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{}, {:.1} s", describe(&built.header, built.size), built.time.as_secs_f64())?;
    for (side, tally) in built.header.tallies.iter().enumerate() {
        if tally.longest.0 > 1 {
            let value = Value::from_code(tally.longest.0);
            let fen = builder.fen(built.header.set, side, tally.longest.1);
            writeln!(out, "    {value}: {fen}")?;
        }
    }
    Ok(())
}

/// One line on a table: positions, wins, bytes.
fn describe(header: &Header, size: u64) -> String {
    let [strong, weak] = header.tallies;
    let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
    format!(
        "{:<13} {:>11} positions, {:>6.2}% won, {:>6.2}% lost, {:>5} upsets, longest {:>3} plies, \
         {:>9} bytes",
        header.set.to_string(),
        2 * header.len,
        share(strong.decided, strong.legal),
        share(weak.decided, weak.legal),
        strong.upsets + weak.upsets,
        strong.longest.0.max(weak.longest.0).saturating_sub(1),
        size
    )
}

fn list(dir: Option<&Path>, sets: &[EndgameSet]) -> Result<()> {
    let shared = Shared::default();
    let all = if sets.is_empty() { EndgameSet::with_one_attacker() } else { sets.to_vec() };
    let mut out = stdout().lock();
    let (mut sum, mut packed, mut here) = (0, 0, 0);
    for &set in &all {
        let bytes = 2 * positions(&shared, set);
        sum += bytes;
        let path = dir.map(|dir| file::path_of(dir, set)).filter(|path| path.exists());
        match path {
            None => writeln!(out, "{:<13} {bytes:>11} positions", set.to_string())?,
            Some(path) => {
                let table = TableFile::open(&path)?;
                (packed, here) = (packed + table.size(), here + 1);
                writeln!(out, "{}", describe(table.header(), table.size()))?;
            }
        }
    }
    let sets = all.len();
    writeln!(out, "{sets} sets, {sum} positions (a byte each unpacked, both sides to move)")?;
    if dir.is_some() {
        writeln!(out, "{here} of them here, {packed} bytes")?;
    }
    Ok(())
}

fn verify_all(dir: &Path, mut sets: Vec<EndgameSet>, how: Thoroughness) -> Result<()> {
    if sets.is_empty() {
        let tables = Tables::open(dir)?;
        ensure!(!tables.is_empty(), "{} holds no tables", dir.display());
        sets = tables.files().map(|file| file.header().set).collect();
        sets.sort();
    }
    let begun = Instant::now();
    with_monitor(|monitor, bar| {
        bar.set_length(sets.len() as u64);
        let mut sum = [0; 3];
        for &set in &sets {
            let checked = verify(dir, set, how, monitor)?;
            bar.inc(1);
            let counts = [checked.successors, checked.mates, checked.others];
            sum.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        let [successors, mates, others] = sum;
        bar.suspend(|| -> Result<()> {
            Ok(writeln!(
                stdout(),
                "{} tables: checksums right; {successors} positions agree with their successors; \
                 of {} searched {} plies deep {mates} are mates and {others} are not, as the \
                 tables say; {:.1} s",
                sets.len(),
                mates + others,
                how.depth,
                begun.elapsed().as_secs_f64()
            )?)
        })
    })
}

fn probe(dir: &Path, fen: &str, rules: &XiangqiRules) -> Result<()> {
    let tables = Tables::open(dir)?;
    let game = Xiangqi::parse_fen(fen, rules)?;
    if let Turn::Over(outcome) = game.turn() {
        bail!("the game is over: {outcome:?}");
    }
    let set = EndgameSet::of(game.board()).map(|(set, _)| set);
    let value = tables.probe(&game).with_context(|| match set {
        Some(set) => match TableFile::open(&file::path_of(dir, set)) {
            Err(error) => TableError::to_string(&error),
            Ok(_) => format!("the table of {set} gives no value"),
        },
        None => "both sides have attacking pieces: there are no tables of that".into(),
    })?;
    let mut out = stdout().lock();
    writeln!(out, "{value}")?;
    let moves = tables.root(&game).context("a capture leads to a set whose table is missing")?;
    for (m, value) in moves {
        writeln!(out, "{} {value}", game.move_token(m))?;
    }
    Ok(())
}
