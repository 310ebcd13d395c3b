//! Measures the exact loss of the players by `lab einstein loss`, or resumes it.

use super::loss::Losses;
use crate::engine::{finished, print_step};
use crate::publish::write_file;
use anyhow::Result;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossSize {
    /// Maximum number of stones in the tablebase.
    pub table_stones: u32,
    /// The studies: the numbers of stones, as in the flag, and the number of games.
    pub studies: &'static [(&'static str, u64)],
    /// The maximum time of all studies.
    pub time: Option<Duration>,
}

impl LossSize {
    /// Less than a minute, on a tablebase that takes seconds.
    pub const QUICK: LossSize =
        LossSize { table_stones: 4, studies: &[("4-6", 200)], time: Some(Duration::from_secs(40)) };
    /// A position of 7 stones takes much longer than the smaller ones.
    pub const FULL: LossSize =
        LossSize { table_stones: 5, studies: &[("4-6", 2000), ("7", 500)], time: None };
}

/// What a run needs.
pub struct LossRun<'a> {
    /// The engine, which builds the tablebase.
    pub engine: &'a Path,
    /// The program `lab`.
    pub lab: &'a Path,
    /// The main log: all files are beside it.
    pub log: &'a Path,
    /// The tablebase; one is built if there is none.
    pub table: Option<&'a Path>,
    /// How much is measured.
    pub size: LossSize,
    /// One study of these numbers of stones instead of those of the size.
    pub stones: Option<&'a str>,
    /// The number of games of every study, if it is not that of the size.
    pub games: Option<u64>,
    /// Number of threads.
    pub threads: usize,
    /// No game begins after this time.
    pub until: Option<Instant>,
    /// Whether the programs may show their progress.
    pub progress: bool,
}

/// The path of the summary of the losses, beside the main log.
pub fn summary_file(log: &Path) -> PathBuf {
    log.with_extension("loss.json")
}

impl LossRun<'_> {
    /// Plays the games that are missing in the files, and writes and returns the summary.
    ///
    /// # Errors
    ///
    /// A program fails, with its own words, or is interrupted; finished games are saved.
    pub fn measure(&self) -> Result<Losses> {
        let table = self.tablebase()?;
        let until = [self.until, self.size.time.map(|time| Instant::now() + time)];
        let until = until.into_iter().flatten().min();
        let studies = if self.stones.is_some() { 1 } else { self.size.studies.len() };
        let mut text = String::new();
        for (i, &(stones, games)) in self.size.studies.iter().take(studies).enumerate() {
            let (stones, games) = (self.stones.unwrap_or(stones), self.games.unwrap_or(games));
            print_step(format_args!("exact loss with {stones} stones: {games} games"));
            let rows = self.log.with_extension(format!("loss-{stones}.jsonl"));
            let mut command = self.shown(Command::new(self.lab));
            command.args(["einstein", "--option", &format!("Threads={}", self.threads)]);
            command.arg("loss").arg("--table").arg(&table).arg(&rows);
            command.args(["--stones", stones, "--games", &games.to_string(), "--json"]);
            if let Some(until) = until {
                // The studies share the time that is left.
                let left = until.saturating_duration_since(Instant::now()).as_secs();
                command.args(["--seconds", &(left / (studies - i) as u64).to_string()]);
            }
            text += &String::from_utf8_lossy(&finished(&mut command)?.stdout);
        }
        let file = summary_file(self.log);
        let losses = Losses::parse(&text, "the output of `lab einstein loss`")?;
        write_file(&file, &text)?;
        Ok(losses)
    }

    fn tablebase(&self) -> Result<PathBuf> {
        if let Some(table) = self.table {
            return Ok(table.into());
        }
        let stones = self.size.table_stones;
        let file = self.log.with_extension(format!("{stones}-stones.table"));
        if !file.exists() {
            print_step(format_args!("building the endgame tablebase of {stones} stones"));
            let mut command = self.shown(Command::new(self.engine));
            command.args(["table", "build"]).arg(&file).args(["--stones", &stones.to_string()]);
            finished(&mut command)?;
        }
        Ok(file)
    }

    /// A command with its progress, if that may be shown.
    fn shown(&self, mut command: Command) -> Command {
        if self.progress && std::io::stderr().is_terminal() {
            command.stderr(Stdio::inherit());
        }
        command
    }
}
