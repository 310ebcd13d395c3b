//! `referee match`: plays two engines against each other, in pairs of games with sides swapped.

use super::conduct::Conduct;
use super::flags::{
    AdjudicationFlags, ChanceFlags, EngineFlags, GameFlags, LimitFlags, OpeningFlags, RunFlags,
    SwapFlag, default_log,
};
use agon_matches::openings::OpeningChoice;
use agon_matches::run_settings::RoundSettings;
use agon_matches::schedule::forms::games_of_each;
use agon_matchlog::Schedule;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

/// Play a match between two engines
///
/// Games come in pairs with the same opening, the same dice and swapped sides. Every finished game is
/// saved in the log at once; run the same command with the same log to resume.
///
/// Exit status: 0 complete, 5 complete but games were lost by faults, 1 an error or a match that
/// stopped and can be resumed, 130 interrupted.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameFlags,
    #[command(flatten)]
    engines: EngineFlags,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    openings: OpeningFlags,
    /// Number of games [default: 100]
    ///
    /// An even number makes complete pairs. With --until-width the default is 100000.
    #[arg(long, value_name = "N", help_heading = "Game")]
    games: Option<u64>,
    /// End the match once the Elo difference is known
    ///
    /// It ends when the 95% confidence sequence of the difference is at most ELO wide.
    #[arg(long, value_name = "ELO", help_heading = "Game")]
    until_width: Option<f64>,
    #[command(flatten)]
    swap: SwapFlag,
    #[command(flatten)]
    chance: ChanceFlags,
    #[command(flatten)]
    adjudication: AdjudicationFlags,
    /// The match log
    ///
    /// The default is GAME-ENGINE-ENGINE-SEED.jsonl.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

/// Plays the match.
pub fn run(args: Args) -> Result<ExitCode> {
    let (kind, rules) = args.game.resolve()?;
    let engines = args.engines.resolve(&args.limits.resolve()?)?;
    if engines.len() != 2 {
        bail!("a match is between two engines; {} given with --engine", engines.len());
    }
    let games = args.games.unwrap_or(if args.until_width.is_some() { 100_000 } else { 100 });
    if games == 0 {
        bail!("--games: expected a whole number from 1");
    }
    if args.until_width.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        bail!("--until-width: expected a number of Elo above 0, such as 10");
    }
    if args.until_width.is_some() && !args.swap.swap {
        bail!("--until-width: it is computed from pairs of games, but --swap no makes no pairs");
    }
    let conduct = Conduct {
        schedule: Schedule::of_two(games_of_each(games, args.swap.swap)),
        openings: args.openings.choice(OpeningChoice::Start)?,
        chance: args.chance.settings(true),
        adjudication: args.adjudication.resolve(kind)?,
        sprt: None,
        until_width: args.until_width,
        log: args.log.unwrap_or_else(|| default_log(kind.name, &engines, args.chance.seed)),
        round: RoundSettings::default(),
        run: args.run.settings(1)?,
        game: (kind, rules),
        engines,
    };
    conduct.play()
}
