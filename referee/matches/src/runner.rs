//! Plays the games of a schedule: workers take them from a queue, one thread writes the log.

use crate::openings::Openings;
use crate::play::{GameWatch, MatchContext, play};
use crate::run_end::{RunEnd, unwritten};
use crate::schedule::ScheduledGame;
use crate::slot::{EngineSlot, GameAborted};
use crate::tablebase::TablebaseAdjudicator;
use agon_base::ordinal::Ordinal;
use agon_engine::driver::EngineContext;
use agon_engine::{StartError, affinity, guard, interrupted};
use agon_matchlog::{EngineEntry, GameRecord, LogWriter, MatchHeader, Reason};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// How often a game is played if the machine stalls each time.
const ATTEMPTS: u32 = 4;

/// A match that is ready to be played.
pub struct Match<'a> {
    /// The match as the log's header describes it.
    pub header: &'a MatchHeader,
    /// The rules.
    pub context: MatchContext,
    /// Game, rules and timeouts for the engines.
    pub common: Arc<EngineContext>,
    /// The openings.
    pub openings: Openings,
    /// How the match is run.
    pub options: RunnerOptions<'a>,
}

/// How a match is run; none of it changes the games.
#[derive(Clone, Copy)]
pub struct RunnerOptions<'a> {
    /// Number of concurrent games.
    pub concurrency: usize,
    /// The match stops after this number of consecutive games lost by a fault; 0: never.
    pub max_faults: u64,
    /// No pair starts after this time.
    pub until: Option<Instant>,
    /// Pause between two games of a worker.
    pub wait: Duration,
    /// Whether each worker, with the engines that it starts, is pinned to one core.
    pub pin: bool,
    /// Called after every move.
    pub watch: Option<GameWatch<'a>>,
    /// Whether no more games are to start; called before each.
    pub wants_end: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// The name of this machine in the log.
    pub worker: Option<&'a str>,
    /// Called when a game starts for the first time.
    pub started: Option<&'a (dyn Fn(&ScheduledGame) + Sync)>,
}

/// Error: a program cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum MatchRunError {
    /// An engine cannot be started.
    #[error(transparent)]
    Start(#[from] Box<StartError>),
    /// The tablebase cannot be probed.
    #[error("tablebase: {0}")]
    Tablebase(GameAborted),
}

/// Starts every engine once, to detect one that does not work before the first game.
pub fn start_all(
    header: &MatchHeader,
    common: &Arc<EngineContext>,
) -> Result<EngineSlots, MatchRunError> {
    start_some(header, common, 0..header.engines.len())
}

/// As [`start_all`], for some of the engines.
pub fn start_some(
    header: &MatchHeader,
    common: &Arc<EngineContext>,
    engines: impl IntoIterator<Item = usize>,
) -> Result<EngineSlots, MatchRunError> {
    let mut slots = EngineSlots::default();
    for i in engines {
        let entry = Arc::new(header.engines[i].clone());
        let mut slot = EngineSlot::new(entry, Arc::clone(common));
        slot.driver()?;
        slots.players.insert(i, slot);
    }
    if let Some(tables) = &header.adjudication.tables {
        let mut tablebase = TablebaseAdjudicator::new(tables, common);
        tablebase.ruling(None, &[]).map_err(MatchRunError::Tablebase)?;
        slots.tablebase = Some(tablebase);
    }
    Ok(slots)
}

/// The engines of one worker.
#[derive(Default)]
pub struct EngineSlots {
    /// Engine slots by engine index.
    players: BTreeMap<usize, EngineSlot>,
    /// The tablebase program, if the match has tablebase adjudication.
    tablebase: Option<TablebaseAdjudicator>,
}

/// The engines of one game, the first player's first, and the tablebase program.
pub type GameSlots<'a> = ([&'a mut EngineSlot; 2], Option<&'a mut TablebaseAdjudicator>);

