//! `referee reproduce einstein`: plays the games and reports on them.

use super::RunSize;
use super::budget::{self, PAPER_GAMES};
use super::loss::Losses;
use super::loss::{LossRun, LossSize};
use super::plan::BudgetStudy;
use crate::conduct::{self, Conduct, Plan};
use crate::engine::{LAB, find_program, finished, print_step};
use crate::publish::{check_page, publish, write_page};
use agon_matches::games::find_game;
use agon_matches::run_end::RunEnd;
use agon_matches::run_settings::RunSettings;
use agon_matches::session::MatchOutcome;
use agon_matchlog::{Experiment, Limit, Setting};
use agon_report::command_line::command_line;
use agon_report::plot::standalone;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The share of the exact loss in the time of a run.
const LOSS_SHARE: f64 = 0.2;

/// The quick run starts no game after this many seconds.
const QUICK_SECONDS: u64 = 250;

/// A run of the experiment.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The paper's number of games, not that of the quick run.
    pub full: bool,
    /// Play only figure 17 at the paper's own budget.
    pub paper_budget: bool,
    /// Only measure the exact loss of the players.
    pub loss: bool,
    /// Games per value of c or of each study; `None`: the paper's.
    pub games: Option<u64>,
    /// The numbers of stones of the exact loss, N or N-M; `None`: those of the size.
    pub stones: Option<String>,
    /// The exact loss starts no game after this many seconds.
    pub seconds: Option<u64>,
    /// The endgame tablebase; `None`: one is built beside the log.
    pub table: Option<PathBuf>,
    /// The figure of the exact loss, if a file is wanted.
    pub picture: Option<PathBuf>,
    /// The paper's budget, or another.
    pub budget: BudgetStudy,
    /// The folder of the engine program; `None`: the referee's folder.
    pub engine_dir: Option<PathBuf>,
    /// A trained n-tuple network; `None`: one is trained beside the log.
    pub ntuple: Option<PathBuf>,
    /// The match log; `None`: named after the size.
    pub log: Option<PathBuf>,
    /// The page; `None`: named after the log.
    pub out: Option<PathBuf>,
    /// How the match is run.
    pub run: RunSettings,
}

impl Arguments {
    fn size(&self) -> (&'static str, RunSize) {
        if self.full { ("full", RunSize::FULL) } else { ("quick", RunSize::QUICK) }
    }

    fn log(&self) -> PathBuf {
        let default = || match self.paper_budget {
            true => super::budget_log("einstein-full.jsonl".as_ref()),
            false => format!("einstein-{}.jsonl", self.size().0).into(),
        };
        self.log.clone().unwrap_or_else(default)
    }
}

/// Trains, plays and reports.
pub fn run(args: &Arguments) -> Result<ExitCode> {
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
fn report_loss(args: &Arguments) -> Result<ExitCode> {
    let time = args.seconds.map(Duration::from_secs);
    let size = LossSize { time, ..args.size().1.loss };
    let losses = measure_loss(args, size, None)?;
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
fn measure_loss(args: &Arguments, size: LossSize, until: Option<Instant>) -> Result<Losses> {
    let folder = args.engine_dir.as_deref();
    let run = LossRun {
        engine: &find_program(folder, super::NAME)?,
        lab: &find_program(folder, LAB)?,
        log: &args.log(),
        table: args.table.as_deref(),
        size,
        stones: args.stones.as_deref(),
        games: args.games,
        threads: args.run.concurrency,
        until,
        progress: !args.run.quiet && !args.run.json,
    };
    run.measure()
}

/// Time for a move at the paper's budget: it has no other limit.
const LONGEST_MOVE: Duration = Duration::from_secs(100_000);

/// Plays the games at the paper's budget that are not yet in their log.
pub fn play_budget(args: &Arguments, until: Option<Instant>) -> Result<MatchOutcome> {
    let program = find_program(args.engine_dir.as_deref(), super::NAME)?;
    let openings = super::openings(find_game(super::NAME)?)?;
    let games = args.games.unwrap_or(PAPER_GAMES);
    let plan = super::budget_plan(&program, args.budget, games, openings.count());
    budget::refuse_former_order(&args.log())?;
    let mut run = args.run.clone();
    run.timeouts.think = run.timeouts.think.max(LONGEST_MOVE);
    let conduct = Conduct { run: &run, log: args.log(), until, scoreboard: None };
    let experiment = budget::experiment(args.budget);
    conduct::play(conduct, &plan, &Limit::default(), openings, experiment, super::NAME)
}

/// Trains, and plays the games that are not yet in the logs.
pub fn play(args: &Arguments, until: Option<Instant>) -> Result<MatchOutcome> {
    let (word, size) = args.size();
    let program = find_program(args.engine_dir.as_deref(), super::NAME)?;
    let log = args.log();
    let net = match &args.ntuple {
        Some(net) => net.clone(),
        None => trained(
            &find_program(args.engine_dir.as_deref(), LAB)?,
            &log.with_extension("ntuple"),
            &size,
        )?,
    };
    let net = net.canonicalize().with_context(|| net.display().to_string())?;
    let run = &args.run;
    let setting = |name: &str| Experiment {
        name: name.into(),
        settings: vec![Setting { name: "size".into(), value: word.into() }],
    };
    let play = |plan: &Plan, name: &str, log: PathBuf, run: &RunSettings| {
        let conduct = Conduct { run, log, until, scoreboard: None };
        let openings = super::openings(find_game(super::NAME)?)?;
        if !run.quiet && !run.json {
            let games: u64 = plan.pairings.iter().map(|p| p.games[0] + p.games[1]).sum();
            print_step(format_args!("{name}: {games} games"));
        }
        conduct::play(conduct, plan, &Limit::default(), openings, setting(name), super::NAME)
    };
    if run.shard.is_none() {
        let plan = super::thread_plan(&program, &size);
        let alone = RunSettings { concurrency: 1, ..run.clone() };
        let played = play(&plan, super::THREADS_NAME, super::threads_log(&log), &alone)?;
        if matches!(played.ended, RunEnd::Interrupted) {
            return Ok(played);
        }
        // A part of the time that is left, like every other section.
        let part = |until: Instant| {
            let now = Instant::now();
            now + until.saturating_duration_since(now).mul_f64(LOSS_SHARE)
        };
        measure_loss(args, size.loss, until.map(part))?;
    }
    let plan = super::main_plan(&program, &net, &size);
    play(&plan, super::NAME, log, run)
}

/// The network's file, trained if it does not exist.
fn trained(lab: &Path, file: &Path, size: &RunSize) -> Result<PathBuf> {
    if !file.exists() {
        print_step(format_args!("training an n-tuple network from {} random games", size.training));
        let mut command = Command::new(lab);
        command.args(["einstein", "train"]).arg(file).args(["--games", &size.training.to_string()]);
        finished(&mut command)?;
    }
    Ok(file.into())
}
