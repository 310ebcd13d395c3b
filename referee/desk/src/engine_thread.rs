//! The engine at the desk: a thread that lets it think and ponder, and survives its faults within
//! the clock. An engine that fails is started again on the same position; one that fails twice is
//! replaced by the stand-by engine.

use agon_engine::driver::EngineContext;
use agon_engine::{Driver, Fault, GoAnswer};
use agon_games::arbiter::Arbiter;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::{Player, Turn};
use agon_matchlog::EngineEntry;
use agon_wire::message::{Annotation, Info, Limits, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often engines are tried on one position.
const ATTEMPTS: u32 = 4;

/// A position to think about.
pub struct EngineTask {
    /// Identifies the task; newer ones are larger.
    pub ticket: u64,
    /// The game's number.
    pub game: u64,
    /// The position.
    pub board: Box<dyn Arbiter>,
    /// The side of the engine.
    pub mover: Player,
    /// The clocks when the task was given.
    pub limits: Limits,
}

/// An engine that runs before the desk does.
pub struct Started {
    /// The running engine.
    pub driver: Driver,
    /// Its index: 0 is the first one, 1 the stand-by.
    pub index: usize,
    /// Why it is not the first one, or why that was started a second time.
    pub failure: Option<Phrase>,
}

/// What the desk wants of its engines.
enum EngineOrder {
    /// Be ready for this game, before its clocks run.
    Prepare(u64),
    Think(Box<EngineTask>),
    Ponder(Box<EngineTask>),
    /// Stop pondering.
    Rest,
    /// Use the engine with this index, in a new process.
    Use(usize),
}

/// What the engines report.
pub enum EngineReport {
    /// An engine is started: no other order is obeyed meanwhile.
    Starts {
        /// The index of the engine; `None` once it runs or has failed.
        engine: Option<usize>,
    },
    /// An engine is ready for a game, or none is.
    Ready {
        /// The game.
        game: u64,
    },
    /// An engine is not ready for a game. `next` is tried next.
    NotReady {
        /// The index of the engine.
        engine: usize,
        /// What happened.
        detail: Phrase,
        /// The index of the engine that is tried next; `None`: there is no other.
        next: Option<usize>,
    },
    /// A report of the search.
    Thinking {
        /// The task.
        ticket: u64,
        /// The report.
        info: Info,
    },
    /// A legal move.
    Done {
        /// The task.
        ticket: u64,
        /// The index of the engine.
        engine: usize,
        /// The canonical token.
        token: String,
        /// The last reports of the search.
        info: Info,
        /// The reply that the engine expects.
        expected: Option<String>,
        /// The time of the whole task.
        time: Duration,
    },
    /// The engine wants to resign.
    Resigns {
        /// The task.
        ticket: u64,
        /// The index of the engine.
        engine: usize,
    },
    /// An engine failed. `next` is tried next; `None`: all attempts are used up.
    Failed {
        /// The task.
        ticket: u64,
        /// The index of the engine.
        engine: usize,
        /// What happened.
        detail: Phrase,
        /// The index of the engine that is tried next.
        next: Option<usize>,
    },
}

/// The desk's end of the thread.
pub struct EngineThread {
    orders: Sender<EngineOrder>,
    /// The ticket of the task that is wanted; an older one is stopped.
    wanted: Arc<AtomicU64>,
    /// The engines: the first one and, perhaps, a stand-by.
    pub entries: Vec<Arc<EngineEntry>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl EngineThread {
    /// Starts the thread. Without a `running` engine the first one starts with the first order.
    ///
    /// # Errors
    /// If the machine has no thread left.
    pub fn start(
        entries: Vec<Arc<EngineEntry>>,
        running: Option<(usize, Driver)>,
        context: Arc<EngineContext>,
        mut report: impl FnMut(EngineReport) + Send + 'static,
    ) -> std::io::Result<EngineThread> {
        let (orders, received) = channel();
        let wanted = Arc::new(AtomicU64::new(0));
        let (active, driver) = running.map_or((0, None), |(index, driver)| (index, Some(driver)));
        let mut worker = Worker {
            entries: entries.clone(),
            context,
            driver,
            active,
            failures: 0,
            game: 0,
            wanted: Arc::clone(&wanted),
        };
        let run = move || worker.run(&received, &mut report);
        let thread = thread::Builder::new().name("engine".into()).spawn(run)?;
        Ok(EngineThread { orders, wanted, entries, thread: Some(thread) })
    }

    /// Makes the engine ready for a game; it reports when it is.
    pub fn prepare(&self, game: u64) {
        let _ = self.orders.send(EngineOrder::Prepare(game));
    }

    /// Lets the engine think; an older task is stopped and its move ignored.
    pub fn think(&self, task: EngineTask) {
        self.wanted.store(task.ticket, Ordering::SeqCst);
        // The thread ends only with this value.
        let _ = self.orders.send(EngineOrder::Think(Box::new(task)));
    }

    /// Lets the engine ponder on the position after its own move and the reply that it expects.
    pub fn ponder(&self, task: EngineTask) {
        let _ = self.orders.send(EngineOrder::Ponder(Box::new(task)));
    }

    /// Stops pondering.
    pub fn rest(&self) {
        let _ = self.orders.send(EngineOrder::Rest);
    }

    /// Stops the task in progress.
    pub fn stop(&self) {
        self.wanted.store(0, Ordering::SeqCst);
    }

    /// Starts an engine anew for a game: 0 is the first one, 1 the stand-by.
    pub fn use_engine(&self, index: usize, game: u64) {
        self.stop();
        let _ = self.orders.send(EngineOrder::Use(index.min(self.entries.len().saturating_sub(1))));
        self.prepare(game);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
        self.orders = channel().0;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported already.
            let _ = thread.join();
        }
    }
}

/// The thread's own state.
struct Worker {
    entries: Vec<Arc<EngineEntry>>,
    context: Arc<EngineContext>,
    driver: Option<Driver>,
    /// The index of the engine in use.
    active: usize,
    /// How often the engine in use has failed in this game.
    failures: u32,
    game: u64,
    wanted: Arc<AtomicU64>,
}

/// What an attempt gave.
enum Attempt {
    /// The canonical token, and the answer with it.
    Move(String, Box<GoAnswer>),
    Resigns,
    Stopped,
    Failed(Phrase),
}

impl Worker {
    fn run(&mut self, orders: &Receiver<EngineOrder>, report: &mut impl FnMut(EngineReport)) {
        while let Ok(order) = orders.recv() {
            match order {
                EngineOrder::Prepare(game) => self.make_ready(game, report),
                EngineOrder::Think(task) => {
                    self.think(&task, report);
                    // It failed when its move was not wanted any more: the next one may be soon.
                    if self.driver.is_none() && !self.is_wanted(&task) {
                        self.make_ready(task.game, report);
                    }
                }
                EngineOrder::Ponder(task) => self.ponder(&task, report),
                EngineOrder::Rest => self.rest(report),
                EngineOrder::Use(index) => {
                    self.drop_driver();
                    (self.active, self.failures) = (index, 0);
                }
            }
        }
        if let Some(driver) = self.driver.take() {
            driver.quit();
        }
    }

    fn drop_driver(&mut self) -> String {
        let Some(mut driver) = self.driver.take() else { return String::new() };
        driver.output_tail().to_string()
    }

    fn is_wanted(&self, task: &EngineTask) -> bool {
        self.wanted.load(Ordering::SeqCst) == task.ticket
    }

    /// Starts an engine and announces a game, before its clock runs.
    fn make_ready(&mut self, game: u64, report: &mut impl FnMut(EngineReport)) {
        while let Err(detail) = self.prepare(game, report) {
            let tail = self.drop_driver();
            let (engine, detail) = (self.active, phrase!("{detail}{tail}", detail, tail));
            let next = (engine + 1 < self.entries.len()).then_some(engine + 1);
            report(EngineReport::NotReady { engine, detail, next });
            let Some(next) = next else { break };
            (self.active, self.failures) = (next, 0);
        }
        report(EngineReport::Ready { game });
    }

    /// Lets engines think until one gives a legal move.
    fn think(&mut self, task: &EngineTask, report: &mut impl FnMut(EngineReport)) {
        let (ticket, begin) = (task.ticket, Instant::now());
        for attempt in 1..=ATTEMPTS {
            if !self.is_wanted(task) {
                return;
            }
            let engine = self.active;
            match self.attempt(task, begin, report) {
                Attempt::Stopped => return,
                Attempt::Resigns => return report(EngineReport::Resigns { ticket, engine }),
                Attempt::Move(token, answer) => {
                    let (time, expected) = (begin.elapsed(), answer.expected().map(String::from));
                    let info = answer.info;
                    let done = EngineReport::Done { ticket, engine, token, info, expected, time };
                    return report(done);
                }
                Attempt::Failed(detail) => {
                    let tail = self.drop_driver();
                    let detail = phrase!("{detail}{tail}", detail, tail);
                    self.failures += 1;
                    if self.failures >= 2 && self.active + 1 < self.entries.len() {
                        (self.active, self.failures) = (self.active + 1, 0);
                    }
                    let next = (attempt < ATTEMPTS).then_some(self.active);
                    report(EngineReport::Failed { ticket, engine, detail, next });
                }
            }
        }
    }

    /// Lets the engine in use think once.
    fn attempt(
        &mut self,
        task: &EngineTask,
        begin: Instant,
        report: &mut impl FnMut(EngineReport),
    ) -> Attempt {
        if let Err(reason) = self.prepare(task.game, report) {
            return Attempt::Failed(reason);
        }
        let Some(driver) = &mut self.driver else {
            return Attempt::Failed(phrase!("is not running"));
        };
        // What earlier attempts took has gone from the clock.
        let mut limits = own_limits(task, self.entries.get(self.active));
        let own = &mut limits.time[task.mover.index()];
        *own = own.map(|left| left.saturating_sub(begin.elapsed()).max(Duration::from_millis(100)));
        // Half of what is left, so that an engine that hangs can still be replaced.
        let allowed = match (*own, limits.move_time) {
            (Some(left), _) => Some((left / 2).max(Duration::from_millis(500))),
            (None, move_time) => move_time.map(|time| 2 * time + Duration::from_secs(1)),
        };
        let wanted = Arc::clone(&self.wanted);
        let ticket = task.ticket;
        let mut watch = |info: Option<&Info>| {
            if let Some(info) = info {
                report(EngineReport::Thinking { ticket, info: info.clone() });
            }
            wanted.load(Ordering::SeqCst) != ticket
        };
        let view = task.board.player_view_fen(task.mover);
        let tokens = if view.is_some() { Vec::new() } else { task.board.tokens() };
        let watch = Some(&mut watch as &mut dyn FnMut(Option<&Info>) -> bool);
        let fen = view.as_deref();
        match driver.go_watched(fen, &tokens, task.mover, &limits, allowed, watch) {
            Ok(_) if !self.is_wanted(task) => Attempt::Stopped,
            Ok(answer) if answer.annotations.contains(&Annotation::Resignation) => Attempt::Resigns,
            Ok(answer) => match &answer.token {
                None => Attempt::Failed(phrase!("sent no move")),
                Some(token) => match task.board.boxed_clone().push(token) {
                    Ok(token) => Attempt::Move(token, Box::new(answer)),
                    Err(cause) => Attempt::Failed(phrase!("its move: {cause}", cause)),
                },
            },
            Err(Fault::Interrupted) => Attempt::Stopped,
            Err(fault) => {
                let stopped = !self.is_wanted(task);
                if stopped {
                    // It did not answer `stop`, or crashed while nobody needed it.
                    self.drop_driver();
                    return Attempt::Stopped;
                }
                Attempt::Failed(fault.to_phrase())
            }
        }
    }

    /// Starts the engine if necessary, and announces a new game.
    fn prepare(&mut self, game: u64, report: &mut impl FnMut(EngineReport)) -> Result<(), Phrase> {
        let is_new = self.driver.is_none() || self.game != game;
        if self.driver.is_none() {
            let entry =
                self.entries.get(self.active).ok_or_else(|| phrase!("there is no engine"))?;
            report(EngineReport::Starts { engine: Some(self.active) });
            let started = Driver::start(entry, &self.context);
            report(EngineReport::Starts { engine: None });
            self.driver = Some(started.map_err(|e| e.to_phrase())?);
        }
        if let Some(driver) = self.driver.as_mut().filter(|_| is_new) {
            driver.new_game().map_err(|cause| phrase!("before the game: {cause}", cause))?;
            if self.game != game {
                (self.game, self.failures) = (game, 0);
            }
        }
        Ok(())
    }

    fn rest(&mut self, report: &mut impl FnMut(EngineReport)) {
        if let Some(Err(fault)) = self.driver.as_mut().map(Driver::stop_pondering) {
            log::warn!("the engine does not stop pondering: {fault}");
            self.drop_driver();
            // No move is wanted yet.
            self.make_ready(self.game, report);
        }
    }

    /// Ponders, if the engine in use does; after a fault it is started anew.
    fn ponder(&mut self, task: &EngineTask, report: &mut impl FnMut(EngineReport)) {
        let ponders = self.entries.get(self.active).is_some_and(|entry| entry.ponder);
        let (Some(driver), true) = (&mut self.driver, ponders && self.game == task.game) else {
            return;
        };
        // Before a roll there is no position to ponder on.
        if task.board.turn() != Turn::Player(task.mover) {
            return;
        }
        let tokens = task.board.tokens();
        let limits = own_limits(task, self.entries.get(self.active));
        if let Err(fault) = driver.ponder(None, tokens, task.mover, limits) {
            log::warn!("the engine does not ponder: {fault}");
            self.drop_driver();
            self.make_ready(self.game, report);
        }
    }
}

/// The limits of a task with those of the engine's own fields.
fn own_limits(task: &EngineTask, entry: Option<&Arc<EngineEntry>>) -> Limits {
    let mut limits = task.limits.clone();
    if let Some(own) = entry.map(|entry| &entry.limit) {
        limits.move_time = own.move_ms.map(Duration::from_millis).or(limits.move_time);
        (limits.depth, limits.nodes) = (own.depth, own.nodes);
    }
    limits
}

/// A score as a match log has it, from the view of the side that moves; empty if there is none.
pub fn score_text(info: &Info) -> String {
    match info.score {
        None => String::new(),
        Some(Score::Mate(plies)) => format!("#{plies}"),
        Some(Score::Cp(x)) => x.to_string(),
    }
}
