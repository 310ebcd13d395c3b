//! The flags that choose where a match's chance comes from.

use super::secret::{Secret, secret_path};
use super::source::Chance;
use crate::matchlog::{self, ChanceEntry, Contribution, EngineEntry, Header, Shard};
use agon_protocol::text::{excerpt, visible};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

/// The maximum length of a contribution in bytes.
const MAX_CONTRIBUTION: u64 = 4096;

/// Where dice, deals and random openings come from.
#[derive(clap::Args, Clone, Default)]
pub struct ChanceFlags {
    /// Derive all chance from this number instead of a secret, for tests that repeat a match: whoever
    /// knows it can foresee every roll
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Keep the secret in this file instead of LOG.secret; it is created if it does not exist. All
    /// shards of a match need the same one, and `merge --secret` reveals it
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub secret: Option<PathBuf>,
    /// Whether the two games of a pair have the same dice and the same deal; default: yes in match and
    /// sprt, no in tournament, where an engine might remember the first game
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no, action = clap::ArgAction::Set)]
    pub share_chance: Option<bool>,
    /// Print the commitment to the secret, then read one line per engine from standard input and mix
    /// them into the secret: neither the referee nor a player alone decides the dice
    #[arg(long, conflicts_with = "seed")]
    pub contributions: bool,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err("expected yes or no".into()),
    }
}

/// The chance of a match.
#[derive(Clone)]
pub struct MatchChance {
    /// The header's seed.
    pub seed: Option<u64>,
    /// The header's entry.
    pub entry: ChanceEntry,
    /// The source.
    pub chance: Chance,
    /// The secret and its file; `None` with a seed.
    pub kept: Option<KeptSecret>,
}

/// A secret and where it is kept.
#[derive(Clone)]
pub struct KeptSecret {
    secret: Secret,
    path: PathBuf,
    /// Whether several logs depend on it, so that none of them reveals it.
    common: bool,
}

impl MatchChance {
    /// Chance that follows from a seed, the same in both games of a pair.
    pub fn seeded(seed: u64) -> MatchChance {
        MatchChance {
            seed: Some(seed),
            entry: ChanceEntry::seeded(),
            chance: Chance::seeded(seed, true),
            kept: None,
        }
    }

    /// Writes the secret to its file, before the header of a new log is written.
    pub fn keep(&self) -> Result<()> {
        if let Some(KeptSecret { secret, path, common: false }) = &self.kept {
            secret.keep(path, true)?;
        }
        Ok(())
    }

    /// The secret in hexadecimal, for the end of the log; `None` if other logs depend on it.
    pub fn revealed(&self) -> Option<String> {
        self.kept.as_ref().filter(|k| !k.common).map(|k| k.secret.reveal())
    }

    /// The file that holds the secret during the match.
    pub fn secret_file(&self) -> Option<&Path> {
        self.kept.as_ref().map(|kept| kept.path.as_path())
    }

    /// Removes the file of a secret that is revealed, or that no log depends on.
    pub fn forget(&self) {
        if let Some(KeptSecret { path, common: false, .. }) = &self.kept {
            // A file that stays behind holds what the log says anyway.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl ChanceFlags {
    /// Draws the secret of a new match or finds that of a match that is resumed. `log` is the file
    /// that the referee writes; `sharing` is the default of `--share-chance`.
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
        sharing: bool,
    ) -> Result<MatchChance> {
        let shared = self.share_chance.unwrap_or(sharing);
        if let Some(seed) = self.seed {
            eprintln!(
                "chance is foreseeable: dice, deals and random openings follow from --seed {seed}"
            );
            let entry = ChanceEntry { shared, ..ChanceEntry::seeded() };
            let chance = Chance::seeded(seed, shared);
            return Ok(MatchChance { seed: Some(seed), entry, chance, kept: None });
        }
        if shard.is_some() && self.secret.is_none() {
            bail!(
                "the shards of a match need one source of chance: give all of them --secret FILE \
                 (then `merge --secret FILE`), or --seed N, which makes chance foreseeable"
            );
        }
        let path = self.secret.clone().unwrap_or_else(|| secret_path(log));
        let common = shard.is_some();
        let (secret, contributions) = match begun(log)? {
            Some(header) => (resumed(log, &path, &header)?, header.chance.contributions),
            None => {
                let secret = self.new_secret(&path)?;
                let contributions = match self.contributions {
                    true => contributions(&secret, engines)?,
                    false => Vec::new(),
                };
                (secret, contributions)
            }
        };
        let commitment = Some(secret.commitment());
        let entry = ChanceEntry { commitment, foreseeable: false, shared, contributions };
        let chance = secret.chance(&entry.contributions, shared);
        let kept = Some(KeptSecret { secret, path, common });
        Ok(MatchChance { seed: None, entry, chance, kept })
    }

    /// A fresh secret, or the one in the file that the user named.
    fn new_secret(&self, path: &Path) -> Result<Secret> {
        let fresh = Secret::draw()?;
        Ok(if self.secret.is_some() { fresh.keep(path, false)? } else { fresh })
    }
}

/// The header of a log that has begun with a secret.
fn begun(log: &Path) -> Result<Option<Header>> {
    // A file without a whole line is no match yet, and whatever else is wrong is said on opening it.
    let header = matchlog::open(log).ok().map(|(header, _)| header);
    Ok(header.filter(|h| h.chance.commitment.is_some()))
}

/// The secret of a match that is resumed.
fn resumed(log: &Path, path: &Path, header: &Header) -> Result<Secret> {
    let secret = match Secret::read(path)? {
        Some(secret) => Some(secret),
        None => matchlog::revealed_secret(log)?.as_deref().and_then(Secret::parse),
    };
    let (log, path) = (log.display(), path.display());
    let Some(secret) = secret else {
        bail!(
            "{log}: the match cannot be resumed without its secret: {path} is missing. Put the file \
             back, or begin another match with another --log"
        );
    };
    if secret.opens(&header.chance).is_none() {
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
