//! The conversation: the state built up by a manager's lines, and the replies to them.

use super::closing::Closing;
use super::settings::ServerSettings;
use super::waiting::WaitingLines;
use super::worker::{EngineJob, ServeEvent};
use crate::dialect::{Dialect, LineTiming, by_name, detect};
use crate::engine::{Control, Engine};
use crate::lines::{self, InputLine};
use crate::message::{Command, Info, Limits, Query, Reply};
use agon_games::game::{Game, Outcome, Player, Turn};
use agon_games::option::{OptionError, OptionSpec, OptionValue, find};
use agon_games::record::Record;
use agon_games::text::visible;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

/// A running search, from `go` to its `bestmove`.
struct RunningSearch<G: Game> {
    control: Control,
    /// Whether only `stop` ends it (`go infinite`).
    infinite: bool,
    /// Whether the result must wait for `stop` or `ponderhit`.
    on_hold: bool,
    /// The result, once available; an inner `None` if there is no legal move.
    result: Option<Option<G::Move>>,
}

/// The state of the conversation.
pub(super) struct Session<E: Engine, W: Write> {
    jobs: Sender<EngineJob<E::Game>>,
    output: W,
    identity: Reply,
    options: Vec<OptionSpec>,
    record: Record<E::Game>,
    settings: ServerSettings<<E::Game as Game>::Rules>,
    has_position: bool,
    dialect: Option<Box<dyn Dialect>>,
    search: Option<RunningSearch<E::Game>>,
    perft: Option<Control>,
    /// Number of jobs, apart from searches and perft, whose answers are still to come.
    owed: usize,
    /// Whether the engine was changed since it was last ready.
    unprepared: bool,
    /// Lines that wait for an answer to an earlier one.
    waiting: WaitingLines,
    closing: Option<Closing>,
    /// Stopped at the end: the engine prepares no further than it must for the answer.
    preparing: Control,
}

/// Whether the conversation continues.
#[derive(PartialEq, Eq)]
enum Flow {
    Continue,
    /// Continues, but drops the rest of the line after a rejected command.
    DropLine,
    Quit,
}

impl<E: Engine, W: Write> Session<E, W> {
    /// Starts at the start position, before the first line.
    pub(super) fn new(
        jobs: Sender<EngineJob<E::Game>>,
        output: W,
        identity: Reply,
        options: Vec<OptionSpec>,
        settings: ServerSettings<<E::Game as Game>::Rules>,
    ) -> Session<E, W> {
        Session {
            jobs,
            output,
            identity,
            options,
            record: Record::new(E::Game::start(&settings.rules)),
            dialect: settings.dialect.and_then(|name| by_name(name, E::Game::NAME)),
            settings,
            has_position: false,
            search: None,
            perft: None,
            owed: 0,
            unprepared: true,
            waiting: WaitingLines::default(),
            closing: None,
            preparing: Control::new(),
        }
    }

    /// Runs until `quit` or the end of input, and answers what was asked before.
    pub(super) fn run(&mut self, events: &Receiver<ServeEvent<E::Game>>) -> io::Result<()> {
        loop {
            // Perft is counted to its end, and what is owed is answered.
            let is_counted = self.perft.is_none() && self.owed == 0;
            let closing = self.closing.as_ref().filter(|_| is_counted);
            let deadline = closing.and_then(|c| c.deadline);
            let event = match deadline {
                Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(ServeEvent::Finished) | Err(RecvTimeoutError::Disconnected) => {
                    let by_quit = self.closing.as_ref().is_some_and(|c| c.by_quit);
                    return if by_quit { self.send(&Reply::Bye) } else { Ok(()) };
                }
                Err(RecvTimeoutError::Timeout) => {
                    return match &self.closing {
                        Some(Closing { by_quit: true, .. }) | None => Ok(()),
                        _ => Err(io::Error::other("the engine did not stop at the end of input")),
                    };
                }
                Ok(ServeEvent::EndOfInput) => self.close(false)?,
                Ok(ServeEvent::Line(_)) if self.closing.is_some() => {}
                Ok(ServeEvent::Line(line)) => self.line(line)?,
                Ok(event) => self.engine_event(event)?,
            }
            self.proceed()?;
        }
    }

