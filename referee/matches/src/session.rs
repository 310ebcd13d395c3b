//! Plays a match from its header to its complete log: resumes a log, reports the progress, and
//! finishes the log.

use crate::after_ply::AfterPly;
use crate::chance::MatchChance;
use crate::machine::{host_name, this_machine};
use crate::openings::Openings;
use crate::overhead::{Overhead, OverheadSummary};
use crate::play::MatchContext;
use crate::progress::MatchProgress;
use crate::run_end::{RunEnd, unwritten};
use crate::run_settings::{RoundSettings, RunSettings};
use crate::runner::{EngineSlots, Match, Queue, RunnerOptions, run, start_all};
use crate::schedule::ByResults as _;
use crate::schedule::{ScheduledGame, in_shard};
use crate::verify::{GameChecker, GameLines};
use agon_base::counted;
use agon_engine::{dialects, sandbox};
use agon_games::arbiter::{Arbiter, GameKind};
use agon_matchlog::{
    EndOf, GameRecord, LogError, LogGames, LogWriter, MatchHeader, Origin, Shard, now,
};
use agon_stats::TestSample;
use anyhow::{Context, Result, bail};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A match that can be played.
pub struct MatchSession<'a> {
    /// The match's header.
    pub header: MatchHeader,
    /// The game.
    pub kind: GameKind,
    /// The openings of each section of the log; the last ones are played.
    pub openings: Vec<Openings>,
    /// The source of dice and deals.
    pub chance: MatchChance,
    /// How the match is run.
    pub run: &'a RunSettings,
    /// The path of the log.
    pub log: PathBuf,
    /// No pair starts after this time.
    pub until: Option<Instant>,
    /// The part of the schedule that is played now.
    pub round: RoundSettings,
    /// Shown during the match; `None`: the standings of the engines.
    pub scoreboard: Option<&'a dyn Scoreboard>,
}

impl<'a> MatchSession<'a> {
    /// The whole schedule, without a bound on time.
    pub fn new(
        header: MatchHeader,
        kind: GameKind,
        openings: Vec<Openings>,
        chance: MatchChance,
        run: &'a RunSettings,
        log: PathBuf,
    ) -> MatchSession<'a> {
        MatchSession {
            header,
            kind,
            openings,
            chance,
            run,
            log,
            until: None,
            round: RoundSettings::default(),
            scoreboard: None,
        }
    }
}

/// The file that a referee writes: a shard's log has another name until it is complete.
pub fn working_log(log: &Path, shard: Option<Shard>) -> PathBuf {
    if shard.is_none() || log.exists() {
        return log.into();
    }
    let mut aside = log.as_os_str().to_os_string();
    aside.push(".part");
    aside.into()
}

/// Receives the events of a match while it is played.
pub trait Observer: Sync {
    /// The run begins; the log contains `in_log` of `total` games. Returns whether
    /// [`Observer::ply`] is to be called.
    fn begin(&self, in_log: u64, total: u64) -> bool;

    /// A game starts, for the first time.
    fn started(&self, _job: &ScheduledGame) {}

    /// A move or a chance outcome was played; called by the worker that plays the game.
    fn ply(&self, job: &ScheduledGame, board: &dyn Arbiter, token: &str, after: &AfterPly);

    /// A game was finished; `progress` includes it.
    fn game(&self, game: &GameRecord, progress: &MatchProgress);

    /// The run has ended.
    fn end(&self);

    /// Whether no more games are to start.
    fn wants_end(&self) -> bool {
        false
    }
}

/// An experiment's own view of the games so far.
pub trait Scoreboard: Sync {
    /// Lines for a terminal of this many columns and lines.
    fn live(&self, progress: &MatchProgress, columns: usize, lines: usize) -> String;

    /// Printed into a pipe before the first game.
    fn head(&self) -> Option<String>;

    /// Printed into a pipe below the head now and then; `None`: not after this game.
    fn row(&self, progress: &MatchProgress, total: u64) -> Option<String>;
}

