//! The program's own subcommands: the count, the numbering and the endgame tables.

mod table;

use agon_protocol::rng;
use agon_protocol::xiangqi::{XiangqiRules, parse_placement, print_placement};
use agon_xiangqi::census::Number;
use agon_xiangqi::census::paper::{Formula, Paper};
use agon_xiangqi::census::report::Census;
use agon_xiangqi::numbering::Numbering;
use agon_xiangqi::tune::Tune;
use anyhow::{Context, Result, anyhow, ensure};
use rustix::time::{ClockId, clock_gettime};
use std::io::{Write, stdout};

/// Placements that [`Extra::Speed`] works on at a time.
const SPEED_BATCH: usize = 500;

/// What the program does besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    /// Count all positions, and prove the count
    Census {
        /// JSON lines, one a table row, instead of a page
        #[arg(long)]
        json: bool,
    },
    /// Print the number of a placement (the first field of a FEN; the rest is ignored)
    Rank {
        /// For example `4k4/9/9/9/9/9/9/9/9/3K5`
        fen: String,
    },
    /// Print the placement of a number from 0
    Unrank {
        /// Decimal; commas are ignored
        number: String,
    },
    /// Print uniformly random placements, one a line
    Random {
        /// How many
        #[arg(long, default_value_t = 1)]
        count: u64,
        /// Names the random stream
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Print each placement's number before it
        #[arg(long)]
        numbers: bool,
    },
    /// Play games against itself, and fit the evaluation's weights to them
    #[command(subcommand)]
    Tune(Tune),
    /// Endgame tables: all positions in which one side has no rook, horse, cannon or pawn
    #[command(subcommand)]
    Table(table::Task),
    /// Measure rank and unrank on random placements, and how long the tables and the count take
    Speed {
        /// Placements
        #[arg(long, default_value_t = 1_000_000)]
        count: usize,
    },
}

/// Runs a subcommand.
pub fn run(extra: Extra, rules: &XiangqiRules) -> Result<()> {
    let mut out = stdout().lock();
    match extra {
        Extra::Census { json } => {
            let census = Census::new();
            write!(out, "{}", if json { census.json() } else { census.page() })?;
            ensure!(census.proved(), "the ways of counting disagree");
        }
        Extra::Rank { fen } => {
            let placement = fen.split_whitespace().next().context("the FEN is empty")?;
            let board = parse_placement(placement).map_err(|e| bad_fen(&fen, &e))?;
            let number = Numbering::new().rank(&board).map_err(|e| bad_fen(&fen, &e))?;
            writeln!(out, "{number}")?;
        }
        Extra::Unrank { number } => {
            let numbering = Numbering::new();
            let last = numbering.total() - Number::from(1);
            let digits = number.replace(',', "");
            let wanted = || format!("`{number}`: expected a number from 0 to {last}");
            ensure!(digits.bytes().all(|b| b.is_ascii_digit()), wanted());
            let index = Number::from_str_radix(&digits, 10).ok().with_context(wanted)?;
            let board = numbering.unrank(index).with_context(wanted)?;
            writeln!(out, "{}", print_placement(&board))?;
        }
        Extra::Random { count, seed, numbers } => random(&mut out, count, seed, numbers)?,
        Extra::Table(task) => {
            // It writes line by line while it works.
            drop(out);
            table::run(task, rules)?;
        }
        Extra::Speed { count } => speed(&mut out, count)?,
        Extra::Tune(tune) => agon_xiangqi::tune::run(tune, rules)?,
    }
    Ok(())
}

fn bad_fen(fen: &str, reason: &str) -> anyhow::Error {
    anyhow!("bad placement `{fen}`: {reason}")
}

fn random(out: &mut impl Write, count: u64, seed: u64, numbers: bool) -> Result<()> {
    let numbering = Numbering::new();
    let mut rng = rng::stream(seed, 0, "random placement");
    for _ in 0..count {
        let number = numbering.random(&mut rng);
        let board = numbering.unrank(number).context("a drawn number has no placement")?;
        if numbers {
            write!(out, "{number} ")?;
        }
        writeln!(out, "{}", print_placement(&board))?;
    }
    Ok(())
}

/// Seconds of processor time that this thread has used: what others do on the machine is left out.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn speed(out: &mut impl Write, count: usize) -> Result<()> {
    let clock = thread_seconds();
    let total = Paper::count(Formula::Corrected).0;
    writeln!(out, "memoised count: {:.2} ms ({total})", 1e3 * (thread_seconds() - clock))?;
    let clock = thread_seconds();
    let numbering = Numbering::new();
    writeln!(out, "tables: {:.2} ms", 1e3 * (thread_seconds() - clock))?;
    let mut rng = rng::stream(1, 0, "numbering speed");
    let (mut unranking, mut ranking, mut back, mut done) = (0.0, 0.0, 0, 0);
    // Batches that stay in the cache: the memory of a million boards is not what is measured.
    while done < count {
        let batch = SPEED_BATCH.min(count - done);
        let numbers: Vec<Number> = (0..batch).map(|_| numbering.random(&mut rng)).collect();
        let mut boards = Vec::with_capacity(batch);
        let clock = thread_seconds();
        boards.extend(numbers.iter().filter_map(|&n| numbering.unrank(n)));
        let between = thread_seconds();
        back += boards.iter().zip(&numbers).filter(|(b, n)| numbering.rank(b) == Ok(**n)).count();
        ranking += thread_seconds() - between;
        unranking += between - clock;
        done += batch;
    }
    let rate = |seconds: f64| count as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "unrank: {:.2} million a second of processor time", rate(unranking))?;
    writeln!(out, "rank: {:.2} million a second of processor time", rate(ranking))?;
    ensure!(back == count, "{} of {count} placements came back with another number", count - back);
    Ok(())
}
