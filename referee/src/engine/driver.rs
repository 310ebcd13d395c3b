//! Talking to one engine in its dialect: the handshake, new games, and moves against the clock.

use super::process::{Fault, Process};
use super::spec::find_program;
use crate::matchlog::{EngineEntry, OutputTail, Setting};
use agon_protocol::dialect::{self, Dialect};
use agon_protocol::message::{Annotation, Command, Info, Limits, Query, Reply};
use agon_protocol::text::excerpt;
use agon_protocol::{Player, option};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an engine may take for things other than thinking.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From the start of the program to the end of its identification, and for each readiness
    /// question (an engine may load tables).
    pub ready: Duration,
    /// For a move without a clock.
    pub thought: Duration,
    /// After `stop` until the move is given up, and after `quit` until the program is killed.
    pub grace: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            ready: Duration::from_secs(20),
            thought: Duration::from_secs(600),
            grace: Duration::from_secs(1),
        }
    }
}

/// What all engines of a match have in common.
#[derive(Clone, Debug)]
pub struct EngineContext {
    /// The game's name.
    pub game: String,
    /// The match's rule options.
    pub rules: Vec<Setting>,
    /// Deadlines.
    pub timeouts: Timeouts,
}

/// Why an engine could not be started.
#[derive(Debug, thiserror::Error)]
#[error("engine {name} (`{command}`) cannot be used for {game}: {reason}{said}")]
pub struct StartError {
    /// The engine's name.
    pub name: String,
    /// Program and arguments.
    pub command: String,
    /// What went wrong.
    pub reason: String,
    /// What it was to play.
    pub game: String,
    /// The last lines that it wrote.
    pub said: Box<OutputTail>,
    /// Whether the user interrupted; then it is not the engine's fault.
    pub interrupted: bool,
}

/// An engine's answer to `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as the engine wrote it; `None`: it says that there is none.
    pub token: Option<String>,
    /// From `go` until the answer came in.
    pub time: Duration,
    /// The last value of everything it reported on the way.
    pub info: Info,
    /// The answer came only after the deadline and `stop`.
    pub late: bool,
    /// What it added to the move.
    pub remarks: Vec<Annotation>,
}

/// An engine that has been started and has identified itself.
pub struct Driver {
    entry: Arc<EngineEntry>,
    common: Arc<EngineContext>,
    path: PathBuf,
    process: Process,
    dialect: Box<dyn Dialect>,
    /// The name it gave itself.
    pub own_name: Option<String>,
    /// The last error it reported since the last command.
    last_error: Option<String>,
    /// What it is thinking about on the opponent's time: the moves with the expected answer.
    pondering: Option<Vec<String>>,
}

impl Driver {
    /// Starts the program, waits for its identification, sets all options and waits until it is
    /// ready.
    pub fn start(
        entry: &Arc<EngineEntry>,
        common: &Arc<EngineContext>,
    ) -> Result<Driver, StartError> {
        let error = |reason: String, said, interrupted| StartError {
            name: entry.name.clone(),
            command: entry.command.join(" "),
            game: common.game.clone(),
            reason: reason + &memory_note(entry),
            said: Box::new(said),
            interrupted,
        };
        let silence = OutputTail::default;
        let program = entry.command.first().map_or("", String::as_str);
        let path = find_program(program).map_err(|e| error(e, silence(), false))?;
        let dialect = dialect::by_name(&entry.dialect, &common.game).ok_or_else(|| {
            error(format!("unknown dialect `{}`", entry.dialect), silence(), false)
        })?;
        let process = Process::spawn(entry, &path)
            .map_err(|e| error(format!("it does not start: {e}"), silence(), false))?;
        let mut driver = Driver {
            entry: Arc::clone(entry),
            common: Arc::clone(common),
            path,
            process,
            dialect,
            own_name: None,
            last_error: None,
            pondering: None,
        };
        match driver.introduce() {
            Ok(()) => Ok(driver),
            Err((reason, interrupted)) => {
                Err(error(reason, driver.process.output_tail(), interrupted))
            }
        }
    }