impl EngineSlots {
    /// Returns the engines of one game; `None` if an engine would play itself.
    pub fn of(
        &mut self,
        header: &MatchHeader,
        common: &Arc<EngineContext>,
        players: [usize; 2],
    ) -> Option<GameSlots<'_>> {
        for i in players {
            let entry = || Arc::new(header.engines[i].clone());
            self.players.entry(i).or_insert_with(|| EngineSlot::new(entry(), Arc::clone(common)));
        }
        let [a, b] = players;
        let mut both = [None, None];
        for (&i, slot) in &mut self.players {
            if i == a {
                both[0] = Some(slot);
            } else if i == b {
                both[1] = Some(slot);
            }
        }
        if let (Some(entry), None) = (&header.adjudication.tables, &self.tablebase) {
            self.tablebase = Some(TablebaseAdjudicator::new(entry, common));
        }
        let [a, b] = both;
        Some(([a?, b?], self.tablebase.as_mut()))
    }
}

impl Drop for EngineSlots {
    fn drop(&mut self) {
        self.players.values_mut().for_each(EngineSlot::quit);
        self.tablebase.iter_mut().for_each(TablebaseAdjudicator::quit);
    }
}

/// The state shared by all workers.
struct RunnerState<'a, 'b> {
    m: &'a Match<'b>,
    queue: Mutex<Queue<'a>>,
    stop: AtomicBool,
    /// Number of consecutive faulty games of each engine.
    faults: Vec<AtomicU64>,
}

/// A message from a worker.
enum WorkerReport {
    Finished(Box<GameRecord>),
    RunEnd(RunEnd),
}

/// The games of a run in the order in which they start.
pub type Queue<'a> = Box<dyn Iterator<Item = ScheduledGame> + Send + 'a>;

/// Plays the games of `queue` and appends each to the log. `finished` is called with each game and
/// may end the run.
pub fn run(
    m: &Match<'_>,
    queue: Queue<'_>,
    slots: EngineSlots,
    writer: &mut LogWriter,
    mut finished: impl FnMut(&GameRecord) -> ControlFlow<RunEnd>,
) -> RunEnd {
    let shared = RunnerState {
        m,
        queue: Mutex::new(queue),
        stop: AtomicBool::new(false),
        faults: m.header.engines.iter().map(|_| AtomicU64::new(0)).collect(),
    };
    std::thread::scope(|scope| {
        let reports = start_workers(scope, &shared, slots);
        let mut ended = RunEnd::Complete;
        for report in &reports {
            match report {
                WorkerReport::Finished(game) => {
                    if let Err(e) = writer.append(&game) {
                        shared.stop.store(true, Ordering::Relaxed);
                        // Games that end from now on were ended by the referee.
                        let held: Vec<_> =
                            std::iter::once(*game).chain(waiting(&reports)).collect();
                        // No other game can be saved, so none need be finished.
                        guard::end_all();
                        return unwritten(&e, writer, &held);
                    }
                    if let ControlFlow::Break(end) = finished(&game) {
                        shared.stop.store(true, Ordering::Relaxed);
                        if matches!(ended, RunEnd::Complete) {
                            ended = end;
                        }
                    }
                }
                WorkerReport::RunEnd(end) => {
                    shared.stop.store(true, Ordering::Relaxed);
                    if matches!(ended, RunEnd::Complete) {
                        ended = end;
                    }
                }
            }
        }
        ended
    })
}

/// The finished games that wait to be written.
fn waiting(reports: &Receiver<WorkerReport>) -> impl Iterator<Item = GameRecord> {
    reports.try_iter().filter_map(|report| match report {
        WorkerReport::Finished(game) => Some(*game),
        WorkerReport::RunEnd(_) => None,
    })
}

fn start_workers<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    shared: &'scope RunnerState<'_, '_>,
    slots: EngineSlots,
) -> Receiver<WorkerReport> {
    // The channel is bounded: with a slow disk, workers wait instead of filling the memory.
    let (sender, reports) = sync_channel(4 * shared.m.options.concurrency.max(1));
    let mut first_slots = Some(slots);
    for number in 0..shared.m.options.concurrency.max(1) {
        let sender = sender.clone();
        // Engines that already run are not pinned.
        let slots = first_slots.take().filter(|_| !shared.m.options.pin).unwrap_or_default();
        scope.spawn(move || {
            if let (true, Err(e)) = (shared.m.options.pin, affinity::pin_thread(number)) {
                log::warn!("worker {} is not pinned: {e}", Ordinal::of_index(number as u64));
            }
            shared.work(slots, &sender);
        });
    }
    reports
}