    /// Ends the conversation. The running search is stopped, unless the dialect lets it use its
    /// time.
    fn close(&mut self, by_quit: bool) -> io::Result<()> {
        if self.closing.is_some() {
            return Ok(());
        }
        let at_once = !self.dialect().searches_after_eof();
        self.closing = Some(Closing::new(by_quit, at_once));
        self.preparing.stop();
        if at_once {
            self.stop_search();
        }
        self.release()
    }

    /// Handles the lines that need no longer wait; ends the conversation once all is answered.
    fn proceed(&mut self) -> io::Result<()> {
        while !self.is_busy() {
            let Some(line) = self.waiting.pop() else { break };
            self.obey(&line)?;
        }
        let idle = !self.is_busy();
        if let Some(closing) = &mut self.closing
            && idle
            && !closing.finishing
        {
            closing.finish();
            // All earlier jobs are done, in order.
            let _ = self.jobs.send(EngineJob::Finish);
        }
        Ok(())
    }

    /// Whether an answer is still to come.
    fn is_busy(&self) -> bool {
        self.search.is_some() || self.perft.is_some() || self.owed > 0
    }

    /// Whether a search must end at once because the conversation ends.
    fn is_cut_short(&self) -> bool {
        self.closing.as_ref().is_some_and(|c| c.deadline.is_some())
    }

    /// Stops the running search or perft.
    pub(super) fn stop(&mut self) {
        self.stop_search();
        if let Some(control) = &self.perft {
            control.stop();
        }
    }

    fn stop_search(&mut self) {
        if let Some(search) = &mut self.search {
            search.on_hold = false;
            search.control.stop();
        }
    }

    /// The dialect; UGI before the first line.
    fn dialect(&mut self) -> &mut dyn Dialect {
        self.dialect.get_or_insert_with(|| detect("", E::Game::NAME)).as_mut()
    }

    fn send(&mut self, reply: &Reply) -> io::Result<()> {
        for line in self.dialect().write_reply(reply) {
            self.output.write_all(visible(&line).as_bytes())?;
            self.output.write_all(b"\n")?;
            self.output.flush()?;
        }
        Ok(())
    }

    fn send_error(&mut self, reason: impl Into<String>) -> io::Result<()> {
        self.send(&Reply::Error(reason.into()))
    }

    fn send_text(&mut self, text: impl Into<String>) -> io::Result<()> {
        self.send(&Reply::Info(Info { text: Some(text.into()), ..Info::default() }))
    }

    fn engine_event(&mut self, event: ServeEvent<E::Game>) -> io::Result<()> {
        match event {
            ServeEvent::Info(info) => self.send(&Reply::Info(info)),
            ServeEvent::EngineError(text) => self.send(&Reply::EngineError(text)),
            ServeEvent::Text(text) => self.send(&Reply::Text(text)),
            // The state changes before the answer is sent: the manager may react to it at once.
            ServeEvent::Ready => {
                self.answered();
                self.unprepared = false;
                self.send(&Reply::Ready)
            }
            ServeEvent::Tablebase(outcome) => {
                self.answered();
                self.send(&Reply::Response(outcome_word(outcome).into()))
            }
            ServeEvent::PerftDone(sum) => {
                self.perft = None;
                self.closing.iter_mut().for_each(Closing::renew);
                self.send(&sum.map_or_else(Reply::EngineError, Reply::Text))
            }
            ServeEvent::BestMove(m) => {
                if let Some(search) = &mut self.search {
                    search.result = Some(m);
                }
                self.release()
            }
            ServeEvent::Line(_) | ServeEvent::EndOfInput | ServeEvent::Finished => Ok(()),
        }
    }

    /// What was owed is answered.
    fn answered(&mut self) {
        self.owed -= 1;
        self.closing.iter_mut().for_each(Closing::renew);
    }

