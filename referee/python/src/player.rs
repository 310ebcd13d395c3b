//! The class `Conversation`: an engine written in Python, served on standard input and output by the loop that serves
//! our own engines. Python's thread takes one request after the other; the conversation runs in threads of its own, so
//! that `stop` and `isready` never wait for Python. `agon/player.py` makes the class `Player` of it.

use crate::any_game::{self, AnyGame};
use crate::clock::{Clock, Note};
use crate::errors::EngineError;
use crate::game::Game;
use crate::options::{self, Settings, kind};
use agon_games::actions::Staged;
use agon_games::game::{Game as Rules, Outcome, legal_moves};
use agon_games::numbered::{ForGame, for_game};
use agon_games::option::{OptionError, OptionSpec, OptionValue};
use agon_games::record::Record;
use agon_wire::engine::{Control, Engine};
use agon_wire::message::{Info, Limits};
use agon_wire::serve::Server;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::io::{BufReader, stdin, stdout};
use std::marker::PhantomData;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often Python may see a signal while it waits.
const TICK: Duration = Duration::from_millis(50);

/// A request to the thread of Python.
enum Request {
    Choose(Box<Choice>),
    Option(String, OptionValue),
    NewGame,
    /// Answered once everything before it is done.
    Ready(Sender<Note>),
    /// The conversation is over; a text says why, unless that is usual.
    End(Option<String>),
}

struct Choice {
    game: Box<dyn AnyGame>,
    rules: Settings,
    limits: Limits,
    control: Control,
    notes: Sender<Note>,
}

/// A player that asks the thread of Python.
struct Asking<G> {
    name: String,
    author: String,
    specs: Vec<OptionSpec>,
    rules: Settings,
    requests: Sender<Request>,
    game: PhantomData<fn() -> G>,
}

impl<G: Staged> Engine for Asking<G> {
    type Game = G;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn author(&self) -> String {
        self.author.clone()
    }

    fn options(&self) -> Vec<OptionSpec> {
        self.specs.clone()
    }

    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        // If nobody listens, the conversation ends.
        let _ = self.requests.send(Request::Option(name.into(), value.clone()));
        Ok(())
    }

    fn set_rule(&mut self, name: &str, value: &OptionValue) {
        let rule = self.rules.iter_mut().find(|rule| rule.0 == name);
        rule.into_iter().for_each(|rule| rule.1 = text(value));
    }

    fn new_game(&mut self) {
        let _ = self.requests.send(Request::NewGame);
    }

    fn prepare(&mut self, control: &Control, report: &mut dyn FnMut(Info)) {
        let (notes, heard) = channel();
        if self.requests.send(Request::Ready(notes)).is_err() {
            return;
        }
        while !control.stopped() {
            match heard.recv_timeout(TICK) {
                Ok(Note::Info(info)) => report(*info),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Note::Chosen(_) | Note::Failed(_)) | Err(_) => return,
            }
        }
    }

    fn tablebase_outcome(&mut self, _: &Record<G>) -> Option<Outcome> {
        None
    }

    fn search(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> <G as Rules>::Move {
        let (notes, heard) = channel();
        let choice = Choice {
            game: any_game::of_record(record),
            rules: self.rules.clone(),
            limits: limits.clone(),
            control: control.clone(),
            notes,
        };
        let asked = self.requests.send(Request::Choose(Box::new(choice)));
        let first = || legal_moves(record.current())[0];
        if asked.is_err() {
            return first();
        }
        for note in heard {
            match note {
                Note::Info(info) => report(*info),
                Note::Chosen(text) => match record.current().parse_move(&text) {
                    Ok(m) => return m,
                    Err(_) => break,
                },
                Note::Failed(text) => {
                    let text = format!("error: {text}; playing the first legal move");
                    report(Info { text: Some(text), ..Info::default() });
                    break;
                }
            }
        }
        first()
    }
}

/// A value as the text of a setting.
fn text(value: &OptionValue) -> String {
    match value {
        OptionValue::Check(on) => on.to_string(),
        OptionValue::Spin(n) => n.to_string(),
        OptionValue::Text(text) => text.clone(),
        OptionValue::Pressed => String::new(),
    }
}

/// Begins the conversation in a thread.
struct Begin {
    name: String,
    author: String,
    specs: Vec<OptionSpec>,
    rules: Settings,
    requests: Sender<Request>,
    /// Dropped at the end.
    end: Sender<()>,
}

