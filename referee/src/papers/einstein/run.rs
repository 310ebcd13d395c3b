//! `referee reproduce einstein`: plays the games and reports on them.

use super::Size;
use super::budget::{self, Budget, PAPER_GAMES};
use crate::matches::flags::{RunFlags, find_game};
use crate::matches::runner::RunEnd;
use crate::matches::session::MatchOutcome;
use crate::matchlog::{Experiment, Limit, Setting};
use crate::papers::conduct::{self, Conduct, Plan};
use crate::papers::engine::{engine_program, print_step};
use crate::papers::publish::check_page;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// The quick run starts no game after this many seconds.
const QUICK_SECONDS: u64 = 250;

/// Monte Carlo tree search in EinStein wuerfelt nicht (Hsu, Hsu, Chen and Chang 2020): figures 10,
/// 16 and 17, the ceiling, and the gain of each improvement
#[derive(clap::Args)]
pub struct Args {
    /// Run for at most five minutes on two cores: 200 games per cell, small budgets (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run the paper's 2,000 games per cell: days of processor time
    #[arg(long)]
    full: bool,
    /// Play only figure 17 at the paper's own budget, in a log of its own: 5,000 iterations of 5,000
    /// playouts, about an hour of one core per game. The main report shows it if its log is beside
    /// the main one (LOG.paper-budget.jsonl)
    #[arg(long)]
    paper_budget: bool,
    /// With --paper-budget: games per value of c; default: the paper's 2,000, of which a run that
    /// is interrupted has a sample
    #[arg(long, value_name = "N", requires = "paper_budget", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
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
}

/// Trains, plays and reports.
pub fn run(args: &Args) -> Result<ExitCode> {
    let until = (!args.full).then(|| Instant::now() + Duration::from_secs(QUICK_SECONDS));
    args.out.as_deref().map_or(Ok(()), |out| check_page(out, args.log.as_deref()))?;
    if args.paper_budget {
        let played = play_budget(args, None)?;
        return conduct::conclude(&played, super::budget_report, &args.run, args.out.as_deref());
    }
    conduct::conclude(&play(args, until)?, super::report, &args.run, args.out.as_deref())
}

/// Time for a move at the paper's budget, in seconds: it has no other limit.
const LONGEST_MOVE: f64 = 100_000.0;

/// Plays the games at the paper's budget that are not yet in their log.
pub(in crate::papers) fn play_budget(args: &Args, until: Option<Instant>) -> Result<MatchOutcome> {
    let program = engine_program(args.engine_dir.as_deref(), super::NAME)?;
    let log = args.log.clone().unwrap_or_else(|| super::budget_log("einstein-full.jsonl".as_ref()));
    let plan = super::budget_plan(&program, args.budget, args.games.unwrap_or(PAPER_GAMES));
    let run =
        RunFlags { thought_time: args.run.thought_time.max(LONGEST_MOVE), ..args.run.clone() };
    let conduct = Conduct { run: &run, concurrency: conduct::concurrency(&run), log, until };
    let openings = super::openings(find_game(super::NAME)?)?;
    let experiment = budget::experiment(args.budget);
    conduct::play(conduct, &plan, &Limit::default(), openings, experiment, super::NAME)
}

/// Trains, and plays the games that are not yet in the logs.
pub(in crate::papers) fn play(args: &Args, until: Option<Instant>) -> Result<MatchOutcome> {
    let (word, size) = args.size();
    let program = engine_program(args.engine_dir.as_deref(), super::NAME)?;
    let log = args.log.clone().unwrap_or_else(|| format!("einstein-{word}.jsonl").into());
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
        let conduct = Conduct { run, concurrency, log, until };
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
    }
    let plan = super::main_plan(&program, &net, &size);
    play(&plan, super::NAME, log, conduct::concurrency(run))
}

/// The network's file, trained if it does not exist.
fn trained(program: &Path, file: &Path, size: &Size) -> Result<PathBuf> {
    if !file.exists() {
        print_step(format_args!("training an n-tuple network from {} random games", size.training));
        let status = Command::new(program)
            .arg("train")
            .arg(file)
            .args(["--games", &size.training.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .with_context(|| program.display().to_string())?;
        if !status.success() {
            bail!("{} train: {status}", program.display());
        }
    }
    Ok(file.into())
}
