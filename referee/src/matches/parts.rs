//! Reads the logs of all parts of one match together.

use crate::matches::progress::Progress;
use crate::matches::schedule::in_shard;
use crate::matchlog::{GameSet, Header, Shard, open};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The combined logs of the parts of one match.
pub struct Parts<'a> {
    /// The header of the whole match.
    pub header: Header,
    /// The progress of the whole match.
    pub progress: Progress,
    shards: Vec<(&'a Path, Option<Shard>, GameSet)>,
}

impl<'a> Parts<'a> {
    /// Reads logs of the same match. Fails if a game is in two of them.
    pub fn read(logs: &'a [PathBuf]) -> Result<Parts<'a>> {
        let first = logs.first().context("no logs")?;
        let header = Header { shard: None, ..open(first)?.0 };
        let progress = Progress::new(&header)?;
        let mut parts = Parts { header, progress, shards: Vec::new() };
        for path in logs {
            parts.add(path, first)?;
        }
        Ok(parts)
    }

    fn add(&mut self, path: &'a Path, first: &Path) -> Result<()> {
        let (header, mut games) = open(path)?;
        games.follow_chain(&header);
        let shard = header.shard;
        if let (Some(all), Some(origin)) = (&mut self.header.origin, header.origin.clone()) {
            all.join(origin);
        }
        let differences = self.header.differences(&Header { shard: None, ..header });
        if !differences.is_empty() {
            let (path, first) = (path.display(), first.display());
            bail!("{path} is the log of another match than {first}: {}", differences.join("; "));
        }
        let mut done = GameSet::default();
        for game in games {
            let game = game?;
            let number = game.game;
            if number >= self.header.scheduled_games() {
                bail!("{}: game {number} is not in the schedule", path.display());
            }
            if !self.progress.take(&game) {
                bail!("{}: game {number} is in it twice or in an earlier log", path.display());
            }
            done.insert(number);
        }
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
        let gaps: Vec<u64> = known
            .jobs
            .filter(|job| in_shard(job, shard) && !done.contains(job.game))
            .map(|job| job.game)
            .collect();
        let shown: Vec<String> = gaps.iter().take(10).map(u64::to_string).collect();
        let more = if gaps.len() > shown.len() { ", ..." } else { "" };
        (!gaps.is_empty())
            .then(|| format!("{} games are missing: {}{more}", gaps.len(), shown.join(", ")))
    }
}
