//! An engine in a thread of its own: it gets positions to think about and reports what it finds. It
//! starts at once, and again after a failure.

use agon_engine::driver::EngineContext;
use agon_engine::{Driver, Fault, GoAnswer};
use agon_games::Player;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matchlog::{EngineEntry, Setting};
use agon_wire::message::{Info, Limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A position to think about.
#[derive(Clone, Debug)]
pub struct ThinkRequest {
    /// The number of the request; later requests have greater numbers.
    pub id: u64,
    /// The position before `moves`; `None`: the game's start position.
    pub fen: Option<String>,
    /// Moves and chance outcomes.
    pub moves: Vec<String>,
    /// The player to move.
    pub mover: Player,
    /// Limits of the search.
    pub limits: Limits,
    /// After this time the search is stopped.
    pub allowed: Duration,
    /// Number of lines to report, if the engine has the option `MultiPV`.
    pub lines: u32,
    /// The option of the engine's strength with its value for this search, if it has one.
    pub strength: Option<Setting>,
}

/// What an engine reports; the number is the request's.
#[derive(Debug)]
pub enum ThinkerReport {
    /// A report of the search.
    Info(u64, Box<Info>),
    /// The search is over.
    Done(u64, Box<GoAnswer>),
    /// Whether the engine is being started.
    Starts(bool),
    /// The engine failed and has been ended: why, with the tail of its output. 0: at its start, before
    /// any request.
    Failed(u64, Phrase),
}

/// An engine that thinks in a thread; dropping it ends the thread and the engine.
pub struct Thinker {
    requests: Sender<ThinkRequest>,
    /// Requests up to this number are to stop.
    stopped: Arc<AtomicU64>,
}

impl Thinker {
    /// Starts the thread. `entry` finds the engine's program; `report` is called by the thread.
    ///
    /// # Errors
    ///
    /// Fails if the machine has no thread left.
    pub fn start(
        entry: impl Fn() -> Result<EngineEntry, Phrase> + Send + 'static,
        context: EngineContext,
        report: impl Fn(ThinkerReport) + Send + 'static,
    ) -> std::io::Result<Thinker> {
        let (requests, queue) = channel();
        let stopped = Arc::new(AtomicU64::new(0));
        let mut worker = Worker {
            entry: Box::new(entry),
            context: Arc::new(context),
            report: Box::new(report),
            stopped: Arc::clone(&stopped),
            driver: None,
            lines: 0,
            strength: None,
        };
        let run = move || worker.run(&queue);
        std::thread::Builder::new().name("engine".into()).spawn(run)?;
        Ok(Thinker { requests, stopped })
    }

    /// Begins to think, after the requests before it.
    pub fn think(&self, request: ThinkRequest) {
        // The thread ends only when the program is interrupted.
        let _ = self.requests.send(request);
    }

    /// Stops the requests up to this number; each still reports its end.
    pub fn stop(&self, id: u64) {
        self.stopped.fetch_max(id, Ordering::Relaxed);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop(u64::MAX);
    }
}

struct Worker {
    entry: Box<dyn Fn() -> Result<EngineEntry, Phrase> + Send>,
    context: Arc<EngineContext>,
    report: Box<dyn Fn(ThinkerReport) + Send>,
    stopped: Arc<AtomicU64>,
    driver: Option<Driver>,
    /// The value of the option `MultiPV`; 0: not yet set.
    lines: u32,
    /// The strength that is set; `None`: not since its start.
    strength: Option<Setting>,
}

impl Worker {
    fn run(&mut self, queue: &Receiver<ThinkRequest>) {
        if let Err(text) = self.start() {
            let waiting: Vec<u64> = queue.try_iter().map(|request| request.id).collect();
            for id in if waiting.is_empty() { vec![0] } else { waiting } {
                self.fail(id, &text);
            }
        }
        for request in queue {
            if self.stopped.load(Ordering::Relaxed) == u64::MAX {
                break;
            }
            match self.think(&request) {
                Ok(answer) => (self.report)(ThinkerReport::Done(request.id, Box::new(answer))),
                Err(text) => self.fail(request.id, &text),
            }
        }
        if let Some(driver) = self.driver.take() {
            driver.quit();
        }
    }

    fn fail(&mut self, id: u64, text: &Phrase) {
        let tail = self.driver.as_mut().map(Driver::output_tail).unwrap_or_default();
        // Dropping the driver kills the engine.
        self.driver = None;
        let tail = tail.to_string();
        (self.report)(ThinkerReport::Failed(id, phrase!("{text}{tail}", text, tail)));
    }

    /// Starts the engine if it does not run.
    fn start(&mut self) -> Result<(), Phrase> {
        if self.driver.is_some() {
            return Ok(());
        }
        (self.report)(ThinkerReport::Starts(true));
        let started = self.started();
        (self.report)(ThinkerReport::Starts(false));
        self.driver = Some(started?);
        (self.lines, self.strength) = (0, None);
        Ok(())
    }

    fn started(&self) -> Result<Driver, Phrase> {
        let entry = Arc::new((self.entry)()?);
        let mut driver = Driver::start(&entry, &self.context).map_err(|error| error.to_phrase())?;
        driver.new_game().map_err(failed)?;
        Ok(driver)
    }

    fn think(&mut self, request: &ThinkRequest) -> Result<GoAnswer, Phrase> {
        self.start()?;
        let Some(driver) = &mut self.driver else { return Err(phrase!("is not running")) };
        if self.lines != request.lines && (self.lines != 0 || request.lines != 1) {
            driver.set_option("MultiPV", &request.lines.to_string()).map_err(failed)?;
            self.lines = request.lines;
        }
        if let Some(strength) =
            request.strength.as_ref().filter(|s| self.strength.as_ref() != Some(*s))
        {
            driver.set_option(&strength.name, &strength.value).map_err(failed)?;
            self.strength = Some(strength.clone());
        }
        let (report, stopped) = (&self.report, &self.stopped);
        let mut watch = |info: Option<&Info>| {
            if let Some(info) = info {
                report(ThinkerReport::Info(request.id, Box::new(info.clone())));
            }
            stopped.load(Ordering::Relaxed) >= request.id
        };
        let fen = request.fen.as_deref();
        let (limits, allowed) = (&request.limits, Some(request.allowed));
        driver
            .go_watched(fen, &request.moves, request.mover, limits, allowed, Some(&mut watch))
            .map_err(failed)
    }
}

fn failed(cause: Fault) -> Phrase {
    phrase!("the engine failed: {cause}", cause)
}