impl RunnerState<'_, '_> {
    /// Plays games until the queue is empty or the run is stopped.
    fn work(&self, mut slots: EngineSlots, reports: &SyncSender<WorkerReport>) {
        let mut last_pair = None;
        while !self.stop.load(Ordering::Relaxed) {
            if last_pair.is_some() {
                self.pause();
            }
            let job = self.queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = job else { return };
            let out_of_time = self.m.options.until.is_some_and(|t| Instant::now() >= t);
            let end = if interrupted() {
                Some(RunEnd::Interrupted)
            } else if self.m.options.wants_end.is_some_and(|wants_end| wants_end()) {
                Some(RunEnd::Stopped)
            } else if out_of_time && last_pair != Some(job.pair) {
                Some(RunEnd::OutOfTime)
            } else {
                last_pair = Some(job.pair);
                self.play(job, 1, &mut slots, reports)
            };
            if let Some(end) = end {
                // The receiver is gone only if it has already stopped the run.
                let _ = reports.send(WorkerReport::RunEnd(end));
                return;
            }
        }
    }

    /// Waits between two games, or until the run ends.
    fn pause(&self) {
        let until = Instant::now() + self.m.options.wait;
        while !interrupted() && !self.stop.load(Ordering::Relaxed) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }

    /// Plays one game, for the `attempt`th time; returns `Some` if the run must end.
    fn play(
        &self,
        job: ScheduledGame,
        attempt: u32,
        slots: &mut EngineSlots,
        reports: &SyncSender<WorkerReport>,
    ) -> Option<RunEnd> {
        let Some((both, tablebase)) = slots.of(self.m.header, &self.m.common, job.players) else {
            return Some(RunEnd::Failed("an engine cannot play itself under one name".into()));
        };
        let opening = self.m.openings.of_pair(job.opening);
        if let (Some(started), 1) = (self.m.options.started, attempt) {
            started(&job);
        }
        match play(&self.m.context, job, opening, both, tablebase, self.m.options.watch) {
            Ok(mut game) => {
                game.worker = self.m.options.worker.map(String::from);
                let end = self.count_faults(&game);
                let _ = reports.send(WorkerReport::Finished(Box::new(game)));
                end
            }
            Err(GameAborted::Interrupted) => Some(RunEnd::Interrupted),
            Err(GameAborted::Stalled(why)) if attempt < ATTEMPTS => {
                let number = job.number();
                log::warn!("game {number}: {why}; the game is not counted but played again");
                self.play(job, attempt + 1, slots, reports)
            }
            Err(GameAborted::Stalled(why)) => Some(RunEnd::Failed(format!(
                "game {}: {why}, for the {ATTEMPTS}th time; play fewer games at the same time (-j), \
                 give a larger --margin, or resume when the machine is idle",
                job.number()
            ))),
            Err(e) => Some(RunEnd::Failed(format!("game {}: {e}", job.number()))),
        }
    }

    /// Counts consecutive faulty games; returns `Some` if there are too many.
    fn count_faults(&self, game: &GameRecord) -> Option<RunEnd> {
        let faulty = matches!(game.reason, Reason::Crash | Reason::Hang | Reason::Flood);
        let loser = game.result.winner().filter(|_| faulty).map(|w| w.opponent());
        for (side, &engine) in game.players.iter().enumerate() {
            if loser.is_some_and(|l| l.index() == side) {
                let faults = self.faults[engine].fetch_add(1, Ordering::Relaxed) + 1;
                let max = self.m.options.max_faults;
                if max > 0 && faults >= max {
                    return Some(RunEnd::Failed(too_many(
                        &self.m.header.engines[engine],
                        faults,
                        game,
                    )));
                }
            } else if loser.is_none() {
                self.faults[engine].store(0, Ordering::Relaxed);
            }
        }
        None
    }
}

fn too_many(engine: &EngineEntry, faults: u64, game: &GameRecord) -> String {
    let detail = game.detail.clone().unwrap_or_default();
    format!(
        "engine {} failed in {faults} consecutive games, last in game {}: {detail}{}",
        engine.name,
        game.number(),
        game.output_tail()
    )
}
