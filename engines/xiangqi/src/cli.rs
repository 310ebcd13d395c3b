//! The `xiangqi`-specific subcommands: studies, tablebase, tuning and speed.

mod table;

use crate::engine::{XiangqiEngine, search_settings};
use crate::search::{SearchSettings, XiangqiSearch};
use crate::tactics::Tactics;
use crate::tune::XiangqiLearner;
use agon_network::tune::Tune;
use agon_protocol::message::Limits;
use agon_protocol::perft::perft;
use agon_protocol::xiangqi::{START_FEN, Xiangqi, XiangqiRules};
use agon_protocol::{Game, Record};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_xiangqi_studies::cli::{self as studies, StudyCommand, thread_seconds};
use anyhow::Result;
use std::io::{Write, stdout};

/// The subcommands in addition to those of every engine.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    #[command(flatten)]
    Study(StudyCommand),
    /// Play games against itself, and train the evaluation's network on them
    #[command(subcommand)]
    Tune(Tune),
    /// Make tactical suites from games against itself, and measure the nodes to solve them
    #[command(subcommand)]
    Tactics(Tactics),
    /// Endgame tablebase of all positions in which one side has no rook, horse, cannon or pawn
    #[command(subcommand)]
    Table(table::Command),
    /// Tune the search's parameters by matches against itself (SPSA); needs a tuning build
    #[cfg(feature = "tune")]
    Spsa(agon_tuning::cli::SpsaFlags),
    /// Measure perft, the search, rank and unrank, and the time for the tables and the count
    Speed {
        /// Number of placements to rank and to unrank
        #[arg(long, default_value_t = 1_000_000)]
        count: usize,
    },
}

/// Runs a subcommand.
pub fn run(extra: Extra, engine: &XiangqiEngine, rules: &XiangqiRules) -> Result<()> {
    let settings = || search_settings(engine.settings());
    match extra {
        Extra::Study(command) => studies::run(command, &mut stdout().lock()),
        Extra::Tune(tune) => {
            agon_network::tune::run(&tune, &XiangqiLearner(*rules), || settings().network)
        }
        Extra::Tactics(tactics) => crate::tactics::run(tactics, rules, &settings()),
        Extra::Table(command) => agon_tablebase::cli::run(&table::Program(*rules), &command),
        #[cfg(feature = "tune")]
        Extra::Spsa(flags) => agon_tuning::arena::tune(&flags, engine, rules),
        Extra::Speed { count } => {
            let mut out = stdout().lock();
            search_speed(&mut out, rules, &settings())?;
            studies::speed(&mut out, count)
        }
    }
}

/// The start position, a middlegame and an endgame.
const SPEED_FENS: [&str; 3] = [
    START_FEN,
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
];
/// The number of search nodes for each of [`SPEED_FENS`].
const SPEED_NODES: u64 = 2_000_000;

fn search_speed(
    out: &mut impl Write,
    rules: &XiangqiRules,
    settings: &SearchSettings,
) -> Result<()> {
    let hash = settings.hash;
    let mut start = Xiangqi::start(rules);
    let clock = thread_seconds();
    let leaves = perft(&mut start, 5);
    let rate = leaves as f64 / (thread_seconds() - clock).max(1e-9) / 1e6;
    writeln!(out, "perft 5: {leaves} leaves, {rate:.0} million per second of processor time")?;
    let (mut nodes, mut seconds) = (0, 0.0);
    for fen in SPEED_FENS {
        let record = Record::new(Xiangqi::parse_fen(fen, rules)?);
        let mut searcher =
            XiangqiSearch::new(SearchSettings { threads: 1, tablebase: None, ..settings.clone() })?;
        let limits = Clock::unmanaged(&Limits::with_nodes(SPEED_NODES));
        // A search with one thread runs in the calling thread, so this thread's clock covers it.
        let clock = thread_seconds();
        nodes += searcher.run(&Root::new(&record), &limits, &mut |_| {}).nodes;
        seconds += thread_seconds() - clock;
    }
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "search: {nodes} nodes, {rate:.2} million per second of processor time, {hash} MiB table"
    )?;
    Ok(())
}
