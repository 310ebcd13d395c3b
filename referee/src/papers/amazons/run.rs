//! `referee reproduce amazons`: plays the match and reports on it.

use super::{NAME, PAPER_GAMES, PAPER_MOVE_MS, QUICK_GAMES, QUICK_SECONDS, Reading};
use crate::engine::EngineSpec;
use crate::engine::limits;
use crate::matches::flags::{RoundFlags, RunFlags, find_game};
use crate::matches::session::Session;
use crate::matchlog::{Adjudication, FORMAT, Header, Limit, Pairing, Schedule};
use crate::output::report::ReportOptions;
use crate::output::{live, outcome};
use crate::papers::engine::{engine_program, say};
use crate::papers::page::{self, Kind};
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
    let until = args.until();
    let kind = find_game(NAME)?;
    let openings = super::openings(kind)?;
    let (ms, games) = (args.move_ms()?, args.games()?);
    // The paper has no loss on time, so machine load must not decide a game.
    let limit = Limit { move_ms: Some(ms), margin_ms: ms.max(2000), ..Limit::default() };
    let program = engine_program(args.engine_dir.as_deref(), NAME)?;
    let specs = super::engines(&program, args.reading, &limit);
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
        experiment: Some(super::experiment(args.reading)),
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
    let played = live::play(&session)?;
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

fn announce(args: &Args, header: &Header, ms: u64, concurrency: usize) {
    if args.run.quiet || args.run.json {
        return;
    }
    let games = header.scheduled_games() / args.run.shard.map_or(1, |s| s.of);
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
