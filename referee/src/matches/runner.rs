//! Playing a schedule: workers take games from the list made up front, one place collects them.

use crate::engine::driver::EngineContext;
use crate::engine::{StartError, affinity, interrupted};
use crate::matches::openings::Openings;
use crate::matches::play::{MatchContext, Watch, play};
use crate::matches::schedule::Job;
use crate::matches::slot::{EngineSlot, GameAborted};
use crate::matches::tablebase::TablebaseAdjudicator;
use crate::matchlog::{EngineEntry, GameRecord, Header, LogError, Reason, Writer};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Instant;

/// A match that is ready to be played.
pub struct Match<'a> {
    /// What is played, as the log has it.
    pub header: &'a Header,
    /// The rules.
    pub context: MatchContext,
    /// What all engines have in common.
    pub common: Arc<EngineContext>,
    /// The openings.
    pub openings: Openings,
    /// How it is played.
    pub options: Options<'a>,
}

/// What does not change a match's games, only how they are played.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Games at the same time.
    pub concurrency: usize,
    /// After so many faulty games of an engine in a row the match stops; 0: never.
    pub max_faults: u64,
    /// No pair is begun after this time.
    pub until: Option<Instant>,
    /// Whether each worker, with the engines that it starts, keeps to one core.
    pub pin: bool,
    /// Told of every move.
    pub watch: Option<Watch<'a>>,
}

/// How a run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// All games are in the log.
    Complete,
    /// The user interrupted; the log can be taken up.
    Interrupted,
    /// The time for the run is over; the log can be taken up.
    OutOfTime,
    /// The sequential test is decided; the rest need not be played.
    Decided,
    /// What comes next depends on games that are not in this log, or the round is over.
    RoundFinished,
    /// It makes no sense to go on; the log can be taken up.
    Failed(String),
}

/// A match that could not be played at all, or whose log could not be written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An engine cannot be used.
    #[error(transparent)]
    Start(#[from] Box<StartError>),
    /// The tables of endgames cannot be asked.
    #[error("the tables of endgames: {0}")]
    Tables(GameAborted),
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Starts every engine once, so that one that cannot be used is found before the first game.
pub fn start_all(header: &Header, common: &Arc<EngineContext>) -> Result<EngineSlots, RunError> {
    let mut seats = EngineSlots::default();
    for (i, entry) in header.engines.iter().enumerate() {
        let mut seat = EngineSlot::new(Arc::new(entry.clone()), Arc::clone(common));
        seat.driver()?;
        seats.players.insert(i, seat);
    }
    if let Some(tables) = &header.adjudication.tables {
        let mut judge = TablebaseAdjudicator::new(tables, common);
        judge.ruling(None, &[]).map_err(RunError::Tables)?;
        seats.tables = Some(judge);
    }
    Ok(seats)
}

/// The engines of one worker.
#[derive(Default)]
pub struct EngineSlots {
    /// By their index.
    players: BTreeMap<usize, EngineSlot>,
    /// Where tables are asked.
    tables: Option<TablebaseAdjudicator>,
}

/// The seats of a game's players, and who is asked about tables.
type AtBoard<'a> = ([&'a mut EngineSlot; 2], Option<&'a mut TablebaseAdjudicator>);