    /// The handshake; an error says why, and whether it was the user's interruption.
    fn introduce(&mut self) -> Result<(), (String, bool)> {
        let explain = |doing: &'static str| {
            move |fault: Fault| (format!("{doing}: {fault}"), matches!(fault, Fault::Interrupted))
        };
        let listed = self.identify().map_err(explain("after the greeting"))?;
        let mut settings: Vec<Setting> = Vec::new();
        for rule in self.common.rules.clone() {
            if listed.iter().any(|name| name.eq_ignore_ascii_case(&rule.name)) {
                settings.push(rule);
            } else {
                log::warn!(
                    "engine {} does not list the rule option {}: it may play by other rules",
                    self.entry.name,
                    rule.name
                );
            }
        }
        for setting in &self.entry.options {
            if !listed.iter().any(|name| name.eq_ignore_ascii_case(&setting.name)) {
                let known = if listed.is_empty() { "none".into() } else { listed.join(", ") };
                let name = excerpt(&setting.name);
                return Err((format!("it has no option `{name}`; its options: {known}"), false));
            }
            settings.push(setting.clone());
        }
        for Setting { name, value } in settings {
            let command = Command::SetOption { name, value };
            self.send(&command, Player::First).map_err(explain("while its options are set"))?;
        }
        self.await_ready().map_err(explain("after its options were set"))?;
        match self.last_error.take() {
            Some(last_error) => Err((last_error, false)),
            None => Ok(()),
        }
    }

    /// Greets the engine and collects the names of its options.
    fn identify(&mut self) -> Result<Vec<String>, Fault> {
        let deadline = Instant::now() + self.common.timeouts.ready;
        self.send(&Command::Identify, Player::First)?;
        let mut listed = Vec::new();
        loop {
            match self.receive(deadline)?.0 {
                Some(Reply::Identified) => return Ok(listed),
                Some(Reply::Id { name, .. }) if !name.is_empty() => self.own_name = Some(name),
                Some(Reply::Option(option::OptionSpec { name, .. })) => listed.push(name),
                Some(Reply::RawOption { name, .. }) => listed.push(name),
                _ => {}
            }
        }
    }

    /// Writes a command.
    fn send(&mut self, command: &Command, mover: Player) -> Result<(), Fault> {
        self.send_all(&[command], mover)
    }

    /// Writes commands, all their lines at once: every write wakes the engine.
    fn send_all(&mut self, commands: &[&Command], mover: Player) -> Result<(), Fault> {
        let mut text = String::new();
        for line in commands.iter().flat_map(|c| self.dialect.write_command(c, mover)) {
            log::trace!("{} <- {line}", self.entry.name);
            text.push_str(&line);
            text.push('\n');
        }
        self.process.send(text.as_bytes(), Instant::now() + self.common.timeouts.ready)
    }

    /// Starts the program anew where the dialect's engines end after an answer.
    fn restart_if_due(&mut self, command: &Command) -> Result<(), Fault> {
        if !self.dialect.can_restart() {
            return Ok(());
        }
        // What came after its last answer may say whether it stays; a flood is not waited out.
        let deadline = Instant::now() + self.common.timeouts.grace;
        for _ in 0..1000 {
            let line = if self.dialect.expects_exit() {
                // Nobody's clock runs; what is wrong with the process does not matter any more.
                self.process.read_line(deadline).ok().map(|(line, _)| line)
            } else {
                self.process.waiting_line()
            };
            let Some(line) = line else { break };
            self.dialect.read_reply(&line);
        }
        if self.dialect.needs_restart(command) {
            self.process = Process::spawn(&self.entry, &self.path)
                .map_err(|e| Fault::Gone(format!("it does not start again: {e}")))?;
        }
        Ok(())
    }

    /// Reads one line; `None` if it says nothing in the dialect.
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

    /// Asks whether the engine is ready and waits for the answer.
    fn await_ready(&mut self) -> Result<(), Fault> {
        let deadline = Instant::now() + self.common.timeouts.ready;
        self.send(&Command::IsReady, Player::First)?;
        while self.receive(deadline)?.0 != Some(Reply::Ready) {}
        Ok(())
    }

    /// Tells the engine that a new game begins and waits until it is ready; how long that took.
    pub fn new_game(&mut self) -> Result<Duration, Fault> {
        self.last_error = None;
        self.stop_pondering()?;
        self.restart_if_due(&Command::NewGame)?;
        self.process.clear_output_tail();
        let begin = Instant::now();
        let deadline = begin + self.common.timeouts.ready;
        self.send_all(&[&Command::NewGame, &Command::IsReady], Player::First)?;
        loop {
            if let (Some(Reply::Ready), at) = self.receive(deadline)? {
                return Ok(at.saturating_duration_since(begin));
            }
        }
    }

    /// Asks for a move. `fen` is the start of `moves`, `None` the game's start position; `allowed`
    /// is the time after which `stop` is sent and the answer is late.
    pub fn go(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        mover: Player,
        limits: &Limits,
        allowed: Option<Duration>,
    ) -> Result<Answer, Fault> {
        self.last_error = None;
        let timeouts = self.common.timeouts;
        let expected = self.pondering.as_deref() == Some(moves);
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.to_vec() };
        if !expected {
            self.stop_pondering()?;
            self.restart_if_due(&position)?;
        }
        let begin = Instant::now();
        if expected {
            self.pondering = None;
            self.send(&Command::PonderHit, mover)?;
        } else {
            self.send_all(&[&position, &Command::Go(limits.clone())], mover)?;
        }
        let mut info = Info::default();
        let deadline = begin + allowed.unwrap_or(timeouts.thought);
        let (token, at, late) = match self.best_move(deadline, &mut info) {
            Err(Fault::Silent(_)) => {
                self.send(&Command::Stop, mover)?;
                let (token, at) = self.best_move(Instant::now() + timeouts.grace, &mut info)?;
                (token, at, true)
            }
            answer => {
                let (token, at) = answer?;
                (token, at, false)
            }
        };
        let time = at.saturating_duration_since(begin);
        let more = std::iter::from_fn(|| self.dialect.poll_reply());
        let remarks =
            more.filter_map(|r| if let Reply::Annotation(r) = r { Some(r) } else { None });
        Ok(Answer { token, time, info, late, remarks: remarks.collect() })
    }

    /// Lets the engine think while the opponent does, about the position after `moves`, the last of
    /// which is the answer that it expects.
    pub fn ponder(
        &mut self,
        fen: Option<&str>,
        moves: Vec<String>,
        mover: Player,
        limits: Limits,
    ) -> Result<(), Fault> {
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.clone() };
        let go = Command::Go(Limits { ponder: true, ..limits });
        self.send_all(&[&position, &go], mover)?;
        self.pondering = Some(moves);
        Ok(())
    }

    /// Ends thinking on the opponent's time; what came of it is not wanted.
    fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_some() {
            self.send(&Command::Stop, Player::First)?;
            let deadline = Instant::now() + self.common.timeouts.grace;
            self.best_move(deadline, &mut Info::default())?;
        }
        Ok(())
    }

    fn best_move(
        &mut self,
        deadline: Instant,
        info: &mut Info,
    ) -> Result<(Option<String>, Instant), Fault> {
        loop {
            match self.receive(deadline)? {
                (Some(Reply::BestMove(token)), at) => return Ok((token, at)),
                (Some(Reply::Info(news)), _) => merge(info, news),
                _ => {}
            }
        }
    }

    /// Asks a question about a position and gives the answer.
    pub fn ask(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        query: Query,
    ) -> Result<String, Fault> {
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.to_vec() };
        self.send_all(&[&position, &Command::Query(query)], Player::First)?;
        let deadline = Instant::now() + self.common.timeouts.ready;
        loop {
            match self.receive(deadline)?.0 {
                Some(Reply::Response(text)) => return Ok(text),
                Some(Reply::Error(text)) => {
                    return Err(Fault::Silent(format!(
                        "it refuses a question: {}",
                        excerpt(&text)
                    )));
                }
                _ => {}
            }
        }
    }

    /// What the engine complained about since the last command, if it did.
    pub fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }

    /// The last lines that it has written since the game began.
    pub fn output_tail(&mut self) -> OutputTail {
        self.process.output_tail()
    }

    /// Says goodbye and ends the program, by force if need be.
    pub fn quit(mut self) {
        // An engine that cannot be told is killed all the same.
        let _ = self.send(&Command::Quit, Player::First);
        self.process.end(self.common.timeouts.grace);
    }
}

/// What may explain the end of a program; for messages about it.
pub fn memory_note(entry: &EngineEntry) -> String {
    entry.memory_mib.map_or(String::new(), |mib| format!(" (its memory is limited to {mib} MiB)"))
}

/// Keeps the last value of every field that says something about the search's result.
fn merge(info: &mut Info, news: Info) {
    info.depth = news.depth.or(info.depth);
    info.seldepth = news.seldepth.or(info.seldepth);
    info.time = news.time.or(info.time);
    info.nodes = news.nodes.or(info.nodes);
    info.score = news.score.or(info.score);
    if !news.pv.is_empty() {
        info.pv = news.pv;
    }
}
