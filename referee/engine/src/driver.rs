//! Drives one engine in its dialect: the handshake, new games, and timed moves.

pub use super::context::{EngineContext, Timeouts};
use super::dialects::obstacle;
use super::dialogue::{Answer, Asked, Dialogue, Identity};
pub use super::dialogue::{SearchWatch, merge_line};
use super::process::Fault;
use super::settings;
use super::start::{StartError, StartFault, memory_note};
use agon_base::ordinal::Ordinal;
use agon_games::Player;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::{EngineEntry, Limit, OutputTail, Setting};
use agon_wire::message::{Annotation, Command, Info, Limits, Query, Reply};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An engine's answer to `go`.
#[derive(Clone, Debug)]
pub struct GoAnswer {
    /// The move as the engine wrote it; `None` if the engine reports that it has none, or resigns.
    pub token: Option<String>,
    /// Time from `go` to `bestmove`.
    pub time: Duration,
    /// The last value of each field of the search info.
    pub info: Info,
    /// Whether the answer arrived only after the deadline and `stop`.
    pub late: bool,
    /// A predicted reply, a draw offer, a resignation.
    pub annotations: Vec<Annotation>,
}

impl GoAnswer {
    /// The reply to its move that the engine expects: the one that it names, or else the second move of
    /// its principal variation.
    pub fn expected(&self) -> Option<&str> {
        let named = self.annotations.iter().find_map(|annotation| match annotation {
            Annotation::PonderMove(token) => Some(token),
            _ => None,
        });
        named.or(self.info.pv.get(1)).map(String::as_str)
    }
}

/// A running engine that has completed the handshake.
pub struct Driver {
    entry: Arc<EngineEntry>,
    context: Arc<EngineContext>,
    dialogue: Dialogue,
    /// The name that the engine reported in the handshake.
    pub own_name: Option<String>,
    /// The names of the options that it lists.
    listed: Vec<String>,
    /// The moves of the position on which the engine ponders, the predicted move last.
    pondering: Option<Vec<String>>,
}

impl Driver {
    /// Starts the program, waits for its identification, sets all options and waits for `readyok`.
    pub fn start(
        entry: &Arc<EngineEntry>,
        context: &Arc<EngineContext>,
    ) -> Result<Driver, StartError> {
        let error = |reason: Phrase, tail, cause| StartError {
            name: entry.name.clone(),
            command: entry.command.join(" "),
            game: context.game.clone(),
            reason: Box::new(phrase!("{reason}{note}", reason, note = memory_note(entry))),
            tail: Box::new(tail),
            cause,
        };
        let dialogue = Dialogue::start(entry, context)
            .map_err(|(reason, cause)| error(reason, OutputTail::default(), cause))?;
        let mut driver = Driver {
            entry: Arc::clone(entry),
            context: Arc::clone(context),
            dialogue,
            own_name: None,
            listed: Vec::new(),
            pondering: None,
        };
        match driver.handshake() {
            Ok(()) => Ok(driver),
            Err((reason, cause)) => Err(error(reason, driver.output_tail(), cause)),
        }
    }

    /// Performs the handshake. An error holds the reason and whose fault it is.
    fn handshake(&mut self) -> Result<(), (Phrase, StartFault)> {
        let explain = |doing: Phrase| {
            move |fault: Fault| {
                let reason = phrase!("{doing}: {fault}", doing, fault);
                let interrupted = matches!(fault, Fault::Interrupted);
                (reason, if interrupted { StartFault::Interrupted } else { StartFault::Engine })
            }
        };
        let identity =
            self.dialogue.identify().map_err(explain(phrase!("during the handshake")))?;
        let Identity { name, options, .. } = identity;
        self.own_name = Some(name).filter(|name| !name.is_empty());
        let refused = |reason: Phrase| (reason, StartFault::Fields);
        let dialect = &*self.dialogue.dialect;
        let settings = settings::to_set(&options, dialect, &self.context.rules, &self.entry);
        let settings = settings.map_err(refused)?;
        self.listed = options.into_iter().map(|option| option.name).collect();
        for Setting { name, value } in settings {
            let command = Command::SetOption { name, value };
            self.send(&command, Player::First)
                .map_err(explain(phrase!("while setting options")))?;
        }
        self.await_ready().map_err(explain(phrase!("after setting options")))?;
        let dialect = &*self.dialogue.dialect;
        settings::check_times(&self.entry.limit, dialect).map_err(refused)?;
        match self.dialogue.last_error.take() {
            Some(last_error) => Err((Phrase::Plain(last_error), StartFault::Fields)),
            None => Ok(()),
        }
    }

