//! `referee reproduce einstein`: plays the games and reports on them.

use super::Size;
use super::budget::{self, Budget, PAPER_GAMES};
use super::loss::Losses;
use super::loss_run::{LossRun, LossSize};
use crate::matches::flags::{RunFlags, find_game};
use crate::matches::runner::RunEnd;
use crate::matches::session::MatchOutcome;
use crate::matchlog::{Experiment, Limit, Setting};
use crate::output::command_line::command_line;
use crate::output::plot::standalone;
use crate::papers::conduct::{self, Conduct, Plan};
use crate::papers::engine::{engine_program, finished, print_step};
use crate::papers::publish::{check_page, publish, write_page};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The share of the exact loss in the time of a run.
const LOSS_SHARE: f64 = 0.2;

/// The quick run starts no game after this many seconds.
const QUICK_SECONDS: u64 = 250;

/// Monte Carlo tree search in EinStein wuerfelt nicht (Hsu, Hsu, Chen and Chang 2020): figures 10,
/// 16 and 17, the ceiling, the gain of each improvement, and the exact loss of the players
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("alone").args(["paper_budget", "loss"]))]
pub struct Args {
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
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// With --loss: also write its figure as an SVG file
    #[arg(long, value_name = "FILE", requires = "loss")]
    picture: Option<PathBuf>,
    /// With --paper-budget: another budget, iterations and playouts
    #[arg(long, value_name = "I,K", requires = "paper_budget", default_value = "5000,5000")]
    budget: Budget,
    /// The folder of the engine program; default: the referee's folder
    #[arg(long, value_name = "DIR")]
    engine_dir: Option<PathBuf>,
    /// A trained n-tuple network; default: one is trained beside the log
    #[arg(long, value_name = "FILE")]
    ntuple: Option<PathBuf>,
    /// The match log; default: einstein-quick.jsonl or einstein-full.jsonl. The threads' log is
    /// beside it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The report; default: the log's name with .html
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

impl Args {
    fn size(&self) -> (&'static str, Size) {
        if self.full { ("full", Size::FULL) } else { ("quick", Size::QUICK) }
    }

