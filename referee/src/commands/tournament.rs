//! `referee tournament`: any number of engines, in every usual form.

use crate::matches::flags::{
    AdjudicationFlags, EngineFlags, GameFlags, LimitFlags, OpeningFlags, RoundFlags, RunFlags,
};
use crate::matches::schedule::forms::{Form, Frame};
use crate::matches::session::Session;
use crate::matchlog::{FORMAT, Header};
use crate::output::{live, outcome};
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play a tournament: round robin, gauntlet, knockout or Swiss
///
/// Engines are seeded in the order in which they are listed. A meeting is `--games` games, in pairs
/// with the same opening, the same dice and swapped sides. A knockout's meeting that is level is
/// prolonged by up to `--tiebreak` pairs; then the better seed goes on. In a Swiss tournament equals
/// meet, nobody twice while that is possible; who rests has the points of a meeting won.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameFlags,
    #[command(flatten)]
    engines: EngineFlags,
    /// The form
    #[arg(long, value_enum, default_value = "round-robin")]
    form: Form,
    /// Games of each meeting
    #[arg(long, value_name = "N", default_value_t = 2)]
    games: u64,
    /// Round robin and gauntlet: each two meet twice, with other openings and swapped sides
    #[arg(long)]
    double: bool,
    /// Gauntlet: the first K engines meet all others
    #[arg(long, value_name = "K", default_value_t = 1)]
    seeds: usize,
    /// Swiss: number of rounds; default: the least that can leave a single unbeaten engine
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// Knockout: pairs that are added at most while a meeting is level
    #[arg(long, value_name = "PAIRS", default_value_t = 2)]
    tiebreak: u64,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    openings: OpeningFlags,
    /// Seed of everything random that the referee does
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The match log; default: GAME-FORM-SEED.jsonl
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    round: RoundFlags,
    #[command(flatten)]
    adjudication: AdjudicationFlags,
    #[command(flatten)]
    run: RunFlags,
}

/// Plays the tournament.
pub fn run(args: Args) -> Result<ExitCode> {
    let (kind, rules) = args.game.resolve()?;
    let engines = args.engines.resolve(&args.limits.resolve()?)?;
    let frame = Frame {
        form: args.form,
        entrants: engines.len(),
        games: args.games,
        cycles: if args.double { 2 } else { 1 },
        seeds: args.seeds,
        rounds: args.rounds,
        tiebreak_pairs: args.tiebreak,
    };
    let schedule = frame.schedule()?;
    let openings = args.openings.resolve(kind, &rules, args.seed)?;
    let log = args
        .log
        .clone()
        .unwrap_or_else(|| format!("{}-{}-{}.jsonl", kind.name, schedule.form, args.seed).into());
    let header = Header {
        agon_match_log: FORMAT,
        referee: env!("CARGO_PKG_VERSION").into(),
        game: kind.name.into(),
        rules,
        engines,
        seed: args.seed,
        schedule,
        openings: openings.entry.clone(),
        shard: args.run.shard,
        experiment: None,
        sprt: None,
        adjudication: args.adjudication.resolve(kind)?,
    };
    let run = &args.run;
    let concurrency = run.concurrency.unwrap_or(1);
    let round = args.round.clone();
    let session = Session { header, kind, openings, run, concurrency, log, until: None, round };
    Ok(outcome::conclude(&live::play(&session)?, run))
}
