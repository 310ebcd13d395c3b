//! Chooses where a match's chance comes from.

use super::secret::{Secret, secret_path};
use super::sections::{MatchChance, SectionChance, section_secrets};
use crate::machine::this_machine;
use agon_base::counted;
use agon_games::text::{excerpt, visible};
use agon_matchlog::{ChanceEntry, Contribution, EngineEntry, Origin, Schedule, Shard, now};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

/// The maximum length of a contribution in bytes.
const MAX_CONTRIBUTION: u64 = 4096;

/// Where dice, deals and random openings come from.
#[derive(Clone, Debug)]
pub struct ChanceSettings {
    /// Derive all chance from this number instead of a secret.
    pub seed: Option<u64>,
    /// The file that keeps the secret; `None`: LOG.secret.
    pub secret: Option<PathBuf>,
    /// Whether the two games of a pair have the same dice and the same deal.
    pub shared: bool,
    /// Mix one line per engine from standard input into the secret.
    pub contributions: bool,
}

impl ChanceSettings {
    /// Draws the secret of a new match or finds those of a match that is resumed; a match whose secret
    /// is revealed is continued with a new one. `log` is the file that the referee writes, `schedule`
    /// the games that are wanted.
    ///
    /// # Errors
    ///
    /// Fails if a match cannot be resumed because its secret is lost, and if the shards of a match
    /// would have different secrets.
    pub fn resolve(
        &self,
        log: &Path,
        shard: Option<Shard>,
        engines: &[EngineEntry],
        schedule: &Schedule,
    ) -> Result<MatchChance> {
        if shard.is_some() && self.secret.is_none() && self.seed.is_none() {
            bail!(
                "the shards of a match need one source of chance: give all of them --secret FILE \
                 (then `merge --secret FILE`), or --seed N, which makes chance foreseeable"
            );
        }
        if let Some(seed) = self.seed {
            eprintln!(
                "chance is foreseeable: dice, deals and random openings follow from --seed {seed}"
            );
        }
        let shared = self.shared;
        let path = self.secret.clone().unwrap_or_else(|| secret_path(log));
        let fresh = || self.fresh(&path, shared, engines, schedule);
        let mut earlier = self.begun(log, &path, shared)?;
        let own = self.secret.is_none() && self.seed.is_none();
        if own && path.exists() && !log.exists() {
            let (log, path) = (log.display(), path.display());
            bail!(
                "{log} is missing, but {path} holds the secret of a match that is not finished: put the \
                 log back to resume it, or remove {path} to begin another match"
            );
        }
        let now = match earlier.pop() {
            None => fresh()?,
            Some(last) if last.schedule == *schedule => last,
            Some(last) if schedule.extends(&last.schedule) => {
                let same = || SectionChance { schedule: schedule.clone(), ..last.clone() };
                let next = if last.revealed { fresh()? } else { same() };
                let origin = Origin { started: now(), machines: vec![this_machine()] };
                earlier.push(last);
                SectionChance { origin: Some(origin), ..next }
            }
            Some(last) if !earlier.is_empty() => bail!(
                "{}: the match was continued to {}, {} are wanted: give at least as many (--games)",
                log.display(),
                counted(last.schedule.games(), "game"),
                schedule.games()
            ),
            // What differs is said when the log is opened.
            Some(last) => SectionChance { schedule: schedule.clone(), ..last },
        };
        let kept = self.seed.is_none().then(|| (path.clone(), shard.is_some()));
        Ok(MatchChance { seed: self.seed, earlier, now, kept })
    }

    /// The first section of a match, or one with a new secret.
    fn fresh(
        &self,
        path: &Path,
        shared: bool,
        engines: &[EngineEntry],
        schedule: &Schedule,
    ) -> Result<SectionChance> {
        if let Some(seed) = self.seed {
            return Ok(SectionChance::seeded(seed, shared, schedule));
        }
        let secret = self.new_secret(path)?;
        let contributions = match self.contributions {
            true => contributions(&secret, engines)?,
            false => Vec::new(),
        };
        let commitment = Some(secret.commitment());
        let entry = ChanceEntry { commitment, foreseeable: false, shared, contributions };
        Ok(SectionChance {
            schedule: schedule.clone(),
            chance: secret.chance(&entry.contributions, shared),
            entry,
            secret: Some(secret),
            revealed: false,
            origin: None,
        })
    }

