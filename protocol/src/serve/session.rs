//! The conversation: what was said so far and what it means for the position and the engine.

use super::kept::Kept;
use super::worker::{Event, Job};
use crate::dialect::{Dialect, by_name, detect};
use crate::engine::{Control, Engine};
use crate::game::{Game, Outcome, Player, Turn};
use crate::lines::{self, Line};
use crate::message::{Command, Info, Limits, Query, Reply};
use crate::option::{OptionError, OptionSpec, OptionValue, find};
use crate::record::Record;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long the end of input waits for a stopped search, whose contract is 10 ms.
const FAREWELL: Duration = Duration::from_secs(5);

/// A search under way, from `go` to its `bestmove`.
struct Search<G: Game> {
    control: Control,
    /// Whether only `stop` ends it.
    infinite: bool,
    /// The time that it may take as far as it has one of its own.
    time: Duration,
    /// The manager has yet to end it (or, pondering, to start its clock): a result is kept back.
    held: bool,
    /// The result, once there is one; `None` in it where the rules allow no move.
    result: Option<Option<G::Move>>,
}

/// What the conversation knows.
pub(super) struct Session<E: Engine, W: Write> {
    jobs: Sender<Job<E::Game>>,
    output: W,
    identity: Reply,
    options: Vec<OptionSpec>,
    record: Record<E::Game>,
    kept: Kept<<E::Game as Game>::Rules>,
    positioned: bool,
    dialect: Option<Box<dyn Dialect>>,
    search: Option<Search<E::Game>>,
    perft: Option<Control>,
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    /// It goes on, but not with the rest of the line: something in it was refused.
    Refused,
    End,
}

impl<E: Engine, W: Write> Session<E, W> {
    /// At the start position, before the first line.
    pub(super) fn new(
        jobs: Sender<Job<E::Game>>,
        output: W,
        identity: Reply,
        options: Vec<OptionSpec>,
        kept: Kept<<E::Game as Game>::Rules>,
    ) -> Session<E, W> {
        Session {
            jobs,
            output,
            identity,
            options,
            record: Record::new(E::Game::start(&kept.rules)),
            dialect: kept.dialect.and_then(|name| by_name(name, E::Game::NAME)),
            kept,
            positioned: false,
            search: None,
            perft: None,
        }
    }

    /// Talks until `quit` or the end of input.
    pub(super) fn run(&mut self, events: &Receiver<Event<E::Game>>) -> io::Result<()> {
        loop {
            let Ok(event) = events.recv() else { return Ok(()) };
            match event {
                Event::EndOfInput => return self.finish(events),
                Event::Line(line) => {
                    if self.line(line)? == Flow::End {
                        self.stop();
                        return Ok(());
                    }
                }
                event => self.engine_event(event)?,
            }
        }
    }

