//! Plays games of a log again, several at a time, and says of each whether it is the same.

use super::difference::{Difference, compare};
use crate::chance::{Chance, GameChance};
use crate::overhead::Overhead;
use crate::play::{MatchContext, play};
use crate::runner::{EngineSlots, start_some};
use crate::schedule::ScheduledGame;
use crate::slot::GameAborted;
use agon_base::ordinal::Ordinal;
use agon_engine::driver::EngineContext;
use agon_engine::interrupted;
use agon_games::arbiter::GameKind;
use agon_matchlog::{GameRecord, LogError, MatchHeader};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Plays games of a log again.
pub struct Auditor<'a> {
    /// The match, with the programs where they are now.
    pub header: &'a MatchHeader,
    /// The game.
    pub kind: GameKind,
    /// The source of chance of each section of the log; where it is unknown, dice and deals are those of the log.
    pub chances: Vec<Option<Chance>>,
    /// Game, rules and timeouts for the engines.
    pub common: Arc<EngineContext>,
    /// Number of concurrent games.
    pub concurrency: usize,
}

/// What came of a game that was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the same.
    Same,
    /// It differs, and in the same way each time that it is played.
    Differs(Difference),
    /// It differs from the log, and from one time that it is played to the next.
    NotDeterministic {
        /// The first difference from the log.
        difference: Difference,
        /// The first difference of two games that were played now; `None` if only other games show that this
        /// engine is not deterministic.
        between: Option<Difference>,
    },
}

/// A game that was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedGame {
    /// Its number.
    pub game: Ordinal,
    /// The number of plies in the log.
    pub plies: usize,
    /// Whether it is the same.
    pub verdict: Verdict,
}

/// Why an audit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditEnd {
    /// All games were played.
    Complete,
    /// The user interrupted it.
    Interrupted,
    /// The log cannot be read, or a program cannot be run.
    Failed(String),
}

/// A message from a worker.
enum Report {
    Game(AuditedGame),
    End(AuditEnd),
}

/// Whether what differs between two games that were played now explains a difference from the log: not if the
/// opponent goes another way after it.
fn excuses(between: &Difference, difference: &Difference) -> bool {
    let opponent = between.engine.is_some() && between.engine != difference.engine;
    between.ply <= difference.ply || !opponent
}

/// Turns differences of an engine that other games show to be not deterministic into games of which nothing follows.
pub fn excuse_nondeterministic(games: &mut [AuditedGame]) {
    let shown = |game: &AuditedGame| match &game.verdict {
        Verdict::NotDeterministic { between, .. } => between.as_ref().and_then(|b| b.engine),
        _ => None,
    };
    let changing: BTreeSet<usize> = games.iter().filter_map(shown).collect();
    for game in games {
        if let Verdict::Differs(difference) = &game.verdict
            && difference.engine.is_some_and(|engine| changing.contains(&engine))
        {
            let difference = difference.clone();
            game.verdict = Verdict::NotDeterministic { difference, between: None };
        }
    }
}

impl Auditor<'_> {
    /// Plays these games, in which these engines meet; calls `finished` after each, in any order.
    pub fn run(
        &self,
        games: impl Iterator<Item = Result<GameRecord, LogError>> + Send,
        engines: impl IntoIterator<Item = usize>,
        mut finished: impl FnMut(AuditedGame),
    ) -> AuditEnd {
        let mut slots = match start_some(self.header, &self.common, engines) {
            Ok(slots) => Some(slots),
            Err(_) if interrupted() => return AuditEnd::Interrupted,
            Err(e) => return AuditEnd::Failed(e.to_string()),
        };
        let (queue, stop) = (Mutex::new(games), AtomicBool::new(false));
        let (queue, stop) = (&queue, &stop);
        std::thread::scope(|scope| {
            let (sender, reports) = sync_channel(self.concurrency.max(1));
            for _ in 0..self.concurrency.max(1) {
                let (sender, slots) = (sender.clone(), slots.take().unwrap_or_default());
                scope.spawn(move || self.work(queue, stop, slots, &sender));
            }
            drop(sender);
            let mut ended = AuditEnd::Complete;
            for report in reports {
                match report {
                    Report::Game(game) => finished(game),
                    Report::End(end) => {
                        stop.store(true, Ordering::Relaxed);
                        if ended == AuditEnd::Complete {
                            ended = end;
                        }
                    }
                }
            }
            ended
        })
    }

    fn work(
        &self,
        queue: &Mutex<impl Iterator<Item = Result<GameRecord, LogError>>>,
        stop: &AtomicBool,
        mut slots: EngineSlots,
        reports: &SyncSender<Report>,
    ) {
        while !stop.load(Ordering::Relaxed) {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(game) = next else { return };
            let game = game.map_err(|e| AuditEnd::Failed(e.to_string()));
            let report = match game.and_then(|game| self.audit(&game, &mut slots)) {
                // Ctrl-C may have ended an engine.
                _ if interrupted() => Report::End(AuditEnd::Interrupted),
                Ok(game) => Report::Game(game),
                Err(end) => Report::End(end),
            };
            if reports.send(report).is_err() {
                return;
            }
        }
    }

    /// Plays a game again; one that differs once more by the same processes, which may remember it, and
    /// once more by new ones.
    fn audit(&self, log: &GameRecord, slots: &mut EngineSlots) -> Result<AuditedGame, AuditEnd> {
        let first = self.play(log, slots)?;
        let audited = |verdict| AuditedGame { game: log.number(), plies: log.by.len(), verdict };
        let Some(difference) = compare(log, &first) else { return Ok(audited(Verdict::Same)) };
        for anew in [false, true] {
            if anew {
                *slots = EngineSlots::default();
            }
            let again = self.play(log, slots)?;
            let between = compare(&first, &again);
            if between.as_ref().is_some_and(|between| excuses(between, &difference)) {
                return Ok(audited(Verdict::NotDeterministic { difference, between }));
            }
        }
        Ok(audited(Verdict::Differs(difference)))
    }

    fn play(&self, log: &GameRecord, slots: &mut EngineSlots) -> Result<GameRecord, AuditEnd> {
        let failed = |why: String| AuditEnd::Failed(format!("game {}: {why}", log.number()));
        let source = self.chances.get(self.header.section_of(log.game)).cloned().flatten();
        let context = MatchContext {
            kind: self.kind,
            rules: self.header.rules.clone(),
            chance: source.map_or_else(|| GameChance::of_record(log), GameChance::from),
            adjudication: self.header.adjudication.clone(),
            overhead: Overhead::default(),
        };
        let job =
            ScheduledGame { game: log.game, pair: log.pair, opening: 0, players: log.players };
        let Some((both, tablebase)) = slots.of(self.header, &self.common, log.players) else {
            return Err(failed("an engine plays itself".into()));
        };
        play(&context, job, &log.opening, both, tablebase, None).map_err(|e| match e {
            GameAborted::Interrupted => AuditEnd::Interrupted,
            other => failed(other.to_string()),
        })
    }
}
