//! The program's own subcommands: the count, the numbering and the endgame tables.

mod table;

use agon_protocol::message::Limits;
use agon_protocol::perft::perft;
use agon_protocol::xiangqi::{START_FEN, Xiangqi, XiangqiRules, parse_placement, print_placement};
use agon_protocol::{Game, Record, rng};
use agon_search::clock::Clock;
use agon_search::searcher::Searcher;
use agon_xiangqi::census::Number;
use agon_xiangqi::census::paper::{Formula, Paper};
use agon_xiangqi::census::report::Census;
use agon_xiangqi::numbering::Numbering;
use agon_xiangqi::search::{Settings, Tournament};
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
    /// Measure perft, the search, rank and unrank, and how long the tables and the count take
    Speed {
        /// Placements to rank and to unrank
        #[arg(long, default_value_t = 1_000_000)]
        count: usize,
    },
}

/// Runs a subcommand. `hash`: how large a search's table is, in units of 2^20 bytes.
pub fn run(extra: Extra, rules: &XiangqiRules, hash: usize) -> Result<()> {
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
        Extra::Speed { count } => {
            play_speed(&mut out, rules, hash)?;
            speed(&mut out, count)?;
        }
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

/// A position in the middle of a game, and one with few pieces, to search beside the start.
const SPEED_FENS: [&str; 3] = [
    START_FEN,
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
];
/// Nodes of each.
const SPEED_NODES: u64 = 2_000_000;

fn play_speed(out: &mut impl Write, rules: &XiangqiRules, hash: usize) -> Result<()> {
    let mut start = Xiangqi::start(rules);
    let clock = thread_seconds();
    let leaves = perft(&mut start, 5);
    let rate = leaves as f64 / (thread_seconds() - clock).max(1e-9) / 1e6;
    writeln!(out, "perft 5: {leaves} leaves, {rate:.0} million a second of processor time")?;
    let settings = || Settings { threads: 1, hash, oracle: None };
    let (mut nodes, mut seconds) = (0, 0.0);
    for fen in SPEED_FENS {
        let record = Record::new(Xiangqi::parse_fen(fen, rules)?);
        let mut searcher = Tournament::new(settings())?;
        let limits = Clock::alone(&Limits::to_nodes(SPEED_NODES));
        let clock = thread_seconds();
        // One thread searches in the thread that asks.
        nodes += searcher.run(&record, &limits, &mut |_| {}).nodes;
        seconds += thread_seconds() - clock;
    }
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "search: {nodes} nodes, {rate:.2} million a second of processor time, with a table of {hash} MiB"
    )?;
    Ok(())
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