    /// Sends the result of a search that has finished and is not on hold.
    fn release(&mut self) -> io::Result<()> {
        match &self.search {
            Some(RunningSearch { on_hold: false, result: Some(m), .. }) => {
                let token = m.map(|m| self.record.current().move_token(m));
                self.search = None;
                self.send(&Reply::BestMove(token))
            }
            _ => Ok(()),
        }
    }

    /// Handles a line, now or once all earlier ones are answered.
    fn line(&mut self, line: InputLine) -> io::Result<()> {
        let text = match line {
            InputLine::Text(text) => text,
            InputLine::TooLong(length) => {
                let most = lines::MAX_LINE_BYTES;
                return self
                    .send_error(format!("line of {length} bytes refused; the limit is {most}"));
            }
        };
        if self.dialect.is_none() {
            if text.trim().is_empty() {
                return Ok(());
            }
            self.dialect = Some(detect(&text, E::Game::NAME));
        }
        let in_line = !self.waiting.is_empty();
        let must_wait = match self.dialect().timing(&text) {
            LineTiming::AtOnce => false,
            LineTiming::AnyTime => in_line || self.owed > 0,
            // A search that only the manager ends is not waited for.
            LineTiming::InOrder => {
                in_line || self.is_busy() && !self.search.as_ref().is_some_and(|s| s.on_hold)
            }
        };
        if !must_wait {
            return self.obey(&text);
        }
        if self.waiting.push(text) { Ok(()) } else { self.send_error("too many lines wait") }
    }

    /// Handles a line now.
    fn obey(&mut self, text: &str) -> io::Result<()> {
        match self.dialect().read_command(text) {
            Err(error) => self.send_error(error.to_string()),
            Ok(commands) => {
                for command in commands {
                    match self.command(command)? {
                        Flow::Continue => {}
                        Flow::DropLine => break,
                        Flow::Quit => {
                            // In a dialect that stops for `quit`, the waiting lines came before it.
                            if self.dialect().searches_after_eof() {
                                self.waiting.clear();
                            }
                            return self.close(true);
                        }
                    }
                }
                Ok(())
            }
        }
    }

    fn command(&mut self, command: Command) -> io::Result<Flow> {
        match command {
            Command::Quit => return Ok(Flow::Quit),
            Command::Nothing => {}
            Command::Acknowledge => self.send(&Reply::Acknowledged)?,
            Command::Stop => {
                self.stop();
                self.release()?;
            }
            Command::PonderHit => self.ponder_hit()?,
            Command::Query(query) => self.query(query)?,
            Command::Show => self.show()?,
            Command::IsReady if !self.unprepared || self.search.is_some() => {
                self.send(&Reply::Ready)?;
            }
            Command::IsReady => {
                self.owed += 1;
                self.send_job(EngineJob::Ready(self.preparing.clone()))?;
            }
            other if self.search.is_some() || self.perft.is_some() => {
                self.busy(&other)?;
                return Ok(Flow::DropLine);
            }
            Command::Identify => self.identify()?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::NewGame => {
                self.record = Record::new(E::Game::start(&self.settings.rules));
                self.has_position = false;
                self.unprepared = true;
                self.send_job(EngineJob::NewGame)?;
            }
            Command::Position { fen, moves } => return self.position(fen.as_deref(), &moves),
            Command::Go(limits) => self.go(limits)?,
            Command::Perft(depth) => {
                let control = Control::new();
                self.perft = Some(control.clone());
                self.send_job(EngineJob::Perft {
                    state: self.record.current().clone(),
                    depth,
                    control,
                })?;
            }
        }
        Ok(Flow::Continue)
    }

    fn send_job(&mut self, job: EngineJob<E::Game>) -> io::Result<()> {
        self.jobs.send(job).map_err(|_| io::Error::other("the engine's thread has ended"))
    }

    fn busy(&mut self, command: &Command) -> io::Result<()> {
        let what = match command {
            Command::Identify => "an identification",
            Command::SetOption { .. } => "`setoption`",
            Command::NewGame => "a new game",
            Command::Position { .. } => "`position`",
            Command::Go(_) => "`go`",
            _ => "this command",
        };
        self.send_error(format!("{what} must wait for the end of the search; `stop` ends it"))
    }

