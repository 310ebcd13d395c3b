//! Playing a match from a header to a log, whatever command made the header: taking up a log,
//! watching progress, ending well.

use crate::flags::{RoundFlags, RunFlags};
use crate::live::{Live, OnDemand};
use crate::words;
use agon_protocol::arbiter::{Arbiter, GameKind};
use agon_referee::matchlog::{self, GameRecord, Header, Writer};
use agon_referee::openings::Openings;
use agon_referee::overhead::{Bill, Overhead};
use agon_referee::play::Table;
use agon_referee::progress::Progress;
use agon_referee::runner::{Ended, Match, Options, Queue, Seats, run, start_all};
use agon_referee::schedule::{Job, in_shard};
use anyhow::{Result, bail};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Once};
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
    /// Which part of the match is played now.
    pub round: RoundFlags,
}

/// What came of it.
pub struct Conducted {
    /// Why it ended.
    pub ended: Ended,
    /// The score, and the test.
    pub progress: Progress,
    /// The score as text.
    tables: String,
    /// What it cost; `None` if nothing was played.
    bill: Option<Bill>,
    /// The log as it is now: the final one, or the one to be taken up.
    pub log: PathBuf,
}

/// What is to be done next.
enum Next {
    Play(Queue<'static>),
    End(Ended),
}

impl Session<'_> {
    /// Plays what is not in the log yet.
    pub fn conduct(&self) -> Result<Conducted> {
        warn_about_cores(self.concurrency);
        let (path, final_path) = self.paths();
        let mut progress = Progress::new(&self.header)?;
        for log in &self.round.earlier {
            self.learn(log, &mut progress)?;
        }
        let is_new = !path.exists();
        let mut writer = Writer::open(&path, &self.header, |game| {
            progress.take(&game);
        })?;
        let (in_log, total) = (progress.games(), self.total(&progress));
        if in_log > total {
            bail!("{}: it holds {in_log} games of {total} scheduled", path.display());
        }
        let (ended, bill) = match self.next(&progress) {
            Next::End(ended) => (ended, None),
            Next::Play(queue) => {
                let played = self.play(queue, &mut progress, &mut writer);
                if played.is_err() && is_new && progress.games() == 0 {
                    // Nothing was played: leave no empty log behind.
                    let _ = std::fs::remove_file(&path);
                }
                let (ended, bill) = played?;
                (ended, Some(bill))
            }
        };
        let log = if matches!(ended, Ended::Complete | Ended::Decided | Ended::RoundOver) {
            writer.finish(&final_path)?;
            final_path
        } else {
            path
        };
        let tables = progress.tables(&self.header);
        Ok(Conducted { ended, progress, tables, bill, log })
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

    /// Takes results over from the log of another part of the match.
    fn learn(&self, path: &Path, progress: &mut Progress) -> Result<()> {
        let (there, games) = matchlog::open(path)?;
        let here = Header { shard: there.shard, ..self.header.clone() };
        let differences = here.differences(&there);
        if !differences.is_empty() {
            bail!("{} is of another match: {}", path.display(), differences.join("; "));
        }
        for game in games {
            progress.learn(&game?);
        }
        Ok(())
    }

    /// The games of this log when it will be complete; where results decide, at most.
    fn total(&self, progress: &Progress) -> u64 {
        let known = self.header.schedule.known(&progress.results);
        if !known.complete {
            return self.header.scheduled_games();
        }
        let shard = self.header.shard;
        known.jobs.filter(|job| in_shard(job, shard)).count() as u64
    }

    /// The games that can be played now.
    fn next(&self, progress: &Progress) -> Next {
        if progress.is_decided() {
            return Next::End(Ended::Decided);
        }
        let known = self.header.schedule.known(&progress.results);
        let (done, shard, through) = (progress.done.clone(), self.header.shard, self.round.through);
        let mut queue = known
            .jobs
            .filter(move |job| {
                let now = through.is_none_or(|n| job.game < n);
                now && in_shard(job, shard) && !done.contains(job.game)
            })
            .peekable();
        if queue.peek().is_some() {
            Next::Play(Box::new(queue))
        } else if known.complete && progress.games() == self.total(progress) {
            Next::End(Ended::Complete)
        } else {
            Next::End(Ended::RoundOver)
        }
    }

    fn play(
        &self,
        mut queue: Queue<'static>,
        progress: &mut Progress,
        writer: &mut Writer,
    ) -> Result<(Ended, Bill)> {
        catch_interrupts();
        let common = Arc::new(self.run.common(&self.header.game, &self.header.rules)?);
        agon_referee::engine::reach::check(&self.header, &self.openings)?;
        let mut seats = start_all(&self.header, &common)?;
        let (in_log, total) = (progress.games(), self.total(progress));
        let live = Live::new(total, in_log, self.run.quiet || self.run.json);
        if in_log > 0 {
            live.say(&format!("taking up {}: {in_log} of {total} games", self.log.display()));
        }
        let asked = OnDemand::new(self.concurrency);
        let watch = |job: &Job, board: &dyn Arbiter, token: &str| {
            if self.run.watch || asked.wants(job.game) {
                live.say(&position_text(&self.header, job, board, token));
            }
        };
        let watched = self.run.watch || !(self.run.quiet || self.run.json) && asked.listen();
        let m = Match {
            header: &self.header,
            table: Table {
                kind: self.kind,
                rules: self.header.rules.clone(),
                seed: self.header.seed,
                adjudication: self.header.adjudication.clone(),
                overhead: Overhead::default(),
            },
            common,
            openings: self.openings.clone(),
            options: Options {
                concurrency: self.concurrency,
                max_faults: self.run.max_faults,
                until: self.until,
                pin: self.run.pin,
                watch: if watched { Some(&watch) } else { None },
            },
        };
        let ended = loop {
            let ended = run(&m, queue, seats, writer, |game| {
                progress.take(game);
                live.update(progress);
                self.announce(game, progress, &live);
                if progress.is_decided() {
                    ControlFlow::Break(Ended::Decided)
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            if !matches!(ended, Ended::Complete) {
                break ended;
            }
            match self.next(progress) {
                Next::End(ended) => break ended,
                Next::Play(more) => (queue, seats) = (more, Seats::default()),
            }
        };
        live.clear();
        Ok((ended, m.table.overhead.bill()))
    }

    /// Says what is worth saying about one finished game.
    fn announce(&self, game: &GameRecord, progress: &Progress, live: &Live) {
        if self.run.json {
            println!("{}", game_event(game, progress));
        } else if let Some(detail) = game.detail.as_ref().filter(|_| !self.run.quiet) {
            let said = game.last_words();
            let (name, reason) = (&self.header.game, game.reason.name());
            live.say(&format!("{name}, game {}: {reason}: {detail}{said}", game.game));
        }
    }
}

impl Conducted {
    /// Prints the score, then how it ended; what the process returns.
    pub fn conclude(&self, run: &RunFlags) -> ExitCode {
        if run.json {
            println!("{}", self.json());
        } else {
            print!("{}", self.tables);
            if let Some(test) = &self.progress.test {
                println!("{}", words::verdict(test));
            }
            if let Some(bill) = self.bill.filter(|b| b.plies > 0) {
                println!("{bill}");
            }
            println!("log: {}", self.log.display());
        }
        self.explain()
    }

    /// The result as a line of JSON.
    pub fn json(&self) -> serde_json::Value {
        let mut result = self.progress.standings.json();
        if let (Some(test), Some(object)) = (&self.progress.test, result.as_object_mut()) {
            object.insert("sprt".into(), words::test_json(test));
        }
        if let (Some(bill), Some(object)) = (self.bill, result.as_object_mut()) {
            object.insert("overhead".into(), serde_json::json!(bill));
        }
        result
    }

    /// Says why the match is not complete and how it goes on; what the process returns.
    pub fn explain(&self) -> ExitCode {
        let verdict = self.progress.test.as_ref().map(words::exit_code);
        let (why, code) = match &self.ended {
            Ended::Complete | Ended::Decided => return verdict.unwrap_or(ExitCode::SUCCESS),
            Ended::RoundOver => {
                eprintln!("referee: the round is over; other games decide how it goes on");
                return verdict.unwrap_or(ExitCode::SUCCESS);
            }
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
fn game_event(game: &GameRecord, progress: &Progress) -> serde_json::Value {
    let mut event = serde_json::json!({
        "event": "game",
        "game": game.game,
        "pair": game.pair,
        "players": game.players,
        "result": game.result,
        "reason": game.reason,
        "detail": game.detail,
        "plies": game.by.len(),
    });
    if let (Some(test), Some(object)) = (&progress.test, event.as_object_mut()) {
        object.insert("llr".into(), test.state().llr.into());
    }
    event
}

/// A board with a line above it, for `--watch` and `replay`.
pub fn position_text(header: &Header, job: &Job, board: &dyn Arbiter, token: &str) -> String {
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    let [first, second] = job.players.map(name);
    let ply = board.tokens().len();
    format!("game {}, {first} - {second}, ply {ply}: {token}\n{}", job.game, board.diagram())
}

/// The first Ctrl-C ends the match, the second the program. A reproduction plays several matches
/// in one program: the handler is set once.
fn catch_interrupts() {
    static CAUGHT: Once = Once::new();
    let handler = || {
        if agon_referee::engine::interrupted() {
            std::process::exit(130);
        }
        agon_referee::engine::interrupt();
    };
    CAUGHT.call_once(|| {
        if let Err(e) = ctrlc::set_handler(handler) {
            log::warn!("Ctrl-C will not end the match cleanly: {e}");
        }
    });
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
