//! The desk itself: the thread that owns the session, obeys the pages and directs the engine.

mod commands;

use super::action::{Action, By, EngineEvent};
use super::command::{DeskCommand, DeskRequest};
use super::engine_thread::{EngineReport, EngineTask, EngineThread, Started, score_text};
use super::journal::Journal;
use super::record;
use super::show::{self, Extras};
use super::state::DeskState;
use super::waiting::Waiting;
use agon_engine::driver::EngineContext;
use agon_games::Player;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::visible_lines;
use agon_matchlog::EngineEntry;
use agon_web::Call;
use agon_web::clocks::DayClock;
use agon_web::clocks::Mode;
use agon_web::{Feed, Message};
use agon_wire::message::Info;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How often pages get the running clock.
const BEAT: Duration = Duration::from_millis(500);
/// The shortest wait for a flag to fall.
const SHORT: Duration = Duration::from_millis(20);
/// The shortest time between two reports of the search on the pages.
const INFO_EVERY: Duration = Duration::from_millis(150);
/// What the desk's thread receives.
pub type DeskMessage = Message<DeskRequest, EngineReport>;

/// What a desk needs besides its session.
pub struct Equipment {
    /// The engine, and a stand-by if there is one.
    pub engines: Vec<Arc<EngineEntry>>,
    /// The one that runs already; `None`: the first one is started in the background.
    pub started: Option<Started>,
    /// The engines' settings.
    pub context: Arc<EngineContext>,
    /// Whether the engine's proposals are played without asking.
    pub auto: bool,
    /// Where records are written.
    pub records: PathBuf,
    /// The event's name on a page in Chinese.
    pub event_zh: String,
}

/// The desk.
pub struct Controller {
    journal: Journal,
    state: DeskState,
    clock: DayClock,
    engine: Option<EngineThread>,
    /// The engine that is being started, and the last game for which one is ready.
    starts: Option<usize>,
    ready_for: u64,
    /// The requests to begin a game, which wait until an engine is ready for it.
    waiting: Waiting<DeskRequest>,
    feed: Feed,
    records: PathBuf,
    event_zh: String,
    auto: bool,
    /// The number of the last task, and the game and tokens that it is about.
    ticket: u64,
    asked: Option<(u32, Vec<String>)>,
    /// Whether a move is wanted although one is proposed.
    again: bool,
    /// Why the engines gave no move for what was asked last.
    stuck: Option<EngineEvent>,
    /// The engine's last proposal and the reply to it that the engine expects.
    expected: Option<[String; 2]>,
    /// The last report of the search.
    info: Option<Info>,
    info_sent: Instant,
    /// What went wrong with the records, until the next one is written.
    trouble: Option<Phrase>,
}

impl Controller {
    /// A desk for a session. `reports` receives what the engine reports.
    ///
    /// # Errors
    /// If the session file cannot be written or the machine has no thread left.
    pub fn new(
        journal: Journal,
        state: DeskState,
        equipment: Equipment,
        feed: Feed,
        reports: Sender<DeskMessage>,
    ) -> Result<Controller, Phrase> {
        let Equipment { engines, started, context, auto, records, event_zh } = equipment;
        let report = move |report| drop(reports.send(Message::Event(report)));
        let (running, failure) = started.map_or((None, None), |started| {
            let failure = started.failure.map(|detail| (started.index, detail));
            (Some((started.index, started.driver)), failure)
        });
        let engine =
            (!engines.is_empty()).then(|| EngineThread::start(engines, running, context, report));
        let engine =
            engine.transpose().map_err(|cause| phrase!("the engine's thread: {cause}", cause))?;
        let earliest = state.at;
        let mut controller = Controller {
            journal,
            state,
            clock: DayClock::new(earliest),
            engine,
            starts: None,
            ready_for: 0,
            waiting: Waiting::default(),
            feed,
            records,
            event_zh,
            auto,
            ticket: 0,
            asked: None,
            again: false,
            stuck: None,
            expected: None,
            info: None,
            info_sent: Instant::now(),
            trouble: None,
        };
        if controller.state.n > 0 {
            let gap_ms = controller.clock.now().saturating_sub(controller.state.at);
            controller.write(Action::Resumed { gap_ms })?;
            // A crash may have come between an action and the records that it changes.
            controller.keep_records(false);
        }
        if let Some((index, detail)) = failure {
            let now = if index == 0 { EngineEvent::Restarted } else { EngineEvent::StandbyUsed };
            controller.note_engine(EngineEvent::Failed, 0, detail);
            controller.note_engine(now, index, Phrase::default());
        }
        if let Some(engine) = &controller.engine {
            engine.prepare(controller.due_game());
        }
        Ok(controller)
    }