impl EngineSlots {
    /// The seats of a game's players; `None` if an engine is to play itself.
    fn of(&mut self, m: &Match<'_>, players: [usize; 2]) -> Option<AtBoard<'_>> {
        for i in players {
            let entry = || Arc::new(m.header.engines[i].clone());
            self.players
                .entry(i)
                .or_insert_with(|| EngineSlot::new(entry(), Arc::clone(&m.common)));
        }
        let [a, b] = players;
        let mut both = [None, None];
        for (&i, seat) in &mut self.players {
            if i == a {
                both[0] = Some(seat);
            } else if i == b {
                both[1] = Some(seat);
            }
        }
        if let (Some(entry), None) = (&m.header.adjudication.tables, &self.tables) {
            self.tables = Some(TablebaseAdjudicator::new(entry, &m.common));
        }
        let [a, b] = both;
        Some(([a?, b?], self.tables.as_mut()))
    }
}

impl Drop for EngineSlots {
    fn drop(&mut self) {
        self.players.values_mut().for_each(EngineSlot::quit);
        self.tables.iter_mut().for_each(TablebaseAdjudicator::quit);
    }
}

/// What the workers share.
struct Shared<'a, 'b> {
    m: &'a Match<'b>,
    queue: Mutex<Queue<'a>>,
    stop: AtomicBool,
    /// Faulty games in a row, by engine.
    faults: Vec<AtomicU64>,
}

enum Report {
    Finished(Box<GameRecord>),
    RunEnd(RunEnd),
}

/// The games of a run, in the order in which they are begun.
pub type Queue<'a> = Box<dyn Iterator<Item = Job> + Send + 'a>;

/// Plays the games of `queue`, appending each to the log; `finished` hears of each and may end the
/// run.
pub fn run(
    m: &Match<'_>,
    queue: Queue<'_>,
    seats: EngineSlots,
    writer: &mut Writer,
    mut finished: impl FnMut(&GameRecord) -> ControlFlow<RunEnd>,
) -> Result<RunEnd, RunError> {
    let shared = Shared {
        m,
        queue: Mutex::new(queue),
        stop: AtomicBool::new(false),
        faults: m.header.engines.iter().map(|_| AtomicU64::new(0)).collect(),
    };
    std::thread::scope(|scope| {
        let reports = start_workers(scope, &shared, seats);
        let mut ended = RunEnd::Complete;
        for report in reports {
            match report {
                Report::Finished(game) => {
                    if let Err(e) = writer.append(&game) {
                        shared.stop.store(true, Ordering::Relaxed);
                        return Err(e.into());
                    }
                    if let ControlFlow::Break(end) = finished(&game) {
                        shared.stop.store(true, Ordering::Relaxed);
                        if matches!(ended, RunEnd::Complete) {
                            ended = end;
                        }
                    }
                }
                Report::RunEnd(end) => {
                    shared.stop.store(true, Ordering::Relaxed);
                    if matches!(ended, RunEnd::Complete) {
                        ended = end;
                    }
                }
            }
        }
        Ok(ended)
    })
}

fn start_workers<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    shared: &'scope Shared<'_, '_>,
    seats: EngineSlots,
) -> std::sync::mpsc::Receiver<Report> {
    // A worker whose games are not written yet waits: a slow disk must not fill the memory.
    let (sender, reports) = sync_channel(4 * shared.m.options.concurrency.max(1));
    let mut first_seats = Some(seats);
    for number in 0..shared.m.options.concurrency.max(1) {
        let sender = sender.clone();
        // Engines that run already may be on any core.
        let seats = first_seats.take().filter(|_| !shared.m.options.pin).unwrap_or_default();
        scope.spawn(move || {
            if let (true, Err(e)) = (shared.m.options.pin, affinity::pin_thread(number)) {
                log::warn!("worker {number} stays on all cores: {e}");
            }
            shared.work(seats, &sender);
        });
    }
    reports
}

impl Shared<'_, '_> {
    /// Takes games until there are none, or until somebody stops the run.
    fn work(&self, mut seats: EngineSlots, reports: &SyncSender<Report>) {
        let mut last_pair = None;
        while !self.stop.load(Ordering::Relaxed) {
            let job = self.queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = job else { return };
            let out_of_time = self.m.options.until.is_some_and(|t| Instant::now() >= t);
            let end = if interrupted() {
                Some(RunEnd::Interrupted)
            } else if out_of_time && last_pair != Some(job.pair) {
                Some(RunEnd::OutOfTime)
            } else {
                last_pair = Some(job.pair);
                self.play(job, &mut seats, reports)
            };
            if let Some(end) = end {
                // The collector is gone only if it has already stopped the run.
                let _ = reports.send(Report::RunEnd(end));
                return;
            }
        }
    }

    /// Plays one game; `Some` if the run must end.
    fn play(
        &self,
        job: Job,
        seats: &mut EngineSlots,
        reports: &SyncSender<Report>,
    ) -> Option<RunEnd> {
        let Some((both, tables)) = seats.of(self.m, job.players) else {
            return Some(RunEnd::Failed("an engine cannot play itself under one name".into()));
        };
        let opening = self.m.openings.of_pair(job.opening);
        match play(&self.m.context, job, opening, both, tables, self.m.options.watch) {
            Ok(game) => {
                let end = self.count_faults(&game);
                let _ = reports.send(Report::Finished(Box::new(game)));
                end
            }
            Err(GameAborted::Interrupted) => Some(RunEnd::Interrupted),
            Err(e) => Some(RunEnd::Failed(e.to_string())),
        }
    }

    /// Counts faulty games in a row; `Some` if there were too many.
    fn count_faults(&self, game: &GameRecord) -> Option<RunEnd> {
        let dead = matches!(game.reason, Reason::Crash | Reason::Hang | Reason::Flood);
        let culprit = game.result.winner().filter(|_| dead).map(|w| w.opponent());
        for (seat, &engine) in game.players.iter().enumerate() {
            if culprit.is_some_and(|c| c.index() == seat) {
                let faults = self.faults[engine].fetch_add(1, Ordering::Relaxed) + 1;
                let max = self.m.options.max_faults;
                if max > 0 && faults >= max {
                    return Some(RunEnd::Failed(too_many(
                        &self.m.header.engines[engine],
                        faults,
                        game,
                    )));
                }
            } else if culprit.is_none() {
                self.faults[engine].store(0, Ordering::Relaxed);
            }
        }
        None
    }
}

fn too_many(engine: &EngineEntry, faults: u64, game: &GameRecord) -> String {
    let detail = game.detail.as_deref().unwrap_or_default();
    format!(
        "engine {} failed in {faults} games in a row, last in game {}: {detail}{}",
        engine.name,
        game.game,
        game.output_tail()
    )
}