    fn log(&self) -> PathBuf {
        let default = || match self.paper_budget {
            true => super::budget_log("einstein-full.jsonl".as_ref()),
            false => format!("einstein-{}.jsonl", self.size().0).into(),
        };
        self.log.clone().unwrap_or_else(default)
    }
}

/// The engine checks the range.
fn stones(text: &str) -> Result<String, String> {
    let usable = text.len() <= 3 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    usable.then(|| text.into()).ok_or_else(|| "expected numbers of stones, such as 4-6".into())
}

/// Trains, plays and reports.
pub fn run(args: &Args) -> Result<ExitCode> {
    let until = (!args.full).then(|| Instant::now() + Duration::from_secs(QUICK_SECONDS));
    let log = args.log();
    let page = (!args.loss).then(|| conduct::page_of(&log, args.out.as_deref()));
    for page in page.iter().chain(&args.out).chain(&args.picture) {
        check_page(page, Some(&log))?;
    }
    if args.loss {
        return report_loss(args);
    }
    if args.paper_budget {
        let played = play_budget(args, None)?;
        return conduct::conclude(&played, super::budget_report, &args.run, args.out.as_deref());
    }
    conduct::conclude(&play(args, until)?, super::report, &args.run, args.out.as_deref())
}

/// Measures the exact loss, and reports on it alone.
fn report_loss(args: &Args) -> Result<ExitCode> {
    let program = engine_program(args.engine_dir.as_deref(), super::NAME)?;
    let time = args.seconds.map(Duration::from_secs);
    let size = LossSize { time, ..args.size().1.loss };
    let losses = measure_loss(args, &program, size, None)?;
    let report = losses.report(&command_line());
    if let Some(path) = &args.picture {
        write_page(path, &standalone(&losses.figure().0.svg()))?;
    }
    if args.run.json {
        args.out.as_ref().map_or(Ok(()), |out| write_page(out, &report.html()))?;
        report.json_rows().for_each(|row| println!("{row}"));
        return Ok(ExitCode::SUCCESS);
    }
    publish(&report, args.out.as_deref())
}

/// Plays the games of the exact loss that are not yet in its files.
fn measure_loss(
    args: &Args,
    program: &Path,
    size: LossSize,
    until: Option<Instant>,
) -> Result<Losses> {
    let run = LossRun {
        program,
        log: &args.log(),
        table: args.table.as_deref(),
        size,
        stones: args.stones.as_deref(),
        games: args.games,
        threads: conduct::concurrency(&args.run),
        until,
        progress: !args.run.quiet && !args.run.json,
    };
    run.measure()
}

/// Time for a move at the paper's budget, in seconds: it has no other limit.
const LONGEST_MOVE: f64 = 100_000.0;

/// Plays the games at the paper's budget that are not yet in their log.
pub(in crate::papers) fn play_budget(args: &Args, until: Option<Instant>) -> Result<MatchOutcome> {
    let program = engine_program(args.engine_dir.as_deref(), super::NAME)?;
    let plan = super::budget_plan(&program, args.budget, args.games.unwrap_or(PAPER_GAMES));
    let run =
        RunFlags { thought_time: args.run.thought_time.max(LONGEST_MOVE), ..args.run.clone() };
    let (concurrency, log) = (conduct::concurrency(&run), args.log());
    let conduct = Conduct { run: &run, concurrency, log, until, scoreboard: None };
    let openings = super::openings(find_game(super::NAME)?)?;
    let experiment = budget::experiment(args.budget);
    conduct::play(conduct, &plan, &Limit::default(), openings, experiment, super::NAME)
}

/// Trains, and plays the games that are not yet in the logs.
pub(in crate::papers) fn play(args: &Args, until: Option<Instant>) -> Result<MatchOutcome> {
    let (word, size) = args.size();
    let program = engine_program(args.engine_dir.as_deref(), super::NAME)?;
    let log = args.log();
    let net = match &args.ntuple {
        Some(net) => net.clone(),
        None => trained(&program, &log.with_extension("ntuple"), &size)?,
    };
    let net = net.canonicalize().with_context(|| net.display().to_string())?;
    let run = &args.run;
    let setting = |name: &str| Experiment {
        name: name.into(),
        settings: vec![Setting { name: "size".into(), value: word.into() }],
    };
    let play = |plan: &Plan, name: &str, log: PathBuf, concurrency: usize| {
        let conduct = Conduct { run, concurrency, log, until, scoreboard: None };
        let openings = super::openings(find_game(super::NAME)?)?;
        if !run.quiet && !run.json {
            let games: u64 = plan.pairings.iter().map(|p| p.games[0] + p.games[1]).sum();
            print_step(format_args!("{name}: {games} games"));
        }
        conduct::play(conduct, plan, &Limit::default(), openings, setting(name), super::NAME)
    };
    if run.shard.is_none() {
        let plan = super::thread_plan(&program, &size);
        let played = play(&plan, super::THREADS_NAME, super::threads_log(&log), 1)?;
        if matches!(played.ended, RunEnd::Interrupted) {
            return Ok(played);
        }
        // A part of the time that is left, like every other section.
        let part = |until: Instant| {
            let now = Instant::now();
            now + until.saturating_duration_since(now).mul_f64(LOSS_SHARE)
        };
        measure_loss(args, &program, size.loss, until.map(part))?;
    }
    let plan = super::main_plan(&program, &net, &size);
    play(&plan, super::NAME, log, conduct::concurrency(run))
}

/// The network's file, trained if it does not exist.
fn trained(program: &Path, file: &Path, size: &Size) -> Result<PathBuf> {
    if !file.exists() {
        print_step(format_args!("training an n-tuple network from {} random games", size.training));
        let mut command = Command::new(program);
        command.arg("train").arg(file).args(["--games", &size.training.to_string()]);
        finished(&mut command)?;
    }
    Ok(file.into())
}
