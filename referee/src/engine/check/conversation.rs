//! Communication with one process of the engine under test.

use super::EngineUnderTest;
use super::positions::TestPosition;
use crate::engine::process::{Fault, Process};
use agon_protocol::Player;
use agon_protocol::dialect::Dialect;
use agon_protocol::message::{Command, Info, Limits, Reply};
use agon_protocol::text::excerpt;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Number of final output lines kept for the report of a failure.
const KEPT_LINES: usize = 4;

/// An option from the engine's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedOption {
    pub name: String,
    /// Type, default and range, as the UCI family writes them.
    pub rest: String,
}

/// The engine's identification.
#[derive(Clone, Debug, Default)]
pub(super) struct Identity {
    pub name: String,
    pub author: String,
    pub options: Vec<ListedOption>,
}

/// An answer to `go`.
#[derive(Clone, Debug)]
pub(super) struct SearchAnswer {
    /// The move; `None` if the engine reports that it has none.
    pub token: Option<String>,
    /// Time from `go` to the answer.
    pub time: Duration,
    /// The line as received.
    pub line: String,
    /// The last search info that the engine reported.
    pub info: Info,
}

/// A process, its dialect and its last output lines.
pub(super) struct Conversation<'a> {
    subject: &'a EngineUnderTest,
    process: Process,
    dialect: Box<dyn Dialect>,
    last: VecDeque<String>,
    /// Errors that the engine reported since the last search.
    pub errors: Vec<String>,
}