/// The outcome of a run.
pub struct MatchOutcome {
    /// The match's header.
    pub header: MatchHeader,
    /// Why the run ended.
    pub ended: RunEnd,
    /// The score and the test.
    pub progress: MatchProgress,
    /// The referee's overhead; `None` if nothing was played.
    pub overhead: Option<OverheadSummary>,
    /// The path of the log: the final one, or the one to resume.
    pub log: PathBuf,
    /// The hash of its last line.
    pub head: String,
}

/// The next step of the run.
enum Next {
    Play(Queue<'static>),
    End(RunEnd),
}

impl MatchSession<'_> {
    /// Plays the games that are not yet in the log.
    pub fn play(&self, observer: &dyn Observer) -> Result<MatchOutcome> {
        warn_about_cores(self.run.concurrency);
        let path = working_log(&self.log, self.header.shard);
        let mut progress = MatchProgress::new(&self.header)?;
        for log in &self.round.earlier {
            self.learn(log, &mut progress)?;
        }
        let is_new = !path.exists();
        let origin = Origin { started: now(), machines: vec![this_machine()] };
        let header = MatchHeader { origin: Some(origin), ..self.header.clone() };
        for file in [Some(path.as_path()), self.chance.secret_file()].into_iter().flatten() {
            sandbox::hide(file);
        }
        let resume = |games: &mut LogGames| {
            self.verified(&path, &self.header, games, &mut progress)?;
            if self.header.continuations.len() >= games.ends().len() {
                self.may_continue(&progress)?;
            }
            Ok(())
        };
        let mut writer = LogWriter::open(&path, &header, || self.chance.keep(), resume)?;
        let (in_log, total) = (progress.games(), self.total(&progress));
        if in_log > total {
            bail!(
                "{}: it holds {in_log}, the schedule has {total}",
                path.display(),
                in_log = counted(in_log, "game")
            );
        }
        let (mut ended, overhead) = match self.next(&progress) {
            Next::End(ended) => (ended, None),
            Next::Play(queue) => {
                let played = self.play_queue(queue, observer, &mut progress, &mut writer);
                if played.is_err() && is_new && progress.games() == 0 {
                    // Nothing was played: remove the empty log.
                    let _ = std::fs::remove_file(&path);
                    self.chance.forget();
                } else if played.is_err() && writer.withdraw()? {
                    self.chance.forget();
                }
                let (ended, overhead) = played?;
                (ended, Some(overhead))
            }
        };
        let over = matches!(ended, RunEnd::Complete | RunEnd::Decided);
        let log = if over || matches!(ended, RunEnd::RoundFinished) {
            let end = over.then(|| EndOf { secret: self.chance.revealed() });
            match writer.finish(&self.log, end) {
                Ok(()) if over => self.chance.forget(),
                Ok(()) => {}
                Err(e @ LogError::Disturbed { .. }) => ended = unwritten(&e, &mut writer, &[]),
                Err(e) => return Err(e.into()),
            }
            self.log.clone()
        } else {
            path
        };
        let (header, head) = (self.header.clone(), writer.head().to_string());
        Ok(MatchOutcome { header, ended, progress, overhead, log, head })
    }

    /// Refuses to continue a match whose test is decided.
    fn may_continue(&self, progress: &MatchProgress) -> Result<()> {
        let Some(test) = &progress.test else { return Ok(()) };
        let Some(decision) = test.decision() else { return Ok(()) };
        let unit = if test.sample() == TestSample::Pair { "pairs" } else { "games" };
        bail!(
            "{}: the test was decided after {} {unit}: more games would not change its verdict. Begin \
             another test with another --log",
            self.log.display(),
            decision.samples
        )
    }

    /// Reads the games of a log that is resumed or that decides pairings. Trusts none that `referee
    /// verify` would refuse.
    fn verified(
        &self,
        path: &Path,
        header: &MatchHeader,
        games: &mut LogGames,
        progress: &mut MatchProgress,
    ) -> Result<()> {
        let checker = GameChecker::new(header, self.kind, self.chance.chances());
        let lines = GameLines {
            header,
            checker: &checker,
            openings: self.openings.iter().map(Some).collect(),
            stop_early: true,
            partial: true,
        };
        let findings = lines.verify(games, progress)?;
        Ok(findings.first(path)?)
    }

