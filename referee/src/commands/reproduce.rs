//! `referee reproduce`: a paper's experiment, played and reported.

mod connect6;
mod darkchess;
mod einstein;

use crate::commands::report::{self, Kind};
use crate::flags::{RoundFlags, RunFlags, find_game};
use crate::session::Session;
use agon_referee::engine::EngineSpec;
use agon_referee::limits;
use agon_referee::matchlog::{Adjudication, FORMAT, Header, Limit, Pairing, Schedule};
use agon_referee::report::{PaperReport, ReportOptions};
use agon_referee::reproduce::amazons::{self, Reading};
use agon_referee::reproduce::xiangqi;
use anyhow::{Context, Result, bail};
use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Repeat a paper's experiment and report on it
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    Amazons(AmazonsArgs),
    Connect6(connect6::Connect6Args),
    Darkchess(darkchess::DarkchessArgs),
    Einstein(einstein::EinsteinArgs),
    Xiangqi(XiangqiArgs),
}

/// The number of Xiangqi positions: the paper's tables from the engine's census
#[derive(clap::Args)]
struct XiangqiArgs {
    /// The folder of the engine program; default: the referee's own
    #[arg(long, value_name = "DIR")]
    engine_dir: Option<PathBuf>,
    /// Write the report as a self-contained page too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// PVS against alpha-beta in Amazons (Li, Li, Ran and Wang 2018): Table 1, figures 2 and 3
#[derive(clap::Args)]
struct AmazonsArgs {
    /// At most five minutes on two cores: 60 games at 200 ms a move, 100 ms with deepening (the
    /// default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// The paper's 1,108 games at 1 s a move: about a day and a half of processor time
    #[arg(long)]
    full: bool,
    /// What alpha-beta does with its clock, which the paper leaves open
    #[arg(long, value_enum, default_value = "fixed")]
    reading: Reading,
    /// Time a move: milliseconds, or with a unit
    #[arg(long, value_name = "TIME")]
    movetime: Option<String>,
    /// Number of games, half of them with PVS first
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The folder of the engine program; default: the referee's own
    #[arg(long, value_name = "DIR")]
    engine_dir: Option<PathBuf>,
    /// The match log; default: amazons-READING-TIMEms-GAMES.jsonl
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The report; default: the log's name with .html
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

/// Plays the experiment and writes its report.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.experiment {
        Experiment::Amazons(args) => run_amazons(&args),
        Experiment::Connect6(args) => connect6::run(&args),
        Experiment::Darkchess(args) => darkchess::run(&args),
        Experiment::Einstein(args) => einstein::run(&args),
        Experiment::Xiangqi(args) => run_xiangqi(&args),
    }
}

