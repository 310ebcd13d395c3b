//! An analysis: the thread that owns the tree and the engine. It analyses the position that a page asks for.

use super::outcomes::{Outcomes, TIME};
use super::request::{Export, StudyCommand};
use super::show;
use crate::tree::{EngineLines, GameTree, TreeError};
use agon_engine::driver::{EngineContext, Timeouts};
use agon_engine::interrupted;
use agon_games::arbiter::Arbiter;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::rng::{self, Stream};
use agon_games::text::visible_lines;
use agon_games::{Player, Turn};
use agon_matchlog::Setting;
use agon_web::{
    Call, EngineList, Feed, HttpAnswer, MAX_LINES, Message, Refusal, SearchLines, ThinkRequest,
    Thinker, ThinkerReport, for_engine, no_random,
};
use agon_wire::message::Limits;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The shortest time between two events with an engine's lines.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long an analysis runs.
const MAX_ANALYSIS: Duration = Duration::from_secs(600);

/// An analysis ends when no page has shown it for this time. The tree stays.
const UNSEEN: Duration = Duration::from_secs(5);

/// Maximum number of engines of all analyses.
pub const MAX_ENGINES: usize = 16;

/// What the thread is asked.
pub enum StudyCall {
    /// The nodes that have changed since a version.
    Tree(u64),
    /// The position of a node.
    View(usize),
    /// A line for the list of analyses.
    Summary,
    /// The tree as a file.
    Export(Export),
    /// A command of a page.
    Command(StudyCommand),
}

/// What analyses share.
#[derive(Clone)]
pub struct Shared {
    /// The engines that can be chosen.
    pub engines: EngineList,
    /// The limits on their answers.
    pub timeouts: Timeouts,
    /// A place for each engine that may run.
    pub places: Arc<Semaphore>,
}

/// The engine of an analysis.
struct Analyst {
    name: String,
    thinker: Thinker,
    starts: bool,
    error: Option<Phrase>,
    _place: OwnedSemaphorePermit,
}

/// Why the engine thinks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// About a node.
    Node(usize),
    /// About the outcome that is due.
    Outcome,
}

/// An analysis with everything that belongs to it.
pub struct Study {
    tree: GameTree,
    shared: Shared,
    feed: Feed,
    events: Sender<Message<StudyCall, ThinkerReport>>,
    engine: Option<Analyst>,
    request: Option<(u64, Purpose)>,
    last_request: u64,
    /// The node to analyse and the number of lines.
    wanted: Option<(usize, u32)>,
    lines: SearchLines,
    outcomes: Option<Outcomes>,
    rng: Stream,
}

type Messages = Receiver<Message<StudyCall, ThinkerReport>>;

