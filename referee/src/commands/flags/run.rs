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
#[command(next_help_heading = "Machine")]
pub struct RoundFlags {
    /// Play only the first N games of the schedule; resume the log with a greater N
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub through: Option<u64>,
    /// Log of another part whose results decide the next pairings; repeatable
    #[arg(long, value_name = "LOG", hide_short_help = true)]
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
    #[command(flatten)]
    pub output: OutputFlags,
    /// Number of concurrent games
    #[arg(long, short = 'j', value_name = "N", help_heading = "Machine")]
    pub concurrency: Option<usize>,
    /// Play part K of N parts of the schedule (K from 1); the log is FILE.part until it is complete
    #[arg(long, value_name = "K/N", hide_short_help = true, value_parser = parse_shard, help_heading = "Machine")]
    pub shard: Option<Shard>,
    /// Name of this machine in the log, by which its results are compared with the others'; default:
    /// the name of the host with --shard and in logs that name machines, else none
    #[arg(long, value_name = "NAME", hide_short_help = true, value_parser = parse_worker, help_heading = "Machine")]
    pub worker: Option<String>,
    /// Stop after N consecutive games in which an engine crashes, hangs or floods; 0: never
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        hide_short_help = true,
        help_heading = "Machine"
    )]
    pub max_faults: u64,
    /// Wait between two games of a worker: milliseconds, or with a unit such as 2s
    #[arg(long, value_name = "TIME", value_parser = parse_wait, default_value = "0",
          hide_short_help = true, help_heading = "Machine")]
    pub wait: Duration,
    /// Pin each worker and its engines to one core
    #[arg(long, help_heading = "Machine")]
    pub pin: bool,
    #[command(flatten)]
    pub ready: ReadyFlag,
    /// Timeout for a move without a time limit
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 600.0,
        hide_short_help = true,
        help_heading = "Machine"
    )]
    pub thought_time: f64,
    /// Timeout after `stop` and after `quit`
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 1.0,
        hide_short_help = true,
        help_heading = "Machine"
    )]
    pub grace_time: f64,
}

/// What is printed and written while a match is played, and what is shown in the browser.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputFlags {
    /// Write every game to a PGN file as it ends
    ///
    /// A resumed match adds the games that the file lacks.
    #[arg(long, value_name = "FILE")]
    pub pgnout: Option<PathBuf>,
    /// Write the dialogue with every engine to a file
    ///
    /// There is one file per engine if PATH is a folder or ends with a slash.
    #[arg(long, value_name = "PATH")]
    pub engine_log: Option<PathBuf>,
    /// Maximum size of each file of --engine-log: MiB, or with M or G; the oldest lines are dropped
    #[arg(long, value_name = "SIZE", value_parser = limits::mebibytes, default_value = "1G",
          hide_short_help = true)]
    pub engine_log_limit: u64,
    /// Print the results so far after every N games
    ///
    /// They are printed into a pipe, too; 0: never.
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    pub interval: u64,
    /// Print the board after every move
    ///
    /// Without this flag, Enter shows the boards of the running games.
    #[arg(long)]
    pub watch: bool,
    /// Show the match in the browser
    ///
    /// The address is printed first. PORT as for `referee serve`.
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true,
          default_missing_value = "0")]
    pub serve: Option<u16>,
    /// Write the page of the match as files of a web host
    ///
    /// Any web host can serve them. FOLDER must be new, empty or of this match; the files change with the match.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub publish: Option<PathBuf>,
    /// With boards on the terminal: show the pieces of Xiangqi and dark chess as letters
    #[arg(long, hide_short_help = true)]
    pub letters: bool,
    /// Print JSON lines instead of tables
    ///
    /// One event per game, then the result.
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// How long an engine may take to start.
#[derive(clap::Args)]
#[command(next_help_heading = "Machine")]
pub struct ReadyFlag {
    /// Timeout for the handshake and for readyok
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, hide_short_help = true)]
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
        let output = &self.output;
        Ok(RunSettings {
            concurrency: self.concurrency.unwrap_or(concurrency),
            shard: self.shard,
            worker: self.worker.clone(),
            max_faults: self.max_faults,
            wait: self.wait,
            pgnout: output.pgnout.clone(),
            pgn_form: PgnForm::default(),
            engine_log: output.engine_log.clone(),
            engine_log_limit: output.engine_log_limit,
            interval: output.interval,
            pin: self.pin,
            watch: output.watch,
            serve: output.serve,
            publish: output.publish.clone(),
            letters: output.letters,
            json: output.json,
            quiet: output.quiet,
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
#[command(next_help_heading = "Server")]
pub struct ServeFlags {
    /// Port of the server; 0: a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Listen on another address than 127.0.0.1
    ///
    /// Everyone who can reach it and knows the printed address can use the pages.
    #[arg(long, value_name = "IP")]
    pub address: Option<IpAddr>,
    /// The name or IP by which browsers reach the server [default: the address it listens on]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
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
