//! `referee check`: tests an engine against the protocol, one verdict per line, or with `--event` before an
//! event.

use super::flags::GameFlags;
use super::preflight::{Preflight, PreflightStep};
use agon_base::language::{Language, current};
use agon_engine::check::{CheckVerdict, EngineUnderTest, Finding, names};
use agon_engine::driver::Timeouts;
use agon_engine::{EngineSpec, interrupted};
use agon_games::phrase::{Phrase, phrase};
use agon_matches::events;
use agon_matchlog::Limit;
use agon_report::width::padded;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Test whether an engine follows its protocol
///
/// Handshake, options, readiness, legal moves in odd positions and whole games, limits, clocks, `stop`,
/// nonsense lines, the end of input, `quit`. Prints one verdict per check; the exit status is 0 if none
/// failed, 130 if interrupted, and 1 otherwise.
///
/// With `--event`, the preflight before an event instead: the engine plays whole games against itself under
/// the event's clock, is killed in the middle of one and must resume on what its clock has left; disk, power
/// and the record in the event's form are checked. The last line is READY, or NOT READY with the reasons.
#[derive(clap::Args)]
pub struct Args {
    /// The engine, as after --engine: a command line, or key=value fields such as
    /// `cmd=./amazons,dialect=uci,option.Hash=16`
    engine: String,
    /// Game to play; an event knows its game
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present = "event",
        conflicts_with = "event",
        help_heading = "Game"
    )]
    game: Option<String>,
    /// Rule that differs from the game's default; repeatable
    #[arg(
        long = "rule",
        value_name = "NAME=VALUE",
        conflicts_with = "event",
        help_heading = "Game"
    )]
    rules: Vec<String>,
    /// The event: a preset of `referee events`, or a file of one's own
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "only", help_heading = "Event")]
    event: Option<String>,
    /// With --event: the clocks run this many times as long, such as 0.05 for a quick run
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        requires = "event",
        help_heading = "Event"
    )]
    scale: f64,
    /// With --event: number of whole games
    #[arg(long, value_name = "N", default_value_t = 2, requires = "event", value_parser = clap::value_parser!(u64).range(1..=99), help_heading = "Event")]
    games: u64,
    /// With --event: the folder in which the records of the event will be written
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = ".",
        requires = "event",
        help_heading = "Event"
    )]
    folder: PathBuf,
    /// Run only this check; may be repeated
    #[arg(long, value_name = "CHECK", help_heading = "Checks")]
    only: Vec<String>,
    /// Print JSON lines: one per check, then a summary
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Time margin in milliseconds
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 100,
        help_heading = "Checks",
        hide_short_help = true
    )]
    margin: u64,
    /// Timeout in seconds for starting and for `isready`
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 20,
        help_heading = "Checks",
        hide_short_help = true
    )]
    ready_time: u64,
    /// Timeout in seconds for `quit`
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 2,
        help_heading = "Checks",
        hide_short_help = true
    )]
    grace_time: u64,
}

