//! `referee reproduce einstein`.

use super::{engine_program, say};
use crate::commands::report::{self, Kind};
use crate::flags::{RoundFlags, RunFlags, find_game};
use crate::session::{Conducted, Session};
use agon_referee::matchlog::{Adjudication, Experiment, FORMAT, Header, Limit, Schedule, Setting};
use agon_referee::report::ReportOptions;
use agon_referee::reproduce::einstein::{self, Plan, Size};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// No game of the quick run is begun after so many seconds.
const QUICK_SECONDS: u64 = 250;

/// Monte Carlo tree search in EinStein wuerfelt nicht (Hsu, Hsu, Chen and Chang 2020): figures 10,
/// 16 and 17, the ceiling, and what each improvement is worth
#[derive(clap::Args)]
pub struct EinsteinArgs {
    /// At most five minutes on two cores: 200 games a cell, small budgets (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// The paper's 2,000 games a cell: days of processor time
    #[arg(long)]
    full: bool,
    /// The folder of the engine program; default: the referee's own
    #[arg(long, value_name = "DIR")]
    engine_dir: Option<PathBuf>,
    /// A trained n-tuple network; default: one is trained beside the log
    #[arg(long, value_name = "FILE")]
    ntuple: Option<PathBuf>,
    /// The match log; default: einstein-quick.jsonl or einstein-full.jsonl. The threads' log stands
    /// beside it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The report; default: the log's name with .html
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

impl EinsteinArgs {
    fn size(&self) -> (&'static str, Size) {
        if self.full { ("full", Size::FULL) } else { ("quick", Size::QUICK) }
    }
}

/// Trains, plays and reports.
pub fn run(args: &EinsteinArgs) -> Result<ExitCode> {
    let (word, size) = args.size();
    let until = (!args.full).then(|| Instant::now() + Duration::from_secs(QUICK_SECONDS));
    let program = engine_program(args.engine_dir.as_deref(), einstein::NAME)?;
    let log = args.log.clone().unwrap_or_else(|| format!("einstein-{word}.jsonl").into());
    let net = match &args.ntuple {
        Some(net) => net.clone(),
        None => trained(&program, &log.with_extension("ntuple"), &size)?,
    };
    let net = net.canonicalize().with_context(|| net.display().to_string())?;
    if args.run.shard.is_none() {
        let plan = einstein::thread_plan(&program, &size);
        let setting = (einstein::THREADS_NAME, word);
        conduct(args, plan, setting, einstein::threads_log(&log), 1, until)?;
    }
    let plan = einstein::main_plan(&program, &net, &size);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let concurrency = args.run.concurrency.unwrap_or(cores);
    let conducted = conduct(args, plan, (einstein::NAME, word), log.clone(), concurrency, until)?;
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

/// The network's file, trained if it is not there.
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
    args: &EinsteinArgs,
    plan: Plan,
    (experiment, size): (&str, &str),
    log: PathBuf,
    concurrency: usize,
    until: Option<Instant>,
) -> Result<Conducted> {
    let kind = find_game(einstein::NAME)?;
    let openings = einstein::openings(kind)?;
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
    Session {
        header,
        kind,
        openings,
        run: &args.run,
        concurrency,
        log,
        until,
        round: RoundFlags::default(),
    }
    .conduct()
}
