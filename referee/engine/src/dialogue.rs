//! A dialogue with an engine: its process, and the dialect that translates commands and replies.

use super::context::{EngineContext, Timeouts};
use super::process::{Fault, Process};
use super::program::find_program;
use super::start::{StartFault, spawn_pinned};
use super::transcript::{EngineTranscript, Transcript};
use agon_base::ordinal::Ordinal;
use agon_games::Player;
use agon_games::option::OptionSpec;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::{SafeText, excerpt};
use agon_matchlog::EngineEntry;
use agon_wire::dialect::{self, Dialect};
use agon_wire::message::{Annotation, Command, Info, Reply, Score};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest time between two calls of the function that watches a search.
const TICK: Duration = Duration::from_millis(50);

/// Gets the reports of a search, and `None` at least every 50 ms; `true` ends the search.
pub type SearchWatch<'a> = &'a mut dyn FnMut(Option<&Info>) -> bool;

/// An option from an engine's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedOption {
    /// The name.
    pub name: String,
    /// Type, default and range, as the UCI family writes them; empty where the dialect has none.
    pub rest: String,
}

/// An engine's identification.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// The name; empty if it reports none.
    pub name: String,
    /// The author; empty if it reports none.
    pub author: String,
    /// Its options.
    pub options: Vec<ListedOption>,
}

/// An answer to `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as the engine wrote it; `None` if it reports that it has none, or resigns.
    pub token: Option<String>,
    /// When it arrived.
    pub at: Instant,
    /// What came with it: a predicted reply, a draw offer, a resignation.
    pub annotations: Vec<Annotation>,
}

/// The word with which an engine resigns instead of giving a move, in any case and dialect.
const RESIGN: &str = "resign";

impl Answer {
    /// The answer to a line that was just read, with the annotations that came with it.
    pub fn new(token: Option<String>, at: Instant, annotations: Vec<Annotation>) -> Answer {
        let mut answer = Answer { token, at, annotations };
        if answer.token.as_ref().is_some_and(|token| token.eq_ignore_ascii_case(RESIGN)) {
            answer.token = None;
            answer.annotations.push(Annotation::Resignation);
        }
        answer
    }
}

/// What an engine was asked for last in a game; it tells what a move is that nobody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// No move yet.
    Nothing,
    /// To ponder: no move before `ponderhit` or `stop`.
    ToPonder,
    /// A move, which it has given.
    Answered,
}

/// A process and its dialect.
pub struct Dialogue {
    entry: Arc<EngineEntry>,
    path: PathBuf,
    timeouts: Timeouts,
    transcript: Option<Arc<Transcript>>,
    /// The process.
    pub process: Process,
    /// The dialect, with what it remembers of the dialogue.
    pub dialect: Box<dyn Dialect>,
    /// The last line that was read.
    pub last_line: Option<SafeText>,
    /// The last error that the engine reported; whoever asks for more clears it.
    pub last_error: Option<String>,
    /// What the engine was asked for last.
    pub asked: Asked,
}

impl Dialogue {
    /// Starts the program. An error holds the reason and whose fault it is.
    pub fn start(
        entry: &Arc<EngineEntry>,
        context: &EngineContext,
    ) -> Result<Dialogue, (Phrase, StartFault)> {
        let external = |reason| (reason, StartFault::Machine);
        let program = entry.command.first().map_or("", String::as_str);
        let path = find_program(program, entry.dir.as_deref()).map_err(external)?;
        let dialect = dialect::by_name(&entry.dialect, &context.game)
            .ok_or_else(|| external(phrase!("unknown dialect `{name}`", name = entry.dialect)))?;
        let mut process = spawn_pinned(entry, &path)?;
        process.transcript = context.transcript.as_ref().map(|t| t.process(&entry.name));
        Ok(Dialogue {
            entry: Arc::clone(entry),
            path,
            timeouts: context.timeouts,
            transcript: context.transcript.clone(),
            process,
            dialect,
            last_line: None,
            last_error: None,
            asked: Asked::Nothing,
        })
    }

    /// Sends a command.
    pub fn send(&mut self, command: &Command, mover: Player) -> Result<(), Fault> {
        self.send_all(&[command], mover)
    }

    /// Sends commands in one write: every write wakes the engine.
    pub fn send_all(&mut self, commands: &[&Command], mover: Player) -> Result<(), Fault> {
        let mut text = String::new();
        for line in commands.iter().flat_map(|c| self.dialect.write_command(c, mover)) {
            log::trace!("{} <- {line}", self.entry.name);
            text.push_str(&line);
            text.push('\n');
        }
        self.send_bytes(text.as_bytes())
    }