impl<'a> Conversation<'a> {
    /// Starts the program.
    pub fn start(subject: &'a EngineUnderTest) -> Result<Conversation<'a>, String> {
        let process = Process::spawn(&subject.entry, &subject.path)
            .map_err(|e| format!("it does not start: {e}"))?;
        let dialect = subject.dialect()?;
        let (last, errors) = (VecDeque::new(), Vec::new());
        Ok(Conversation { subject, process, dialect, last, errors })
    }

    /// Starts the program, performs the handshake, sets rules and options, and announces a game.
    pub fn open(subject: &'a EngineUnderTest) -> Result<Conversation<'a>, String> {
        let mut engine = Conversation::start(subject)?;
        let identity = engine.identify()?;
        let listed = |wanted: &str| {
            let names = identity.options.iter().map(|o| &o.name);
            names.into_iter().find(|listed| engine.dialect.is_option(listed, wanted)).cloned()
        };
        let rules = subject.rules.iter().filter_map(|r| Some((listed(&r.name)?, &r.value)));
        let own = subject.entry.options.iter();
        let own = own.map(|o| (listed(&o.name).unwrap_or_else(|| o.name.clone()), &o.value));
        let settings: Vec<(String, String)> =
            rules.chain(own).map(|(name, value)| (name, value.clone())).collect();
        for (name, value) in settings {
            engine.send(&Command::SetOption { name, value })?;
        }
        engine.ready()?;
        engine.begin_game()?;
        Ok(engine)
    }

    /// Requests the identification and reads all of it.
    pub fn identify(&mut self) -> Result<Identity, String> {
        self.send(&Command::Identify)?;
        let deadline = Instant::now() + self.subject.timeouts.ready;
        let mut identity = Identity::default();
        loop {
            match self.receive(deadline, "the identification")? {
                Some(Reply::Identified) => return Ok(identity),
                Some(Reply::Id { name, author }) => {
                    (identity.name, identity.author) = (name, author);
                }
                Some(Reply::RawOption { name, rest }) => {
                    identity.options.push(ListedOption { name, rest });
                }
                _ => {}
            }
        }
    }

    /// Sends `isready`; returns the time until `readyok`.
    pub fn ready(&mut self) -> Result<Duration, String> {
        let begin = Instant::now();
        self.send(&Command::IsReady)?;
        let deadline = begin + self.subject.timeouts.ready;
        while self.receive(deadline, "`isready`")? != Some(Reply::Ready) {}
        Ok(begin.elapsed())
    }

    /// Announces a new game.
    pub fn begin_game(&mut self) -> Result<(), String> {
        self.restart_if_due(&Command::NewGame)?;
        self.send(&Command::NewGame)?;
        self.ready().map(drop)
    }

    /// Restarts the program if engines of this dialect exit after an answer.
    fn restart_if_due(&mut self, command: &Command) -> Result<(), String> {
        if !self.dialect.can_restart() {
            return Ok(());
        }
        // Lines after the last answer may show whether the engine keeps running.
        for _ in 0..KEPT_LINES {
            let Some(line) = self.process.pending_line() else { break };
            self.dialect.read_reply(&line);
        }
        if self.dialect.needs_restart(command) {
            self.process = Process::spawn(&self.subject.entry, &self.subject.path)
                .map_err(|e| format!("it does not start again: {e}"))?;
        }
        Ok(())
    }

    /// Sends a command.
    pub fn send(&mut self, command: &Command) -> Result<(), String> {
        self.send_as(command, Player::First)
    }

    fn send_as(&mut self, command: &Command, mover: Player) -> Result<(), String> {
        let lines = self.dialect.write_command(command, mover);
        let text: String = lines.iter().flat_map(|l| [l.as_str(), "\n"]).collect();
        self.send_bytes(text.as_bytes())
    }

    /// Sends bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        let deadline = Instant::now() + self.subject.timeouts.ready;
        self.process
            .send(bytes, deadline)
            .map_err(|fault| self.explain(&fault, "sending a command"))
    }

    /// Reads one line; `None` if it is not a reply. Errors name `what`, the command.
    fn receive(&mut self, deadline: Instant, what: &str) -> Result<Option<Reply>, String> {
        if let Some(reply) = self.dialect.poll_reply() {
            return Ok(Some(reply));
        }
        let line = match self.process.read_line(deadline) {
            Ok((line, _)) => line,
            Err(fault) => return Err(self.explain(&fault, what)),
        };
        if self.last.len() == KEPT_LINES {
            self.last.pop_front();
        }
        self.last.push_back(excerpt(&line));
        let reply = self.dialect.read_reply(&line);
        if let Some(Reply::Error(text)) = &reply {
            self.errors.push(excerpt(text));
        }
        Ok(reply)
    }

    /// Sends a position and `go`, and waits for the move for at most `timeout`.
    pub fn go(
        &mut self,
        position: &TestPosition,
        limits: &Limits,
        timeout: Duration,
    ) -> Result<SearchAnswer, String> {
        self.begin_search(position, limits)?;
        self.best(Instant::now(), timeout)
    }

    /// Sends a position and `go`.
    pub fn begin_search(&mut self, position: &TestPosition, limits: &Limits) -> Result<(), String> {
        let command = position.command();
        self.restart_if_due(&command)?;
        self.errors.clear();
        self.send_as(&command, position.mover())?;
        self.send_as(&Command::Go(limits.clone()), position.mover())
    }

    /// Waits for the move that was requested at time `begin`.
    pub fn best(&mut self, begin: Instant, timeout: Duration) -> Result<SearchAnswer, String> {
        let mut info = Info::default();
        loop {
            match self.receive(begin + timeout, "`go`")? {
                Some(Reply::BestMove(token)) => {
                    let line = self.last.back().cloned().unwrap_or_default();
                    return Ok(SearchAnswer { token, time: begin.elapsed(), line, info });
                }
                // Lines of lower-ranked moves would replace the best one's.
                Some(Reply::Info(news)) if news.multipv.is_none_or(|rank| rank == 1) => {
                    info.depth = news.depth.or(info.depth);
                    info.nodes = news.nodes.or(info.nodes);
                    info.score = news.score.or(info.score);
                }
                _ => {}
            }
        }
    }

    /// Returns the answer to a UGI query.
    pub fn response(&mut self, what: &str) -> Result<String, String> {
        let deadline = Instant::now() + self.subject.timeouts.ready;
        loop {
            if let Some(Reply::Response(text)) = self.receive(deadline, what)? {
                return Ok(text);
            }
        }
    }

    /// Returns a line that the engine sends unasked within `time`.
    pub fn unasked(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        self.process.read_line(deadline).ok().map(|(line, _)| excerpt(&line))
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.process.close_input();
    }

    /// Waits for the engine's exit; returns its description and the elapsed time.
    pub fn ended(&mut self, within: Duration) -> Result<(String, Duration), String> {
        let begin = Instant::now();
        match self.process.wait(within) {
            Some(status) => Ok((status, begin.elapsed())),
            None => Err(format!("it still runs after {}", text(within))),
        }
    }

    /// Whether child processes still run after the engine's exit.
    pub fn left_children(&mut self) -> bool {
        self.process.has_survivors()
    }

    /// Describes a fault and appends the engine's last lines.
    fn explain(&mut self, fault: &Fault, what: &str) -> String {
        let mut text = format!("{what}: {fault}");
        if !self.last.is_empty() {
            let lines: Vec<&str> = self.last.iter().map(String::as_str).collect();
            text.push_str(&format!("\nlast lines: {}", lines.join("\n                ")));
        }
        if let Some(stderr) = self.process.output_tail().stderr {
            text.push_str(&format!("\non stderr: {stderr}"));
        }
        text
    }
}

/// Formats a duration for reports.
pub(super) fn text(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}
