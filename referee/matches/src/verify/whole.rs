//! All that can be checked in one log: its games, its chain, its chance and its openings; and what it tells of how it
//! came about, what it cannot tell, and what logs of older formats cannot.

use super::game::GameChecker;
use super::log::{Defect, GameLines, LogFindings};
use crate::chance::{Chance, Secret, secret_path, section_secrets};
use crate::games::find_game;
use crate::openings::{OpeningChoice, OpeningOrder, Openings, OpeningsSource};
use crate::progress::MatchProgress;
use agon_base::counted;
use agon_base::ordinal::Ordinal;
use agon_games::arbiter::GameKind;
use agon_matchlog::{LogEnd, LogGames, MatchHeader, Section};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is known besides the log.
#[derive(Clone, Debug, Default)]
pub struct VerifySettings {
    /// The openings file of the match; without it, only openings that follow from chance or are the start position are
    /// compared.
    pub openings: Option<OpeningsSource>,
    /// The file with the secret of a log that does not reveal it.
    pub secret: Option<PathBuf>,
    /// Whether games may be missing.
    pub partial: bool,
    /// Hashes that somebody wrote down: a line of the log must have each.
    pub heads: Vec<String>,
}

/// What was verified in a log.
pub struct Verified {
    /// The match.
    pub header: MatchHeader,
    /// Defects and counts.
    pub findings: LogFindings,
    /// The score of the games without a defect.
    pub progress: MatchProgress,
    /// How long it took.
    pub seconds: f64,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
    /// Why the log cannot be trusted as far as one of this format with its secret.
    pub weak: Vec<String>,
    /// What no check of the file could find.
    pub unknown: Vec<String>,
    /// What is known of its origin: resumptions, merged parts, and hashes that were found.
    pub remarks: Vec<String>,
    /// The hash of the last line.
    pub head: Option<String>,
}

impl Verified {
    /// The verdict in a few words.
    pub fn verdict(&self) -> String {
        match self.findings.defects.len() {
            0 if self.weak.is_empty() => "no defect".into(),
            0 => "cannot be checked".into(),
            1 => "1 defect".into(),
            n => counted(n, "defect"),
        }
    }
}