    /// Sends bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.process.send(bytes, Instant::now() + self.timeouts.ready)
    }

    /// Reads one line; `None` if it is not a reply in the dialect.
    pub fn receive(&mut self, deadline: Instant) -> Result<(Option<Reply>, Instant), Fault> {
        if let Some(reply) = self.dialect.poll_reply() {
            return Ok((Some(reply), Instant::now()));
        }
        let (line, at) = self.process.read_line(deadline)?;
        log::trace!("{} -> {}", self.entry.name, excerpt(&line));
        let reply = self.dialect.read_reply(&line);
        if let Some(Reply::Error(text)) = &reply {
            self.last_error = Some(excerpt(text));
        }
        self.last_line = Some(line);
        Ok((reply, at))
    }

    /// Sends the identification command and reads the answer. A move in it is a fault.
    pub fn identify(&mut self) -> Result<Identity, Fault> {
        let identity = self.await_identity();
        identity.map_err(|fault| self.name_limit(fault))
    }

    /// Waits for `readyok` until the time for readiness after `since` is over.
    pub fn await_ready(&mut self, since: Instant) -> Result<Instant, Fault> {
        let ready = self.until_ready(since + self.timeouts.ready, None);
        ready.map_err(|fault| self.name_limit(fault))
    }

    /// The fault of an engine that was not ready in time, with the limit and its flag.
    fn name_limit(&self, fault: Fault) -> Fault {
        let seconds = self.timeouts.ready.as_secs_f64();
        match fault {
            Fault::Silent(what) => Fault::Silent(phrase!(
                "{what}: the limit is {seconds} s; --ready-time sets another",
                what,
                seconds
            )),
            other => other,
        }
    }

    fn await_identity(&mut self) -> Result<Identity, Fault> {
        let deadline = Instant::now() + self.timeouts.ready;
        self.send(&Command::Identify, Player::First)?;
        let mut identity = Identity::default();
        loop {
            let (name, rest) = match self.receive(deadline)?.0 {
                Some(Reply::Identified) => return Ok(identity),
                Some(Reply::BestMove(token)) => return Err(self.unrequested(token)),
                Some(Reply::Id { name, author }) => {
                    (identity.name, identity.author) = (name, author);
                    continue;
                }
                Some(Reply::Option(OptionSpec { name, .. })) => (name, String::new()),
                Some(Reply::RawOption { name, rest }) => (name, rest),
                _ => continue,
            };
            identity.options.push(ListedOption { name, rest });
        }
    }

    /// Waits for `readyok` and returns its time. A move before it is a fault: nobody requested it.
    /// `pondered` gets the reports before it.
    pub fn until_ready(
        &mut self,
        deadline: Instant,
        mut pondered: Option<&mut Info>,
    ) -> Result<Instant, Fault> {
        loop {
            let (reply, at) = self.receive(deadline)?;
            match (reply, &mut pondered) {
                (Some(Reply::Ready), _) => return Ok(at),
                (Some(Reply::BestMove(token)), _) => return Err(self.unrequested(token)),
                (Some(Reply::Info(news)), Some(info)) => merge(info, news),
                _ => {}
            }
        }
    }

    /// Waits for the move, or for the word that resigns. `watch` ends the wait early as [`Fault::Silent`].
    pub fn best_move(
        &mut self,
        deadline: Instant,
        info: &mut Info,
        mut watch: Option<SearchWatch<'_>>,
    ) -> Result<Answer, Fault> {
        loop {
            let slice = watch.as_ref().map_or(deadline, |_| deadline.min(Instant::now() + TICK));
            let news = match self.receive(slice) {
                Err(Fault::Silent(_)) if slice < deadline => None,
                answer => match answer? {
                    (Some(Reply::BestMove(token)), at) => {
                        self.asked = Asked::Answered;
                        return Ok(Answer::new(token, at, self.annotations()));
                    }
                    (Some(Reply::Info(news)), _) => Some(news),
                    _ => None,
                },
            };
            if watch.as_mut().is_some_and(|watch| watch(news.as_ref())) {
                return Err(Fault::Silent(phrase!("stopped by the user")));
            }
            if let Some(news) = news {
                merge(info, news);
            }
        }
    }

    /// The annotations of the move that was just read.
    pub fn annotations(&mut self) -> Vec<Annotation> {
        let more = std::iter::from_fn(|| self.dialect.poll_reply());
        more.filter_map(|r| if let Reply::Annotation(a) = r { Some(a) } else { None }).collect()
    }

    /// Sends a query and returns the answer. An error that the engine reports instead is the fault.
    pub fn query(&mut self, commands: &[&Command]) -> Result<String, Fault> {
        self.send_all(commands, Player::First)?;
        let deadline = Instant::now() + self.timeouts.ready;
        loop {
            match self.receive(deadline)?.0 {
                Some(Reply::Response(text)) => return Ok(text),
                Some(Reply::Error(text)) => {
                    let refusal = phrase!("refuses a query: {text}", text = excerpt(&text));
                    return Err(Fault::Silent(refusal));
                }
                _ => {}
            }
        }
    }

    /// Reads the lines that have arrived, or all lines of a program that answered and now exits.
    /// A move among them is a fault. No clock runs meanwhile.
    pub fn drain(&mut self) -> Result<(), Fault> {
        let deadline = Instant::now() + self.timeouts.grace;
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
                return Err(self.unrequested(token));
            }
        }
        Ok(())
    }

    /// Restarts the program if engines of this dialect exit after an answer.
    pub fn restart_if_due(&mut self, command: &Command) -> Result<(), Fault> {
        if !self.dialect.needs_restart(command) {
            return Ok(());
        }
        let game = self.process.transcript.as_ref().and_then(EngineTranscript::game);
        self.process =
            spawn_pinned(&self.entry, &self.path).map_err(|(reason, cause)| match cause {
                StartFault::Machine => Fault::Machine(reason),
                _ => Fault::Gone(reason),
            })?;
        let all = self.transcript.as_ref();
        self.process.transcript = all.map(|t| t.process(&self.entry.name));
        self.enter_game(game);
        Ok(())
    }

    /// The fault of a move that nobody wants: before its `go`, `ponderhit` or `stop`, or a second one
    /// after it.
    fn unrequested(&self, token: Option<String>) -> Fault {
        let token = token.as_deref().map_or("none".into(), excerpt);
        Fault::Unrequested(match self.asked {
            Asked::Nothing => {
                phrase!(
                    "an unrequested move, `{token}`: premature, before the first request",
                    token
                )
            }
            Asked::ToPonder => phrase!(
                "a premature move, `{token}`: it ponders, and neither `ponderhit` nor `stop` was sent",
                token
            ),
            Asked::Answered => {
                phrase!("an unrequested move, `{token}`: late, after its answer", token)
            }
        })
    }

    /// The dialogue that follows belongs to this game.
    pub fn enter_game(&mut self, game: Option<Ordinal>) {
        if let Some(transcript) = &mut self.process.transcript {
            transcript.enter_game(game);
        }
    }
}

