//! Playing a match from a header to a log, whatever command made the header: taking up a log,
//! watching progress, ending well.

use crate::flags::RunFlags;
use crate::live::Live;
use agon_protocol::arbiter::{Arbiter, GameKind};
use agon_referee::matchlog::{GameRecord, Header, Writer};
use agon_referee::openings::Openings;
use agon_referee::play::Table;
use agon_referee::runner::{Done, Ended, Match, Options, run, start_all};
use agon_referee::schedule::{Job, in_shard, jobs};
use agon_referee::standings::Standings;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// A match that can be played.
pub struct Session<'a> {
    /// What is played.
    pub header: Header,
    /// The rules.
    pub kind: GameKind,
    /// The openings.
    pub openings: Openings,
    /// How it is run.
    pub run: &'a RunFlags,
    /// Games at the same time.
    pub concurrency: usize,
    /// Where the log goes.
    pub log: PathBuf,
    /// No pair is begun after this time.
    pub until: Option<Instant>,
}

/// What came of it.
pub struct Conducted {
    /// Why it ended.
    pub ended: Ended,
    /// The score.
    pub standings: Standings,
    /// The log as it is now: the final one, or the one to be taken up.
    pub log: PathBuf,
}

impl Session<'_> {
    /// Plays what is not in the log yet.
    pub fn conduct(&self) -> Result<Conducted> {
        warn_about_cores(self.concurrency);
        let (path, final_path) = self.paths();
        let mut done = Done::default();
        let mut standings = Standings::new(&self.header);
        let mut in_log = 0;
        let is_new = !path.exists();
        let mut writer = Writer::open(&path, &self.header, |game| {
            if done.insert(game.game) {
                in_log += 1;
                standings.push(&game);
            }
        })?;
        let shard = self.header.shard;
        let total = jobs(&self.header.schedule).filter(|job| in_shard(job, shard)).count() as u64;
        if in_log > total {
            bail!("{}: it holds {in_log} games of {total} scheduled", path.display());
        }
        let ended = if in_log == total {
            Ended::Complete
        } else {
            let played = self.play(&done, &mut writer, &mut standings, (in_log, total));
            if played.is_err() && is_new && standings.games() == 0 {
                // Nothing was played: leave no empty log behind.
                let _ = std::fs::remove_file(&path);
            }
            played?
        };
        let log = if matches!(ended, Ended::Complete) {
            writer.finish(&final_path)?;
            final_path
        } else {
            path
        };
        Ok(Conducted { ended, standings, log })
    }

    /// The log while it grows and when it is complete.
    fn paths(&self) -> (PathBuf, PathBuf) {
        let final_path = self.log.clone();
        if self.header.shard.is_none() || final_path.exists() {
            return (final_path.clone(), final_path);
        }
        let mut aside = final_path.clone().into_os_string();
        aside.push(".part");
        (aside.into(), final_path)
    }

    fn play(
        &self,
        done: &Done,
        writer: &mut Writer,
        standings: &mut Standings,
        (in_log, total): (u64, u64),
    ) -> Result<Ended> {
        catch_interrupts();
        let common = Arc::new(self.run.common(&self.header.game, &self.header.rules)?);
        let seats = start_all(&self.header, &common)?;
        let live = Live::new(total, in_log, self.run.quiet || self.run.json);
        if in_log > 0 {
            live.say(&format!("taking up {}: {in_log} of {total} games", self.log.display()));
        }
        let watch = |job: &Job, board: &dyn Arbiter, token: &str| {
            live.say(&position_text(&self.header, job, board, token));
        };
        let m = Match {
            header: &self.header,
            table: Table {
                kind: self.kind,
                rules: self.header.rules.clone(),
                seed: self.header.seed,
            },
            common,
            openings: self.openings.clone(),
            options: Options {
                concurrency: self.concurrency,
                max_faults: self.run.max_faults,
                until: self.until,
                watch: if self.run.watch { Some(&watch) } else { None },
            },
        };
        let ended = run(&m, done, seats, writer, |game| {
            standings.push(game);
            live.update(standings);
            self.announce(game, &live);
        });
        live.clear();
        Ok(ended?)
    }

    /// Says what is worth saying about one finished game.
    fn announce(&self, game: &GameRecord, live: &Live) {
        if self.run.json {
            println!("{}", game_event(game));
        } else if let Some(detail) = game.detail.as_ref().filter(|_| !self.run.quiet) {
            live.say(&format!("game {}: {}: {detail}", game.game, game.reason.name()));
        }
    }
}

impl Conducted {
    /// Prints the score, then how it ended; what the process returns.
    pub fn conclude(&self, run: &RunFlags) -> ExitCode {
        if run.json {
            println!("{}", self.standings.json());
        } else {
            print!("{}", self.standings.table());
            println!("log: {}", self.log.display());
        }
        self.explain()
    }

    /// Says why the match is not complete and how it goes on; what the process returns.
    pub fn explain(&self) -> ExitCode {
        let (why, code) = match &self.ended {
            Ended::Complete => return ExitCode::SUCCESS,
            Ended::Interrupted => ("interrupted", ExitCode::from(130)),
            Ended::OutOfTime => ("the time for this run is over", ExitCode::SUCCESS),
            Ended::Failed(why) => (why.as_str(), ExitCode::FAILURE),
        };
        eprintln!("referee: {why}");
        eprintln!("{} keeps every finished game; the same command goes on:", self.log.display());
        eprintln!("  {}", command_line());
        code
    }
}

/// One line of `--json` about a game: the log's record without its moves.
fn game_event(game: &GameRecord) -> serde_json::Value {
    serde_json::json!({
        "event": "game",
        "game": game.game,
        "pair": game.pair,
        "players": game.players,
        "result": game.result,
        "reason": game.reason,
        "detail": game.detail,
        "plies": game.by.len(),
    })
}

/// A board with a line above it, for `--watch` and `replay`.
pub fn position_text(header: &Header, job: &Job, board: &dyn Arbiter, token: &str) -> String {
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    let [first, second] = job.players.map(name);
    let ply = board.tokens().len();
    format!("game {}, {first} - {second}, ply {ply}: {token}\n{}", job.game, board.diagram())
}

/// The first Ctrl-C ends the match, the second the program.
fn catch_interrupts() {
    let handler = || {
        if agon_referee::engine::interrupted() {
            std::process::exit(130);
        }
        agon_referee::engine::interrupt();
    };
    if let Err(e) = ctrlc::set_handler(handler) {
        log::warn!("Ctrl-C will not end the match cleanly: {e}");
    }
}

fn warn_about_cores(concurrency: usize) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if concurrency > cores {
        log::warn!(
            "{concurrency} games at the same time on {cores} cores: engines will lack the time \
             that their clocks promise"
        );
    }
}

/// This program's command line, quoted for a shell.
pub fn command_line() -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:".contains(c);
    std::env::args()
        .map(|arg| {
            if !arg.is_empty() && arg.chars().all(plain) {
                arg
            } else {
                format!("'{}'", arg.replace('\'', r"'\''"))
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}
