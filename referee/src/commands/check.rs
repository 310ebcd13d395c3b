//! `referee check`: tests an engine against the protocol, one verdict per line.

use crate::engine::check::{EngineUnderTest, Finding, Verdict, names};
use crate::engine::driver::Timeouts;
use crate::engine::{EngineSpec, interrupted};
use crate::matches::flags::GameFlags;
use crate::matchlog::Limit;
use anyhow::{Context, Result, bail};
use std::process::ExitCode;
use std::time::Duration;

/// Test whether an engine follows its protocol
///
/// Handshake, options, readiness, legal moves in odd positions and whole games, limits, clocks, `stop`,
/// nonsense lines, the end of input, `quit`. Prints one verdict per check; the exit status is 0 if none
/// failed, 130 if interrupted, and 1 otherwise.
#[derive(clap::Args)]
pub struct Args {
    /// The engine, as after --engine: a command line, or key=value fields such as
    /// `cmd=./amazons,dialect=uci,option.Hash=16`
    engine: String,
    #[command(flatten)]
    game: GameFlags,
    /// Run only this check; may be repeated
    #[arg(long, value_name = "CHECK")]
    only: Vec<String>,
    /// Print JSON lines: one per check, then a summary
    #[arg(long)]
    json: bool,
    /// Time margin in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    margin: u64,
    /// Timeout in seconds for starting and for `isready`
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    ready_time: u64,
    /// Timeout in seconds for `quit`
    #[arg(long, value_name = "SECONDS", default_value_t = 2)]
    grace_time: u64,
}

/// Runs the checks.
pub fn run(args: Args) -> Result<ExitCode> {
    let (kind, rules) = args.game.resolve()?;
    for name in &args.only {
        if !names().any(|n| n == name) {
            bail!("--only `{name}`: expected one of {}", names().collect::<Vec<_>>().join(", "));
        }
    }
    let entry = EngineSpec::parse(&args.engine)?.entry(&Limit::default()).context("ENGINE")?;
    let (name, dialect) = (entry.name.clone(), entry.dialect.clone());
    let timeouts = Timeouts {
        ready: Duration::from_secs(args.ready_time),
        grace: Duration::from_secs(args.grace_time),
        ..Timeouts::default()
    };
    let margin = Duration::from_millis(args.margin);
    let subject = EngineUnderTest::new(entry, kind, rules, timeouts, margin)?;
    let mut tally = Tally::default();
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
        bail!("interrupted");
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

#[derive(Default)]
struct Tally {
    good: u32,
    remarks: u32,
    skipped: u32,
    failed: u32,
}

impl Tally {
    fn count(&mut self, finding: &Finding) {
        *match finding.verdict {
            Verdict::Passed => &mut self.good,
            Verdict::Remark => &mut self.remarks,
            Verdict::Skipped => &mut self.skipped,
            Verdict::Failed => &mut self.failed,
        } += 1;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { good, remarks, skipped, failed } = self;
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