    /// A fresh secret, or the one in the file that the user named.
    fn new_secret(&self, path: &Path) -> Result<Secret> {
        let fresh = Secret::draw()?;
        Ok(if self.secret.is_some() { fresh.keep(path, false)? } else { fresh })
    }

    /// The sections of a log that has begun with this kind of chance; none if there is no such log.
    fn begun(&self, log: &Path, path: &Path, shared: bool) -> Result<Vec<SectionChance>> {
        // A file without a whole line is no match yet, and whatever else is wrong is said on opening it.
        let Some((header, games)) =
            agon_matchlog::open(log).ok().filter(|(h, _)| h.seed == self.seed)
        else {
            return Ok(Vec::new());
        };
        let ends = games.ends();
        let file = match games.end().and_then(|end| end.secret.as_ref()) {
            None if self.seed.is_none() => Secret::read(path)?,
            _ => None,
        };
        let secrets = section_secrets(ends, file).with_context(|| log.display().to_string())?;
        let origins = header.continuations.iter().map(|c| Some(c.origin.clone()));
        let origins = std::iter::once(None).chain(origins);
        let parts = header.sections().into_iter().zip(secrets).zip(ends).zip(origins);
        parts
            .map(|(((section, secret), end), origin)| {
                let entry = ChanceEntry { shared, ..section.chance };
                if let Some(seed) = self.seed {
                    let seeded = SectionChance::seeded(seed, shared, &section.schedule);
                    return Ok(SectionChance { entry, origin, ..seeded });
                }
                let secret = opened(log, path, secret, &entry)?;
                Ok(SectionChance {
                    schedule: section.schedule,
                    chance: secret.chance(&entry.contributions, shared),
                    entry,
                    secret: Some(secret),
                    revealed: end.as_ref().is_some_and(|end| end.secret.is_some()),
                    origin,
                })
            })
            .collect()
    }
}

/// The secret of a match that is resumed.
fn opened(log: &Path, path: &Path, secret: Option<Secret>, entry: &ChanceEntry) -> Result<Secret> {
    let (log, path) = (log.display(), path.display());
    let Some(secret) = secret else {
        bail!(
            "{log}: the match cannot be resumed without its secret: {path} is missing. Put the file \
             back, or begin another match with another --log"
        );
    };
    if secret.opens(entry).is_none() {
        bail!("{log}: {path} holds the secret of another match");
    }
    Ok(secret)
}

/// Reads what the players contribute, after printing the commitment.
fn contributions(secret: &Secret, engines: &[EngineEntry]) -> Result<Vec<Contribution>> {
    let mut out = std::io::stderr().lock();
    writeln!(out, "commitment to the secret (SHA-256): {}", secret.commitment())?;
    writeln!(out, "Each side now contributes one line of its choice.")?;
    let mut input = std::io::stdin().lock();
    let mut all = Vec::new();
    for engine in engines {
        write!(out, "{}: ", engine.name)?;
        out.flush()?;
        let mut text = String::new();
        let length = input
            .by_ref()
            .take(MAX_CONTRIBUTION)
            .read_line(&mut text)
            .context("--contributions")?;
        if length == 0 {
            let name = excerpt(&engine.name);
            bail!("--contributions: standard input ended before the line of {name}");
        }
        if !text.ends_with('\n') && length as u64 == MAX_CONTRIBUTION {
            bail!("--contributions: a line has at most {MAX_CONTRIBUTION} bytes");
        }
        // Reading a log makes its strings visible, so this is the text that is hashed.
        let text = visible(text.trim_end_matches(['\n', '\r'])).into_owned();
        all.push(Contribution { engine: engine.name.clone(), text });
    }
    Ok(all)
}
