//! The flags for how a match is run, and for the server of its pages; none of them changes the games.

use agon_engine::driver::Timeouts;
use agon_games::phrase::Phrase;
use agon_games::text::visible;
use agon_matches::run_settings::{PgnForm, RoundSettings, RunSettings};
use agon_matches::schedule::parse_shard;
use agon_matchlog::Shard;
use agon_matchlog::limits;
use agon_web::ServerSettings;
use anyhow::{Context, Result};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Which part of a schedule is played now, where several machines play it in rounds.
#[derive(clap::Args)]
pub struct RoundFlags {
    /// Play only the first N games of the schedule; resume the log with a greater N
    #[arg(long, value_name = "N")]
    pub through: Option<u64>,
    /// Log of another part whose results decide the next pairings; repeatable
    #[arg(long, value_name = "LOG")]
    pub earlier: Vec<PathBuf>,
}

impl RoundFlags {
    /// The settings.
    pub fn settings(&self) -> RoundSettings {
        RoundSettings { through: self.through, earlier: self.earlier.clone() }
    }
}

/// The greatest length of the name of a machine, in characters.
const LONGEST_WORKER: usize = 255;

/// How a match is run; none of it changes the games.
#[derive(clap::Args)]
pub struct RunFlags {
    /// Number of concurrent games
    #[arg(long, short = 'j', value_name = "N")]
    pub concurrency: Option<usize>,
    /// Play part K of N parts of the schedule (K from 1); the log is FILE.part until it is complete
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Name of this machine in the log, by which its results are compared with the others'; default:
    /// the name of the host with --shard and in logs that name machines, else none
    #[arg(long, value_name = "NAME", value_parser = parse_worker)]
    pub worker: Option<String>,
    /// Stop after N consecutive games in which an engine crashes, hangs or floods; 0: never
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_faults: u64,
    /// Wait between two games of a worker: milliseconds, or with a unit such as 2s
    #[arg(long, value_name = "TIME", value_parser = parse_wait, default_value = "0")]
    pub wait: Duration,
    /// Write every game to a PGN file as it ends; a resumed match adds the games that the file lacks
    #[arg(long, value_name = "FILE")]
    pub pgnout: Option<PathBuf>,
    /// Write the whole dialogue with every engine to a file, or to one file per engine if PATH is a
    /// folder or ends with a slash
    #[arg(long, value_name = "PATH")]
    pub engine_log: Option<PathBuf>,
    /// Maximum size of each file of --engine-log: MiB, or with M or G; the oldest lines are dropped
    #[arg(long, value_name = "SIZE", value_parser = limits::mebibytes, default_value = "1G")]
    pub engine_log_limit: u64,
    /// Print the results so far after every N games, also into a pipe; 0: never
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub interval: u64,
    /// Pin each worker and its engines to one core
    #[arg(long)]
    pub pin: bool,
    /// Print the board after every move; without this flag, Enter shows the boards of the running games
    #[arg(long)]
    pub watch: bool,
    /// Serve pages on which the match can be watched in the browser; the address is printed. PORT as
    /// for `referee serve`
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true,
          default_missing_value = "0")]
    pub serve: Option<u16>,
    /// Write the page of the match and its changes as files into FOLDER, which any web host can serve; it must be new,
    /// empty or of this match
    #[arg(long, value_name = "FOLDER")]
    pub publish: Option<PathBuf>,
    /// With boards on the terminal: show the pieces of Xiangqi and dark chess as letters
    #[arg(long)]
    pub letters: bool,
    /// Print JSON lines instead of tables: one event per game, then the result
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub ready: ReadyFlag,
    /// Timeout for a move without a time limit
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    pub thought_time: f64,
    /// Timeout after `stop` and after `quit`
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub grace_time: f64,
}

/// How long an engine may take to start.
#[derive(clap::Args)]
pub struct ReadyFlag {
    /// Timeout for the handshake and for readyok
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    pub ready_time: f64,
}

impl ReadyFlag {
    /// The timeout.
    ///
    /// # Errors
    ///
    /// It is no time.
    pub fn time(&self) -> Result<Duration> {
        seconds("ready-time", self.ready_time)
    }
}

/// The time that a flag gives in seconds.
///
/// # Errors
///
/// It is no time.
pub fn seconds(flag: &str, s: f64) -> Result<Duration> {
    let time = Duration::try_from_secs_f64(s).ok().filter(|t| t.as_secs() < 1 << 32);
    time.with_context(|| format!("--{flag}: expected seconds, such as 20"))
}

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl RunFlags {
    /// The settings; `concurrency` is the default number of games at a time.
    ///
    /// # Errors
    ///
    /// A timeout is no time.
    pub fn settings(&self, concurrency: usize) -> Result<RunSettings> {
        Ok(RunSettings {
            concurrency: self.concurrency.unwrap_or(concurrency),
            shard: self.shard,
            worker: self.worker.clone(),
            max_faults: self.max_faults,
            wait: self.wait,
            pgnout: self.pgnout.clone(),
            pgn_form: PgnForm::default(),
            engine_log: self.engine_log.clone(),
            engine_log_limit: self.engine_log_limit,
            interval: self.interval,
            pin: self.pin,
            watch: self.watch,
            serve: self.serve,
            publish: self.publish.clone(),
            letters: self.letters,
            json: self.json,
            quiet: self.quiet,
            timeouts: Timeouts {
                ready: self.ready.time()?,
                think: seconds("thought-time", self.thought_time)?,
                grace: seconds("grace-time", self.grace_time)?,
            },
        })
    }
}

/// Parses the value of `--worker`.
fn parse_worker(text: &str) -> Result<String, String> {
    let is_name =
        !text.trim().is_empty() && visible(text) == text && text.chars().count() <= LONGEST_WORKER;
    is_name
        .then(|| text.into())
        .ok_or_else(|| format!("expected a name of 1 to {LONGEST_WORKER} printable characters"))
}

/// Parses the value of `--wait`.
fn parse_wait(text: &str) -> Result<Duration, Phrase> {
    limits::milliseconds(text, 1).map(Duration::from_millis)
}

/// Where the server listens.
#[derive(clap::Args)]
pub struct ServeFlags {
    /// Port of the server; 0: a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Listen on another address than 127.0.0.1: everyone who can reach it and knows the printed
    /// address can use the pages
    #[arg(long, value_name = "IP")]
    pub address: Option<IpAddr>,
    /// The name or IP by which browsers reach the server [default: the address it listens on]
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
}

impl ServeFlags {
    /// The settings.
    pub fn settings(&self) -> ServerSettings {
        let ServeFlags { port, address, ref host, open } = *self;
        ServerSettings { port, address, host: host.clone(), open }
    }
}
