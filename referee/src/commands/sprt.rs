//! `referee sprt`: plays a match until a sequential test decides whether an engine is stronger.

use super::conduct::Conduct;
use super::flags::{
    AdjudicationFlags, ChanceFlags, GameFlags, LimitFlags, OpeningFlags, RoundFlags, RunFlags,
    SCALES, SharedFlags, choice, cores, default_log, engine_entries,
};
use super::provenance;
use agon_engine::EngineSpec;
use agon_matches::games::find_game;
use agon_matches::openings::OpeningChoice;
use agon_matches::parts::Parts;
use agon_matchlog::{EloScale, EngineEntry, Pairing, Schedule, SprtEntry, TestKind};
use agon_report::{sprt, standings, workers};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

/// The default time control: short enough for thousands of games, long enough for a real search.
const DEFAULT_CLOCK: &str = "10+0.1";
/// Random opening plies in games without chance if no openings are given.
const DEFAULT_PLIES: u32 = 4;

/// The values of `--test`.
const TESTS: [(&str, &str, TestKind); 2] = [
    ("sprt", "Sequential probability ratio test", TestKind::Sprt),
    (
        "betting",
        "Test by betting (an e-process): its error probabilities hold however often one looks",
        TestKind::Betting,
    ),
];

/// Test whether a new version of an engine is stronger, in as few games as possible
///
/// A sequential test of H0 (the Elo difference is ELO0) against H1 (it is ELO1), on pairs of games with
/// the same opening, the same dice and swapped sides. The first pair in schedule order that crosses a
/// bound decides the verdict, so it does not depend on the number of workers. `--test betting` keeps its
/// error probabilities even if one looks at any time, stops early, continues a stopped test or adds
/// machines, and finds a broken version within few pairs.
///
/// Exit status: 0 accepted (H1), 3 rejected (H0), 4 undecided after all games, 1 an error, 130
/// interrupted.
#[derive(clap::Args)]
#[command(args_override_self = true)]
pub struct Args {
    /// Game to play
    #[arg(long, value_name = "NAME", required_unless_present = "judge", help_heading = "Game")]
    game: Option<String>,
    /// Rule that differs from the game's default; repeatable
    #[arg(long = "rule", value_name = "NAME=VALUE", help_heading = "Game")]
    rules: Vec<String>,
    /// The new version: a command line or fields
    #[arg(
        long,
        value_name = "ENGINE",
        required_unless_present = "judge",
        help_heading = "Engines"
    )]
    new: Option<String>,
    /// The base version
    #[arg(
        long,
        value_name = "ENGINE",
        required_unless_present = "judge",
        help_heading = "Engines"
    )]
    base: Option<String>,
    #[command(flatten)]
    shared: SharedFlags,
    /// Elo difference under H0
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true,
        help_heading = "Test"
    )]
    elo0: f64,
    /// Elo difference under H1
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 10.0,
        allow_negative_numbers = true,
        help_heading = "Test"
    )]
    elo1: f64,
    /// Probability of accepting H1 when H0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, help_heading = "Test")]
    alpha: f64,
    /// Probability of accepting H0 when H1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, help_heading = "Test")]
    beta: f64,
    /// The kind of test: sprt or betting
    #[arg(long, hide_possible_values = true, value_parser = choice(&TESTS), default_value = "sprt", help_heading = "Test")]
    test: TestKind,
    /// The scale of ELO0 and ELO1
    #[arg(long, value_parser = choice(&SCALES), default_value = "logistic", help_heading = "Test", hide_short_help = true)]
    model: EloScale,
    /// Give every game its own opening and count single games (trinomial instead of pentanomial)
    #[arg(long, help_heading = "Test", hide_short_help = true)]
    unpaired: bool,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    openings: OpeningFlags,
    /// Maximum number of games
    ///
    /// The test then ends undecided; the same command with more games continues it.
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Game")]
    games: u64,
    #[command(flatten)]
    chance: ChanceFlags,
    #[command(flatten)]
    adjudication: AdjudicationFlags,
    /// The match log
    ///
    /// The default is GAME-new-base-SEED.jsonl.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    round: RoundFlags,
    /// Play no games: print the verdict of these logs, which are parts of one test
    #[arg(long, value_name = "LOG", num_args = 1.., conflicts_with_all = ["new", "base", "shard"], help_heading = "Machine", hide_short_help = true)]
    judge: Vec<PathBuf>,
}

/// Plays the test, or evaluates logs.
pub fn run(args: Args) -> Result<ExitCode> {
    if !args.judge.is_empty() {
        return judge(&args.judge, args.run.output.json);
    }
    let game = args.game.clone().context("--game is missing")?;
    let (kind, rules) = GameFlags { game, rules: args.rules.clone() }.resolve()?;
    let mut limits = args.limits.clone();
    if limits.resolve()?.is_unbounded() {
        limits.tc = Some(DEFAULT_CLOCK.into());
    }
    let engines = engines(&args, &limits)?;
    if args.games == 0 {
        bail!("--games: expected a whole number from 1");
    }
    let schedule = Schedule {
        form: "sprt".into(),
        pairings: vec![Pairing {
            engines: [0, 1],
            games: [args.games.div_ceil(2), args.games / 2],
            opening: 0,
            unpaired: args.unpaired,
        }],
        ..Schedule::default()
    };
    // Without openings two deterministic engines would repeat the same game.
    let usual =
        if kind.has_chance { OpeningChoice::Start } else { OpeningChoice::Random(DEFAULT_PLIES) };
    let log =
        args.log.clone().unwrap_or_else(|| default_log(kind.name, &engines, args.chance.seed));
    let conduct = Conduct {
        schedule,
        openings: args.openings.choice(usual)?,
        chance: args.chance.settings(true),
        adjudication: args.adjudication.resolve(kind)?,
        sprt: Some(SprtEntry {
            elo0: args.elo0,
            elo1: args.elo1,
            alpha: args.alpha,
            beta: args.beta,
            model: args.model,
            test: args.test,
        }),
        until_width: None,
        log,
        round: args.round.settings(),
        run: args.run.settings(cores())?,
        game: (kind, rules),
        engines,
    };
    conduct.play()
}

fn engines(args: &Args, limits: &LimitFlags) -> Result<Vec<EngineEntry>> {
    let spec = |flag: &str, text: &Option<String>| -> Result<EngineSpec> {
        let text = text.as_deref().with_context(|| format!("--{flag} is missing"))?;
        let mut spec = EngineSpec::parse(text).with_context(|| format!("--{flag}"))?;
        spec.name.get_or_insert_with(|| flag.into());
        Ok(spec)
    };
    let specs = vec![spec("new", &args.new)?, spec("base", &args.base)?];
    engine_entries(specs, &args.shared, &limits.resolve()?)
}

/// The verdict of logs that are parts of one test.
fn judge(logs: &[PathBuf], json: bool) -> Result<ExitCode> {
    let parts = Parts::read(logs, None)?;
    find_game(&parts.header.game)?;
    let Some(test) = &parts.progress.test else {
        bail!("{}: it is not the log of a sequential test", logs[0].display());
    };
    if json {
        let mut json = sprt::test_json(test);
        json["heads"] = provenance::heads(logs)?.into();
        json["estimate"] = test.estimate().map(|e| sprt::estimate_json(&e)).unwrap_or_default();
        json["workers"] = workers::json(&parts.progress.workers);
        println!("{json}");
    } else {
        print!("{}", standings::tables(&parts.header, &parts.progress));
        print!("{}", workers::text(&parts.header, &parts.progress.workers));
        provenance::print_heads(logs)?;
    }
    Ok(sprt::exit_code(test))
}
