//! The class `EngineProcess`: a program as an engine, started and asked by the referee's own driver. `agon/engine.py`
//! makes the class `Engine` of it.

use crate::errors::{BadPosition, EngineDied, EngineError, EngineStartError, EngineTimeout};
use crate::game::Game;
use crate::limits::Asked;
use crate::lines::{Lines, dictionary};
use crate::options::{self, Settings};
use agon_engine::driver::{EngineContext, Timeouts};
use agon_engine::{Driver, EngineSpec, Fault, GoAnswer};
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::text::excerpt;
use agon_games::{Player, Turn};
use agon_matchlog::{Limit, OutputTail, Setting};
use agon_wire::dialect;
use agon_wire::message::{Annotation, Info};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often Python may see a signal while an engine thinks.
const TICK: Duration = Duration::from_millis(50);

/// A running program.
#[pyclass(frozen, module = "agon._agon")]
pub struct EngineProcess {
    kind: GameKind,
    name: String,
    think: Duration,
    grace: Duration,
    stopped: AtomicBool,
    state: Mutex<State>,
}

struct State {
    driver: Result<Driver, String>,
    /// The rules that the engine was told.
    rules: Settings,
    /// The value of `MultiPV`; 0: not yet set.
    lines: u32,
}

/// How a program is started; the attributes of an object of Python.
#[derive(FromPyObject)]
pub struct Start {
    referee: PathBuf,
    game: String,
    name: String,
    command: Vec<String>,
    unquoted: Option<String>,
    dialect: String,
    options: Vec<(String, String)>,
    env: Vec<(String, String)>,
    dir: Option<String>,
    memory: Option<u64>,
    cpus: Option<Vec<usize>>,
    sandbox: bool,
    ready_time: f64,
    think_time: f64,
    stop_time: f64,
}

/// A position that an engine can search.
struct Position {
    /// `None`: the game's start position.
    fen: Option<String>,
    moves: Vec<String>,
    mover: Player,
    rules: Settings,
}

/// Why there is no answer.
enum Trouble {
    /// The engine has ended.
    Fault(Fault, Box<OutputTail>),
    /// The engine is as it was.
    Refused(PyErr),
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Trouble {
        Trouble::Refused(error)
    }
}

/// Settings as the referee has them.
fn pairs(settings: Vec<(String, String)>) -> Vec<Setting> {
    settings.into_iter().map(|(name, value)| Setting { name, value }).collect()
}

/// Does something in a thread of its own; a signal ends the wait for it.
fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    what: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, mut result) = channel();
    let work = move || drop(done.send(work()));
    let named = thread::Builder::new().name("engine".into());
    named.spawn(work).map_err(|error| EngineError::new_err(format!("{what}: {error}")))?;
    loop {
        let waiting = &mut result;
        match py.detach(move || waiting.recv_timeout(TICK)) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(EngineError::new_err(format!("{what}: it failed")));
            }
        }
    }
}

/// A text of the referee in the words of Python.
fn said(text: &impl ToString) -> String {
    text.to_string().replace("--ready-time", "ready_time=")
}

impl Start {
    fn spec(&self) -> EngineSpec {
        EngineSpec {
            name: Some(self.name.clone()),
            command: self.command.clone(),
            unquoted: self.unquoted.clone(),
            dialect: Some(self.dialect.clone()),
            options: pairs(self.options.clone()),
            env: pairs(self.env.clone()),
            dir: self.dir.clone(),
            memory_mib: self.memory,
            cpus: self.cpus.clone(),
            sandbox: Some(self.sandbox),
            ..EngineSpec::default()
        }
    }
}

#[pymethods]
impl EngineProcess {
    /// Starts a program and waits until it is ready.
    #[new]
    fn new(py: Python<'_>, start: Start) -> PyResult<EngineProcess> {
        let kind = options::kind(&start.game)?;
        let rules = options::settings(kind, None)?;
        if dialect::by_name(&start.dialect, kind.name).is_none() {
            let known = dialect::for_game(kind.name).join(", ");
            let given = excerpt(&start.dialect);
            return Err(EngineStartError::new_err(format!(
                "engine {}: {} cannot be played in the dialect `{given}`: expected one of {known}",
                start.name, kind.name
            )));
        }
        let timeouts = Timeouts {
            ready: crate::limits::seconds("ready_time", start.ready_time)?,
            think: crate::limits::seconds("think_time", start.think_time)?,
            grace: crate::limits::seconds("stop_time", start.stop_time)?,
        };
        agon_engine::in_library(&start.referee);
        let (name, spec) = (start.name.clone(), start.spec());
        let driver = interruptible(py, &format!("engine {name}"), move || {
            let entry = spec.entry(&Limit::default()).map_err(|error| said(&error))?;
            let context = Arc::new(EngineContext::new(kind.name, Vec::new(), timeouts));
            let mut driver =
                Driver::start(&Arc::new(entry), &context).map_err(|error| said(&error))?;
            match driver.new_game() {
                Ok(_) => Ok(driver),
                Err(fault) => {
                    Err(format!("engine {}: {}{}", start.name, said(&fault), driver.output_tail()))
                }
            }
        })?;
        let driver = driver.map_err(EngineStartError::new_err)?;
        Ok(EngineProcess {
            kind,
            name,
            think: timeouts.think,
            grace: timeouts.grace,
            stopped: AtomicBool::new(false),
            state: Mutex::new(State { driver: Ok(driver), rules, lines: 0 }),
        })
    }

