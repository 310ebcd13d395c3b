//! Communication with one process of the engine under test: a dialogue whose faults become sentences.

use super::EngineUnderTest;
use super::positions::TestPosition;
use crate::dialogue::{Answer, Dialogue, Identity};
use crate::process::Fault;
use crate::settings;
use agon_games::Player;
use agon_games::phrase::Phrase;
use agon_games::text::excerpt;
use agon_matchlog::Setting;
use agon_wire::message::{Annotation, Command, Info, Limits, Query, Reply};
use std::time::{Duration, Instant};

/// An answer to `go`.
#[derive(Clone, Debug)]
pub(super) struct SearchAnswer {
    /// The move; `None` if the engine reports that it has none, or resigns.
    pub token: Option<String>,
    /// Whether it resigns.
    pub resigns: bool,
    /// Time from `go` to the answer.
    pub time: Duration,
    /// The line as received.
    pub line: String,
    /// The last search info that the engine reported.
    pub info: Info,
}

/// A process of the engine under test.
pub(super) struct Conversation<'a> {
    subject: &'a EngineUnderTest,
    dialogue: Dialogue,
}

impl<'a> Conversation<'a> {
    /// Starts the program.
    pub fn start(subject: &'a EngineUnderTest) -> Result<Conversation<'a>, String> {
        let started = Dialogue::start(&subject.entry, &subject.context);
        let dialogue = started.map_err(|(reason, _)| format!("it {reason}"))?;
        Ok(Conversation { subject, dialogue })
    }

    /// Starts the program, performs the handshake, sets rules and options, and announces a game.
    pub fn open(subject: &'a EngineUnderTest) -> Result<Conversation<'a>, String> {
        let mut engine = Conversation::start(subject)?;
        let identity = engine.identify()?;
        let settings = settings::to_set(
            &identity.options,
            &*engine.dialogue.dialect,
            &subject.context.rules,
            &subject.entry,
        );
        for Setting { name, value } in settings.map_err(|reason| reason.to_string())? {
            engine.send(&Command::SetOption { name, value })?;
        }
        engine.ready()?;
        engine.begin_game()?;
        Ok(engine)
    }

    /// Requests the identification and reads all of it.
    pub fn identify(&mut self) -> Result<Identity, String> {
        let identity = self.dialogue.identify();
        identity.map_err(|fault| self.explain(&fault, "the identification"))
    }

    /// The unit of the times that the engine is sent.
    pub fn time_unit(&self) -> Duration {
        self.dialogue.dialect.time_unit()
    }

    /// Refuses options and times of the engine's fields that it cannot be told.
    pub fn check_fields(&mut self) -> Result<(), Phrase> {
        // What is wrong with the identification, the checks say.
        let Ok(identity) = self.identify() else { return Ok(()) };
        let (subject, dialect) = (self.subject, &*self.dialogue.dialect);
        let rules = &subject.context.rules;
        settings::to_set(&identity.options, dialect, rules, &subject.entry)?;
        if self.ready().is_err() {
            return Ok(());
        }
        settings::check_times(&subject.entry.limit, &*self.dialogue.dialect)
    }

    /// Sends `isready`; returns the time until `readyok`. A move before it is a fault.
    pub fn ready(&mut self) -> Result<Duration, String> {
        let begin = Instant::now();
        self.send(&Command::IsReady)?;
        let ready = self.dialogue.await_ready(begin);
        ready.map_err(|fault| self.explain(&fault, "`isready`"))?;
        Ok(begin.elapsed())
    }

    /// Sends `isready` and waits for `readyok`; returns the move that came before it, if any.
    pub fn ready_or_move(&mut self) -> Result<Option<SearchAnswer>, String> {
        let begin = Instant::now();
        self.send(&Command::IsReady)?;
        let deadline = begin + self.subject.context.timeouts.ready;
        let mut early = None;
        loop {
            match self.dialogue.receive(deadline) {
                Ok((Some(Reply::Ready), _)) => return Ok(early),
                Ok((Some(Reply::BestMove(token)), at)) => {
                    let best = Answer::new(token, at, self.dialogue.annotations());
                    early = Some(self.answer(best, begin, Info::default()));
                }
                Ok(_) => {}
                Err(fault) => return Err(self.explain(&fault, "`isready`")),
            }
        }
    }

    /// Announces a new game.
    pub fn begin_game(&mut self) -> Result<(), String> {
        self.restart_if_due(&Command::NewGame)?;
        self.send(&Command::NewGame)?;
        self.ready().map(drop)
    }

    /// Restarts the program if engines of this dialect exit after an answer.
    fn restart_if_due(&mut self, command: &Command) -> Result<(), String> {
        if !self.dialogue.dialect.can_restart() {
            return Ok(());
        }
        // Lines after the last answer may show whether the engine keeps running.
        let restarted = self.dialogue.drain().and_then(|()| self.dialogue.restart_if_due(command));
        restarted.map_err(|fault| self.explain(&fault, "after its answer"))
    }

    /// Sends a command.
    pub fn send(&mut self, command: &Command) -> Result<(), String> {
        let sent = self.dialogue.send(command, Player::First);
        sent.map_err(|fault| self.explain(&fault, "sending a command"))
    }

    /// Sends bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        let sent = self.dialogue.send_bytes(bytes);
        sent.map_err(|fault| self.explain(&fault, "sending a command"))
    }

    /// The error that the engine reported since the last search, if any; said once.
    pub fn take_error(&mut self) -> Option<String> {
        self.dialogue.last_error.take()
    }

    /// Sends a position and `go`, and waits for the move for at most `timeout`.
    pub fn go(
        &mut self,
        position: &TestPosition,
        limits: &Limits,
        timeout: Duration,
    ) -> Result<SearchAnswer, String> {
        let begin = self.begin_search(position, limits)?;
        self.best(begin, timeout)
    }

    /// Sends a position and `go`, with the depth and the nodes of the engine's fields unless the search is
    /// for other ones; returns the time. A move that the engine sent before is a fault.
    pub fn begin_search(
        &mut self,
        position: &TestPosition,
        limits: &Limits,
    ) -> Result<Instant, String> {
        let command = position.command();
        self.restart_if_due(&command)?;
        self.dialogue.last_error = None;
        let own = &self.subject.entry.limit;
        let mut limits = limits.clone();
        if !limits.infinite {
            limits.depth = limits.depth.or(own.depth);
            limits.nodes = limits.nodes.or(own.nodes);
        }
        let go = Command::Go(limits);
        let begin = Instant::now();
        let sent = self.dialogue.send_all(&[&Command::IsReady, &command, &go], position.mover());
        let deadline = begin + self.subject.context.timeouts.ready;
        let ready = sent.and_then(|()| self.dialogue.until_ready(deadline, None));
        ready.map(|_| begin).map_err(|fault| self.explain(&fault, "`isready` before `go`"))
    }

    /// Waits for the move that was requested at time `begin`.
    pub fn best(&mut self, begin: Instant, timeout: Duration) -> Result<SearchAnswer, String> {
        let mut info = Info::default();
        match self.dialogue.best_move(begin + timeout, &mut info, None) {
            Ok(best) => Ok(self.answer(best, begin, info)),
            Err(fault) => Err(self.explain(&fault, "`go`")),
        }
    }

    /// Waits for a move that nobody wants yet, for at most `time`.
    pub fn early(&mut self, time: Duration) -> Result<Option<SearchAnswer>, String> {
        let (begin, mut info) = (Instant::now(), Info::default());
        match self.dialogue.best_move(begin + time, &mut info, None) {
            Ok(best) => Ok(Some(self.answer(best, begin, info))),
            Err(Fault::Silent(_)) => Ok(None),
            Err(fault) => Err(self.explain(&fault, "`go`")),
        }
    }

    fn answer(&self, best: Answer, begin: Instant, info: Info) -> SearchAnswer {
        let line = self.dialogue.last_line.as_ref().map_or(String::new(), |line| excerpt(line));
        let resigns = best.annotations.contains(&Annotation::Resignation);
        SearchAnswer { token: best.token, resigns, time: begin.elapsed(), line, info }
    }

    /// Returns the answer to a UGI query.
    pub fn query(&mut self, query: Query, name: &str) -> Result<String, String> {
        let answer = self.dialogue.query(&[&Command::Query(query)]);
        answer.map_err(|fault| self.explain(&fault, name))
    }

    /// Returns a line that the engine sends unasked within `time`. A blank one says nothing: in GTP it ends
    /// the answer before.
    pub fn unasked(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        let process = &mut self.dialogue.process;
        let mut lines = std::iter::from_fn(|| process.read_line(deadline).ok());
        lines.find(|(line, _)| !line.trim().is_empty()).map(|(line, _)| excerpt(&line))
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.dialogue.process.close_input();
    }

    /// Waits for the engine's exit; returns its description and the elapsed time.
    pub fn ended(&mut self, within: Duration) -> Result<(String, Duration), String> {
        let begin = Instant::now();
        match self.dialogue.process.wait(within) {
            Some(status) => Ok((status.to_string(), begin.elapsed())),
            None => Err(format!("it still runs after {}", text(within))),
        }
    }

    /// Whether child processes still run after the engine's exit.
    pub fn left_children(&mut self) -> bool {
        self.dialogue.process.has_survivors()
    }

    /// Describes a fault and appends the engine's last lines.
    fn explain(&mut self, fault: &Fault, what: &str) -> String {
        format!("{what}: {fault}{}", self.dialogue.process.output_tail())
    }
}

/// Formats a duration for reports.
pub(super) fn text(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}