    /// The engine's spelling of an option; `None` if it lists no such option.
    fn own_option(&self, wanted: &str) -> Option<String> {
        self.listed.iter().find(|listed| self.dialogue.dialect.is_option(listed, wanted)).cloned()
    }

    /// The names of its options.
    pub fn options(&self) -> &[String] {
        &self.listed
    }

    /// Checks that the engine can be told these limits, which may not be those of its entry.
    ///
    /// # Errors
    ///
    /// Names the time and one that would be right.
    pub fn check_times(&self, limit: &Limit) -> Result<(), Phrase> {
        settings::check_times(limit, &*self.dialogue.dialect)
    }

    /// Why its dialect cannot express a position before its moves; `None` if it can.
    pub fn obstacle(&self, start: &str) -> Option<Phrase> {
        let dialect = &*self.dialogue.dialect;
        obstacle(start, dialect.position_support(), dialect.start_fen())
    }

    /// Sets an option between two searches. Returns whether the engine lists it.
    pub fn set_option(&mut self, wanted: &str, value: &str) -> Result<bool, Fault> {
        let Some(name) = self.own_option(wanted) else { return Ok(false) };
        self.send(&Command::SetOption { name, value: value.into() }, Player::First)?;
        Ok(true)
    }

    /// Sends `isready` and waits for `readyok`. A move before it is a fault.
    fn await_ready(&mut self) -> Result<(), Fault> {
        self.send(&Command::IsReady, Player::First)?;
        self.dialogue.await_ready(Instant::now()).map(drop)
    }

    /// Sends a command.
    fn send(&mut self, command: &Command, mover: Player) -> Result<(), Fault> {
        self.dialogue.send(command, mover)
    }

    /// The dialogue that follows belongs to this game.
    pub fn enter_game(&mut self, game: Option<Ordinal>) {
        self.dialogue.enter_game(game);
    }

