//! `referee verify`: replays the games of logs and checks every line; records go to `verify_records.rs`.

use super::flags::setting;
use super::verify_records;
use agon_base::counted;
use agon_matches::openings::OpeningsSource;
use agon_matches::verify::{LogFindings, Verified, VerifySettings, verify_log};
use agon_report::standings;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Number of defects that are printed for a log.
const SHOWN: usize = 20;

/// Verify logs, or the records that teams hand in: replay every game and check every line
///
/// Every game is replayed by the rules of the match: moves, dice and deals, clocks, adjudication,
/// result and reason. Every line must be a game of the schedule, each once and none missing, and must
/// carry the hash of the line before. Each defect is printed with its line.
///
/// Files that are no logs are records in the form of China's national championship, in UTF-8 or GB18030
/// (GB2312): their moves must be legal, the result that of the board, and all records of one command line must
/// tell the same game, or the first difference is named by its ply.
///
/// What a file cannot tell is said after its checks. A hash that was written down at any time, of the last
/// line that the log had then, shows whether these lines are still in it: `--head HASH`.
///
/// Exit status: 0 no defect, 1 defects or an error, 3 no defect, but the log is of an old format, or its
/// secret is not revealed: it cannot be checked.
#[derive(clap::Args)]
pub struct Args {
    /// The logs, or the records
    #[arg(required = true, value_name = "FILE")]
    logs: Vec<PathBuf>,
    /// The openings file of the match; without it, only the openings that follow from chance or are the
    /// start position are compared
    #[arg(long, value_name = "FILE|FIELDS", value_parser = OpeningsSource::parse, help_heading = "Openings")]
    openings: Option<OpeningsSource>,
    /// The file with the secret of logs that do not reveal it, such as those of shards
    #[arg(long, value_name = "FILE", help_heading = "Chance")]
    secret: Option<PathBuf>,
    /// Accept a match that is not finished
    #[arg(long, help_heading = "Log")]
    partial: bool,
    /// A hash that somebody wrote down: a line of the log must have it; repeatable
    #[arg(long = "head", value_name = "HASH", value_parser = head, help_heading = "Log")]
    heads: Vec<String>,
    /// A rule of the records' games that differs from the default; repeatable
    #[arg(long = "rule", value_name = "NAME=VALUE", help_heading = "Game")]
    rules: Vec<String>,
    /// Print a JSON line per file
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The exit status if a log has no defect but cannot be checked.
const UNCHECKED: u8 = 3;

/// Reads the hash of a line.
fn head(text: &str) -> Result<String, String> {
    let fits = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
    fits.then(|| text.to_lowercase()).ok_or_else(|| "expected 32 hexadecimal digits".into())
}

/// Verifies the logs.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (records, logs): (Vec<_>, Vec<_>) =
        args.logs.iter().partition(|path| verify_records::is_record(path));
    let rules = args.rules.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>();
    let rules = rules.context("--rule")?;
    if records.is_empty() && !rules.is_empty() {
        bail!("--rule: only for records; a log says the rules of its match");
    }
    if !args.heads.is_empty() && (logs.len() != 1 || !records.is_empty()) {
        bail!("--head: give one log, to which the hash belongs");
    }
    let mut sound = verify_records::verify(&records, &rules, args.json)?;
    let mut checked = true;
    for log in logs {
        let verified = verify_log(log, &args.settings())?;
        sound &= verified.findings.defects.is_empty();
        checked &= verified.weak.is_empty();
        if args.json {
            println!("{}", json(log, &verified));
        } else {
            print(log, &verified);
        }
    }
    Ok(match (sound, checked) {
        (false, _) => ExitCode::FAILURE,
        (true, false) => ExitCode::from(UNCHECKED),
        (true, true) => ExitCode::SUCCESS,
    })
}

impl Args {
    fn settings(&self) -> VerifySettings {
        VerifySettings {
            openings: self.openings.clone(),
            secret: self.secret.clone(),
            partial: self.partial,
            heads: self.heads.clone(),
        }
    }
}

/// Games per minute.
fn rate(verified: &Verified) -> f64 {
    60.0 * verified.findings.games as f64 / verified.seconds.max(1e-6)
}

fn print(log: &Path, verified: &Verified) {
    let log = log.display();
    let LogFindings { defects, games, plies, .. } = &verified.findings;
    for defect in defects.iter().take(SHOWN) {
        eprintln!("{log}:{}: {}", defect.line, defect.reason);
    }
    if defects.len() > SHOWN {
        eprintln!("{log}: {} more defects", defects.len() - SHOWN);
    }
    if defects.is_empty() {
        print!("{}", standings::tables(&verified.header, &verified.progress));
    }
    for what in &verified.remarks {
        println!("{log}: {what}");
    }
    for what in &verified.unchecked {
        println!("{log}: not checked: {what}");
    }
    for what in &verified.weak {
        println!("{log}: cannot be checked: {what}");
    }
    for what in &verified.unknown {
        println!("{log}: no file can show: {what}");
    }
    if let Some(head) = &verified.head {
        println!("{log}: hash of the last line: {head}");
    }
    println!(
        "{log}: {}; {games}, {plies} in {:.2} s, {:.0} games per minute",
        verified.verdict(),
        verified.seconds,
        rate(verified),
        games = counted(games, "game"),
        plies = counted(plies, "ply")
    );
}

fn json(log: &Path, verified: &Verified) -> Value {
    let defects = verified.findings.defects.iter();
    json!({
        "log": log.display().to_string(),
        "games": verified.findings.games,
        "plies": verified.findings.plies,
        "seconds": verified.seconds,
        "games_per_minute": rate(verified),
        "head": verified.head,
        "verdict": verified.verdict(),
        "unchecked": verified.unchecked,
        "cannot_be_checked": verified.weak,
        "unknown": verified.unknown,
        "remarks": verified.remarks,
        "defects": defects
            .map(|d| json!({ "line": d.line, "reason": d.reason }))
            .collect::<Vec<_>>(),
    })
}