/// Merges a report of the best line; others count nothing.
fn merge(info: &mut Info, news: Info) {
    if news.multipv.is_none_or(|rank| rank <= 1) {
        merge_line(info, news);
    }
}

/// Overwrites each field of `info` for which `news`, a later report of the same line, has a value.
pub fn merge_line(info: &mut Info, news: Info) {
    info.depth = news.depth.or(info.depth);
    info.seldepth = news.seldepth.or(info.seldepth);
    info.time = news.time.or(info.time);
    info.nodes = news.nodes.or(info.nodes);
    info.leaves = news.leaves.or(info.leaves);
    // A bound is no score, as the exact one follows; but a mate without proof stays a bound to the end.
    if news.score.is_some_and(|score| news.bound.is_none() || matches!(score, Score::Mate(_))) {
        (info.score, info.wdl) = (news.score, news.wdl);
    }
    if !news.pv.is_empty() {
        info.pv = news.pv;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_wire::message::Bound;

    #[test]
    fn the_last_exact_score_counts_with_its_chances_or_a_later_mate_without_proof() {
        let mut info = Info::default();
        let mut tell = |score, bound, wdl| {
            merge(&mut info, Info { score: Some(score), bound, wdl, ..Info::default() });
            (info.score, info.wdl)
        };
        let even = Some([300, 400, 300]);
        assert_eq!(tell(Score::Cp(0), None, even), (Some(Score::Cp(0)), even));
        let least = Some(Bound::Lower);
        assert_eq!(tell(Score::Cp(80), least, Some([500, 0, 500])), (Some(Score::Cp(0)), even));
        assert_eq!(tell(Score::Cp(90), None, None), (Some(Score::Cp(90)), None));
        assert_eq!(tell(Score::Mate(-4), least, None), (Some(Score::Mate(-4)), None));
    }
}