    /// The name that the engine reports; None if it reports none.
    #[getter]
    fn own_name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.ask(py, |driver| driver.own_name.clone())
    }

    /// The names of the engine's options.
    #[getter]
    fn options(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |driver| driver.options().to_vec())
    }

    /// Searches a position; `asked` has the limits. `on_info` gets each report and ends the search by a true value.
    #[pyo3(signature = (game, asked, on_info=None))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, Game>,
        asked: Asked,
        on_info: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (position, board) = self.position(py, game.get())?;
        let mut lines = Lines::default();
        self.stopped.store(false, Ordering::SeqCst);
        let answer = py.detach(|| self.think(&position, &asked, &mut lines, on_info.as_ref()));
        let answer = answer.map_err(|trouble| self.error(trouble))?;
        self.result(py, board, &answer, lines)
    }

    /// Ends the search that another thread has begun, with the best move so far.
    fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    /// Lets the engine forget what it knows of earlier positions.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        let done = py.detach(|| {
            self.with_driver(|driver, _| driver.new_game().map(drop).map_err(Problem::from))
        });
        done.map_err(|trouble| self.error(trouble))
    }

    /// Ends the program.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let closed = Err("it was closed".into());
            if let Ok(driver) = std::mem::replace(&mut state.driver, closed) {
                driver.quit();
            }
        });
    }
}

