//! `referee reproduce amazons`: plays the match and reports on it.

use super::claims::ENOUGH_GAMES;
use super::table_one::{TableOne, brief, filled};
use super::{
    FittingDepth, NAME, OpeningSet, PAPER_GAMES, PAPER_MOVE_MS, QUICK_GAMES, QUICK_MOVE_MS,
    QUICK_SECONDS, ROUNDS, Reading, fitting, fitting_of,
};
use crate::conduct::{self, Conduct};
use crate::engine::{find_program, print_step};
use crate::publish::{check_page, write_page};
use agon_claims::report::grouped;
use agon_matches::games::find_game;
use agon_matches::run_settings::RunSettings;
use agon_matches::session::{MatchOutcome, working_log};
use agon_report::command_line::command_line;
use agon_report::outcome;
use agon_report::plot::standalone;
use agon_stats::Wilson;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run of the experiment.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The paper's number of games and time per move, not those of the quick run.
    pub full: bool,
    /// The readings of the paper.
    pub readings: Vec<Reading>,
    /// Depth of the reading `fitting` in plies; `None`: it is measured.
    pub fitting_depth: Option<u32>,
    /// Only measure that depth.
    pub measure: bool,
    /// The openings.
    pub openings: OpeningSet,
    /// Time per move in milliseconds; `None`: that of the size.
    pub move_ms: Option<u64>,
    /// Number of games of each reading; `None`: that of the size.
    pub games: Option<u64>,
    /// The folder of the engine program; `None`: the referee's folder.
    pub engine_dir: Option<PathBuf>,
    /// The match log; `None`: named after time and games.
    pub log: Option<PathBuf>,
    /// The page; `None`: named after the log.
    pub out: Option<PathBuf>,
    /// The chart of the games won, if a file is wanted.
    pub picture: Option<PathBuf>,
    /// How the match is run.
    pub run: RunSettings,
}

impl Arguments {
    fn move_ms(&self) -> u64 {
        self.move_ms.unwrap_or(if self.full { PAPER_MOVE_MS } else { QUICK_MOVE_MS })
    }

    fn games(&self) -> [u64; 2] {
        match self.games {
            Some(n) => [n.div_ceil(2), n / 2],
            None if self.full => PAPER_GAMES,
            None => QUICK_GAMES,
        }
    }

    /// Keeps the quick run within its time even if games take longer than expected.
    fn until(&self) -> Option<Instant> {
        let seconds = Duration::from_secs(QUICK_SECONDS);
        let bounded = !self.full && self.games.is_none() && self.move_ms.is_none();
        bounded.then(|| Instant::now() + seconds)
    }

    /// Table 1, for a pipe with a row after each round; see [`ROUNDS`].
    fn table(&self, piped: bool) -> TableOne {
        let (readings, [first, second]) = (self.readings.clone(), self.games());
        let every = 2 * readings.len() as u64 * first.min(second).div_ceil(ROUNDS);
        TableOne { readings, every, piped: piped && self.run.shard.is_none() }
    }

    /// What few games cannot tell, and how the whole experiment is run.
    fn whole(&self) -> String {
        let games: u64 = self.games().iter().sum();
        let mut text = String::new();
        if let Some(w) = Wilson::new(games, games).filter(|_| games < ENOUGH_GAMES) {
            text = filled(&format!(
                "{games} games of a reading tell little: after {games} wins of {games} the rate may \
                 still be {:.0}%. Every claim about the games stays undecided below {ENOUGH_GAMES} games \
                 at {PAPER_MOVE_MS} ms per move.",
                100.0 * w.low
            ));
        }
        text += &filled(&format!(
            "The whole experiment has {} games at {PAPER_MOVE_MS} ms per move in each reading: about \
             two days of processor time. The same command resumes it, and --shard K/N splits it over \
             machines:",
            grouped(PAPER_GAMES.iter().sum::<u64>()),
        ));
        let program = std::env::args().next().unwrap_or_else(|| "referee".into());
        text + &format!("  {program} reproduce amazons --full")
    }

    fn log(&self) -> PathBuf {
        if let Some(log) = &self.log {
            return log.clone();
        }
        let reading = match self.readings == Reading::ALL {
            true => String::new(),
            false => self.readings.iter().map(|r| format!("-{}", r.name())).collect(),
        };
        let shard = self.run.shard.map_or(String::new(), |s| format!("-{}-of-{}", s.part, s.of));
        let (ms, games) = (self.move_ms(), self.games().iter().sum::<u64>());
        let openings = self.openings.suffix();
        format!("amazons{reading}{openings}-{ms}ms-{games}{shard}.jsonl").into()
    }
}

