//! Drives one engine in its dialect: the handshake, new games, and timed moves.

pub use super::context::{EngineContext, Timeouts};
use super::process::{Fault, Process};
use super::program::find_program;
use super::start::{StartError, StartFault, memory_note, spawn_pinned};
use super::transcript::EngineTranscript;
use crate::matchlog::{EngineEntry, OutputTail, Setting};
use agon_protocol::dialect::{self, Dialect};
use agon_protocol::message::{Annotation, Command, Info, Limits, Query, Reply};
use agon_protocol::text::excerpt;
use agon_protocol::{Player, option};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest time between two calls of the function that watches a search.
pub const TICK: Duration = Duration::from_millis(50);

/// Gets the reports of a search, and `None` at least every [`TICK`]; `true` ends the search.
pub type Watch<'a> = &'a mut dyn FnMut(Option<&Info>) -> bool;

/// An engine's answer to `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as the engine wrote it; `None` if the engine reports that it has none.
    pub token: Option<String>,
    /// Time from `go` to `bestmove`.
    pub time: Duration,
    /// The last value of each field of the search info.
    pub info: Info,
    /// Whether the answer arrived only after the deadline and `stop`.
    pub late: bool,
    /// Draw offers and resignations.
    pub annotations: Vec<Annotation>,
}

/// A running engine that has completed the handshake.
pub struct Driver {
    entry: Arc<EngineEntry>,
    context: Arc<EngineContext>,
    path: PathBuf,
    process: Process,
    dialect: Box<dyn Dialect>,
    /// The name that the engine reported in the handshake.
    pub own_name: Option<String>,
    /// The names of the options that it lists.
    listed: Vec<String>,
    /// The last error that the engine reported since the last command.
    last_error: Option<String>,
    /// The moves of the position on which the engine ponders, the predicted move last.
    pondering: Option<Vec<String>>,
}

impl Driver {
    /// Starts the program, waits for its identification, sets all options and waits for `readyok`.
    pub fn start(
        entry: &Arc<EngineEntry>,
        context: &Arc<EngineContext>,
    ) -> Result<Driver, StartError> {
        let error = |reason: String, tail, cause| StartError {
            name: entry.name.clone(),
            command: entry.command.join(" "),
            game: context.game.clone(),
            reason: reason + &memory_note(entry),
            tail: Box::new(tail),
            cause,
        };
        let failed = |reason, cause| error(reason, OutputTail::default(), cause);
        let external = |reason| failed(reason, StartFault::Machine);
        let program = entry.command.first().map_or("", String::as_str);
        let path = find_program(program).map_err(external)?;
        let dialect = dialect::by_name(&entry.dialect, &context.game)
            .ok_or_else(|| external(format!("unknown dialect `{}`", entry.dialect)))?;
        let mut process = match spawn_pinned(entry, &path) {
            Ok(process) => process,
            Err((reason, cause)) => return Err(failed(reason, cause)),
        };
        process.transcript = context.transcript.as_ref().map(|t| t.process(&entry.name));
        let mut driver = Driver {
            entry: Arc::clone(entry),
            context: Arc::clone(context),
            path,
            process,
            dialect,
            own_name: None,
            listed: Vec::new(),
            last_error: None,
            pondering: None,
        };
        match driver.handshake() {
            Ok(()) => Ok(driver),
            Err((reason, interrupted)) => {
                let cause = if interrupted { StartFault::Interrupted } else { StartFault::Engine };
                Err(error(reason, driver.process.output_tail(), cause))
            }
        }
    }