impl EngineProcess {
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Driver) -> T + Send,
    ) -> PyResult<T> {
        let answer = py.detach(move || self.with_driver(move |driver, _| Ok(question(driver))));
        answer.map_err(|trouble| self.error(trouble))
    }

    /// Uses the driver; a fault ends the engine.
    fn with_driver<T>(
        &self,
        work: impl FnOnce(&mut Driver, &mut Told<'_>) -> Result<T, Problem>,
    ) -> Result<T, Trouble> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { driver, rules, lines } = &mut *state;
        let running = match driver {
            Ok(driver) => driver,
            Err(why) => {
                let text = format!("engine {} does not run: {why}", self.name);
                return Err(EngineError::new_err(text).into());
            }
        };
        match work(running, &mut Told { rules, lines }) {
            Ok(value) => Ok(value),
            Err(Problem::Refused(error)) => Err(Trouble::Refused(error)),
            Err(Problem::Ended(error, why)) => {
                *driver = Err(why);
                Err(Trouble::Refused(error))
            }
            Err(Problem::Fault(fault)) => {
                let tail = Box::new(running.output_tail());
                // Dropping the driver kills the engine.
                *driver = Err(said(&fault));
                Err(Trouble::Fault(fault, tail))
            }
        }
    }

    fn error(&self, trouble: Trouble) -> PyErr {
        let (fault, tail) = match trouble {
            Trouble::Refused(error) => return error,
            Trouble::Fault(fault, tail) => (fault, tail),
        };
        let text = format!("engine {}: {}{tail}", self.name, said(&fault));
        match fault {
            Fault::Gone(_) => EngineDied::new_err(text),
            Fault::Silent(_) => EngineTimeout::new_err(text),
            Fault::Machine(_) => EngineStartError::new_err(text),
            Fault::Flood(_) | Fault::Unrequested(_) | Fault::Interrupted => {
                EngineError::new_err(text)
            }
        }
    }

    /// The position of a game as the engine is told of it, and with its rules.
    fn position(&self, py: Python<'_>, game: &Game) -> PyResult<(Position, Box<dyn Arbiter>)> {
        let refused =
            |text: &str| Err(BadPosition::new_err(format!("engine {}: {text}", self.name)));
        let (name, chosen, turn, board, rules) = game.inspect(py, |game, rules| {
            let board = game.arbiter().boxed_clone();
            (game.name(), game.chosen().len(), game.turn(), board, rules.clone())
        });
        if name != self.kind.name {
            let own = self.kind.name;
            return refused(&format!("the position is of {name}, and it was started for {own}"));
        }
        if chosen > 0 {
            return refused("a turn has begun by an action: finish it, or take it back by `undo`");
        }
        let mover = match turn {
            Turn::Player(mover) => mover,
            Turn::Chance => {
                return refused("chance decides here: play an outcome, such as game.pick(...)");
            }
            Turn::Over(_) => return refused("the game is over: there is no move to search for"),
        };
        let start = board.start_fen();
        let usual = self.kind.open(None, &rules).map_err(crate::errors::opening)?.start_fen();
        // If the rules hide something from the player, the engine gets what the player sees.
        let (fen, moves) = match board.player_view_fen(mover) {
            Some(view) => (Some(view), Vec::new()),
            None => ((start != usual).then_some(start), board.tokens()),
        };
        Ok((Position { fen, moves, mover, rules }, board))
    }

    fn think(
        &self,
        position: &Position,
        asked: &Asked,
        lines: &mut Lines,
        on_info: Option<&Py<PyAny>>,
    ) -> Result<GoAnswer, Trouble> {
        let limits = asked.limits()?;
        let allowed = asked.allowed(position.mover, self.think, self.grace);
        self.with_driver(|driver, told| {
            self.tell(driver, told, position, asked)?;
            let mut raised = None;
            let mut looked = Instant::now();
            let mut watch = |info: Option<&Info>| {
                let found = lines.take(info).map_or(Ok(false), |line| heard(on_info, line));
                let found = found.and_then(|ends| {
                    if info.is_none() || looked.elapsed() > TICK {
                        looked = Instant::now();
                        Python::attach(|py| py.check_signals())?;
                    }
                    Ok(ends)
                });
                match found {
                    Ok(true) => {
                        self.stop();
                        true
                    }
                    Ok(false) => self.stopped.load(Ordering::SeqCst),
                    Err(error) => {
                        raised = Some(error);
                        true
                    }
                }
            };
            let Position { fen, moves, mover, .. } = position;
            let watch: agon_engine::driver::SearchWatch<'_> = &mut watch;
            let answer = driver.go_watched(
                fen.as_deref(),
                moves,
                *mover,
                &limits,
                Some(allowed),
                Some(watch),
            );
            match (raised, answer) {
                (Some(error), Ok(_)) => Err(Problem::Refused(error)),
                (Some(error), Err(fault)) => Err(Problem::Ended(error, said(&fault))),
                (None, answer) => Ok(answer?),
            }
        })
    }

    /// Tells the engine the rules and the number of lines, and checks that it can be told the rest.
    fn tell(
        &self,
        driver: &mut Driver,
        told: &mut Told<'_>,
        position: &Position,
        asked: &Asked,
    ) -> Result<(), Problem> {
        let refused = |text: String| {
            Problem::Refused(EngineError::new_err(format!("engine {}: {text}", self.name)))
        };
        driver.check_times(&asked.limit(position.mover)).map_err(|e| refused(e.to_string()))?;
        let start = position.fen.as_deref().unwrap_or("startpos");
        if let Some(reason) = driver.obstacle(start) {
            return Err(refused(format!("its dialect cannot express `{start}`: {reason}")));
        }
        let changed: Vec<_> =
            position.rules.iter().filter(|rule| !told.rules.contains(rule)).collect();
        for (name, value) in &changed {
            if !driver.set_option(name, value)? {
                return Err(refused(format!(
                    "it has no option for the rule {name}, which is {value} in this game"
                )));
            }
        }
        if !changed.is_empty() {
            told.rules.clone_from(&position.rules);
            driver.new_game()?;
        }
        let count = asked.variations;
        if *told.lines != count && (*told.lines != 0 || count != 1) {
            if !driver.set_option("MultiPV", &count.to_string())? {
                return Err(refused(format!("variations={count}: it has no option MultiPV")));
            }
            *told.lines = count;
        }
        Ok(())
    }

    fn result<'py>(
        &self,
        py: Python<'py>,
        mut board: Box<dyn Arbiter>,
        answer: &GoAnswer,
        mut lines: Lines,
    ) -> PyResult<Bound<'py, PyDict>> {
        let illegal = |error| EngineError::new_err(format!("engine {}: {error}", self.name));
        let chosen = answer.token.as_deref().map(|token| board.push(token)).transpose();
        let chosen = chosen.map_err(illegal)?;
        lines.finish(&answer.info, chosen.as_deref());
        let result = PyDict::new(py);
        result.set_item("move", chosen)?;
        result.set_item("expected", answer.expected())?;
        result.set_item("seconds", answer.time.as_secs_f64())?;
        result.set_item("late", answer.late && !self.stopped.load(Ordering::SeqCst))?;
        let has = |wanted: Annotation| answer.annotations.contains(&wanted);
        result.set_item("resigns", has(Annotation::Resignation))?;
        result.set_item("offers_draw", has(Annotation::DrawOffer))?;
        let all = lines.all().map(|line| dictionary(py, line)).collect::<PyResult<Vec<_>>>()?;
        result.set_item("variations", all)?;
        Ok(result)
    }
}

/// What an engine was told of rules and lines.
struct Told<'a> {
    rules: &'a mut Settings,
    lines: &'a mut u32,
}

/// A fault of the engine, or a refusal that leaves it as it was.
enum Problem {
    Fault(Fault),
    Refused(PyErr),
    /// Python ended the search, and the engine did not stop.
    Ended(PyErr, String),
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Problem {
        Problem::Fault(fault)
    }
}

/// Calls the function of Python that hears reports; whether it ends the search.
fn heard(on_info: Option<&Py<PyAny>>, line: &Info) -> PyResult<bool> {
    let Some(on_info) = on_info else { return Ok(false) };
    Python::attach(|py| on_info.bind(py).call1((dictionary(py, line)?,))?.is_truthy())
}