impl ForGame for Begin {
    type Output = std::io::Result<()>;
    fn call<G: Staged>(self) -> Self::Output {
        let Begin { name, author, specs, rules, requests, end } = self;
        let last = requests.clone();
        let player = Asking::<G> { name, author, specs, rules, requests, game: PhantomData };
        let serve = move || {
            let served = Server::new(player).run(BufReader::new(stdin()), stdout());
            // If nobody listens, the program ends.
            let _ = last.send(Request::End(served.err().map(|error| error.to_string())));
            drop(end);
        };
        thread::Builder::new().name("conversation".into()).spawn(serve).map(drop)
    }
}

/// An option of a player: the attributes of an object of Python.
#[derive(FromPyObject)]
pub struct Described {
    name: String,
    kind: String,
    default: String,
    min: i64,
    max: i64,
    choices: Vec<String>,
    help: String,
}

impl Described {
    fn spec(self) -> OptionSpec {
        let name = &self.name;
        let spec = match self.kind.as_str() {
            "check" => OptionSpec::check(name, self.default == "True"),
            "spin" => {
                let default = self.default.parse().unwrap_or(self.min);
                OptionSpec::spin(name, default, self.min, self.max)
            }
            "combo" => {
                let choices: Vec<&str> = self.choices.iter().map(String::as_str).collect();
                OptionSpec::combo(name, &self.default, &choices)
            }
            "button" => OptionSpec::button(name),
            _ => OptionSpec::text(name, &self.default),
        };
        spec.with_help(self.help)
    }
}

/// A conversation with a manager.
#[pyclass(frozen, module = "agon._agon")]
pub struct Conversation {
    game: &'static str,
    requests: Mutex<Receiver<Request>>,
    /// Where the answer to the last request goes.
    notes: Mutex<Option<Sender<Note>>>,
    /// Disconnected once the conversation is over.
    ended: Mutex<Option<Receiver<()>>>,
}

#[pymethods]
impl Conversation {
    /// Begins: from now on standard input and output are the manager's.
    #[new]
    fn new(
        game: &str,
        name: String,
        author: String,
        specs: Vec<Described>,
    ) -> PyResult<Conversation> {
        let kind = kind(game)?;
        let ((requests, taken), (end, ended)) = (channel(), channel());
        let rules = options::settings(kind, None)?;
        let specs = specs.into_iter().map(Described::spec).collect();
        let begun = for_game(kind.name, Begin { name, author, specs, rules, requests, end });
        if let Some(Err(error)) = begun {
            return Err(EngineError::new_err(format!("the conversation cannot begin: {error}")));
        }
        Ok(Conversation {
            game: kind.name,
            requests: Mutex::new(taken),
            notes: Mutex::new(None),
            ended: Mutex::new(Some(ended)),
        })
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.game
    }

    /// The next request, as a tuple that begins with its name; None at the end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let request = loop {
            let next = py.detach(|| {
                let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
                requests.recv_timeout(TICK)
            });
            match next {
                Ok(request) => break request,
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        };
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let all = match request {
            Request::End(None) => return Ok(None),
            Request::End(Some(why)) => return Err(EngineError::new_err(why)),
            Request::NewGame => vec!["new_game".into_py_any(py)?],
            Request::Option(name, value) => {
                let value = match value {
                    OptionValue::Check(on) => on.into_py_any(py)?,
                    OptionValue::Spin(n) => n.into_py_any(py)?,
                    OptionValue::Text(text) => text.into_py_any(py)?,
                    OptionValue::Pressed => py.None(),
                };
                vec!["option".into_py_any(py)?, name.into_py_any(py)?, value]
            }
            Request::Ready(sender) => {
                *notes = Some(sender);
                vec!["ready".into_py_any(py)?]
            }
            Request::Choose(choice) => {
                let Choice { game, rules, limits, control, notes: sender } = *choice;
                let mover = game.turn().player();
                let clock = Clock::new(limits, mover, control, sender.clone());
                *notes = Some(sender);
                let game = Game::from_any(game, rules);
                vec!["choose".into_py_any(py)?, game.into_py_any(py)?, clock.into_py_any(py)?]
            }
        };
        PyTuple::new(py, all).map(Some)
    }

    /// Waits until the conversation is over, in a thread that is not the one of `next`.
    fn wait_end(&self, py: Python<'_>) {
        py.detach(|| {
            let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
            // The sender is dropped at the end.
            ended.map(|ended| ended.recv().is_ok())
        });
    }

    /// Answers the last request: with a legal turn, or that it is done.
    fn answer(&self, text: String) {
        self.note(Note::Chosen(text));
    }

    /// Says that the last request failed.
    fn fail(&self, reason: String) {
        self.note(Note::Failed(reason));
    }
}

impl Conversation {
    fn note(&self, note: Note) {
        let sender = self.notes.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sender) = sender {
            // The manager may be gone.
            let _ = sender.send(note);
        }
    }
}
