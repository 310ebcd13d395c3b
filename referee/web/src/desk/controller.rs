//! The desk itself: the thread that owns the session, obeys the pages and directs the engine.

use super::action::{Action, By, EngineEvent};
use super::clocks::DayClock;
use super::clocks::Mode;
use super::command::{DeskCommand, DeskRequest};
use super::dice;
use super::engine_thread::{EngineReport, EngineTask, EngineThread, score_text};
use super::game::DeskGame;
use super::journal::Journal;
use super::record;
use super::show::{self, Extras};
use super::state::DeskState;
use super::typed;
use crate::{Feed, HttpAnswer, Message, Refusal};
use agon_engine::driver::EngineContext;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::visible_lines;
use agon_games::{Player, Turn};
use agon_matchlog::EngineEntry;
use agon_wire::message::Info;
use serde_json::json;
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
/// The maximum length of a remark in characters.
const MAX_NOTE: usize = 500;

/// What the desk's thread receives.
pub type DeskMessage = Message<DeskRequest, EngineReport>;

/// What a desk needs besides its session.
pub struct Equipment {
    /// The engine, and a stand-by if there is one.
    pub engines: Vec<Arc<EngineEntry>>,
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
        let Equipment { engines, context, auto, records, event_zh } = equipment;
        let report = move |report| drop(reports.send(Message::Event(report)));
        let engine = (!engines.is_empty()).then(|| EngineThread::start(engines, context, report));
        let engine =
            engine.transpose().map_err(|cause| phrase!("the engine's thread: {cause}", cause))?;
        let earliest = state.at;
        let mut controller = Controller {
            journal,
            state,
            clock: DayClock::new(earliest),
            engine,
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
        Ok(controller)
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
                Ok(Message::Call(call)) => {
                    let answer = self.obey(&call.command);
                    self.drive();
                    self.show();
                    call.answer(answer);
                }
                Ok(Message::Event(report)) => self.receive(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.show_clocks();
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

    /// Obeys a command of a page.
    fn obey(&mut self, request: &DeskRequest) -> HttpAnswer {
        if let (Some(at), Some(game)) = (request.at, &self.state.game) {
            let here = [game.number as usize, game.plies.len()];
            if at != here {
                let [game, ply] = here;
                return Err(Refusal::conflict(phrase!(
                    "the position has changed: game {game}, ply {ply} is on the board now",
                    game,
                    ply
                )));
            }
        }
        self.command(&request.act)
    }

    fn command(&mut self, command: &DeskCommand) -> HttpAnswer {
        let action = match command.clone() {
            DeskCommand::Play { text } => return self.play_typed(&text),
            DeskCommand::Roll => return self.roll(),
            DeskCommand::Accept { token } => return self.accept(token.as_deref()),
            DeskCommand::Secret => {
                let secret = dice::secret().map_err(Refusal::conflict)?;
                let hash = dice::commitment(&secret);
                return Ok(json!({ "secret": secret, "hash": hash }));
            }
            DeskCommand::Record => {
                let ended = self.state.games().filter(|game| game.end.is_some()).last();
                let game =
                    ended.ok_or_else(|| Refusal::unknown(phrase!("no game has ended yet")))?;
                let record = record::of(&self.state.setup, game).map_err(Refusal::conflict)?;
                return Ok(json!({ "name": record.name, "text": record.text }));
            }
            DeskCommand::Think => {
                (self.asked, self.again) = (None, true);
                return self.done();
            }
            DeskCommand::Auto { on } => {
                self.auto = on;
                if on && self.state.game.as_ref().is_some_and(|g| g.proposal.is_some()) {
                    return self.accept(None);
                }
                return self.done();
            }
            DeskCommand::Engine { index } => return self.use_engine(index),
            DeskCommand::Begin => self.state.next_game().map_err(Refusal::conflict)?,
            DeskCommand::Back { plies } => Action::Back { plies },
            DeskCommand::Clock { team, left_ms, note } => {
                Action::SetClock { team, left_ms, note: checked(&note)? }
            }
            DeskCommand::Run { team } => Action::Run { team },
            DeskCommand::Reopen => Action::Reopen,
            DeskCommand::Commit { player, hash } => Action::Commit { player, hash },
            DeskCommand::Reveal { player, secret } => Action::Reveal { player, secret },
            DeskCommand::Note { text } => Action::Note { text: checked(&text)? },
            DeskCommand::End { winner, why, note } => {
                let ruled = self.state.game.as_ref().and_then(DeskGame::ruled);
                let winner = match (why, ruled) {
                    (super::action::Why::Rules, Some(ruled)) => ruled,
                    _ => winner,
                };
                Action::End { winner, why, note: checked(&note)? }
            }
        };
        let ends = matches!(action, Action::End { .. });
        let reopens = matches!(action, Action::Reopen);
        self.write(action).map_err(Refusal::conflict)?;
        if ends || reopens {
            self.keep_records(ends);
            self.engine.iter().for_each(EngineThread::rest);
        }
        self.done()
    }

    fn done(&self) -> HttpAnswer {
        Ok(json!({ "n": self.state.n }))
    }

    /// Plays what was typed.
    fn play_typed(&mut self, text: &str) -> HttpAnswer {
        let game = self.state.setup.game.clone();
        let board = self.state.playing().map_err(Refusal::conflict)?.board.boxed_clone();
        let tokens = typed::read(&game, &*board, text).map_err(|refused| {
            Refusal::bad(refused.reason).with(json!({ "legal": refused.nearest }))
        })?;
        for token in tokens {
            self.write(Action::Play { token, by: By::Hand }).map_err(Refusal::conflict)?;
        }
        self.done()
    }

    /// Rolls here.
    fn roll(&mut self) -> HttpAnswer {
        let game = self.state.playing().map_err(Refusal::conflict)?;
        let outcomes = match game.board.turn() {
            Turn::Chance => game.board.chance_tokens(),
            _ => return Err(Refusal::conflict(phrase!("no roll is due"))),
        };
        let token = dice::roll(&outcomes).map_err(Refusal::conflict)?;
        self.write(Action::Play { token: token.clone(), by: By::Rolled })
            .map_err(Refusal::conflict)?;
        Ok(json!({ "n": self.state.n, "rolled": token }))
    }

    /// Plays the engine's proposal; a page names the one that it shows.
    fn accept(&mut self, shown: Option<&str>) -> HttpAnswer {
        let game = self.state.playing().map_err(Refusal::conflict)?;
        let Some(proposal) = game.proposal.clone() else {
            return Err(Refusal::conflict(phrase!("the engine proposes no move here")));
        };
        if shown.is_some_and(|shown| shown != proposal.token) {
            let shown = proposal.shown;
            return Err(Refusal::conflict(phrase!(
                "the engine proposes another move now: {shown}",
                shown
            )));
        }
        let action = Action::Play { token: proposal.token, by: proposal.by };
        self.write(action).map_err(Refusal::conflict)?;
        self.ponder();
        self.done()
    }

    fn use_engine(&mut self, index: usize) -> HttpAnswer {
        let Some(engine) = &self.engine else {
            return Err(Refusal::conflict(phrase!("no engine plays")));
        };
        let Some(entry) = engine.entries.get(index) else {
            return Err(Refusal::bad(phrase!("there is no stand-by engine; give --second-engine")));
        };
        let name = entry.name.clone();
        engine.use_engine(index);
        self.asked = None;
        let event = if index == 0 { EngineEvent::MainUsed } else { EngineEvent::StandbyUsed };
        let detail = phrase!("by hand");
        self.write(Action::Engine { event, name, detail }).map_err(Refusal::conflict)?;
        self.done()
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
        let name = |controller: &Controller, index: usize| {
            let entries = controller.engine.as_ref().map(|p| &p.entries[..]).unwrap_or_default();
            entries.get(index).map_or(String::new(), |entry| entry.name.clone())
        };
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
                self.expected = expected.map(|reply| [token.clone(), reply]);
                self.info = Some(info);
                self.again = false;
                self.note(Action::Propose { token, by, score, depth, ms });
                if self.auto
                    && let Err(refusal) = self.accept(None)
                {
                    log::warn!("the proposal is not played: {refusal:?}");
                }
            }
            EngineReport::Resigns { ticket, engine } if self.is_due(ticket) => {
                self.stuck = Some(EngineEvent::Resigns);
                let (event, name) = (EngineEvent::Resigns, name(self, engine));
                self.note(Action::Engine { event, name, detail: Phrase::default() });
            }
            EngineReport::Failed { ticket, engine, detail, next } if self.is_due(ticket) => {
                let detail = detail.map(&|text| visible_lines(text).into_owned());
                let failed = name(self, engine);
                self.note(Action::Engine { event: EngineEvent::Failed, name: failed, detail });
                let (event, index) = match next {
                    None => (EngineEvent::GaveUp, engine),
                    Some(next) if next == engine => (EngineEvent::Restarted, next),
                    Some(next) => (EngineEvent::StandbyUsed, next),
                };
                self.stuck = next.is_none().then_some(EngineEvent::GaveUp);
                let name = name(self, index);
                self.note(Action::Engine { event, name, detail: Phrase::default() });
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

    /// Makes the records those of the games that have ended.
    fn keep_records(&mut self, has_ended_now: bool) {
        self.trouble = record::keep(&self.records, &self.state, has_ended_now);
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            now: self.clock.now(),
            engines: self.engine.as_ref().map(|p| &p.entries[..]).unwrap_or_default(),
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

/// A remark of a page: not too long.
fn checked(note: &str) -> Result<String, Refusal> {
    let note = note.trim();
    if note.chars().count() > MAX_NOTE {
        return Err(Refusal::bad(phrase!("a remark has at most {n} characters", n = MAX_NOTE)));
    }
    Ok(agon_games::text::visible(note).into_owned())
}