/// Plays the experiment and writes its report.
pub fn run(args: &Arguments) -> Result<ExitCode> {
    if args.measure {
        let program = find_program(args.engine_dir.as_deref(), NAME)?;
        let found = measure(args, &program, args.move_ms())?;
        println!("{}", found.evidence);
        println!("--fitting-depth {}", found.depth);
        return Ok(ExitCode::SUCCESS);
    }
    let log = args.log();
    let page = conduct::page_of(&log, args.out.as_deref());
    for page in [&page].into_iter().chain(&args.picture) {
        check_page(page, Some(&log))?;
    }
    let played = play(args, args.until(), true)?;
    let code = match args.run.json || args.run.shard.is_some() {
        true => conduct::conclude(&played, super::report, &args.run, args.out.as_deref())?,
        false => conclude(args, &played, &page)?,
    };
    if let Some(path) = &args.picture {
        let report = conduct::report(&played, super::report, "")?;
        let (chart, _) = report.figures.first().context("the report has no figure")?;
        write_page(path, &standalone(&chart.svg()))?;
    }
    Ok(code)
}

/// Prints the result on one screen, writes the page, and says how the whole experiment is run.
fn conclude(args: &Arguments, played: &MatchOutcome, page: &Path) -> Result<ExitCode> {
    let report = conduct::report(played, super::report, &command_line())?;
    print!("{}", brief(&report, &args.table(false), &played.progress));
    write_page(page, &report.html())?;
    println!("\npage, with the figures and the evidence for each verdict: {}", page.display());
    if !args.full {
        println!("\n{}", args.whole());
    }
    Ok(outcome::explain(played))
}

/// Plays the games that are not yet in the log. Table 1 is shown on a terminal; in a pipe it is
/// printed row by row if `piped`.
pub fn play(args: &Arguments, until: Option<Instant>, piped: bool) -> Result<MatchOutcome> {
    let (ms, games, readings) = (args.move_ms(), args.games(), &args.readings);
    let program = find_program(args.engine_dir.as_deref(), NAME)?;
    let (log, run) = (args.log(), &args.run);
    let fitting = match readings.contains(&Reading::Fitting) {
        true => Some(fitting_depth(args, &program, &log, ms)?),
        false => None,
    };
    let plan = super::plan(&program, readings, fitting.as_ref(), games);
    let experiment = super::experiment(readings, fitting.as_ref());
    let openings = super::openings(args.openings, find_game(NAME)?)?;
    let table = args.table(piped);
    let conduct = Conduct { run, log, until, scoreboard: Some(&table) };
    announce(args, readings.len() as u64 * (games[0] + games[1]), ms, run.concurrency);
    conduct::play(conduct, &plan, &super::limit(ms), openings, experiment, NAME)
}

/// The depth given by a flag, found by the run that began the log, or measured now.
fn fitting_depth(args: &Arguments, program: &Path, log: &Path, ms: u64) -> Result<FittingDepth> {
    if let Some(depth) = args.fitting_depth {
        return Ok(FittingDepth { depth, evidence: "given by --fitting-depth".into() });
    }
    let begun = working_log(log, args.run.shard);
    if begun.exists() {
        let (header, _) = agon_matchlog::open(&begun)?;
        if let Some(known) = fitting_of(&header) {
            return Ok(known);
        }
    }
    if args.run.shard.is_some() {
        bail!(
            "--shard: all parts need the same depth for the reading `fitting`: run `referee \
             reproduce amazons --measure` with the same time per move once, and give all parts the \
             --fitting-depth that it prints"
        );
    }
    measure(args, program, ms)
}

fn measure(args: &Arguments, program: &Path, ms: u64) -> Result<FittingDepth> {
    let kind = find_game(NAME)?;
    let context = Arc::new(args.run.context(NAME, &[])?);
    let openings = super::openings(args.openings, kind)?;
    let found = fitting::measure(program, kind, &context, &openings, ms)?;
    if !args.run.quiet && !args.run.json {
        print_step(format_args!("the depth that fits: {}; {}", found.depth, found.evidence));
    }
    Ok(found)
}

fn announce(args: &Arguments, games: u64, ms: u64, concurrency: usize) {
    if args.run.quiet || args.run.json {
        return;
    }
    let games = games / args.run.shard.map_or(1, |s| s.of);
    // A random opening and then about 70 plies are the maximum length of a game.
    let hours = (games * 70 * ms) as f64 / 3_600_000.0 / concurrency.max(1) as f64;
    let names: Vec<&str> = args.readings.iter().map(|r| r.name()).collect();
    print_step(format_args!(
        "PVS against alpha-beta: {games} games at {ms} ms per move, {concurrency} at a time, \
         readings {}: at most about {}",
        names.join(", "),
        if hours < 1.0 {
            format!("{:.0} minutes", 60.0 * hours)
        } else {
            format!("{hours:.1} hours")
        }
    ));
}
