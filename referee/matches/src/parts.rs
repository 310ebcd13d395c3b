//! Reads the logs of all parts of one match together.

use crate::chance::{Chance, Secret};
use crate::games::find_game;
use crate::progress::MatchProgress;
use crate::schedule::ByResults as _;
use crate::schedule::in_shard;
use crate::verify::{GameChecker, GameLines};
use agon_base::counted;
use agon_matchlog::{GameSet, MatchHeader, Section, Shard, open};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The header of the whole match of which these logs are parts.
///
/// # Errors
///
/// Fails if they are logs of different matches.
pub fn whole_header(logs: &[PathBuf]) -> Result<MatchHeader> {
    let first = logs.first().context("no logs")?;
    let headers = logs.iter().map(|path| open(path).map(|log| log.0));
    let headers = headers.collect::<Result<Vec<_>, _>>()?;
    // While the shards of a match are continued, some are ahead of others.
    let most = headers.iter().rev().max_by_key(|header| header.continuations.len());
    let whole = MatchHeader { shard: None, ..most.context("no logs")?.clone() };
    for (path, header) in logs.iter().zip(headers) {
        expect_part(&whole, header, path, first)?;
    }
    Ok(whole)
}

/// Checks that the log at `path` is of this match.
fn expect_part(whole: &MatchHeader, part: MatchHeader, path: &Path, first: &Path) -> Result<()> {
    let differences = whole.differences(&MatchHeader { shard: None, ..part });
    if !differences.is_empty() {
        let (path, first) = (path.display(), first.display());
        bail!("{path} is the log of another match than {first}: {}", differences.join("; "));
    }
    Ok(())
}

/// The combined logs of the parts of one match.
pub struct Parts<'a> {
    /// The header of the whole match.
    pub header: MatchHeader,
    /// The progress of the whole match.
    pub progress: MatchProgress,
    shards: Vec<(&'a Path, Option<Shard>, GameSet)>,
}

impl<'a> Parts<'a> {
    /// Reads logs of the same match and verifies their games; dice and deals only if the match has a
    /// seed or `secret` is given. Fails if a game is in two of the logs.
    pub fn read(logs: &'a [PathBuf], secret: Option<&Secret>) -> Result<Parts<'a>> {
        let first = logs.first().context("no logs")?;
        let header = whole_header(logs)?;
        let progress = MatchProgress::new(&header)?;
        let mut parts = Parts { header, progress, shards: Vec::new() };
        for path in logs {
            parts.add(path, first, secret)?;
        }
        Ok(parts)
    }

    fn add(&mut self, path: &'a Path, first: &Path, secret: Option<&Secret>) -> Result<()> {
        let (header, mut games) = open(path)?;
        let shard = header.shard;
        if let (Some(all), Some(origin)) = (&mut self.header.origin, header.origin.clone()) {
            all.join(origin);
        }
        expect_part(&self.header, header, path, first)?;
        let header = MatchHeader { shard, ..self.header.clone() };
        let chance = |section: Section| match (header.seed, secret) {
            (Some(seed), _) => Some(Chance::seeded(seed, section.chance.shared)),
            (None, Some(secret)) => secret.opens(&section.chance),
            (None, None) => None,
        };
        let chances = header.sections().into_iter().map(chance).collect();
        let checker = GameChecker::new(&header, find_game(&header.game)?, chances);
        let lines = GameLines {
            header: &header,
            checker: &checker,
            openings: Vec::new(),
            stop_early: true,
            partial: true,
        };
        let findings = lines.verify(&mut games, &mut self.progress)?;
        findings.first(path)?;
        let done = findings.done;
        self.shards.push((path, shard, done));
        Ok(())
    }

    /// Checks that every log is complete for its part and that all logs together contain the whole
    /// match. A decided test needs no more games.
    ///
    /// # Errors
    ///
    /// Fails if games are missing and lists them.
    pub fn check(&self) -> Result<()> {
        if self.progress.is_decided() {
            return Ok(());
        }
        for (path, shard, done) in &self.shards {
            if let Some(missing) = self.missing(*shard, done) {
                bail!("{}: {missing}", path.display());
            }
        }
        if let Some(missing) = self.missing(None, &self.progress.done) {
            bail!("the logs are not the whole match: {missing}");
        }
        Ok(())
    }

    /// A message about the missing games of a part; `None` if the part is complete.
    fn missing(&self, shard: Option<Shard>, done: &GameSet) -> Option<String> {
        let known = self.header.schedule.known(&self.progress.results);
        let mut gaps = known.jobs.filter(|job| in_shard(job, shard) && !done.contains(job.game));
        let shown: Vec<String> =
            gaps.by_ref().take(10).map(|job| job.number().to_string()).collect();
        let more = gaps.count();
        let (count, dots) = (shown.len() + more, if more > 0 { ", ..." } else { "" });
        (count > 0).then(|| {
            format!("{count} missing: {}{dots}", shown.join(", "), count = counted(count, "game"))
        })
    }
}
