//! `referee reproduce amazons`: plays the match and reports on it.

use super::{NAME, PAPER_GAMES, PAPER_MOVE_MS, QUICK_GAMES, QUICK_SECONDS, Reading};
use crate::engine::limits;
use crate::matches::flags::{RunFlags, find_game};
use crate::matches::session::MatchOutcome;
use crate::matchlog::{Limit, Pairing};
use crate::papers::conduct::{self, Conduct, Plan};
use crate::papers::engine::{engine_program, say};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// PVS against alpha-beta in Amazons (Li, Li, Ran and Wang 2018): Table 1, figures 2 and 3
#[derive(clap::Args)]
pub struct Args {
    /// Run for at most five minutes on two cores: 60 games at 200 ms per move, 100 ms with
    /// deepening (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run the paper's 1,108 games at 1 s per move: about a day and a half of processor time
    #[arg(long)]
    full: bool,
    /// Reading of the paper, which does not specify how alpha-beta uses its clock
    #[arg(long, value_enum, default_value = "fixed")]
    reading: Reading,
    /// Time per move: milliseconds, or with a unit
    #[arg(long, value_name = "TIME")]
    movetime: Option<String>,
    /// Number of games, half of them with PVS first
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The folder of the engine program; default: the referee's folder
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

impl Args {
    fn move_ms(&self) -> Result<u64> {
        match &self.movetime {
            Some(text) => {
                let mut limit = Limit::default();
                limits::set(&mut limit, "movetime", text).context("--movetime")?;
                limit.move_ms.context("--movetime")
            }
            None if self.full => Ok(PAPER_MOVE_MS),
            None => Ok(self.reading.quick_move_ms()),
        }
    }

    fn games(&self) -> Result<[u64; 2]> {
        match self.games {
            Some(0) => bail!("--games: expected a whole number from 1"),
            Some(n) => Ok([n.div_ceil(2), n / 2]),
            None if self.full => Ok(PAPER_GAMES),
            None => Ok(QUICK_GAMES),
        }
    }

    /// Keeps the quick run within its time even if games take longer than expected.
    fn until(&self) -> Option<Instant> {
        let seconds = Duration::from_secs(QUICK_SECONDS);
        let bounded = !self.full && self.games.is_none() && self.movetime.is_none();
        bounded.then(|| Instant::now() + seconds)
    }
}

/// Plays the experiment and writes its report.
pub fn run(args: &Args) -> Result<ExitCode> {
    conduct::conclude(&play(args, args.until())?, &args.run, args.out.as_deref())
}

/// Plays the games that are not yet in the log.
pub(in crate::papers) fn play(args: &Args, until: Option<Instant>) -> Result<MatchOutcome> {
    let (ms, games) = (args.move_ms()?, args.games()?);
    // The paper has no loss on time, so machine load must not decide a game.
    let limit = Limit { move_ms: Some(ms), margin_ms: ms.max(2000), ..Limit::default() };
    let program = engine_program(args.engine_dir.as_deref(), NAME)?;
    let openings = super::openings(find_game(NAME)?)?;
    let plan = Plan {
        engines: super::engines(&program, args.reading, &limit).to_vec(),
        pairings: vec![Pairing { engines: [0, 1], games, ..Pairing::default() }],
    };
    let log = args.log.clone().unwrap_or_else(|| default_log(args, ms, games));
    let run = &args.run;
    let conduct = Conduct { run, concurrency: conduct::concurrency(run), log, until };
    announce(args, games[0] + games[1], ms, conduct.concurrency);
    conduct::play(conduct, &plan, &limit, openings, super::experiment(args.reading), NAME)
}

fn announce(args: &Args, games: u64, ms: u64, concurrency: usize) {
    if args.run.quiet || args.run.json {
        return;
    }
    let games = games / args.run.shard.map_or(1, |s| s.of);
    // A random opening and then about 70 plies are the maximum length of a game.
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

fn default_log(args: &Args, ms: u64, games: [u64; 2]) -> PathBuf {
    let shard = args.run.shard.map_or(String::new(), |s| format!("-{}-of-{}", s.part, s.of));
    let games = games[0] + games[1];
    format!("amazons-{}-{ms}ms-{games}{shard}.jsonl", args.reading.name()).into()
}
