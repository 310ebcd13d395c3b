//! `referee verify`: replays the games of logs and checks every line; records go to `verify_records.rs`.

use super::flags::setting;
use super::{provenance, verify_records};
use agon_base::ordinal::Ordinal;
use agon_games::arbiter::GameKind;
use agon_matches::chance::{Chance, Secret, secret_path, section_secrets};
use agon_matches::games::find_game;
use agon_matches::openings::{OpeningChoice, OpeningOrder, Openings, OpeningsSource};
use agon_matches::progress::MatchProgress;
use agon_matches::verify::{GameChecker, GameLines, LogFindings};
use agon_matchlog::{LogEnd, MatchHeader, Section};
use agon_report::standings;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

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
    #[arg(long, value_name = "FILE|FIELDS", value_parser = OpeningsSource::parse)]
    openings: Option<OpeningsSource>,
    /// The file with the secret of logs that do not reveal it, such as those of shards
    #[arg(long, value_name = "FILE")]
    secret: Option<PathBuf>,
    /// Accept a match that is not finished
    #[arg(long)]
    partial: bool,
    /// A hash that somebody wrote down: a line of the log must have it; repeatable
    #[arg(long = "head", value_name = "HASH", value_parser = head)]
    heads: Vec<String>,
    /// A rule of the records' games that differs from the default; repeatable
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Print a JSON line per file
    #[arg(long)]
    json: bool,
}

/// What was verified in a log.
struct Verified {
    findings: LogFindings,
    progress: MatchProgress,
    seconds: f64,
    /// What could not be checked, and why.
    unchecked: Vec<String>,
    /// Why the log cannot be trusted as far as one of this format with its secret.
    weak: Vec<String>,
    /// What no check of the file could find.
    unknown: Vec<String>,
    /// What is known of its origin: resumptions, merged parts, and hashes that were found.
    remarks: Vec<String>,
    /// The hash of the last line.
    head: Option<String>,
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
        let (header, verified) = verify(args, log)?;
        sound &= verified.findings.defects.is_empty();
        checked &= verified.weak.is_empty();
        if args.json {
            println!("{}", verified.json(log));
        } else {
            verified.print(log, &header);
        }
    }
    Ok(match (sound, checked) {
        (false, _) => ExitCode::FAILURE,
        (true, false) => ExitCode::from(UNCHECKED),
        (true, true) => ExitCode::SUCCESS,
    })
}

fn verify(args: &Args, log: &Path) -> Result<(MatchHeader, Verified)> {
    let begin = Instant::now();
    let (header, mut games) = agon_matchlog::open(log)?;
    games.look_for(&args.heads);
    let kind = find_game(&header.game)?;
    let mut unchecked = Vec::new();
    let mut weak: Vec<String> = provenance::limits(header.agon_match_log);
    let chances = chances(args.secret.as_deref(), log, &header, games.ends())?;
    if chances.iter().any(Option::is_none) {
        weak.push(
            "the secret is not revealed (--secret FILE): dice and deals were not checked".into(),
        );
    }
    let openings = openings(args, &header, kind, &chances, &mut unchecked)?;
    let checker = GameChecker::new(&header, kind, chances);
    let lines = GameLines {
        header: &header,
        checker: &checker,
        openings: openings.iter().map(Option::as_ref).collect(),
        stop_early: false,
        partial: args.partial,
    };
    let mut progress = MatchProgress::new(&header)?;
    let mut findings = lines.verify(&mut games, &mut progress)?;
    let mut remarks = provenance::remarks(&games);
    for (hash, found) in games.looked_for() {
        match found {
            Some((line, games)) => remarks.push(provenance::found(hash, *line, *games)),
            None => findings.defects.push(provenance::missing(hash, &games, header.agon_match_log)),
        }
    }
    let unknown = provenance::unknown(&games, header.agon_match_log);
    if findings.tablebase_games > 0 {
        let n = findings.tablebase_games;
        unchecked.push(format!("{n} games ended by the tablebase, which was not asked again"));
    }
    let head = games.followed().map(|chain| chain.head().to_string());
    let seconds = begin.elapsed().as_secs_f64();
    let known = Verified { findings, progress, seconds, unchecked, weak, unknown, remarks, head };
    Ok((header, known))
}