    /// The end of input: what is running says its result, at once unless the dialect lets a search
    /// take its time.
    fn finish(&mut self, events: &Receiver<Event<E::Game>>) -> io::Result<()> {
        let mut deadline = Instant::now() + FAREWELL;
        if self.dialect().searches_after_eof() {
            deadline += self.search.as_ref().map_or(Duration::ZERO, |s| s.time);
        } else {
            self.stop();
        }
        self.release()?;
        // Whatever was asked before (options, perft, readiness) is answered, in its order.
        let _ = self.jobs.send(Job::Farewell);
        loop {
            match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Farewell) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(event) => self.engine_event(event)?,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(io::Error::other("the engine did not stop at the end of input"));
                }
            }
        }
    }

    /// Asks whatever runs to end.
    pub(super) fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.held = false;
            search.control.stop();
        }
        if let Some(control) = &self.perft {
            control.stop();
        }
    }

    /// The dialect, UGI if nothing has been said yet.
    fn dialect(&mut self) -> &mut dyn Dialect {
        self.dialect.get_or_insert_with(|| detect("", E::Game::NAME)).as_mut()
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        for line in self.dialect().write_reply(reply) {
            self.output.write_all(line.as_bytes())?;
            self.output.write_all(b"\n")?;
            self.output.flush()?;
        }
        Ok(())
    }

    fn refuse(&mut self, reason: impl Into<String>) -> io::Result<()> {
        self.say(&Reply::Error(reason.into()))
    }

    fn note(&mut self, text: impl Into<String>) -> io::Result<()> {
        self.say(&Reply::Info(Info { text: Some(text.into()), ..Info::default() }))
    }

    fn engine_event(&mut self, event: Event<E::Game>) -> io::Result<()> {
        match event {
            Event::Report(info) => self.say(&Reply::Info(info)),
            Event::Trouble(text) => self.say(&Reply::EngineError(text)),
            Event::Ready => self.say(&Reply::Ready),
            Event::Text(text) => self.say(&Reply::Text(text)),
            Event::Table(outcome) => self.say(&Reply::Response(outcome_word(outcome).into())),
            Event::PerftDone => {
                self.perft = None;
                Ok(())
            }
            Event::Best(m) => {
                if let Some(search) = &mut self.search {
                    search.result = Some(m);
                }
                self.release()
            }
            Event::Line(_) | Event::EndOfInput | Event::Farewell => Ok(()),
        }
    }

    /// Says the result of a search that is finished and no longer held back.
    fn release(&mut self) -> io::Result<()> {
        match &self.search {
            Some(Search { held: false, result: Some(m), .. }) => {
                let token = m.map(|m| self.record.current().move_token(m));
                self.search = None;
                self.say(&Reply::BestMove(token))
            }
            _ => Ok(()),
        }
    }

    fn line(&mut self, line: Line) -> io::Result<Flow> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong(length) => {
                let most = lines::MAX_LINE_BYTES;
                self.refuse(format!("a line of {length} bytes; at most {most} are read"))?;
                return Ok(Flow::On);
            }
        };
        let game = E::Game::NAME;
        if self.dialect.is_none() && text.trim().is_empty() {
            return Ok(Flow::On);
        }
        match self.dialect.get_or_insert_with(|| detect(&text, game)).read_command(&text) {
            Err(error) => self.refuse(error.to_string())?,
            Ok(commands) => {
                for command in commands {
                    match self.command(command)? {
                        Flow::On => {}
                        Flow::Refused => return Ok(Flow::On),
                        Flow::End => return Ok(Flow::End),
                    }
                }
            }
        }
        Ok(Flow::On)
    }

    fn command(&mut self, command: Command) -> io::Result<Flow> {
        match command {
            Command::Quit => {
                self.say(&Reply::Bye)?;
                return Ok(Flow::End);
            }
            Command::Nothing => {}
            Command::Acknowledge => self.say(&Reply::Acknowledged)?,
            Command::Stop => {
                self.stop();
                self.release()?;
            }
            Command::PonderHit => self.ponder_hit()?,
            Command::Query(query) => self.query(query)?,
            Command::Show => self.show()?,
            Command::IsReady if self.search.is_some() || self.perft.is_some() => {
                self.say(&Reply::Ready)?;
            }
            Command::IsReady => self.give(Job::Ready)?,
            other if self.search.is_some() || self.perft.is_some() => {
                self.busy(&other)?;
                return Ok(Flow::Refused);
            }
            Command::Identify => self.identify()?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::NewGame => {
                self.record = Record::new(E::Game::start(&self.kept.rules));
                self.positioned = false;
                self.give(Job::NewGame)?;
            }
            Command::Position { fen, moves } => return self.position(fen.as_deref(), &moves),
            Command::Go(limits) => self.go(limits)?,
            Command::Perft(depth) => {
                let control = Control::new();
                self.perft = Some(control.clone());
                self.give(Job::Perft { state: self.record.current().clone(), depth, control })?;
            }
        }
        Ok(Flow::On)
    }

    fn give(&mut self, job: Job<E::Game>) -> io::Result<()> {
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
        self.refuse(format!("{what} has to wait for the end of the search; `stop` ends it"))
    }

    fn identify(&mut self) -> io::Result<()> {
        let mut replies = vec![self.identity.clone()];
        replies.extend(self.options.iter().cloned().map(Reply::Option));
        replies.push(Reply::Identified);
        replies.iter().try_for_each(|r| self.say(r))
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.check_option(name, value) {
            Err(error) => self.refuse(error.to_string()),
            Ok((name, value)) if self.kept.set(&name, &value) => {
                if !self.positioned {
                    self.record = Record::new(E::Game::start(&self.kept.rules));
                }
                Ok(())
            }
            Ok((name, value)) => self.give(Job::SetOption { name, value }),
        }
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(String, OptionValue), OptionError> {
        let spec = find(&self.options, name)?;
        Ok((spec.name.clone(), spec.parse(value)?))
    }

    fn position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<Flow> {
        match Record::from_text(fen, moves, &self.kept.rules) {
            Ok(record) => {
                self.record = record;
                self.positioned = true;
                Ok(Flow::On)
            }
            Err(error) => {
                self.refuse(format!("position: {error}; the old one stays"))?;
                Ok(Flow::Refused)
            }
        }
    }

    fn go(&mut self, mut limits: Limits) -> io::Result<()> {
        if !limits.is_bounded() {
            limits.move_time =
                Some(self.kept.move_time.unwrap_or(self.dialect().default_move_time()));
        }
        let reason = match self.record.turn() {
            Turn::Player(_) => {
                let control = Control::new();
                if !limits.ponder {
                    control.ponder_hit();
                }
                let held = limits.ponder || limits.infinite;
                let infinite = limits.infinite;
                let time = limits.move_time.unwrap_or(Duration::ZERO);
                self.search =
                    Some(Search { control: control.clone(), infinite, time, held, result: None });
                return self.give(Job::Search { record: self.record.clone(), limits, control });
            }
            Turn::Chance => "it is chance's turn: an outcome must follow in `position`",
            Turn::Over(_) => "the game is over: there is no move to search for",
        };
        self.note(reason)?;
        self.say(&Reply::BestMove(None))
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            search.held = search.infinite;
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
                return self
                    .refuse("the table has to wait for the end of the search; `stop` ends it");
            }
            Query::Tablebase => return self.give(Job::Table { record: self.record.clone() }),
        };
        self.say(&Reply::Response(text))
    }

    fn show(&mut self) -> io::Result<()> {
        let state = self.record.current();
        let text = format!("{}fen: {}\n", state.diagram(), state.fen());
        self.say(&Reply::Text(text))
    }
}

/// An outcome as the answer to a question.
fn outcome_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Player::First)) => "p1win",
        Some(Outcome::Win(Player::Second)) => "p2win",
    }
}