    fn identify(&mut self) -> io::Result<()> {
        let mut replies = vec![self.identity.clone()];
        replies.extend(self.options.iter().cloned().map(Reply::Option));
        replies.push(Reply::Identified);
        replies.iter().try_for_each(|r| self.send(r))
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.check_option(name, value) {
            Err(error) => self.send_error(error.to_string()),
            Ok((name, value)) if self.settings.set(&name, &value) => {
                if !self.has_position {
                    self.record = Record::new(E::Game::start(&self.settings.rules));
                }
                self.send_job(EngineJob::SetRule { name, value })
            }
            Ok((name, value)) => {
                self.unprepared = true;
                self.send_job(EngineJob::SetOption { name, value })
            }
        }
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(String, OptionValue), OptionError> {
        let spec = find(&self.options, name)?;
        Ok((spec.name.clone(), spec.parse(value)?))
    }

    fn position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<Flow> {
        match Record::from_text(fen, moves, &self.settings.rules) {
            Ok(record) => {
                self.record = record;
                self.has_position = true;
                Ok(Flow::Continue)
            }
            Err(error) => {
                self.send_error(format!("position: {error}; the position is unchanged"))?;
                Ok(Flow::DropLine)
            }
        }
    }

    fn go(&mut self, mut limits: Limits) -> io::Result<()> {
        if !limits.is_bounded() {
            limits.move_time =
                Some(self.settings.move_time.unwrap_or(self.dialect().default_move_time()));
        }
        let reason = match self.record.turn() {
            Turn::Player(_) => {
                let control = Control::new();
                if self.is_cut_short() {
                    control.stop();
                }
                if !limits.ponder {
                    control.ponder_hit();
                }
                let infinite = limits.infinite;
                let on_hold = (limits.ponder || infinite) && !self.is_cut_short();
                self.search = Some(RunningSearch {
                    control: control.clone(),
                    infinite,
                    on_hold,
                    result: None,
                });
                return self.send_job(EngineJob::Search {
                    record: self.record.clone(),
                    limits,
                    control,
                });
            }
            // A manager that takes "no move" for a move would ask for ever.
            Turn::Chance => {
                return self.send_error(
                    "go: it is chance's turn; a manager of this game must send the outcome of \
                     every roll or flip in `position`, among the moves",
                );
            }
            Turn::Over(_) => "the game is over: there is no move to search for",
        };
        self.send_text(reason)?;
        self.send(&Reply::BestMove(None))
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            search.on_hold = search.infinite;
            search.control.ponder_hit();
        }
        self.release()
    }

    fn query(&mut self, query: Query) -> io::Result<()> {
        let turn = self.record.turn();
        let is = |yes: bool| yes.to_string();
        let text = match query {
            Query::P1Turn => is(turn == Turn::Player(Player::First)),
            Query::P2Turn => is(turn == Turn::Player(Player::Second)),
            Query::GameOver => is(turn.outcome().is_some()),
            Query::Fen => self.record.current().fen(),
            Query::Result => outcome_word(turn.outcome()).into(),
            Query::Tablebase if turn.outcome().is_some() => outcome_word(turn.outcome()).into(),
            Query::Tablebase if self.search.is_some() => {
                return self.send_error(
                    "the tablebase must wait for the end of the search; `stop` ends it",
                );
            }
            Query::Tablebase => {
                self.owed += 1;
                return self.send_job(EngineJob::Tablebase { record: self.record.clone() });
            }
        };
        self.send(&Reply::Response(text))
    }

    fn show(&mut self) -> io::Result<()> {
        let state = self.record.current();
        let text = format!("{}fen: {}\n", state.diagram(), state.fen());
        self.send(&Reply::Text(text))
    }
}

/// An outcome as the answer to a query.
fn outcome_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Player::First)) => "p1win",
        Some(Outcome::Win(Player::Second)) => "p2win",
    }
}