    /// The number of the game that is played or comes next.
    fn due_game(&self) -> u64 {
        let playing = self.state.game.as_ref().filter(|game| game.end.is_none());
        playing.map_or(self.state.ended() + 1, |game| game.number).into()
    }

    /// Runs until all pages and the server have gone.
    pub fn run(mut self, messages: &Receiver<DeskMessage>) {
        self.note_flag();
        self.drive();
        self.show();
        loop {
            let message = messages.recv_timeout(self.pause());
            if self.note_flag() {
                self.drive();
                self.show();
            }
            match message {
                Ok(Message::Call(call)) if self.must_wait(&call.command) => self.waiting.push(call),
                Ok(Message::Call(call)) => self.answer(call),
                Ok(Message::Event(report)) => self.receive(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.waiting.refuse_late();
            self.show_clocks();
        }
    }

    fn answer(&mut self, call: Call<DeskRequest>) {
        let answer = self.obey(&call.command);
        self.drive();
        self.show();
        call.answer(answer);
    }

    /// Whether a request begins a game for which no engine is ready yet: a clock may run as soon as it has
    /// begun.
    fn must_wait(&self, request: &DeskRequest) -> bool {
        let begins = matches!(request.act, DeskCommand::Begin) && self.state.next_game().is_ok();
        let Some(engine) = self.engine.as_ref().filter(|_| begins) else { return false };
        let game = self.due_game();
        if self.ready_for != game && self.waiting.is_empty() {
            engine.prepare(game);
        }
        self.ready_for != game
    }

    /// Begins the game for which an engine is ready now, if somebody still waits for it.
    fn begin_waiting(&mut self) {
        for call in self.waiting.take() {
            if self.must_wait(&call.command) {
                self.waiting.push(call);
            } else {
                self.answer(call);
            }
        }
    }

    /// The time to wait for messages: until the next figures of the clock, or until a flag falls.
    fn pause(&self) -> Duration {
        let game = self.state.game.as_ref().filter(|game| game.end.is_none());
        let Some(flag) = game.and_then(|game| game.clocks.falls()) else { return BEAT };
        Duration::from_millis(flag.at.saturating_sub(self.clock.now())).clamp(SHORT, BEAT)
    }

    /// Records a flag that has fallen since the last message; returns whether one has.
    fn note_flag(&mut self) -> bool {
        let now = self.clock.now();
        let Some(flag) = self.state.flag_due(now) else { return false };
        if let Err(e) = self.journal.append(&mut self.state, now, flag) {
            self.trouble = Some(e);
        }
        true
    }

    /// Writes an action; the state follows only once it is on disk.
    fn write(&mut self, action: Action) -> Result<(), Phrase> {
        let now = self.clock.now();
        // What is done at this moment comes too late if a flag has fallen.
        if let Some(flag) = self.state.flag_due(now) {
            self.journal.append(&mut self.state, now, flag)?;
        }
        self.journal.append(&mut self.state, now, action)
    }

    /// The engine's side, if it has to find a move now.
    fn engine_to_move(&self) -> Option<Player> {
        let game = self.state.game.as_ref().filter(|game| game.end.is_none())?;
        let player = game.board.turn().player()?;
        let is_due = (game.proposal.is_none() || self.again)
            && game.clocks.fallen().is_none()
            && (game.clocks.mode() != Mode::Waiting || game.awaits_set_up());
        (is_due && self.state.setup.engine == Some(game.team(player.index()))).then_some(player)
    }

    /// Lets the engine do what the position needs, and finishes what a crash interrupted.
    fn drive(&mut self) {
        if let Some(game) = self.state.game.as_ref().filter(|game| game.end.is_none())
            && game.clocks.fallen().is_none()
            && let Some(token) = game.agreement.outcome(&game.board.chance_tokens())
            && let Err(e) = self.write(Action::Play { token, by: By::Agreed })
        {
            self.trouble = Some(e);
        }
        let Some(engine) = &self.engine else { return };
        let (Some(mover), Some(game)) = (self.engine_to_move(), &self.state.game) else {
            self.again = false;
            if self.asked.take().is_some() {
                engine.stop();
            }
            return;
        };
        let key = (game.number, game.tokens());
        if self.asked.as_ref() == Some(&key) {
            return;
        }
        self.asked = Some(key);
        self.stuck = None;
        self.info = None;
        self.ticket += 1;
        let limits = game.limits(self.state.setup.clock, self.clock.now());
        let (ticket, number) = (self.ticket, game.number.into());
        engine.think(EngineTask {
            ticket,
            game: number,
            board: game.board.boxed_clone(),
            mover,
            limits,
        });
    }

    /// Lets the engine ponder after its move.
    fn ponder(&mut self) {
        let (Some(engine), Some(game)) = (&self.engine, &self.state.game) else { return };
        let Some([own, reply]) = &self.expected else { return };
        let mover = game.plies.last().and_then(|ply| Some((ply.player?, &ply.token)));
        let Some((player, _)) = mover.filter(|(_, token)| *token == own) else { return };
        let mut board = game.board.boxed_clone();
        if board.turn().player().is_none() || board.push(reply).is_err() {
            return;
        }
        let mover = Player::BOTH[player];
        let limits = game.limits(self.state.setup.clock, self.clock.now());
        engine.ponder(EngineTask { ticket: 0, game: game.number.into(), board, mover, limits });
    }

    /// Receives what the engine reports.
    fn receive(&mut self, report: EngineReport) {
        let by = |index| if index == 0 { By::Engine } else { By::Standby };
        match report {
            EngineReport::Thinking { ticket, info } if ticket == self.ticket => {
                self.info = Some(info);
                if self.info_sent.elapsed() >= INFO_EVERY {
                    self.info_sent = Instant::now();
                    self.show_engine();
                }
                return;
            }
            EngineReport::Done { ticket, engine, token, info, expected, time }
                if self.is_due(ticket) =>
            {
                let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                let (score, depth, by) = (score_text(&info), info.depth, by(engine));
                let chances = info.expected_score();
                self.expected = expected.map(|reply| [token.clone(), reply]);
                self.info = Some(info);
                self.again = false;
                self.note(Action::Propose { token, by, score, expected: chances, depth, ms });
                if self.auto
                    && let Err(refusal) = self.accept(None)
                {
                    log::warn!("the proposal is not played: {refusal:?}");
                }
            }
            EngineReport::Starts { engine } => self.starts = engine,
            EngineReport::Ready { game } => {
                self.ready_for = game;
                self.begin_waiting();
            }
            EngineReport::NotReady { engine, detail, next } => {
                self.note_engine(EngineEvent::Failed, engine, detail);
                if let Some(next) = next {
                    self.note_engine(EngineEvent::StandbyUsed, next, Phrase::default());
                }
            }
            EngineReport::Resigns { ticket, engine } if self.is_due(ticket) => {
                self.stuck = Some(EngineEvent::Resigns);
                self.note_engine(EngineEvent::Resigns, engine, Phrase::default());
            }
            EngineReport::Failed { ticket, engine, detail, next } if self.is_due(ticket) => {
                self.note_engine(EngineEvent::Failed, engine, detail);
                let (event, index) = match next {
                    None => (EngineEvent::GaveUp, engine),
                    Some(next) if next == engine => (EngineEvent::Restarted, next),
                    Some(next) => (EngineEvent::StandbyUsed, next),
                };
                self.stuck = next.is_none().then_some(EngineEvent::GaveUp);
                self.note_engine(event, index, Phrase::default());
            }
            _ => return,
        }
        self.drive();
        self.show();
    }

    /// Whether a report is about the position on the board.
    fn is_due(&self, ticket: u64) -> bool {
        ticket == self.ticket && self.asked.is_some()
    }

    /// Writes an action that nobody waits for.
    fn note(&mut self, action: Action) {
        if let Err(e) = self.write(action) {
            self.trouble = Some(e);
        }
    }

    /// Writes what happened to an engine.
    fn note_engine(&mut self, event: EngineEvent, index: usize, detail: Phrase) {
        let entries = self.engine.as_ref().map(|p| &p.entries[..]).unwrap_or_default();
        let name = entries.get(index).map_or(String::new(), |entry| entry.name.clone());
        let detail = detail.map(&|text| visible_lines(text).into_owned());
        self.note(Action::Engine { event, name, detail });
    }

    /// Makes the records those of the games that have ended.
    fn keep_records(&mut self, has_ended_now: bool) {
        self.trouble = record::keep(&self.records, &self.state, has_ended_now);
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            now: self.clock.now(),
            engines: self.engine.as_ref().map(|p| &p.entries[..]).unwrap_or_default(),
            starts: self.starts,
            thinking: self.asked.is_some() && self.stuck.is_none(),
            stuck: self.stuck.filter(|_| self.asked.is_some()),
            auto: self.auto,
            info: self.info.as_ref(),
            trouble: self.trouble.as_ref(),
            session: self.journal.path(),
            records: &self.records,
            event_zh: &self.event_zh,
        }
    }

    /// Sends the state to the pages.
    fn show(&self) {
        let extras = self.extras();
        self.feed.send("state", &show::state(&self.state, &extras));
        self.feed.send("engine", &show::engine(&self.state, &extras));
        self.feed.send("clock", &show::clocks(&self.state, extras.now));
    }

    fn show_engine(&self) {
        self.feed.send("engine", &show::engine(&self.state, &self.extras()));
    }

    fn show_clocks(&self) {
        if self.feed.has_listeners() {
            self.feed.send("clock", &show::clocks(&self.state, self.clock.now()));
        }
    }
}