    /// Reads results from the log of another part of the match.
    fn learn(&self, path: &Path, progress: &mut MatchProgress) -> Result<()> {
        let (there, mut games) = agon_matchlog::open(path)?;
        let here = MatchHeader { shard: there.shard, ..self.header.clone() };
        here.expect_same_match(&there, path)?;
        let mut part = MatchProgress::new(&here)?;
        self.verified(path, &here, &mut games, &mut part)?;
        progress.results.extend(part.results);
        Ok(())
    }

    /// The number of games in the complete log; an upper bound if pairings depend on results.
    fn total(&self, progress: &MatchProgress) -> u64 {
        let (known, shard) = (self.header.schedule.known(&progress.results), self.header.shard);
        if !known.complete || shard.is_none() && !self.header.schedule.needs_results() {
            return self.header.scheduled_games();
        }
        known.jobs.filter(|job| in_shard(job, shard)).count() as u64
    }

    /// Determines the games that can be played now.
    fn next(&self, progress: &MatchProgress) -> Next {
        if progress.is_decided() {
            return Next::End(RunEnd::Decided);
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
            Next::End(RunEnd::Complete)
        } else {
            Next::End(RunEnd::RoundFinished)
        }
    }

    fn play_queue(
        &self,
        mut queue: Queue<'static>,
        observer: &dyn Observer,
        progress: &mut MatchProgress,
        writer: &mut LogWriter,
    ) -> Result<(RunEnd, OverheadSummary)> {
        let common = Arc::new(self.run.context(&self.header.game, &self.header.rules)?);
        let openings = self.openings.last().context("the match has no openings")?;
        dialects::check_openings(&self.header, openings.texts())?;
        let mut slots = start_all(&self.header, &common)?;
        writer.begin()?;
        let watched = observer.begin(progress.games(), self.total(progress));
        let watch = |job: &ScheduledGame, board: &dyn Arbiter, token: &str, after: &AfterPly| {
            observer.ply(job, board, token, after);
        };
        let wants_end = || observer.wants_end();
        let started = |job: &ScheduledGame| observer.started(job);
        // Only where several machines play it matters which one.
        let several = self.header.shard.is_some() || progress.workers.are_known();
        let worker = self.run.worker.clone().or_else(|| several.then(host_name));
        let m = Match {
            header: &self.header,
            context: MatchContext {
                kind: self.kind,
                rules: self.header.rules.clone(),
                chance: self.chance.now.chance.clone().into(),
                adjudication: self.header.adjudication.clone(),
                overhead: Overhead::default(),
            },
            common,
            openings: openings.clone(),
            options: RunnerOptions {
                concurrency: self.run.concurrency,
                max_faults: self.run.max_faults,
                until: self.until,
                wait: self.run.wait,
                pin: self.run.pin,
                watch: if watched { Some(&watch) } else { None },
                wants_end: Some(&wants_end),
                worker: worker.as_deref(),
                started: Some(&started),
            },
        };
        let ended = loop {
            let ended = run(&m, queue, slots, writer, |game| {
                progress.take(game);
                observer.game(game, progress);
                if progress.is_decided() {
                    ControlFlow::Break(RunEnd::Decided)
                } else {
                    ControlFlow::Continue(())
                }
            });
            if !matches!(ended, RunEnd::Complete) {
                break ended;
            }
            match self.next(progress) {
                Next::End(ended) => break ended,
                Next::Play(more) => (queue, slots) = (more, EngineSlots::default()),
            }
        };
        observer.end();
        Ok((ended, m.context.overhead.summary()))
    }
}

fn warn_about_cores(concurrency: usize) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if concurrency > cores {
        log::warn!(
            "{concurrency} concurrent games on {cores} cores: engines will get less processor time \
             than their clocks say"
        );
    }
}
