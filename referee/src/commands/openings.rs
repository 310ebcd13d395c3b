//! `referee openings`: makes a file of opening positions that records how it was made.

use super::flags::{GameFlags, LimitFlags};
use agon_base::counted;
use agon_engine::EngineSpec;
use agon_engine::driver::{Driver, EngineContext, Timeouts};
use agon_matches::chance::Chance;
use agon_matches::openings::generate::{Balance, GeneratedOpenings, Recipe, Shortage};
use agon_report::command_line::command_line;
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Make a file of opening positions
///
/// Each position is reached by N random legal plies from the start position; no two are equal. With
/// an engine, only positions whose evaluation is inside the window are kept.
#[derive(clap::Args)]
#[command(override_usage = "referee openings --game <NAME> --plies <N> --count <N> --out <FILE>")]
pub struct Args {
    #[command(flatten)]
    game: GameFlags,
    /// Number of random plies before the position
    #[arg(long, value_name = "N", help_heading = "Openings")]
    plies: u32,
    /// Number of positions
    #[arg(long, value_name = "N", help_heading = "Openings")]
    count: usize,
    /// Seed of the random plies
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    seed: u64,
    /// The engine that evaluates positions, with fields as in `referee match --engine`
    #[arg(long, value_name = "FIELDS", requires = "window", help_heading = "Engines")]
    engine: Option<String>,
    /// Maximum absolute evaluation of a position in centipawns
    #[arg(long, value_name = "CENTI", requires = "engine", help_heading = "Engines")]
    window: Option<u32>,
    /// Fields that replace those of the engine; set for the engine of a --config file
    #[arg(long = "override", value_name = "FIELDS", hide = true)]
    overrides: Vec<String>,
    #[command(flatten)]
    limits: LimitFlags,
    /// Number of concurrent engines
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, help_heading = "Machine")]
    concurrency: usize,
    /// The output file
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    out: PathBuf,
}

/// Makes the file.
pub fn run(args: Args) -> Result<ExitCode> {
    let (kind, rules) = args.game.resolve()?;
    let common = Arc::new(EngineContext::new(kind.name, rules, Timeouts::default()));
    let mut engine_name = None;
    let balance = match (&args.engine, args.window) {
        (Some(text), Some(window)) => {
            let overrides = EngineSpec::parse_shared(&args.overrides.join(","))?;
            let engine =
                EngineSpec::parse(text)?.overridden(&overrides).entry(&args.limits.resolve()?)?;
            if engine.limit.clock.is_some() || engine.limit.is_unbounded() {
                bail!("--engine: bound it with --depth, --nodes or --movetime");
            }
            engine_name = own_name(&engine, &common)?;
            let window = i32::try_from(window).context("--window: too wide")?;
            Some(Balance { engine, window, concurrency: args.concurrency })
        }
        _ => None,
    };
    let chance = Chance::seeded(args.seed, true);
    let recipe = Recipe { kind, plies: args.plies, count: args.count, chance, balance };
    let bar = progress_bar(args.count as u64);
    let made = recipe.generate(&common, Shortage::Refuse, |n| bar.set_position(n as u64))?;
    bar.finish_and_clear();
    let text = render(&recipe, args.seed, &made, engine_name.as_deref());
    std::fs::write(&args.out, text).with_context(|| args.out.display().to_string())?;
    println!(
        "{}: {} of {}",
        args.out.display(),
        counted(made.openings.len(), "position"),
        counted(made.candidates, "candidate")
    );
    Ok(ExitCode::SUCCESS)
}

/// The name that the engine reports.
fn own_name(
    engine: &agon_matchlog::EngineEntry,
    common: &Arc<EngineContext>,
) -> Result<Option<String>> {
    let mut driver = Driver::start(&Arc::new(engine.clone()), common)?;
    let name = driver.own_name.take();
    driver.quit();
    Ok(name)
}

fn progress_bar(count: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} positions [{bar:30}] ETA {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// The file's text: how it was made, then one position per line, followed by its evaluation.
fn render(
    recipe: &Recipe,
    seed: u64,
    made: &GeneratedOpenings,
    engine_name: Option<&str>,
) -> String {
    let mut text = format!(
        "# {} of {}: {} random plies from the start position, seed {}, each position once.\n",
        counted(made.openings.len(), "position"),
        recipe.kind.name,
        recipe.plies,
        seed
    );
    if let Some(balance) = &recipe.balance {
        let options: Vec<String> =
            balance.engine.options.iter().map(|o| format!("{}={}", o.name, o.value)).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "# Kept: value from -{w} to {w} centipawns, as {} ({}) sees it at {}; {} of {}. \
             The\n# value for the side to move stands behind each position.",
            engine_name.unwrap_or(&balance.engine.name),
            options.join(", "),
            balance.engine.limit,
            made.openings.len(),
            counted(made.candidates, "candidate"),
            w = balance.window,
        );
    }
    let _ = writeln!(text, "# Made by: {}", command_line());
    for opening in &made.openings {
        let moves = if opening.tokens.is_empty() { "" } else { " moves " };
        let _ = write!(text, "startpos{moves}{}", opening.tokens.join(" "));
        let _ = match opening.value {
            Some(value) => writeln!(text, " # {value}"),
            None => writeln!(text),
        };
    }
    text
}