/// Verifies a log.
///
/// # Errors
///
/// Fails if it cannot be read, or if the secret or the openings are not those of the match. Defects are no error.
pub fn verify_log(log: &Path, settings: &VerifySettings) -> Result<Verified> {
    let begin = Instant::now();
    let (header, mut games) = agon_matchlog::open(log)?;
    games.look_for(&settings.heads);
    let kind = find_game(&header.game)?;
    let mut unchecked = Vec::new();
    let mut weak: Vec<String> = limits(header.agon_match_log);
    let chances = chances(settings.secret.as_deref(), log, &header, games.ends())?;
    if chances.iter().any(Option::is_none) {
        weak.push(
            "the secret is not revealed (--secret FILE): dice and deals were not checked".into(),
        );
    }
    let openings = openings(settings, &header, kind, &chances, &mut unchecked)?;
    let checker = GameChecker::new(&header, kind, chances);
    let lines = GameLines {
        header: &header,
        checker: &checker,
        openings: openings.iter().map(Option::as_ref).collect(),
        stop_early: false,
        partial: settings.partial,
    };
    let mut progress = MatchProgress::new(&header)?;
    let mut findings = lines.verify(&mut games, &mut progress)?;
    let mut remarks = remarks(&games);
    for (hash, place) in games.looked_for() {
        match place {
            Some((line, games)) => remarks.push(found(hash, *line, *games)),
            None => findings.defects.push(missing(hash, &games, header.agon_match_log)),
        }
    }
    let unknown = unknown(&games, header.agon_match_log);
    if findings.tablebase_games > 0 {
        let n = findings.tablebase_games;
        unchecked.push(format!(
            "{n} ended by the tablebase, which was not asked again",
            n = counted(n, "game")
        ));
    }
    let head = games.followed().map(|chain| chain.head().to_string());
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Verified { header, findings, progress, seconds, unchecked, weak, unknown, remarks, head })
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
    settings: &VerifySettings,
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
        let source = settings.openings.as_ref().map(|source| OpeningsSource {
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

/// How many resumptions and parts are listed.
const LISTED: usize = 10;

/// What logs of this format do not show, though those of the newest format do.
fn limits(format: u32) -> Vec<String> {
    let old = |what: &str| format!("the log has format {format}: {what}");
    let mut all = Vec::new();
    if format == 1 {
        all.push(old(
            "no chain shows lines that were changed or removed, no end line that the last ones are \
             missing, and chance follows from a seed that was known beforehand",
        ));
    }
    if format < 3 {
        all.push(old(
            "a referee that was stopped and resumed left no line, so games may have been removed before \
             it went on",
        ));
    }
    all
}

/// What the log says of its resumptions and of the logs that it was merged from.
fn remarks(games: &LogGames) -> Vec<String> {
    let mut all = Vec::new();
    let resumptions = games.resumptions();
    for (line, found) in resumptions.iter().take(LISTED) {
        let when = found.origin.as_ref().map_or(String::new(), |o| format!(", {}", o.started));
        let torn = found.discarded.as_ref().map_or(String::new(), |torn| {
            format!("; an incomplete line of {} was discarded", counted(torn.bytes, "byte"))
        });
        all.push(format!(
            "resumed after {} (line {line}{when}){torn}",
            counted(found.games, "game")
        ));
    }
    if let more @ 1.. = resumptions.len().saturating_sub(LISTED) {
        all.push(format!("resumed {more} more", more = counted(more, "time")));
    }
    for part in games.parts().iter().take(LISTED) {
        let shard = part.shard.map_or("a log".into(), |s| format!("part {}/{}", s.part, s.of));
        let (games, resumed, head) = (part.games, part.resumed, &part.head);
        let without = match part.left_out {
            0 => String::new(),
            n => format!(" without {n} of them"),
        };
        all.push(format!(
            "merged from {shard} of {games}{without}, resumed {resumed}, hash of its last line \
             {head}",
            games = counted(games, "game"),
            resumed = counted(resumed, "time")
        ));
    }
    if let more @ 1.. = games.parts().len().saturating_sub(LISTED) {
        all.push(format!("merged from {more} more", more = counted(more, "log")));
    }
    all
}

/// Says where a hash was found.
fn found(hash: &str, line: u64, games: u64) -> String {
    format!(
        "line {line} has the hash {hash}: it and all lines before it, with {games}, are those that \
         the log had when the hash was written down",
        games = counted(games, "game")
    )
}

/// The defect of a log without a line that has this hash.
fn missing(hash: &str, games: &LogGames, format: u32) -> Defect {
    let reason = if format == 1 {
        "--head: the log has format 1, whose lines have no hashes".into()
    } else if games.parts().iter().any(|part| part.head == hash) {
        format!(
            "no line has the hash {hash}; it was that of the last line of a log that was merged into \
             this one: give that log to verify"
        )
    } else {
        format!(
            "no line has the hash {hash}: the log is not the one from which it was taken, or lines were \
             changed or removed since"
        )
    };
    Defect { line: games.line(), reason }
}

/// What no check of the file could find.
fn unknown(games: &LogGames, format: u32) -> Vec<String> {
    let sure = games.looked_for().iter().filter_map(|(_, found)| *found).max();
    let rewritten = match sure {
        Some((line, _)) if line == games.line() => None,
        Some((line, _)) => Some(format!("whether lines after line {line} were made anew, or removed")),
        None if format == 1 => Some("whether lines were changed or removed".into()),
        None => Some(
            "whether all lines were made anew with a chain of their own, or the last ones removed before \
             others were added (--head HASH, a hash that somebody wrote down meanwhile, shows both)"
                .into(),
        ),
    };
    let never = "games that were played and never logged, among them whole matches with another log; and \
                 whether times, scores and faults, which nobody can play again, are those of the games";
    rewritten.into_iter().chain([never.to_string()]).collect()
}