/// Runs the checks.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(event) = &args.event {
        return preflight(&args, event);
    }
    let game = GameFlags { game: args.game.unwrap_or_default(), rules: args.rules };
    let (kind, rules) = game.resolve()?;
    for name in &args.only {
        if !names().any(|n| n == name) {
            let names = names().collect::<Vec<_>>().join(", ");
            bail!(phrase!("--only `{name}`: expected one of {names}", name, names));
        }
    }
    let entry = EngineSpec::parse(&args.engine)?.entry(&Limit::default()).context("ENGINE")?;
    let (name, dialect) = (entry.name.clone(), entry.dialect.clone());
    let timeouts = timeouts(args.ready_time, args.grace_time);
    let margin = Duration::from_millis(args.margin);
    let subject = EngineUnderTest::new(entry, kind, rules, timeouts, margin)?;
    subject.check_fields()?;
    let mut tally = StepTally::default();
    let wanted = |check: &str| args.only.is_empty() || args.only.iter().any(|n| n == check);
    let passed = subject.run(wanted, |finding| {
        tally.count(finding);
        if args.json {
            println!("{}", json(finding));
        } else {
            print!("{}", text(finding));
        }
    });
    if interrupted() {
        bail!(phrase!("interrupted"));
    }
    if args.json {
        let sum = serde_json::json!({
            "event": "sum", "engine": name, "game": kind.name, "dialect": dialect,
            "passed": passed, "ok": tally.good, "remarks": tally.remarks,
            "skipped": tally.skipped, "failed": tally.failed,
        });
        println!("{sum}");
    } else {
        println!("{name}, {}, {dialect}: {tally}", kind.name);
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn timeouts(ready: u64, grace: u64) -> Timeouts {
    let (ready, grace) = (Duration::from_secs(ready), Duration::from_secs(grace));
    Timeouts { ready, grace, ..Timeouts::default() }
}

/// The preflight before an event.
fn preflight(args: &Args, event: &str) -> Result<ExitCode> {
    let event = events::find(event).context("--event")?;
    if !(0.001..=10.0).contains(&args.scale) {
        bail!(phrase!("--scale {text}: expected a factor from 0.001 to 10", text = args.scale));
    }
    let limit = event.limit(args.scale, args.margin);
    let mut entry = EngineSpec::parse(&args.engine)?.entry(&limit).context("ENGINE")?;
    // As at the desk, the fields set all limits but the clock.
    let Limit { move_ms, depth, nodes, .. } = entry.limit;
    entry.limit = Limit { move_ms, depth, nodes, ..limit };
    let timeouts = timeouts(args.ready_time, args.grace_time);
    let (rules, margin) = (event.rules.clone(), Duration::from_millis(args.margin));
    EngineUnderTest::new(entry.clone(), event.kind, rules, timeouts, margin)?.check_fields()?;
    let (name, clock) = (event.name.clone(), event.clock_text());
    let (title, title_zh) = (event.title.clone(), event.title_zh.clone());
    let time_ms = entry.limit.clock.as_ref().map_or(0, |c| c.time_ms);
    if !args.json {
        let most = 2 * time_ms * (args.games + 1) / 60_000 + 1;
        let title = if current() == Language::Chinese { &title_zh } else { &title };
        let scale = args.scale;
        shown(&phrase!(
            "{name} ({title}), {clock} per side, clocks x {scale}: at most about {n} min",
            name = name.as_str(),
            title,
            clock,
            scale,
            n = most
        ));
    }
    let folder = args.folder.clone();
    let preflight = Preflight { event, entry, timeouts, games: args.games, folder };
    let mut wrong = Vec::new();
    let ready = preflight.run(|step| {
        if step.verdict == CheckVerdict::Failed {
            wrong.push(step.name);
        }
        if args.json {
            println!("{}", json(&finding(step)));
        } else {
            print!("{}", step_text(step));
        }
    });
    let ready = ready?;
    wrong.dedup();
    if args.json {
        let sum = serde_json::json!({ "event": "sum", "preset": name, "ready": ready, "not_ready": wrong });
        println!("{sum}");
    } else if ready {
        shown(&phrase!("READY"));
    } else {
        let names: Vec<_> = wrong.iter().map(|name| word("step", name)).collect();
        shown(&phrase!("NOT READY: {names}", names = names.join(", ")));
    }
    Ok(if ready { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints a line in the user's language.
fn shown(text: &Phrase) {
    println!("{}", current().say(text));
}

/// The name of a step or a verdict in the user's language.
fn word(kind: &str, name: &'static str) -> &'static str {
    current().of_key(&format!("({kind}) {name}")).unwrap_or(name)
}

/// A step in the user's language, as [`text`] has a finding.
fn step_text(step: &PreflightStep) -> String {
    let verdict = padded(word("verdict", step.verdict.name()), 8);
    let detail = current().say(&step.detail).replace('\n', &format!("\n{:24}", ""));
    format!("{verdict} {} {detail}\n", padded(word("step", step.name), 14))
}

/// A step as the line of a check.
fn finding(step: &PreflightStep) -> Finding {
    Finding {
        check: step.name,
        verdict: step.verdict,
        detail: step.detail.to_string(),
        time: Duration::ZERO,
    }
}

#[derive(Default)]
struct StepTally {
    good: u32,
    remarks: u32,
    skipped: u32,
    failed: u32,
}

impl StepTally {
    fn count(&mut self, finding: &Finding) {
        *match finding.verdict {
            CheckVerdict::Passed => &mut self.good,
            CheckVerdict::Remark => &mut self.remarks,
            CheckVerdict::Skipped => &mut self.skipped,
            CheckVerdict::Failed => &mut self.failed,
        } += 1;
    }
}

impl std::fmt::Display for StepTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let StepTally { good, remarks, skipped, failed } = self;
        write!(f, "{good} ok, {remarks} with remarks, {skipped} skipped, {failed} failed")
    }
}

/// A human-readable line; the engine's output goes below it.
fn text(finding: &Finding) -> String {
    let detail = finding.detail.replace('\n', &format!("\n{:24}", ""));
    format!("{:8} {:14} {detail}\n", finding.verdict.name(), finding.check)
}

fn json(finding: &Finding) -> serde_json::Value {
    serde_json::json!({
        "event": "check",
        "check": finding.check,
        "verdict": finding.verdict.name().to_lowercase(),
        "detail": finding.detail,
        "ms": u64::try_from(finding.time.as_millis()).unwrap_or(u64::MAX),
    })
}