/// The source of dice and deals of each section: the seed, the secret that the log reveals, or that of a
/// file.
///
/// # Errors
///
/// The secret is not the one that the log is committed to.
pub fn chances(
    secret: Option<&Path>,
    log: &Path,
    header: &MatchHeader,
    ends: &[Option<LogEnd>],
) -> Result<Vec<Option<Chance>>> {
    let sections = header.sections();
    if let Some(seed) = header.seed {
        let seeded = |section: Section| Some(Chance::seeded(seed, section.chance.shared));
        return Ok(sections.into_iter().map(seeded).collect());
    }
    let file = match secret {
        Some(path) => {
            let missing = || format!("secret file {}: it does not exist", path.display());
            Some(Secret::read(path)?.with_context(missing)?)
        }
        // The log of a match that was broken off.
        None => Secret::read(&secret_path(log))?,
    };
    let secrets = section_secrets(ends, file).with_context(|| log.display().to_string())?;
    let mut chances = Vec::new();
    for (section, secret) in sections.iter().zip(secrets) {
        let Some(secret) = secret else {
            chances.push(None);
            continue;
        };
        let chance = secret.opens(&section.chance);
        if chance.is_none() {
            let place = match section.first {
                0 => "the header".into(),
                first => format!("the continuation from game {} on", Ordinal::of_index(first)),
            };
            bail!(
                "{}: the secret is not the one that {place} is committed to: its SHA-256 is {}",
                log.display(),
                secret.commitment()
            );
        }
        chances.push(chance);
    }
    Ok(chances)
}

/// The openings of each section, where they are available.
fn openings(
    args: &Args,
    header: &MatchHeader,
    kind: GameKind,
    chances: &[Option<Chance>],
    unchecked: &mut Vec<String>,
) -> Result<Vec<Option<Openings>>> {
    let mut all = Vec::new();
    for (section, chance) in header.sections().iter().zip(chances) {
        let Some(entry) = &section.openings else {
            all.push(None);
            continue;
        };
        let source = args.openings.as_ref().map(|source| OpeningsSource {
            order: Some(if entry.order == "random" {
                OpeningOrder::Random
            } else {
                OpeningOrder::Sequential
            }),
            start: entry.start,
            plies: entry.plies,
            seed: entry.seed,
            ..source.clone()
        });
        let choice = source.map(OpeningChoice::File);
        let choice = choice.or(entry.random_plies().map(OpeningChoice::Random));
        let (Some(choice), Some(chance)) = (choice, chance) else {
            unchecked.push(format!(
                "openings: {} is not given (--openings FILE); both games of a pair have the same",
                entry.file
            ));
            all.push(None);
            continue;
        };
        let pairs = section.schedule.openings();
        let found = choice.resolve(kind, &header.rules, chance, pairs)?;
        if found.entry.as_ref().is_none_or(|e| e.sha256 != entry.sha256) {
            bail!("openings: {} is not the file of the match: another hash", entry.file);
        }
        all.push(Some(found));
    }
    unchecked.dedup();
    Ok(all)
}

impl Verified {
    fn rate(&self) -> f64 {
        60.0 * self.findings.games as f64 / self.seconds.max(1e-6)
    }

    fn print(&self, log: &Path, header: &MatchHeader) {
        let log = log.display();
        let LogFindings { defects, games, plies, .. } = &self.findings;
        for defect in defects.iter().take(SHOWN) {
            eprintln!("{log}:{}: {}", defect.line, defect.reason);
        }
        if defects.len() > SHOWN {
            eprintln!("{log}: {} more defects", defects.len() - SHOWN);
        }
        if defects.is_empty() {
            print!("{}", standings::tables(header, &self.progress));
        }
        for what in &self.remarks {
            println!("{log}: {what}");
        }
        for what in &self.unchecked {
            println!("{log}: not checked: {what}");
        }
        for what in &self.weak {
            println!("{log}: cannot be checked: {what}");
        }
        for what in &self.unknown {
            println!("{log}: no file can show: {what}");
        }
        if let Some(head) = &self.head {
            println!("{log}: hash of the last line: {head}");
        }
        let verdict = self.verdict();
        println!(
            "{log}: {verdict}; {games} games, {plies} plies in {:.2} s, {:.0} games per minute",
            self.seconds,
            self.rate()
        );
    }

    /// The verdict in a few words.
    fn verdict(&self) -> String {
        match self.findings.defects.len() {
            0 if self.weak.is_empty() => "no defect".into(),
            0 => "cannot be checked".into(),
            1 => "1 defect".into(),
            n => format!("{n} defects"),
        }
    }

    fn json(&self, log: &Path) -> Value {
        let defects = self.findings.defects.iter();
        json!({
            "log": log.display().to_string(),
            "games": self.findings.games,
            "plies": self.findings.plies,
            "seconds": self.seconds,
            "games_per_minute": self.rate(),
            "head": self.head,
            "verdict": self.verdict(),
            "unchecked": self.unchecked,
            "cannot_be_checked": self.weak,
            "unknown": self.unknown,
            "remarks": self.remarks,
            "defects": defects
                .map(|d| json!({ "line": d.line, "reason": d.reason }))
                .collect::<Vec<_>>(),
        })
    }
}
