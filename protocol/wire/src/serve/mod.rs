//! Serves an engine on a pair of streams, in the dialect that the first line selects.
//!
//! There are three threads: one reads lines, one owns the engine and searches, and the caller's
//! thread in between keeps the position and does all writing. It never waits for the engine, so
//! `stop`, `quit` and `isready` take effect at once during a search.

mod closing;
mod session;
mod settings;
#[cfg(test)]
mod tests;
mod waiting;
mod worker;

use crate::dialect;
use crate::engine::Engine;
use crate::lines;
use crate::message::Reply;
use agon_games::game::Game;
use agon_games::option::{OptionError, OptionSpec, find};
use session::Session;
use settings::ServerSettings;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{SyncSender, channel, sync_channel};
use std::thread;
use worker::ServeEvent;

/// Capacity of the event queue; the reader blocks when it is full, so memory stays bounded.
const WAITING_EVENTS: usize = 1024;

/// An engine with the settings that the server handles for it, before a conversation.
#[derive(Debug)]
pub struct Server<E: Engine> {
    engine: E,
    settings: ServerSettings<<E::Game as Game>::Rules>,
}

impl<E: Engine> Server<E> {
    /// Default rule limits.
    pub fn new(engine: E) -> Server<E> {
        Server { engine, settings: ServerSettings::default() }
    }

    /// Fixes the dialect regardless of the first line; `false` if the game has no dialect of this
    /// name.
    pub fn set_dialect(&mut self, dialect: &str) -> bool {
        let known = dialect::for_game(E::Game::NAME);
        self.settings.dialect = known.into_iter().find(|name| name.eq_ignore_ascii_case(dialect));
        self.settings.dialect.is_some()
    }

    /// The engine's options, and those that the server handles: the default time per move and the
    /// game's rule limits.
    pub fn options(&self) -> Vec<OptionSpec> {
        let mut all = self.engine.options();
        all.extend(ServerSettings::<<E::Game as Game>::Rules>::options());
        all
    }

    /// Checks and sets an option or a rule limit.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let all = self.options();
        let spec = find(&all, name)?;
        let value = spec.parse(value)?;
        if self.settings.set(&spec.name, &value) {
            return Ok(());
        }
        self.engine.set_option(&spec.name, &value)
    }

    /// The engine and the rule limits, for programs without a conversation.
    pub fn into_parts(self) -> (E, <E::Game as Game>::Rules) {
        (self.engine, self.settings.rules)
    }

    /// Serves until `quit`, the end of `input`, or until `output` is closed, which is not an error.
    /// Its threads end with the process or with `input`.
    pub fn run(self, input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
        let (events_in, events) = sync_channel(WAITING_EVENTS);
        let (jobs, jobs_out) = channel();
        let identity = Reply::Id { name: self.engine.name(), author: self.engine.author() };
        let options = self.options();
        let engine = self.engine;
        let to_session = events_in.clone();
        thread::Builder::new()
            .name("engine".into())
            .spawn(move || worker::work(engine, &jobs_out, &to_session))?;
        thread::Builder::new().name("input".into()).spawn(move || read_lines(input, &events_in))?;
        let mut session = Session::<E, _>::new(jobs, output, identity, options, self.settings);
        match session.run(&events) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                session.stop();
                Ok(())
            }
            result => result,
        }
    }
}

/// Serves an engine with default rule limits; see [`Server::run`].
pub fn serve<E: Engine>(
    engine: E,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    Server::new(engine).run(input, output)
}

fn read_lines<G: Game>(mut input: impl BufRead, events: &SyncSender<ServeEvent<G>>) {
    loop {
        let event = match lines::read_line(&mut input, lines::MAX_LINE_BYTES) {
            Ok(Some(line)) => ServeEvent::Line(line),
            Ok(None) | Err(_) => ServeEvent::EndOfInput,
        };
        let last = matches!(event, ServeEvent::EndOfInput);
        if events.send(event).is_err() || last {
            return;
        }
    }
}