impl Study {
    /// An analysis of a tree.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new(
        tree: GameTree,
        shared: Shared,
        feed: Feed,
        events: Sender<Message<StudyCall, ThinkerReport>>,
        seed: Result<u64, getrandom::Error>,
    ) -> Result<Study, Refusal> {
        let seed = seed.map_err(|e| Refusal::conflict(no_random(e)))?;
        Ok(Study {
            tree,
            shared,
            feed,
            events,
            engine: None,
            request: None,
            last_request: 0,
            wanted: None,
            lines: SearchLines::default(),
            outcomes: None,
            rng: rng::stream(seed, 0, "study"),
        })
    }

    /// Runs until a page closes the analysis or the program ends.
    pub fn run(&mut self, messages: &Messages) {
        self.publish();
        let (mut shown, mut seen) = (Instant::now(), Instant::now());
        loop {
            let wait = if self.lines.is_new() { POLL_INTERVAL } else { Duration::from_secs(1) };
            match messages.recv_timeout(wait) {
                Ok(Message::Call(call)) => {
                    seen = Instant::now();
                    if matches!(call.command, StudyCall::Command(StudyCommand::Close {})) {
                        call.answer(Ok(Value::Null));
                        return;
                    }
                    self.call(call);
                }
                Ok(Message::Event(report)) => self.report(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.lines.is_new() && shown.elapsed() >= POLL_INTERVAL {
                self.send_lines();
                shown = Instant::now();
            }
            if self.feed.has_listeners() {
                seen = Instant::now();
            }
            if interrupted() {
                return;
            }
            if seen.elapsed() > UNSEEN && self.engine.is_some() {
                self.rest();
                self.engine = None;
                self.publish();
            }
        }
    }

    fn call(&mut self, call: Call<StudyCall>) {
        let answer = match &call.command {
            StudyCall::Tree(since) => Ok(show::tree(&self.tree, *since)),
            StudyCall::View(id) => show::view(&self.tree, *id),
            StudyCall::Summary => Ok(show::summary(&self.tree)),
            StudyCall::Export(wanted) => show::file(&self.tree, wanted),
            StudyCall::Command(command) => self.obey(command),
        };
        call.answer(answer);
    }

    fn obey(&mut self, command: &StudyCommand) -> HttpAnswer {
        let refused = |e: TreeError| Refusal::bad(e.to_phrase());
        let mut at = None;
        match command {
            StudyCommand::Play { at: from, tokens } => at = Some(self.play(*from, tokens)?),
            StudyCommand::Roll { at: from } => {
                let outcomes = self.tree.position(*from).map_err(refused)?.chance_tokens();
                let weights = outcomes.iter().map(|(_, weight)| *weight);
                let drawn = rng::weighted_index(&mut self.rng, weights)
                    .ok_or_else(|| Refusal::conflict(phrase!("no die and no piece is due")))?;
                at = Some(self.tree.add(*from, &outcomes[drawn].0).map_err(refused)?);
            }
            StudyCommand::Remove { at: gone } => {
                at = Some(self.tree.remove(*gone).map_err(refused)?);
                if self.wanted.is_some_and(|(id, _)| self.tree.node(id).is_err()) {
                    self.rest();
                }
                if self.outcomes.as_ref().is_some_and(|o| self.tree.node(o.at).is_err()) {
                    self.end_outcomes();
                }
            }
            StudyCommand::Promote { at } => self.tree.promote(*at).map_err(refused)?,
            StudyCommand::Comment { at, text, was } => self.comment(*at, text, was)?,
            StudyCommand::Mark { at, mark } => {
                let mut marks = self.tree.node(*at).map_err(refused)?.marks.clone();
                let before = marks.len();
                marks.retain(|old| old != mark);
                if marks.len() == before {
                    marks.push(mark.clone());
                }
                self.tree.set_marks(*at, marks).map_err(refused)?;
            }
            StudyCommand::Unmark { at } => {
                self.tree.set_marks(*at, Vec::new()).map_err(refused)?;
            }
            StudyCommand::Analyse { at, lines, engine } => self.analyse(*at, *lines, engine)?,
            StudyCommand::Outcomes { at, ms, engine } => self.begin_outcomes(*at, *ms, engine)?,
            StudyCommand::Retry {} => {
                if let Some(engine) = &mut self.engine {
                    engine.error = None;
                }
                self.proceed();
            }
            // Handled before.
            StudyCommand::Close {} => {}
        }
        self.publish();
        Ok(json!({ "at": at, "version": self.tree.version() }))
    }

    /// Plays moves as far as they are legal. Those before an illegal one stay.
    fn play(&mut self, at: usize, tokens: &[String]) -> Result<usize, Refusal> {
        let refused = |e: TreeError| Refusal::bad(e.to_phrase());
        let mut board = self.tree.position(at).map_err(refused)?;
        let mut at = at;
        for token in tokens {
            let before = board.boxed_clone();
            match self.tree.add_to(&mut *board, at, token) {
                Ok(id) => at = id,
                Err(e) => {
                    self.publish();
                    let legal = show::legal(&self.tree, &*before);
                    return Err(refused(e).with(json!({ "legal": legal, "at": at })));
                }
            }
        }
        Ok(at)
    }

    /// Sets a comment, unless another page has changed it meanwhile.
    fn comment(&mut self, at: usize, text: &str, was: &str) -> Result<(), Refusal> {
        let now = &self.tree.node(at).map_err(|e| Refusal::bad(e.to_phrase()))?.comment;
        if now != was && now != text {
            let changed = phrase!("another page has changed this comment; both texts are kept");
            return Err(Refusal::conflict(changed).with(json!({ "now": now })));
        }
        self.tree.set_comment(at, text).map_err(|e| Refusal::bad(e.to_phrase()))
    }

    fn analyse(&mut self, at: usize, lines: u32, engine: &str) -> Result<(), Refusal> {
        if lines > MAX_LINES {
            return Err(Refusal::bad(phrase!("lines: expected 0 to {n}", n = MAX_LINES)));
        }
        self.tree.node(at).map_err(|e| Refusal::bad(e.to_phrase()))?;
        if lines == 0 {
            self.rest();
            return Ok(());
        }
        self.choose(engine)?;
        if self.wanted == Some((at, lines)) && self.outcomes.is_none() {
            return Ok(());
        }
        self.rest();
        self.outcomes = None;
        self.wanted = Some((at, lines));
        self.lines.clear();
        self.proceed();
        Ok(())
    }

    fn begin_outcomes(&mut self, at: usize, ms: u64, engine: &str) -> Result<(), Refusal> {
        let board = self.tree.position(at).map_err(|e| Refusal::bad(e.to_phrase()))?;
        if !TIME.contains(&ms) {
            let (from, to) = (*TIME.start(), *TIME.end());
            return Err(Refusal::bad(phrase!(
                "expected {from} to {to} ms for an outcome",
                from,
                to
            )));
        }
        let outcomes = Outcomes::new(at, &*board, Duration::from_millis(ms));
        let outcomes =
            outcomes.ok_or_else(|| Refusal::conflict(phrase!("no die and no piece is due")))?;
        self.choose(engine)?;
        self.rest();
        self.outcomes = Some(outcomes);
        self.proceed();
        self.send_lines();
        Ok(())
    }

    /// Starts an engine unless it is that of the analysis already.
    fn choose(&mut self, name: &str) -> Result<(), Refusal> {
        if self.engine.as_ref().is_some_and(|engine| engine.name == name) {
            return Ok(());
        }
        let kind = self.tree.kind;
        let choice = self.shared.engines.find(name, kind.name)?;
        self.rest();
        self.engine = None;
        let place = Arc::clone(&self.shared.places).try_acquire_owned().map_err(|_| {
            let n = MAX_ENGINES;
            Refusal::conflict(phrase!("{n} engines analyse already; end another analysis first", n))
        })?;
        let rules = self.tree.rules.iter().cloned();
        let rules = rules.map(|(name, value)| Setting { name, value }).collect();
        let context = EngineContext::new(kind.name, rules, self.shared.timeouts);
        let events = self.events.clone();
        let report = move |report| drop(events.send(Message::Event(report)));
        let thinker = Thinker::start(move || choice.entry(), context, report).map_err(|cause| {
            Refusal::conflict(phrase!("the machine has no thread left: {cause}", cause))
        })?;
        let name = name.to_string();
        self.engine = Some(Analyst { name, thinker, starts: true, error: None, _place: place });
        Ok(())
    }

    /// Ends what the engine does; its lines are kept.
    fn rest(&mut self) {
        if let (Some((id, purpose)), Some(engine)) = (self.request.take(), &self.engine) {
            engine.thinker.stop(id);
            self.keep(purpose);
        }
        self.wanted = None;
        self.end_outcomes();
    }

    fn end_outcomes(&mut self) {
        if self.outcomes.as_ref().is_some_and(|outcomes| !outcomes.is_done()) {
            self.outcomes = None;
        }
    }

    /// Keeps the lines of a search with its node.
    fn keep(&mut self, purpose: Purpose) {
        if let Purpose::Node(id) = purpose
            && self.lines.best().is_some()
        {
            self.send_lines();
            let (shown, texts) = self.lines.kept();
            self.tree.set_lines(id, EngineLines { shown, texts });
        }
    }

    /// Lets the engine think if there is a reason.
    fn proceed(&mut self) {
        let works = self.engine.as_ref().is_some_and(|engine| engine.error.is_none());
        if !works || self.request.is_some() {
            return;
        }
        if let Some(outcomes) = &mut self.outcomes {
            let time = outcomes.time;
            if let Some((board, mover)) = outcomes.due() {
                let board = board.boxed_clone();
                self.think(Purpose::Outcome, &*board, mover, Limits::with_move_time(time), 1);
            }
            return;
        }
        let Some((id, lines)) = self.wanted else { return };
        let Ok(board) = self.tree.position(id) else { return };
        if let Turn::Player(mover) = board.turn() {
            let limits = Limits { infinite: true, ..Limits::default() };
            self.think(Purpose::Node(id), &*board, mover, limits, lines);
        }
    }

    fn think(
        &mut self,
        purpose: Purpose,
        board: &dyn Arbiter,
        mover: Player,
        limits: Limits,
        lines: u32,
    ) {
        let Some(engine) = &self.engine else { return };
        self.last_request += 1;
        self.request = Some((self.last_request, purpose));
        self.lines.begin(self.tree.kind.name, board.boxed_clone(), mover);
        let (fen, moves) = for_engine(board, mover);
        let (id, allowed) = (self.last_request, MAX_ANALYSIS);
        engine.thinker.think(ThinkRequest {
            id,
            fen,
            moves,
            mover,
            limits,
            allowed,
            lines,
            strength: None,
        });
    }

    /// Takes in what the engine reports about the search that runs.
    fn report(&mut self, report: ThinkerReport) {
        let id = match &report {
            ThinkerReport::Starts(starts) => {
                if let Some(engine) = &mut self.engine {
                    engine.starts = *starts;
                }
                return self.publish();
            }
            ThinkerReport::Failed(0, text) => return self.fail(text.clone()),
            ThinkerReport::Info(id, _)
            | ThinkerReport::Done(id, _)
            | ThinkerReport::Failed(id, _) => id,
        };
        let Some((_, purpose)) = self.request.filter(|(current, _)| current == id) else { return };
        match report {
            ThinkerReport::Starts(_) => {}
            ThinkerReport::Info(_, info) => return self.lines.add(&info),
            ThinkerReport::Failed(_, text) => {
                self.keep(purpose);
                return self.fail(text);
            }
            ThinkerReport::Done(..) => {
                self.request = None;
                self.keep(purpose);
                match (purpose, &mut self.outcomes) {
                    (Purpose::Outcome, Some(outcomes)) => outcomes.take(&self.lines, true),
                    _ => self.wanted = None,
                }
            }
        }
        self.proceed();
        self.send_lines();
        self.publish();
    }

    fn fail(&mut self, text: Phrase) {
        self.request = None;
        if let Some(engine) = &mut self.engine {
            engine.error = Some(text.map(&|text| visible_lines(text).into_owned()));
        }
        self.publish();
    }

    fn send_lines(&mut self) {
        let lines = self.lines.take();
        match (self.request, &mut self.outcomes) {
            (Some((_, Purpose::Node(at))), _) => {
                self.feed.send("info", &json!({ "at": at, "lines": lines["lines"] }));
            }
            (request, Some(outcomes)) => {
                if request.is_some() {
                    outcomes.take(&self.lines, false);
                }
                self.feed.send("outcomes", &outcomes.event());
            }
            _ => {}
        }
    }

    /// Tells all pages what has changed.
    fn publish(&self) {
        let engine = self
            .engine
            .as_ref()
            .map(|engine| show::engine(&engine.name, engine.starts, engine.error.as_ref()));
        let thinking = match self.request {
            Some((_, Purpose::Node(at))) => json!(at),
            _ => Value::Null,
        };
        let wanted = self.wanted.map(|(at, lines)| json!({ "at": at, "lines": lines }));
        self.feed.send(
            "state",
            &json!({
                "version": self.tree.version(),
                "engine": engine,
                "thinking": thinking,
                "wanted": wanted,
            }),
        );
    }
}
