//! `referee tournament`: plays any number of engines in one of four formats.

use crate::matches::chance::ChanceFlags;
use crate::matches::flags::{
    AdjudicationFlags, EngineFlags, GameFlags, LimitFlags, OpeningFlags, RoundFlags, RunFlags,
    SwapFlag,
};
use crate::matches::schedule::forms::{Form, TournamentFormat};
use crate::matches::session::{Session, working_log};
use crate::matchlog::{Header, Schedule};
use crate::output::outcome;
use crate::web::play_match;
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play a tournament: round robin, gauntlet, knockout or Swiss
///
/// Engines are seeded in the order of the --engine flags. Each encounter has `--games` games, in
/// pairs with the same opening and swapped sides. A drawn knockout encounter is
/// extended by up to `--tiebreak` pairs; then the higher seed advances. A Swiss tournament pairs
/// engines of equal score and avoids rematches; a bye scores as a won encounter.
///
/// Exit status: 0 complete, 5 complete but games were lost by faults, 1 an error or a tournament that
/// stopped and can be resumed, 130 interrupted.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameFlags,
    #[command(flatten)]
    engines: EngineFlags,
    /// The format
    #[arg(long, value_enum, default_value = "round-robin")]
    form: Form,
    /// Games per encounter
    #[arg(long, value_name = "N", default_value_t = 2)]
    games: u64,
    /// Round robin and gauntlet: every two engines meet twice, with other openings and swapped
    /// sides
    #[arg(long)]
    double: bool,
    /// Gauntlet: the first K engines play all others
    #[arg(long, value_name = "K", default_value_t = 1)]
    seeds: usize,
    /// Swiss: number of rounds; default: the minimum that leaves a single unbeaten engine
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// Knockout: maximum number of tiebreak pairs in a drawn encounter
    #[arg(long, value_name = "PAIRS", default_value_t = 2)]
    tiebreak: u64,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    openings: OpeningFlags,
    #[command(flatten)]
    swap: SwapFlag,
    #[command(flatten)]
    chance: ChanceFlags,
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
    let frame = TournamentFormat {
        form: args.form,
        entrants: engines.len(),
        games: args.games,
        swap: args.swap.swap,
        cycles: if args.double { 2 } else { 1 },
        seeds: args.seeds,
        rounds: args.rounds,
        tiebreak_pairs: args.tiebreak,
    };
    let schedule = Schedule { opening_policy: args.openings.policy(), ..frame.schedule()? };
    let seed = args.chance.seed.map_or(String::new(), |seed| format!("-{seed}"));
    let log = args
        .log
        .clone()
        .unwrap_or_else(|| format!("{}-{}{seed}.jsonl", kind.name, schedule.form).into());
    let working = working_log(&log, args.run.shard);
    let chance = args.chance.resolve(&working, args.run.shard, &engines, false, &schedule)?;
    let openings = args.openings.of_sections(kind, &rules, &chance)?;
    openings.last().iter().for_each(|o| o.warn_about_repeats(&schedule));
    let header = Header {
        rules,
        shard: args.run.shard,
        adjudication: args.adjudication.resolve(kind)?,
        ..Header::new(kind.name, engines, schedule)
    };
    let header = chance.header(header, openings.iter().map(|o| o.entry.clone()))?;
    let run = &args.run;
    let session = Session {
        round: args.round.clone(),
        ..Session::new(header, kind, openings, chance, run, log)
    };
    Ok(outcome::conclude(&play_match(&session)?, run))
}
