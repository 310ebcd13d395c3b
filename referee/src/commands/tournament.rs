//! `referee tournament`: plays any number of engines in one of four formats.

use super::conduct::Conduct;
use super::flags::{
    AdjudicationFlags, ChanceFlags, EngineFlags, GameFlags, LimitFlags, OpeningFlags, RoundFlags,
    RunFlags, SwapFlag, choice,
};
use agon_matches::openings::OpeningChoice;
use agon_matches::schedule::forms::{Form, TournamentFormat};
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// The values of `--form`.
const FORMS: [(&str, &str, Form); 4] = [
    ("round-robin", "Every two engines meet", Form::RoundRobin),
    ("gauntlet", "The first engines, the seeds, meet all others", Form::Gauntlet),
    ("knockout", "Losers are eliminated", Form::Knockout),
    (
        "swiss",
        "Engines with equal points meet, without rematches while that is possible",
        Form::Swiss,
    ),
];

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
    #[arg(long, value_parser = choice(&FORMS), default_value = "round-robin", help_heading = "Tournament")]
    form: Form,
    /// Games per encounter
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Tournament")]
    games: u64,
    /// Round robin and gauntlet: every two engines meet twice
    ///
    /// The second time with other openings and swapped sides.
    #[arg(long, help_heading = "Tournament")]
    double: bool,
    /// Gauntlet: the first K engines play all others
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1,
        help_heading = "Tournament",
        hide_short_help = true
    )]
    seeds: usize,
    /// Swiss: number of rounds
    ///
    /// The default is the minimum that leaves a single unbeaten engine.
    #[arg(long, value_name = "N", help_heading = "Tournament")]
    rounds: Option<u64>,
    /// Knockout: most tiebreak pairs of a drawn encounter
    #[arg(
        long,
        value_name = "PAIRS",
        default_value_t = 2,
        help_heading = "Tournament",
        hide_short_help = true
    )]
    tiebreak: u64,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    openings: OpeningFlags,
    #[command(flatten)]
    swap: SwapFlag,
    #[command(flatten)]
    chance: ChanceFlags,
    #[command(flatten)]
    adjudication: AdjudicationFlags,
    /// The match log
    ///
    /// The default is GAME-FORM-SEED.jsonl.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    round: RoundFlags,
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
    let schedule = frame.schedule()?;
    let seed = args.chance.seed.map_or(String::new(), |seed| format!("-{seed}"));
    let log = || format!("{}-{}{seed}.jsonl", kind.name, schedule.form).into();
    let conduct = Conduct {
        openings: args.openings.choice(OpeningChoice::Start)?,
        chance: args.chance.settings(false),
        adjudication: args.adjudication.resolve(kind)?,
        sprt: None,
        until_width: None,
        log: args.log.unwrap_or_else(log),
        round: args.round.settings(),
        run: args.run.settings(1)?,
        game: (kind, rules),
        engines,
        schedule,
    };
    conduct.play()
}