/// Runs the census, which takes a fraction of a second, and prints the report.
fn run_xiangqi(args: &XiangqiArgs) -> Result<ExitCode> {
    let program = engine_program(args.engine_dir.as_deref(), xiangqi::NAME)?;
    let output = std::process::Command::new(&program)
        .args(xiangqi::ARGUMENTS)
        .output()
        .with_context(|| format!("running {}", program.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{} {}: {}", program.display(), xiangqi::ARGUMENTS.join(" "), said.trim());
    }
    let census = xiangqi::Census::parse(&String::from_utf8_lossy(&output.stdout))?;
    let report = xiangqi::report(&census, "referee reproduce xiangqi")?;
    publish(&report, args.out.as_deref())
}

/// Prints a report, and writes its page if one is wanted.
fn publish(report: &PaperReport, out: Option<&Path>) -> Result<ExitCode> {
    std::io::stdout().write_all(report.text().as_bytes()).context("standard output")?;
    if let Some(path) = out {
        report::write_page(path, &report.html())?;
    }
    Ok(ExitCode::SUCCESS)
}

impl AmazonsArgs {
    fn move_ms(&self) -> Result<u64> {
        match &self.movetime {
            Some(text) => {
                let mut limit = Limit::default();
                limits::set(&mut limit, "movetime", text).context("--movetime")?;
                limit.move_ms.context("--movetime")
            }
            None if self.full => Ok(amazons::PAPER_MOVE_MS),
            None => Ok(self.reading.quick_move_ms()),
        }
    }

    fn games(&self) -> Result<[u64; 2]> {
        match self.games {
            Some(0) => bail!("--games: expected a whole number from 1"),
            Some(n) => Ok([n.div_ceil(2), n / 2]),
            None if self.full => Ok(amazons::PAPER_GAMES),
            None => Ok(amazons::QUICK_GAMES),
        }
    }

    /// The quick run ends in time even where games take longer than they should.
    fn until(&self) -> Option<Instant> {
        let seconds = Duration::from_secs(amazons::QUICK_SECONDS);
        let bounded = !self.full && self.games.is_none() && self.movetime.is_none();
        bounded.then(|| Instant::now() + seconds)
    }
}

fn run_amazons(args: &AmazonsArgs) -> Result<ExitCode> {
    let until = args.until();
    let kind = find_game(amazons::NAME)?;
    let openings = amazons::openings(kind)?;
    let (ms, games) = (args.move_ms()?, args.games()?);
    // The paper knows no loss on time: what the machine does to a clock decides no game.
    let limit = Limit { move_ms: Some(ms), margin_ms: ms.max(2000), ..Limit::default() };
    let program = engine_program(args.engine_dir.as_deref(), amazons::NAME)?;
    let specs = amazons::engines(&program, args.reading, &limit);
    let entry = |spec: &EngineSpec| spec.entry(&limit);
    let header = Header {
        agon_match_log: FORMAT,
        referee: env!("CARGO_PKG_VERSION").into(),
        game: kind.name.into(),
        rules: Vec::new(),
        engines: specs.iter().map(entry).collect::<Result<_, _>>()?,
        seed: 1,
        schedule: Schedule {
            form: "match".into(),
            pairings: vec![Pairing { engines: [0, 1], games, ..Pairing::default() }],
            rounds: None,
        },
        openings: openings.entry.clone(),
        shard: args.run.shard,
        experiment: Some(amazons::experiment(args.reading)),
        sprt: None,
        adjudication: Adjudication::default(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let concurrency = args.run.concurrency.unwrap_or(cores);
    let log = args.log.clone().unwrap_or_else(|| default_log(args, ms, games));
    announce(args, &header, ms, concurrency);
    let session = Session {
        header,
        kind,
        openings,
        run: &args.run,
        concurrency,
        log: log.clone(),
        until,
        round: RoundFlags::default(),
    };
    let conducted = session.conduct()?;
    if args.run.shard.is_some() {
        return Ok(conducted.conclude(&args.run));
    }
    let out = args.out.clone().unwrap_or_else(|| log.with_extension("html"));
    if args.run.json {
        report::page(&conducted.log, Some(&out), ReportOptions::default(), Kind::OfTheLog)?;
        println!("{}", conducted.json());
        return Ok(conducted.explain());
    }
    report::write(&conducted.log, Some(&out), ReportOptions::default(), Kind::OfTheLog)?;
    Ok(conducted.explain())
}

/// What is about to be done, for whoever watches; nothing in a pipe.
fn say(text: std::fmt::Arguments<'_>) {
    if std::io::stderr().is_terminal() {
        eprintln!("{text}");
    }
}

fn announce(args: &AmazonsArgs, header: &Header, ms: u64, concurrency: usize) {
    if args.run.quiet || args.run.json {
        return;
    }
    let games = header.scheduled_games() / args.run.shard.map_or(1, |s| s.of);
    // Random openings and then some 70 plies are what a game takes at most.
    let hours = (games * 70 * ms) as f64 / 3_600_000.0 / concurrency.max(1) as f64;
    say(format_args!(
        "PVS against alpha-beta: {games} games at {ms} ms a move, {concurrency} at a time, reading \
         `{}`: at most about {}",
        args.reading.name(),
        if hours < 1.0 {
            format!("{:.0} minutes", 60.0 * hours)
        } else {
            format!("{hours:.1} hours")
        }
    ));
}

fn default_log(args: &AmazonsArgs, ms: u64, games: [u64; 2]) -> PathBuf {
    let shard = args.run.shard.map_or(String::new(), |s| format!("-{}-of-{}", s.part, s.of));
    let games = games[0] + games[1];
    format!("amazons-{}-{ms}ms-{games}{shard}.jsonl", args.reading.name()).into()
}

/// The engine stands beside the referee.
fn engine_program(folder: Option<&Path>, name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe().context("where this program stands")?;
    let folder = folder.or(own.parent()).context("where this program stands")?;
    let program = folder.join(name);
    if !program.is_file() {
        bail!(
            "there is no engine {}; build it with `cargo build --release`, or say where it is with \
             --engine-dir",
            program.display()
        );
    }
    Ok(program)
}
