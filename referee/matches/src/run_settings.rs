//! How a match is run; none of it changes the games.

use agon_engine::driver::{EngineContext, Timeouts};
use agon_engine::transcript::Transcript;
use agon_matchlog::{Setting, Shard};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Which part of a schedule is played now, where several machines play it in rounds.
#[derive(Clone, Debug, Default)]
pub struct RoundSettings {
    /// Play only the first games of the schedule, this many.
    pub through: Option<u64>,
    /// Logs of other parts whose results decide the next pairings.
    pub earlier: Vec<PathBuf>,
}

/// The words of a PGN file that a match writes.
#[derive(Clone, Debug, Default)]
pub struct PgnForm {
    /// Comments and endings as the runners for chess write them; `None`: as our exports.
    pub runner: Option<RunnerComments>,
    /// The tag `Event`; empty: the kind of the match.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// Whether a new match begins the file anew.
    pub fresh: bool,
}

/// What fastchess's comments behind moves hold besides score, depth and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunnerComments {
    /// `n=NODES`.
    pub nodes: bool,
    /// `sd=0`: logs have no selective depth.
    pub seldepth: bool,
    /// `nps=NODES`.
    pub nps: bool,
    /// No comments, and the seven tags of the standard only.
    pub min: bool,
}

/// How a match is run; none of it changes the games.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Number of concurrent games.
    pub concurrency: usize,
    /// The part of the schedule that is played.
    pub shard: Option<Shard>,
    /// The name of this machine in the log; `None`: that of the host for shards and in logs that name machines.
    pub worker: Option<String>,
    /// Stop after this many consecutive games in which an engine crashes, hangs or floods; 0: never.
    pub max_faults: u64,
    /// The wait between two games of a worker.
    pub wait: Duration,
    /// The PGN file to which every game is written as it ends.
    pub pgnout: Option<PathBuf>,
    /// The words of this file.
    pub pgn_form: PgnForm,
    /// The file or folder of the dialogues with the engines.
    pub engine_log: Option<PathBuf>,
    /// Maximum size of each file of `engine_log` in MiB.
    pub engine_log_limit: u64,
    /// Print the results so far after every so many games; 0: never.
    pub interval: u64,
    /// Pin each worker and its engines to one core.
    pub pin: bool,
    /// Print the board after every move.
    pub watch: bool,
    /// Serve pages on which the match can be watched at this port; 0: a free one.
    pub serve: Option<u16>,
    /// The folder in which the pages of the match are published as files.
    pub publish: Option<PathBuf>,
    /// Boards on the terminal show the pieces of Xiangqi and dark chess as letters.
    pub letters: bool,
    /// Print JSON lines instead of tables.
    pub json: bool,
    /// Show no progress.
    pub quiet: bool,
    /// How long engines may take.
    pub timeouts: Timeouts,
}

impl RunSettings {
    /// Game, rules and timeouts for the engines; opens the files of their dialogues.
    pub fn context(&self, game: &str, rules: &[Setting]) -> Result<EngineContext> {
        let transcript = self.engine_log.as_ref().map(|path| {
            let opened = Transcript::open(path, self.engine_log_limit << 20);
            opened.with_context(|| format!("--engine-log {}", path.display())).map(Arc::new)
        });
        Ok(EngineContext {
            game: game.into(),
            transcript: transcript.transpose()?,
            rules: rules.to_vec(),
            timeouts: self.timeouts,
        })
    }
}
