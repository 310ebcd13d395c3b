//! The conversation: the state built up by a manager's lines, and the replies to them.

use super::settings::Settings;
use super::worker::{Event, Job};
use crate::dialect::{Dialect, by_name, detect};
use crate::engine::{Control, Engine};
use crate::game::{Game, Outcome, Player, Turn};
use crate::lines::{self, Line};
use crate::message::{Command, Info, Limits, Query, Reply};
use crate::option::{OptionError, OptionSpec, OptionValue, find};
use crate::record::Record;
use crate::text::visible;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Timeout at the end of input for a stopped search, which must end within 10 ms.
const STOP_DEADLINE: Duration = Duration::from_secs(5);

/// A running search, from `go` to its `bestmove`.
struct Search<G: Game> {
    control: Control,
    /// Whether only `stop` ends it (`go infinite`).
    infinite: bool,
    /// Its time limit; zero if it has no limit for this move alone.
    time: Duration,
    /// Whether the result must wait for `stop` or `ponderhit`.
    on_hold: bool,
    /// The result, once available; an inner `None` if there is no legal move.
    result: Option<Option<G::Move>>,
}

/// The state of the conversation.
pub(super) struct Session<E: Engine, W: Write> {
    jobs: Sender<Job<E::Game>>,
    output: W,
    identity: Reply,
    options: Vec<OptionSpec>,
    record: Record<E::Game>,
    settings: Settings<<E::Game as Game>::Rules>,
    has_position: bool,
    dialect: Option<Box<dyn Dialect>>,
    search: Option<Search<E::Game>>,
    perft: Option<Control>,
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
        jobs: Sender<Job<E::Game>>,
        output: W,
        identity: Reply,
        options: Vec<OptionSpec>,
        settings: Settings<<E::Game as Game>::Rules>,
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
        }
    }

    /// Runs until `quit` or the end of input.
    pub(super) fn run(&mut self, events: &Receiver<Event<E::Game>>) -> io::Result<()> {
        loop {
            let Ok(event) = events.recv() else { return Ok(()) };
            match event {
                Event::EndOfInput => return self.finish(events),
                Event::Line(line) => {
                    if self.line(line)? == Flow::Quit {
                        self.stop();
                        return Ok(());
                    }
                }
                event => self.engine_event(event)?,
            }
        }
    }

    /// The end of input: stops the running search, unless the dialect lets it use its time, and
    /// waits for its result.
    fn finish(&mut self, events: &Receiver<Event<E::Game>>) -> io::Result<()> {
        let mut deadline = Instant::now() + STOP_DEADLINE;
        if self.dialect().searches_after_eof() {
            deadline += self.search.as_ref().map_or(Duration::ZERO, |s| s.time);
        } else {
            self.stop();
        }
        self.release()?;
        // All earlier commands (options, perft, isready) are answered, in order.
        let _ = self.jobs.send(Job::Finish);
        loop {
            match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Finished) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(event) => self.engine_event(event)?,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(io::Error::other("the engine did not stop at the end of input"));
                }
            }
        }
    }

    /// Stops the running search or perft.
    pub(super) fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.on_hold = false;
            search.control.stop();
        }
        if let Some(control) = &self.perft {
            control.stop();
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

    fn engine_event(&mut self, event: Event<E::Game>) -> io::Result<()> {
        match event {
            Event::Info(info) => self.send(&Reply::Info(info)),
            Event::EngineError(text) => self.send(&Reply::EngineError(text)),
            Event::Ready => self.send(&Reply::Ready),
            Event::Text(text) => self.send(&Reply::Text(text)),
            Event::Tablebase(outcome) => self.send(&Reply::Response(outcome_word(outcome).into())),
            Event::PerftDone => {
                self.perft = None;
                Ok(())
            }
            Event::BestMove(m) => {
                if let Some(search) = &mut self.search {
                    search.result = Some(m);
                }
                self.release()
            }
            Event::Line(_) | Event::EndOfInput | Event::Finished => Ok(()),
        }
    }

    /// Sends the result of a search that has finished and is not on hold.
    fn release(&mut self) -> io::Result<()> {
        match &self.search {
            Some(Search { on_hold: false, result: Some(m), .. }) => {
                let token = m.map(|m| self.record.current().move_token(m));
                self.search = None;
                self.send(&Reply::BestMove(token))
            }
            _ => Ok(()),
        }
    }

    fn line(&mut self, line: Line) -> io::Result<Flow> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong(length) => {
                let most = lines::MAX_LINE_BYTES;
                self.send_error(format!("line of {length} bytes refused; the limit is {most}"))?;
                return Ok(Flow::Continue);
            }
        };
        let game = E::Game::NAME;
        if self.dialect.is_none() && text.trim().is_empty() {
            return Ok(Flow::Continue);
        }
        match self.dialect.get_or_insert_with(|| detect(&text, game)).read_command(&text) {
            Err(error) => self.send_error(error.to_string())?,
            Ok(commands) => {
                for command in commands {
                    match self.command(command)? {
                        Flow::Continue => {}
                        Flow::DropLine => return Ok(Flow::Continue),
                        Flow::Quit => return Ok(Flow::Quit),
                    }
                }
            }
        }
        Ok(Flow::Continue)
    }

    fn command(&mut self, command: Command) -> io::Result<Flow> {
        match command {
            Command::Quit => {
                self.send(&Reply::Bye)?;
                return Ok(Flow::Quit);
            }
            Command::Nothing => {}
            Command::Acknowledge => self.send(&Reply::Acknowledged)?,
            Command::Stop => {
                self.stop();
                self.release()?;
            }
            Command::PonderHit => self.ponder_hit()?,
            Command::Query(query) => self.query(query)?,
            Command::Show => self.show()?,
            Command::IsReady if self.search.is_some() || self.perft.is_some() => {
                self.send(&Reply::Ready)?;
            }
            Command::IsReady => self.send_job(Job::Ready)?,
            other if self.search.is_some() || self.perft.is_some() => {
                self.busy(&other)?;
                return Ok(Flow::DropLine);
            }
            Command::Identify => self.identify()?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::NewGame => {
                self.record = Record::new(E::Game::start(&self.settings.rules));
                self.has_position = false;
                self.send_job(Job::NewGame)?;
            }
            Command::Position { fen, moves } => return self.position(fen.as_deref(), &moves),
            Command::Go(limits) => self.go(limits)?,
            Command::Perft(depth) => {
                let control = Control::new();
                self.perft = Some(control.clone());
                self.send_job(Job::Perft { state: self.record.current().clone(), depth, control })?;
            }
        }
        Ok(Flow::Continue)
    }

    fn send_job(&mut self, job: Job<E::Game>) -> io::Result<()> {
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
                Ok(())
            }
            Ok((name, value)) => self.send_job(Job::SetOption { name, value }),
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
                if !limits.ponder {
                    control.ponder_hit();
                }
                let on_hold = limits.ponder || limits.infinite;
                let infinite = limits.infinite;
                let time = limits.move_time.unwrap_or(Duration::ZERO);
                self.search = Some(Search {
                    control: control.clone(),
                    infinite,
                    time,
                    on_hold,
                    result: None,
                });
                return self.send_job(Job::Search { record: self.record.clone(), limits, control });
            }
            Turn::Chance => "it is chance's turn: its outcome must follow in `position`",
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
                return self.send_job(Job::Tablebase { record: self.record.clone() });
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