    /// Performs the handshake. An error holds the reason and whether the user interrupted.
    fn handshake(&mut self) -> Result<(), (String, bool)> {
        let explain = |doing: &'static str| {
            move |fault: Fault| (format!("{doing}: {fault}"), matches!(fault, Fault::Interrupted))
        };
        self.listed = self.identify().map_err(explain("during the handshake"))?;
        let mut settings: Vec<Setting> = Vec::new();
        let own_name = |wanted: &str| self.own_option(wanted);
        for Setting { name, value } in &self.context.rules {
            match own_name(name) {
                Some(name) => settings.push(Setting { name, value: value.clone() }),
                None => log::warn!(
                    "engine {} has no option for the rule {name}: it may play by other rules",
                    self.entry.name
                ),
            }
        }
        for Setting { name, value } in &self.entry.options {
            let Some(name) = own_name(name) else {
                let listed = self.listed.join(", ");
                let known = if listed.is_empty() { "none" } else { &listed };
                let name = excerpt(name);
                return Err((format!("it has no option `{name}`; its options: {known}"), false));
            };
            settings.push(Setting { name, value: value.clone() });
        }
        let chosen = |name: &str| settings.iter().any(|s| s.name == name);
        if let Some(name) = own_name("Ponder").filter(|n| self.entry.ponder && !chosen(n)) {
            settings.push(Setting { name, value: "true".into() });
        }
        for Setting { name, value } in settings {
            let command = Command::SetOption { name, value };
            self.send(&command, Player::First).map_err(explain("while setting options"))?;
        }
        self.await_ready().map_err(explain("after setting options"))?;
        match self.last_error.take() {
            Some(last_error) => Err((last_error, false)),
            None => Ok(()),
        }
    }

    /// The engine's spelling of an option; `None` if it lists no such option.
    fn own_option(&self, wanted: &str) -> Option<String> {
        self.listed.iter().find(|listed| self.dialect.is_option(listed, wanted)).cloned()
    }

    /// Sets an option between two searches. Returns whether the engine lists it.
    pub fn set_option(&mut self, wanted: &str, value: &str) -> Result<bool, Fault> {
        let Some(name) = self.own_option(wanted) else { return Ok(false) };
        self.send(&Command::SetOption { name, value: value.into() }, Player::First)?;
        Ok(true)
    }

    /// Sends the identification command and collects the names of the engine's options.
    fn identify(&mut self) -> Result<Vec<String>, Fault> {
        let deadline = Instant::now() + self.context.timeouts.ready;
        self.send(&Command::Identify, Player::First)?;
        let mut listed = Vec::new();
        loop {
            match self.receive(deadline)?.0 {
                Some(Reply::Identified) => return Ok(listed),
                Some(Reply::BestMove(token)) => return Err(unrequested(token)),
                Some(Reply::Id { name, .. }) if !name.is_empty() => self.own_name = Some(name),
                Some(Reply::Option(option::OptionSpec { name, .. })) => listed.push(name),
                Some(Reply::RawOption { name, .. }) => listed.push(name),
                _ => {}
            }
        }
    }

    /// Sends a command.
    fn send(&mut self, command: &Command, mover: Player) -> Result<(), Fault> {
        self.send_all(&[command], mover)
    }

    /// Sends commands in one write: every write wakes the engine.
    fn send_all(&mut self, commands: &[&Command], mover: Player) -> Result<(), Fault> {
        let mut text = String::new();
        for line in commands.iter().flat_map(|c| self.dialect.write_command(c, mover)) {
            log::trace!("{} <- {line}", self.entry.name);
            text.push_str(&line);
            text.push('\n');
        }
        self.process.send(text.as_bytes(), Instant::now() + self.context.timeouts.ready)
    }

    /// Restarts the program if engines of this dialect exit after an answer.
    fn restart_if_due(&mut self, command: &Command) -> Result<(), Fault> {
        if !self.dialect.needs_restart(command) {
            return Ok(());
        }
        let game = self.process.transcript.as_ref().and_then(EngineTranscript::game);
        self.process =
            spawn_pinned(&self.entry, &self.path).map_err(|(reason, cause)| match cause {
                StartFault::Machine => Fault::Machine(reason),
                _ => Fault::Gone(reason),
            })?;
        let all = self.context.transcript.as_ref();
        self.process.transcript = all.map(|t| t.process(&self.entry.name));
        self.enter_game(game);
        Ok(())
    }

    /// Reads one line; `None` if it is not a reply in the dialect.
    fn receive(&mut self, deadline: Instant) -> Result<(Option<Reply>, Instant), Fault> {
        if let Some(reply) = self.dialect.poll_reply() {
            return Ok((Some(reply), Instant::now()));
        }
        let (line, at) = self.process.read_line(deadline)?;
        log::trace!("{} -> {}", self.entry.name, excerpt(&line));
        let reply = self.dialect.read_reply(&line);
        if let Some(Reply::Error(text)) = &reply {
            self.last_error = Some(excerpt(text));
        }
        Ok((reply, at))
    }

    /// Sends `isready` and waits for `readyok`. A move before it is a fault.
    fn await_ready(&mut self) -> Result<(), Fault> {
        self.send(&Command::IsReady, Player::First)?;
        self.until_ready(Instant::now() + self.context.timeouts.ready, None).map(drop)
    }

    /// Waits for `readyok` and returns its time. A move before it is a fault: nobody requested it.
    /// `pondered` gets the reports before it.
    fn until_ready(
        &mut self,
        deadline: Instant,
        mut pondered: Option<&mut Info>,
    ) -> Result<Instant, Fault> {
        loop {
            let (reply, at) = self.receive(deadline)?;
            match (reply, &mut pondered) {
                (Some(Reply::Ready), _) => return Ok(at),
                (Some(Reply::BestMove(token)), _) => return Err(unrequested(token)),
                (Some(Reply::Info(news)), Some(info)) => merge(info, news),
                _ => {}
            }
        }
    }

    /// Reads the lines that have arrived, or all lines of a program that answered and now exits.
    /// A move among them is a fault. No clock runs meanwhile.
    fn drain(&mut self) -> Result<(), Fault> {
        let deadline = Instant::now() + self.context.timeouts.grace;
        // The number of lines is bounded; more are read with the next answer.
        for _ in 0..1000 {
            let line = if self.dialect.expects_exit() {
                // A fault of a process that exits is irrelevant.
                self.process.read_line(deadline).ok().map(|(line, _)| line)
            } else {
                self.process.pending_line()
            };
            let Some(line) = line else { break };
            log::trace!("{} -> {}", self.entry.name, excerpt(&line));
            if let Some(Reply::BestMove(token)) = self.dialect.read_reply(&line) {
                return Err(unrequested(token));
            }
        }
        Ok(())
    }

    /// The dialogue that follows belongs to this game.
    pub fn enter_game(&mut self, game: Option<u64>) {
        if let Some(transcript) = &mut self.process.transcript {
            transcript.enter_game(game);
        }
    }

    /// Announces a new game and waits for `readyok`. Returns the latency of an `isready` before it,
    /// while the engine has nothing else to do; `None` if the dialect answers it without the engine.
    pub fn new_game(&mut self) -> Result<Option<Duration>, Fault> {
        for result in [self.stop_pondering(), self.drain()] {
            self.forgive(result)?;
        }
        self.restart_if_due(&Command::NewGame)?;
        self.process.clear_output_tail();
        let latency = self.round_trip()?;
        self.last_error = None;
        self.send_all(&[&Command::NewGame, &Command::IsReady], Player::First)?;
        self.until_ready(Instant::now() + self.context.timeouts.ready, None)?;
        Ok(latency)
    }

    /// A move too many loses no game that is already over.
    fn forgive(&self, result: Result<(), Fault>) -> Result<(), Fault> {
        match result {
            Err(Fault::Unrequested(what)) => {
                log::warn!("engine {}, after its last game: {what}", self.entry.name);
                Ok(())
            }
            other => other,
        }
    }

    /// The time from `isready` to `readyok`; `None` if the dialect answers it without the engine.
    fn round_trip(&mut self) -> Result<Option<Duration>, Fault> {
        let begin = Instant::now();
        self.send(&Command::IsReady, Player::First)?;
        if self.dialect.poll_reply() == Some(Reply::Ready) {
            return Ok(None);
        }
        loop {
            match self.until_ready(begin + self.context.timeouts.ready, None) {
                Ok(at) => return Ok(Some(at.saturating_duration_since(begin))),
                Err(fault) => self.forgive(Err(fault))?,
            }
        }
    }

    /// Requests a move. `fen` is the position before `moves`, `None` the game's start position.
    /// After the time `allowed` the referee sends `stop`, and the answer counts as late. A move that
    /// the engine sent before it read the request is a fault and answers nothing.
    pub fn go(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        mover: Player,
        limits: &Limits,
        allowed: Option<Duration>,
    ) -> Result<Answer, Fault> {
        self.go_watched(fen, moves, mover, limits, allowed, None)
    }

    /// Starts a search and does not wait for its end.
    pub fn begin(&mut self, moves: &[String], mover: Player, limits: &Limits) -> Result<(), Fault> {
        let position = Command::Position { fen: None, moves: moves.to_vec() };
        self.send_all(&[&position, &Command::Go(limits.clone())], mover)
    }

    /// As [`Driver::go`]. `watch` gets every report of the search as it arrives, and `None` at least
    /// every [`TICK`]; once it returns `true`, the referee sends `stop`, and the answer counts as late.
    pub fn go_watched(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        mover: Player,
        limits: &Limits,
        allowed: Option<Duration>,
        watch: Option<Watch<'_>>,
    ) -> Result<Answer, Fault> {
        let timeouts = self.context.timeouts;
        let ponder_hit = self.pondering.as_deref() == Some(moves);
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.to_vec() };
        if !ponder_hit {
            self.stop_pondering()?;
        }
        // Elsewhere `readyok` comes after all that the engine sent before.
        if self.dialect.can_restart() {
            self.drain()?;
        }
        self.restart_if_due(&position)?;
        self.pondering = None;
        self.last_error = None;
        let go = Command::Go(limits.clone());
        let begin = Instant::now();
        if ponder_hit {
            self.send_all(&[&Command::IsReady, &Command::PonderHit], mover)?;
        } else {
            self.send_all(&[&Command::IsReady, &position, &go], mover)?;
        }
        let mut info = Info::default();
        let deadline = begin + allowed.unwrap_or(timeouts.think);
        // `readyok` separates what the engine sent before it read the request from the answer.
        let ready = self.until_ready(deadline, ponder_hit.then_some(&mut info));
        let first = ready.and_then(|_| self.best_move(deadline, &mut info, watch));
        let (token, at, late) = match first {
            Err(Fault::Silent(_)) => {
                self.send(&Command::Stop, mover)?;
                let grace = Instant::now() + timeouts.grace;
                let (token, at) = self.best_move(grace, &mut info, None)?;
                (token, at, true)
            }
            answer => {
                let (token, at) = answer?;
                (token, at, false)
            }
        };
        let time = at.saturating_duration_since(begin);
        let more = std::iter::from_fn(|| self.dialect.poll_reply());
        let annotations =
            more.filter_map(|r| if let Reply::Annotation(a) = r { Some(a) } else { None });
        Ok(Answer { token, time, info, late, annotations: annotations.collect() })
    }

    /// Starts pondering on the position after `moves`; the last move is the predicted one.
    pub fn ponder(
        &mut self,
        fen: Option<&str>,
        moves: Vec<String>,
        mover: Player,
        limits: Limits,
    ) -> Result<(), Fault> {
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.clone() };
        let go = Command::Go(Limits { ponder: true, ..limits });
        self.await_ready()?;
        self.send_all(&[&position, &go], mover)?;
        self.pondering = Some(moves);
        Ok(())
    }

    /// Stops pondering and discards the answer.
    pub fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_some() {
            self.drain()?;
            self.send(&Command::Stop, Player::First)?;
            let deadline = Instant::now() + self.context.timeouts.grace;
            self.best_move(deadline, &mut Info::default(), None)?;
        }
        Ok(())
    }

    /// Waits for the move. `watch` ends the wait early as [`Fault::Silent`].
    fn best_move(
        &mut self,
        deadline: Instant,
        info: &mut Info,
        mut watch: Option<Watch<'_>>,
    ) -> Result<(Option<String>, Instant), Fault> {
        loop {
            let slice = watch.as_ref().map_or(deadline, |_| deadline.min(Instant::now() + TICK));
            let news = match self.receive(slice) {
                Err(Fault::Silent(_)) if slice < deadline => None,
                answer => match answer? {
                    (Some(Reply::BestMove(token)), at) => return Ok((token, at)),
                    (Some(Reply::Info(news)), _) => Some(news),
                    _ => None,
                },
            };
            if watch.as_mut().is_some_and(|watch| watch(news.as_ref())) {
                return Err(Fault::Silent("stopped by the user".into()));
            }
            if let Some(news) = news {
                merge(info, news);
            }
        }
    }

    /// Sends a query about a position and returns the answer.
    pub fn query(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        query: Query,
    ) -> Result<String, Fault> {
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.to_vec() };
        self.send_all(&[&position, &Command::Query(query)], Player::First)?;
        let deadline = Instant::now() + self.context.timeouts.ready;
        loop {
            match self.receive(deadline)?.0 {
                Some(Reply::Response(text)) => return Ok(text),
                Some(Reply::Error(text)) => {
                    return Err(Fault::Silent(format!("refuses a query: {}", excerpt(&text))));
                }
                _ => {}
            }
        }
    }

    /// The last error that the engine reported since the last command.
    pub fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }

    /// The end of the engine's output since the game began.
    pub fn output_tail(&mut self) -> OutputTail {
        self.process.output_tail()
    }

    /// Sends `quit` and waits for the exit; kills the program if it does not exit in time.
    pub fn quit(mut self) {
        // An engine that does not read its input is killed.
        let _ = self.send(&Command::Quit, Player::First);
        self.process.end(self.context.timeouts.grace);
    }
}

/// The fault of a move before its `go`, or of a second one after it.
fn unrequested(token: Option<String>) -> Fault {
    let token = token.as_deref().map_or("none".into(), excerpt);
    Fault::Unrequested(format!("an unrequested move, `{token}`"))
}

/// Overwrites each field of `info` for which `news` has a value. Only the best line counts.
fn merge(info: &mut Info, news: Info) {
    if news.multipv.is_some_and(|rank| rank > 1) {
        return;
    }
    info.depth = news.depth.or(info.depth);
    info.seldepth = news.seldepth.or(info.seldepth);
    info.time = news.time.or(info.time);
    info.nodes = news.nodes.or(info.nodes);
    info.leaves = news.leaves.or(info.leaves);
    // A bound is no score; the exact one follows.
    if news.bound.is_none() {
        info.score = news.score.or(info.score);
    }
    if !news.pv.is_empty() {
        info.pv = news.pv;
    }
}
