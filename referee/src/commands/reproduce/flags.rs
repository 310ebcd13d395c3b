//! The flags of the single reproductions.

use crate::commands::flags::{RunFlags, choice, cores};
use agon_matchlog::Limit;
use agon_matchlog::limits;
use agon_papers::amazons::{OpeningSet, PAPER_DEPTH, Reading};
use agon_papers::einstein::BudgetStudy;
use agon_papers::publish::ReportFiles;
use agon_papers::{amazons, connect6, darkchess, einstein};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// The files of a reproduction that computes and plays no games.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub struct ReportFlags {
    /// The folder of the engine program or of `lab`; default: the referee's folder
    #[arg(long, value_name = "DIR", help_heading = "Engines")]
    pub engine_dir: Option<PathBuf>,
    /// Also write the report as a self-contained page
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

impl ReportFlags {
    /// The files.
    pub fn files(&self) -> ReportFiles {
        ReportFiles { engine_dir: self.engine_dir.clone(), out: self.out.clone() }
    }
}

/// The number of Xiangqi positions: the paper's tables from `lab xiangqi count`
#[derive(clap::Args)]
pub struct XiangqiArgs {
    #[command(flatten)]
    pub files: ReportFlags,
}

/// Dependency-based search in Connect6 (Kang 2012): tables 3 to 5, figures 42 to 44, overhead, and
/// the positions lost and gained
#[derive(clap::Args)]
#[command(next_help_heading = "Machine")]
pub struct Connect6Args {
    /// The problem set; default: openings/connect6/problems, which is embedded in the program
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
    /// Save every result in this file; run the same command with the same file to resume
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// Number of concurrent searches; default: the number of cores
    #[arg(short = 'j', long = "concurrency", value_name = "N")]
    concurrency: Option<usize>,
    #[command(flatten)]
    files: ReportFlags,
}

impl Connect6Args {
    /// The run.
    pub fn arguments(&self) -> connect6::run::Arguments {
        connect6::run::Arguments {
            problems: self.problems.clone(),
            rows: self.rows.clone(),
            concurrency: self.concurrency.unwrap_or_else(cores),
            files: self.files.files(),
        }
    }
}

/// Equivalence classes of Chinese dark chess: figure 8 and headline of the paper, the percentages
/// of 2015, and the gain from Spark
#[derive(clap::Args)]
#[command(next_help_heading = "Scale")]
pub struct DarkchessArgs {
    /// Time limit per number of pieces: a method that exceeds it skips the larger numbers
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    limit: f64,
    /// The program that runs shards on Spark
    #[arg(long, value_name = "FILE", default_value = "referee/cluster/spark")]
    spark: PathBuf,
    /// Do not run Spark
    #[arg(long)]
    no_spark: bool,
    #[command(flatten)]
    files: ReportFlags,
}

impl DarkchessArgs {
    /// The run.
    pub fn arguments(&self) -> darkchess::run::Arguments {
        darkchess::run::Arguments {
            limit: self.limit,
            spark: (!self.no_spark).then(|| self.spark.clone()),
            files: self.files.files(),
        }
    }
}

