//! The chance of a match in the sections of its log: a match that is continued after its secret was
//! revealed draws from a new one.

use super::secret::Secret;
use super::source::Chance;
use agon_matchlog::{
    ChanceEntry, Continuation, LogEnd, MatchHeader, OpeningsEntry, Origin, Schedule,
};
use anyhow::{Result, anyhow, bail};
use std::path::{Path, PathBuf};

/// What the games of a section draw from.
#[derive(Clone)]
pub struct SectionChance {
    /// The schedule of the match up to the end of the section.
    pub schedule: Schedule,
    /// The header's entry, or the continuation's.
    pub entry: ChanceEntry,
    /// The source.
    pub chance: Chance,
    /// The secret; `None` with a seed.
    pub(super) secret: Option<Secret>,
    /// Whether the log reveals the secret.
    pub(super) revealed: bool,
    /// When and where the section was begun; `None` for the first one.
    pub(super) origin: Option<Origin>,
}

/// The chance of a match.
#[derive(Clone)]
pub struct MatchChance {
    /// The header's seed.
    pub seed: Option<u64>,
    /// The sections of the log before the last one.
    pub earlier: Vec<SectionChance>,
    /// The section that is played.
    pub now: SectionChance,
    /// The file that keeps the secret, and whether several logs depend on it, so that none of them
    /// reveals it; `None` with a seed.
    pub(super) kept: Option<(PathBuf, bool)>,
}

impl SectionChance {
    /// A first section that draws from a seed.
    pub(super) fn seeded(seed: u64, shared: bool, schedule: &Schedule) -> SectionChance {
        SectionChance {
            schedule: schedule.clone(),
            entry: ChanceEntry { shared, ..ChanceEntry::seeded() },
            chance: Chance::seeded(seed, shared),
            secret: None,
            revealed: false,
            origin: None,
        }
    }
}

impl MatchChance {
    /// Chance that follows from a seed, the same in both games of a pair.
    pub fn seeded(seed: u64, schedule: &Schedule) -> MatchChance {
        let now = SectionChance::seeded(seed, true, schedule);
        MatchChance { seed: Some(seed), earlier: Vec::new(), now, kept: None }
    }

    /// All sections in order.
    pub fn sections(&self) -> impl Iterator<Item = &SectionChance> {
        self.earlier.iter().chain([&self.now])
    }

    /// The sources of all sections.
    pub fn chances(&self) -> Vec<Option<Chance>> {
        self.sections().map(|section| Some(section.chance.clone())).collect()
    }

    /// The header of the match with its schedule, chance, openings and continuations. `openings` are
    /// those of each section.
    ///
    /// # Errors
    ///
    /// Says why the match cannot be continued.
    pub fn header(
        &self,
        header: MatchHeader,
        openings: impl IntoIterator<Item = Option<OpeningsEntry>>,
    ) -> Result<MatchHeader> {
        let mut openings = openings.into_iter();
        let first = self.earlier.first().unwrap_or(&self.now);
        let mut header = MatchHeader {
            seed: self.seed,
            chance: first.entry.clone(),
            schedule: first.schedule.clone(),
            openings: openings.next().flatten(),
            ..header
        };
        let games = |schedule: &Schedule| schedule.pairings.first().map_or([0; 2], |p| p.games);
        for (before, section) in self.sections().zip(self.sections().skip(1)) {
            let Some(origin) = section.origin.clone() else { continue };
            let next = Continuation {
                from: games(&before.schedule),
                to: games(&section.schedule),
                origin,
                chance: section.entry.clone(),
                openings: openings.next().flatten(),
            };
            let cannot = |reason| anyhow!("the match cannot be continued: {reason}");
            header.extend(next, before.revealed).map_err(cannot)?;
        }
        Ok(header)
    }

    /// Writes the secret to its file, before the header of a new log or a continuation is written.
    pub fn keep(&self) -> Result<()> {
        if let (Some(secret), Some((path, false))) = (&self.now.secret, &self.kept) {
            secret.keep(path, true)?;
        }
        Ok(())
    }

    /// The secret in hexadecimal, for the end of the log; `None` if other logs depend on it.
    pub fn revealed(&self) -> Option<String> {
        let own = self.kept.as_ref().is_some_and(|(_, common)| !common);
        self.now.secret.as_ref().filter(|_| own).map(Secret::reveal)
    }

    /// The file that holds the secret during the match.
    pub fn secret_file(&self) -> Option<&Path> {
        self.kept.as_ref().map(|(path, _)| path.as_path())
    }

    /// Removes the file of a secret that is revealed, or that no log depends on.
    pub fn forget(&self) {
        if let Some((path, false)) = &self.kept {
            // A file that stays behind holds what the log says anyway.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The secret of each section of a log with these end lines; `None` where it is not known. A section
/// that reveals none has the secret of the next one, the last one that of its file.
///
/// # Errors
///
/// An end line does not hold a secret.
pub fn section_secrets(
    ends: &[Option<LogEnd>],
    file: Option<Secret>,
) -> Result<Vec<Option<Secret>>> {
    let mut secret = file;
    let mut all = Vec::new();
    for end in ends.iter().rev() {
        if let Some(text) = end.as_ref().and_then(|end| end.secret.as_deref()) {
            let Some(revealed) = Secret::parse(text) else {
                bail!("end.secret is no secret: expected 64 hexadecimal digits");
            };
            secret = Some(revealed);
        }
        all.push(secret.clone());
    }
    all.reverse();
    Ok(all)
}
