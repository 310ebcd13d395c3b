//! `referee reproduce einstein`: plays the games and reports on them.

use super::{Plan, Size};
use crate::matches::flags::{RoundFlags, RunFlags, find_game};
use crate::matches::session::{MatchOutcome, Session};
use crate::matchlog::{Adjudication, Experiment, FORMAT, Header, Limit, Schedule, Setting};
use crate::output::report::ReportOptions;
use crate::output::{live, outcome};
use crate::papers::engine::{engine_program, say};
use crate::papers::page::{self, Kind};
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
    let (word, size) = args.size();
    let until = (!args.full).then(|| Instant::now() + Duration::from_secs(QUICK_SECONDS));
    let program = engine_program(args.engine_dir.as_deref(), super::NAME)?;
    let log = args.log.clone().unwrap_or_else(|| format!("einstein-{word}.jsonl").into());
    let net = match &args.ntuple {
        Some(net) => net.clone(),
        None => trained(&program, &log.with_extension("ntuple"), &size)?,
    };
    let net = net.canonicalize().with_context(|| net.display().to_string())?;
    if args.run.shard.is_none() {
        let plan = super::thread_plan(&program, &size);
        let setting = (super::THREADS_NAME, word);
        conduct(args, plan, setting, super::threads_log(&log), 1, until)?;
    }
    let plan = super::main_plan(&program, &net, &size);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let concurrency = args.run.concurrency.unwrap_or(cores);
    let played = conduct(args, plan, (super::NAME, word), log.clone(), concurrency, until)?;
    if args.run.shard.is_some() {
        return Ok(outcome::conclude(&played, &args.run));
    }
    let out = args.out.clone().unwrap_or_else(|| log.with_extension("html"));
    if args.run.json {
        page::page(&played.log, Some(&out), ReportOptions::default(), Kind::OfTheLog)?;
        println!("{}", outcome::json(&played));
        return Ok(outcome::explain(&played));
    }
    page::write(&played.log, Some(&out), ReportOptions::default(), Kind::OfTheLog)?;
    Ok(outcome::explain(&played))
}

/// The network's file, trained if it does not exist.
fn trained(program: &Path, file: &Path, size: &Size) -> Result<PathBuf> {
    if !file.exists() {
        say(format_args!("training an n-tuple network from {} random games", size.training));
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

fn conduct(
    args: &Args,
    plan: Plan,
    (experiment, size): (&str, &str),
    log: PathBuf,
    concurrency: usize,
    until: Option<Instant>,
) -> Result<MatchOutcome> {
    let kind = find_game(super::NAME)?;
    let openings = super::openings(kind)?;
    let limit = Limit::default();
    let entries = plan.engines.iter().map(|spec| spec.entry(&limit));
    let size = Setting { name: "size".into(), value: size.into() };
    let header = Header {
        agon_match_log: FORMAT,
        referee: env!("CARGO_PKG_VERSION").into(),
        game: kind.name.into(),
        rules: Vec::new(),
        engines: entries.collect::<Result<_, _>>()?,
        seed: 1,
        schedule: Schedule { form: "match".into(), pairings: plan.pairings, rounds: None },
        openings: openings.entry.clone(),
        shard: args.run.shard,
        experiment: Some(Experiment { name: experiment.into(), settings: vec![size] }),
        sprt: None,
        adjudication: Adjudication::default(),
    };
    if !args.run.quiet && !args.run.json {
        say(format_args!("{experiment}: {} games", header.scheduled_games()));
    }
    live::play(&Session {
        header,
        kind,
        openings,
        run: &args.run,
        concurrency,
        log,
        until,
        round: RoundFlags::default(),
    })
}