/// Monte Carlo tree search in EinStein wuerfelt nicht (Hsu, Hsu, Chen and Chang 2020): figures 10,
/// 16 and 17, the ceiling, the gain of each improvement, and the exact loss of the players
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("alone").args(["paper_budget", "loss"]))]
#[command(next_help_heading = "Scale")]
pub struct EinsteinArgs {
    /// Run for at most five minutes on two cores: 200 games per cell, small budgets (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run the paper's 2,000 games per cell: days of processor time
    #[arg(long)]
    full: bool,
    /// Play only figure 17 at the paper's own budget, in a log of its own: 5,000 iterations of 5,000
    /// playouts, some three minutes of one core per game. The main report shows it if its log is
    /// beside the main one (LOG.paper-budget.jsonl)
    #[arg(long)]
    paper_budget: bool,
    /// Only measure the exact loss of the players by number of stones, in files beside the log
    /// (LOG.loss-4-6.jsonl, ...); the main run does so too, before its games
    #[arg(long, conflicts_with = "paper_budget")]
    loss: bool,
    /// With --paper-budget: games per value of c; default: the paper's 2,000, of which a run that
    /// is interrupted has a sample. With --loss: games of each study
    #[arg(long, value_name = "N", requires = "alone", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// With --loss: the numbers of stones, N or N-M; default: 4-6, with --full also 7
    #[arg(long, value_name = "N-M", requires = "loss", value_parser = stones)]
    stones: Option<String>,
    /// With --loss: start no game after this many seconds, and report on those so far
    #[arg(long, value_name = "SECONDS", requires = "loss")]
    seconds: Option<u64>,
    /// The endgame tablebase for the exact loss; default: one is built beside the log, of 4 stones,
    /// with --full of 5 (0.87 GB)
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    table: Option<PathBuf>,
    /// With --loss: also write its figure as an SVG file
    #[arg(long, value_name = "FILE", requires = "loss", help_heading = "Output")]
    picture: Option<PathBuf>,
    /// With --paper-budget: another budget, iterations and playouts
    #[arg(long, value_name = "I,K", requires = "paper_budget", default_value = "5000,5000")]
    budget: BudgetStudy,
    /// The folder of the engine program and of `lab`; default: the referee's folder
    #[arg(long, value_name = "DIR", help_heading = "Engines")]
    engine_dir: Option<PathBuf>,
    /// A trained n-tuple network; default: one is trained beside the log
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    ntuple: Option<PathBuf>,
    /// The match log; default: einstein-quick.jsonl or einstein-full.jsonl. The threads' log is
    /// beside it
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
    /// The report; default: the log's name with .html
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

impl EinsteinArgs {
    /// The run.
    pub fn arguments(&self) -> Result<einstein::run::Arguments> {
        Ok(einstein::run::Arguments {
            full: self.full,
            paper_budget: self.paper_budget,
            loss: self.loss,
            games: self.games,
            stones: self.stones.clone(),
            seconds: self.seconds,
            table: self.table.clone(),
            picture: self.picture.clone(),
            budget: self.budget,
            engine_dir: self.engine_dir.clone(),
            ntuple: self.ntuple.clone(),
            log: self.log.clone(),
            out: self.out.clone(),
            run: self.run.settings(cores())?,
        })
    }
}

/// The engine checks the range.
fn stones(text: &str) -> Result<String, String> {
    let usable = text.len() <= 3 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    usable.then(|| text.into()).ok_or_else(|| "expected numbers of stones, such as 4-6".into())
}

/// The values of `--reading`.
const READINGS: [(&str, &str, &[Reading]); 4] = [
    ("literal", "", &[Reading::Literal]),
    ("fitting", "", &[Reading::Fitting]),
    ("deepening", "", &[Reading::Deepening]),
    ("all", "", &Reading::ALL),
];
/// The values of `--openings`.
const OPENINGS: [(&str, &str, OpeningSet); 2] = [
    ("random", "Four random plies, as in the paper", OpeningSet::Random),
    (
        "balanced",
        "Four random plies after which a search of depth 2 sees no advantage over 2 squares",
        OpeningSet::Balanced,
    ),
];

/// PVS against alpha-beta in Amazons (Li, Li, Ran and Wang 2018): Table 1, figures 2 and 3, in three
/// readings of the paper
#[derive(clap::Args)]
#[command(next_help_heading = "Scale")]
pub struct AmazonsArgs {
    /// Run for at most two minutes on two cores: 12 games of each reading at 100 ms per move (the
    /// default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run the paper's 1,108 games at 1 s per move in each reading: about two days of processor time
    #[arg(long)]
    full: bool,
    /// Reading of the paper, which gives alpha-beta a maximum depth of 11 and no time. literal: one
    /// search straight to depth 11. fitting: the greatest fixed depth that fits into the time.
    /// deepening: iterative deepening with the same time, the fair one
    #[arg(long, value_parser = choice(&READINGS), default_value = "all")]
    reading: &'static [Reading],
    /// Depth of the reading `fitting`; default: measured before the first game. Parts of a match
    /// need it
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(PAPER_DEPTH)))]
    fitting_depth: Option<u32>,
    /// Only measure the depth of the reading `fitting`, and print it
    #[arg(long, conflicts_with_all = ["fitting_depth", "shard"])]
    measure: bool,
    /// Openings: random ones as in the paper, or balanced ones
    #[arg(long, value_parser = choice(&OPENINGS), default_value = "random",
          help_heading = "Opening set")]
    openings: OpeningSet,
    /// Time per move: milliseconds, or with a unit
    #[arg(long, value_name = "TIME", help_heading = "Clocks")]
    movetime: Option<String>,
    /// Number of games of each reading, half of them with PVS first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// The folder of the engine program; default: the referee's folder
    #[arg(long, value_name = "DIR", help_heading = "Engines")]
    engine_dir: Option<PathBuf>,
    /// The match log; default: amazons-TIMEms-GAMES.jsonl
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
    /// The report; default: the log's name with .html
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Also write the chart of the games won in each reading as a picture (SVG)
    #[arg(long, value_name = "FILE", conflicts_with = "shard", help_heading = "Output")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

impl AmazonsArgs {
    /// The run.
    pub fn arguments(&self) -> Result<amazons::run::Arguments> {
        let move_ms = self.movetime.as_deref().map(|text| {
            let mut limit = Limit::default();
            limits::set(&mut limit, "movetime", text).context("--movetime")?;
            limit.move_ms.context("--movetime")
        });
        Ok(amazons::run::Arguments {
            full: self.full,
            readings: self.reading.to_vec(),
            fitting_depth: self.fitting_depth,
            measure: self.measure,
            openings: self.openings,
            move_ms: move_ms.transpose()?,
            games: self.games,
            engine_dir: self.engine_dir.clone(),
            log: self.log.clone(),
            out: self.out.clone(),
            picture: self.picture.clone(),
            run: self.run.settings(cores())?,
        })
    }
}