    /// Announces a new game and waits for `readyok`. Returns the latency of an `isready` before it,
    /// while the engine has nothing else to do; `None` if the dialect answers it without the engine.
    pub fn new_game(&mut self) -> Result<Option<Duration>, Fault> {
        for result in [self.stop_pondering(), self.dialogue.drain()] {
            self.forgive(result)?;
        }
        self.dialogue.restart_if_due(&Command::NewGame)?;
        self.dialogue.process.clear_output_tail();
        let latency = self.round_trip()?;
        self.dialogue.last_error = None;
        self.dialogue.asked = Asked::Nothing;
        self.dialogue.send_all(&[&Command::NewGame, &Command::IsReady], Player::First)?;
        self.dialogue.await_ready(Instant::now())?;
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
        if self.dialogue.dialect.poll_reply() == Some(Reply::Ready) {
            return Ok(None);
        }
        loop {
            match self.dialogue.await_ready(begin) {
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
    ) -> Result<GoAnswer, Fault> {
        self.go_watched(fen, moves, mover, limits, allowed, None)
    }

    /// Starts a search and does not wait for its end.
    pub fn begin(&mut self, moves: &[String], mover: Player, limits: &Limits) -> Result<(), Fault> {
        let position = Command::Position { fen: None, moves: moves.to_vec() };
        self.dialogue.send_all(&[&position, &Command::Go(limits.clone())], mover)
    }

    /// As [`Driver::go`]. `watch` gets every report of the search as it arrives, and `None` at least
    /// every 50 ms; once it returns `true`, the referee sends `stop`, and the answer counts as late.
    pub fn go_watched(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        mover: Player,
        limits: &Limits,
        allowed: Option<Duration>,
        watch: Option<SearchWatch<'_>>,
    ) -> Result<GoAnswer, Fault> {
        let timeouts = self.context.timeouts;
        let ponder_hit = self.pondering.as_deref() == Some(moves);
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.to_vec() };
        if !ponder_hit {
            self.stop_pondering()?;
        }
        // Elsewhere `readyok` comes after all that the engine sent before.
        if self.dialogue.dialect.can_restart() {
            self.dialogue.drain()?;
        }
        self.dialogue.restart_if_due(&position)?;
        self.pondering = None;
        self.dialogue.last_error = None;
        let go = Command::Go(limits.clone());
        let begin = Instant::now();
        if ponder_hit {
            self.dialogue.send_all(&[&Command::IsReady, &Command::PonderHit], mover)?;
        } else {
            self.dialogue.send_all(&[&Command::IsReady, &position, &go], mover)?;
        }
        let mut info = Info::default();
        let deadline = begin + allowed.unwrap_or(timeouts.think);
        // `readyok` separates what the engine sent before it read the request from the answer.
        let ready = self.dialogue.until_ready(deadline, ponder_hit.then_some(&mut info));
        let first = ready.and_then(|_| self.dialogue.best_move(deadline, &mut info, watch));
        let (answer, late) = match first {
            Err(Fault::Silent(_)) => {
                self.send(&Command::Stop, mover)?;
                let grace = Instant::now() + timeouts.grace;
                (self.dialogue.best_move(grace, &mut info, None)?, true)
            }
            answer => (answer?, false),
        };
        let Answer { token, at, annotations } = answer;
        let time = at.saturating_duration_since(begin);
        Ok(GoAnswer { token, time, info, late, annotations })
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
        self.dialogue.send_all(&[&position, &go], mover)?;
        self.dialogue.asked = Asked::ToPonder;
        self.pondering = Some(moves);
        Ok(())
    }

    /// Stops pondering and discards the answer. A move that the engine sent before it read `stop` is a
    /// fault.
    pub fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        // `readyok` separates what the engine sent before it read `stop` from the answer.
        self.dialogue.send_all(&[&Command::IsReady, &Command::Stop], Player::First)?;
        let deadline = Instant::now() + self.context.timeouts.grace;
        let ready = self.dialogue.until_ready(deadline, None);
        if let Err(Fault::Unrequested(_)) = ready {
            // The next `readyok` is to be that of the next `isready`.
            self.dialogue.until_ready(deadline, None)?;
        }
        ready?;
        self.dialogue.best_move(deadline, &mut Info::default(), None).map(drop)
    }

    /// Sends a query about a position and returns the answer.
    pub fn query(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        query: Query,
    ) -> Result<String, Fault> {
        let position = Command::Position { fen: fen.map(Into::into), moves: moves.to_vec() };
        self.dialogue.query(&[&position, &Command::Query(query)])
    }

    /// The last error that the engine reported since the last command.
    pub fn last_error(&self) -> Option<&str> {
        self.dialogue.last_error.as_deref()
    }

    /// The end of the engine's output since the game began.
    pub fn output_tail(&mut self) -> OutputTail {
        self.dialogue.process.output_tail()
    }

    /// Sends `quit` and waits for the exit; kills the program if it does not exit in time.
    pub fn quit(mut self) {
        // An engine that does not read its input is killed.
        let _ = self.send(&Command::Quit, Player::First);
        self.dialogue.process.end(self.context.timeouts.grace);
    }
}
