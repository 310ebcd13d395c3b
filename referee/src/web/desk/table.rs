//! The desk itself: the thread that owns the session, obeys the pages and flies the engine.

use super::action::{Action, By, EngineEvent};
use super::clocks::Mode;
use super::command::{Command, Request};
use super::dice;
use super::game::DeskGame;
use super::journal::Journal;
use super::pilot::{Pilot, Report, Task, score_text};
use super::record;
use super::show::{self, Extras};
use super::state::State;
use super::typed;
use crate::engine::driver::EngineContext;
use crate::matchlog::EngineEntry;
use crate::web::{Answer, Feed, Message, Refusal};
use agon_protocol::message::{Info, Limits};
use agon_protocol::text::visible_lines;
use agon_protocol::{Player, Turn};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

/// How often pages get the running clock.
const BEAT: Duration = Duration::from_millis(500);
/// The shortest time between two reports of the search on the pages.
const INFO_EVERY: Duration = Duration::from_millis(150);
/// The time of an engine for a set-up, which is made before the clocks start, or without clocks.
const FREE_THINKING: Duration = Duration::from_secs(5);
/// The maximum length of a remark in characters.
const MAX_NOTE: usize = 500;

/// What the desk's thread receives.
pub type DeskMessage = Message<Request, Report>;

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
}

/// Times of day that never run backwards while the program runs.
struct DayClock {
    begin: Instant,
    begin_ms: u64,
}

impl DayClock {
    fn new() -> DayClock {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        DayClock {
            begin: Instant::now(),
            begin_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn now(&self) -> u64 {
        self.begin_ms + u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(0)
    }
}

/// The desk.
pub struct Table {
    journal: Journal,
    state: State,
    clock: DayClock,
    pilot: Option<Pilot>,
    feed: Feed,
    records: PathBuf,
    auto: bool,
    /// The number of the last task, and the game and tokens that it is about.
    ticket: u64,
    asked: Option<(u32, Vec<String>)>,
    /// Whether the engines found no move for what was asked last.
    stuck: bool,
    /// The line that the engine expects after its proposal.
    expected: Vec<String>,
    /// The last report of the search.
    info: Option<Info>,
    info_sent: Instant,
    /// What went wrong with the records, until the next one is written.
    trouble: Option<String>,
}

impl Table {
    /// A desk for a session. `reports` receives what the engine reports.
    ///
    /// # Errors
    /// If the session file cannot be written or the machine has no thread left.
    pub fn new(
        journal: Journal,
        state: State,
        equipment: Equipment,
        feed: Feed,
        reports: Sender<DeskMessage>,
    ) -> Result<Table, String> {
        let Equipment { engines, context, auto, records } = equipment;
        let report = move |report| drop(reports.send(Message::Event(report)));
        let pilot = (!engines.is_empty()).then(|| Pilot::start(engines, context, report));
        let pilot = pilot.transpose().map_err(|e| format!("the engine's thread: {e}"))?;
        let mut table = Table {
            journal,
            state,
            clock: DayClock::new(),
            pilot,
            feed,
            records,
            auto,
            ticket: 0,
            asked: None,
            stuck: false,
            expected: Vec::new(),
            info: None,
            info_sent: Instant::now(),
            trouble: None,
        };
        if table.state.n > 0 {
            let gap_ms = table.clock.now().saturating_sub(table.state.at);
            table.write(Action::Resumed { gap_ms })?;
            // A crash may have come between the end of a game and its record.
            table.write_record();
        }
        Ok(table)
    }

    /// Runs until all pages and the server have gone.
    pub fn run(mut self, messages: &Receiver<DeskMessage>) {
        self.drive();
        self.show();
        loop {
            match messages.recv_timeout(BEAT) {
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

    /// Writes an action; the state follows only once it is on disk.
    fn write(&mut self, action: Action) -> Result<(), String> {
        let now = self.clock.now();
        self.journal.append(&mut self.state, now, action)
    }

    /// Obeys a command of a page.
    fn obey(&mut self, request: &Request) -> Answer {
        if let (Some(at), Some(game)) = (request.at, &self.state.game) {
            let here = [game.number as usize, game.plies.len()];
            if at != here {
                let [game, ply] = here;
                return Err(Refusal::conflict(format!(
                    "the position has changed: game {game}, ply {ply} is on the board now"
                )));
            }
        }
        self.command(&request.act)
    }

    fn command(&mut self, command: &Command) -> Answer {
        let action = match command.clone() {
            Command::Play { text } => return self.play_typed(&text),
            Command::Roll => return self.roll(),
            Command::Accept => return self.accept(),
            Command::Secret => {
                let secret = dice::secret().map_err(Refusal::conflict)?;
                let hash = dice::commitment(&secret);
                return Ok(json!({ "secret": secret, "hash": hash }));
            }
            Command::Record => {
                let ended = self.state.games().filter(|game| game.end.is_some()).last();
                let game = ended.ok_or_else(|| Refusal::unknown("no game has ended yet"))?;
                let (name, text) =
                    record::text(&self.state.setup, game).map_err(Refusal::conflict)?;
                return Ok(json!({ "name": name, "text": text }));
            }
            Command::Think => {
                self.asked = None;
                return self.done();
            }
            Command::Auto { on } => {
                self.auto = on;
                if on && self.state.game.as_ref().is_some_and(|g| g.proposal.is_some()) {
                    return self.accept();
                }
                return self.done();
            }
            Command::Engine { index } => return self.use_engine(index),
            Command::Begin => self.state.next_game().map_err(Refusal::conflict)?,
            Command::Back { plies } => Action::Back { plies },
            Command::Clock { team, left_ms, note } => {
                Action::SetClock { team, left_ms, note: checked(&note)? }
            }
            Command::Run { team } => Action::Run { team },
            Command::Reopen => return self.reopen(),
            Command::Commit { player, hash } => Action::Commit { player, hash },
            Command::Reveal { player, secret } => Action::Reveal { player, secret },
            Command::Note { text } => Action::Note { text: checked(&text)? },
            Command::End { winner, why, note } => {
                let ruled = self.state.game.as_ref().and_then(DeskGame::ruled);
                let winner = match (why, ruled) {
                    (super::action::Why::Rules, Some(ruled)) => ruled,
                    _ => winner,
                };
                Action::End { winner, why, note: checked(&note)? }
            }
        };
        let ends = matches!(action, Action::End { .. });
        self.write(action).map_err(Refusal::conflict)?;
        if ends {
            self.write_record();
        }
        self.done()
    }

    fn done(&self) -> Answer {
        Ok(json!({ "n": self.state.n }))
    }

    /// Plays what was typed.
    fn play_typed(&mut self, text: &str) -> Answer {
        let game = self.state.setup.game.clone();
        let board = self.state.playing().map_err(Refusal::conflict)?.board.boxed_clone();
        let tokens = typed::read(&game, &*board, text).map_err(|refused| {
            Refusal::bad(&refused.reason).with(json!({ "legal": refused.nearest }))
        })?;
        for token in tokens {
            self.write(Action::Play { token, by: By::Hand }).map_err(Refusal::conflict)?;
        }
        self.done()
    }

    /// Rolls here.
    fn roll(&mut self) -> Answer {
        let game = self.state.playing().map_err(Refusal::conflict)?;
        let outcomes = match game.board.turn() {
            Turn::Chance => game.board.chance_tokens(),
            _ => return Err(Refusal::conflict("no roll is due")),
        };
        let token = dice::roll(&outcomes).map_err(Refusal::conflict)?;
        self.write(Action::Play { token: token.clone(), by: By::Rolled })
            .map_err(Refusal::conflict)?;
        Ok(json!({ "n": self.state.n, "rolled": token }))
    }

    /// Plays the engine's proposal.
    fn accept(&mut self) -> Answer {
        let game = self.state.playing().map_err(Refusal::conflict)?;
        let Some(proposal) = game.proposal.clone() else {
            return Err(Refusal::conflict("the engine proposes no move here"));
        };
        let action = Action::Play { token: proposal.token, by: proposal.by };
        self.write(action).map_err(Refusal::conflict)?;
        self.ponder();
        self.done()
    }

    /// Takes back the end of the last game, and its record.
    fn reopen(&mut self) -> Answer {
        let game = self.state.game.as_ref();
        let path = game.and_then(|game| record::path(&self.records, &self.state.setup, game));
        self.write(Action::Reopen).map_err(Refusal::conflict)?;
        if let Some(Err(e)) = path.filter(|path| path.exists()).map(std::fs::remove_file) {
            self.trouble = Some(format!("the record of the reopened game stays: {e}"));
        }
        self.done()
    }

    fn use_engine(&mut self, index: usize) -> Answer {
        let Some(pilot) = &self.pilot else { return Err(Refusal::conflict("no engine plays")) };
        let Some(entry) = pilot.entries.get(index) else {
            return Err(Refusal::bad("there is no stand-by engine; give --second-engine"));
        };
        let name = entry.name.clone();
        pilot.use_engine(index);
        self.asked = None;
        let event = if index == 0 { EngineEvent::MainUsed } else { EngineEvent::StandbyUsed };
        let detail = "by hand".into();
        self.write(Action::Engine { event, name, detail }).map_err(Refusal::conflict)?;
        self.done()
    }

    /// The engine's side, if it has to find a move now.
    fn engine_to_move(&self) -> Option<Player> {
        let game = self.state.game.as_ref().filter(|game| game.end.is_none())?;
        let player = game.board.turn().player()?;
        let is_due = game.proposal.is_none()
            && (game.clocks.mode() != Mode::Waiting || game.awaits_set_up());
        (is_due && self.state.setup.engine == Some(game.team(player.index()))).then_some(player)
    }

    /// Lets the engine do what the position needs, and finishes what a crash interrupted.
    fn drive(&mut self) {
        if let Some(game) = self.state.game.as_ref().filter(|game| game.end.is_none())
            && let Some(token) = game.agreement.outcome(&game.board.chance_tokens())
            && let Err(e) = self.write(Action::Play { token, by: By::Agreed })
        {
            self.trouble = Some(e);
        }
        let Some(pilot) = &self.pilot else { return };
        let (Some(mover), Some(game)) = (self.engine_to_move(), &self.state.game) else {
            if self.asked.take().is_some() {
                pilot.stop();
            }
            return;
        };
        let key = (game.number, game.tokens());
        if self.asked.as_ref() == Some(&key) {
            return;
        }
        self.asked = Some(key);
        self.stuck = false;
        self.info = None;
        self.ticket += 1;
        let (limits, allowed) = self.limits(game, mover);
        let task = Task {
            ticket: self.ticket,
            game: game.number.into(),
            board: game.board.boxed_clone(),
            mover,
            limits,
            allowed,
        };
        pilot.think(task);
    }

    /// What the engine is told of its time, and after which time it is stopped: half of what is left,
    /// so that an engine that hangs can still be replaced.
    fn limits(&self, game: &DeskGame, mover: Player) -> (Limits, Option<Duration>) {
        let rule = self.state.setup.clock;
        if game.awaits_set_up() || rule.time_ms == 0 {
            return (Limits::with_move_time(FREE_THINKING), None);
        }
        let left = game.clocks.left(self.clock.now());
        let of = |player: usize| {
            let ms = u64::try_from(left[game.team(player)]).unwrap_or(0);
            Duration::from_millis(ms.max(100))
        };
        let limits = Limits {
            time: [Some(of(0)), Some(of(1))],
            increment: [Duration::from_millis(rule.increment_ms); 2],
            ..Limits::default()
        };
        (limits, Some((of(mover.index()) / 2).max(Duration::from_secs(1))))
    }

    /// Lets the engine ponder after its move.
    fn ponder(&mut self) {
        let (Some(pilot), Some(game)) = (&self.pilot, &self.state.game) else { return };
        let [own, reply, ..] = &self.expected[..] else { return };
        let mover = game.plies.last().and_then(|ply| Some((ply.player?, &ply.token)));
        let Some((player, _)) = mover.filter(|(_, token)| *token == own) else { return };
        let mut board = game.board.boxed_clone();
        if board.turn().player().is_none() || board.push(reply).is_err() {
            return;
        }
        let mover = Player::BOTH[player];
        let (limits, allowed) = self.limits(game, mover);
        let (ticket, game) = (0, game.number.into());
        pilot.ponder(Task { ticket, game, board, mover, limits, allowed });
    }

    /// Receives what the engine reports.
    fn receive(&mut self, report: Report) {
        let name = |table: &Table, index: usize| {
            let entries = table.pilot.as_ref().map(|p| &p.entries[..]).unwrap_or_default();
            entries.get(index).map_or(String::new(), |entry| entry.name.clone())
        };
        let by = |index| if index == 0 { By::Engine } else { By::Standby };
        match report {
            Report::Thinking { ticket, info } if ticket == self.ticket => {
                self.info = Some(info);
                if self.info_sent.elapsed() >= INFO_EVERY {
                    self.info_sent = Instant::now();
                    self.show_engine();
                }
                return;
            }
            Report::Done { ticket, engine, token, info, time } if self.is_due(ticket) => {
                let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                let (score, depth, by) = (score_text(&info), info.depth, by(engine));
                self.expected = info.pv.clone();
                self.info = Some(info);
                self.note(Action::Propose { token, by, score, depth, ms });
                if self.auto
                    && let Err(refusal) = self.accept()
                {
                    log::warn!("the proposal is not played: {refusal:?}");
                }
            }
            Report::Resigns { ticket, engine } if self.is_due(ticket) => {
                self.stuck = true;
                let (event, name) = (EngineEvent::Resigns, name(self, engine));
                self.note(Action::Engine { event, name, detail: String::new() });
            }
            Report::Failed { ticket, engine, detail, next } if self.is_due(ticket) => {
                let detail = visible_lines(&detail).into_owned();
                let failed = name(self, engine);
                self.note(Action::Engine { event: EngineEvent::Failed, name: failed, detail });
                let (event, index) = match next {
                    None => (EngineEvent::GaveUp, engine),
                    Some(next) if next == engine => (EngineEvent::Restarted, next),
                    Some(next) => (EngineEvent::StandbyUsed, next),
                };
                self.stuck = next.is_none();
                let name = name(self, index);
                self.note(Action::Engine { event, name, detail: String::new() });
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

    /// Writes the record of the last game, if it has ended.
    fn write_record(&mut self) {
        let ended = self.state.game.as_ref().filter(|game| game.end.is_some());
        let written = ended
            .map_or(Ok(()), |game| record::write(&self.records, &self.state.setup, game).map(drop));
        self.trouble = written.err();
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            now: self.clock.now(),
            engines: self.pilot.as_ref().map(|p| &p.entries[..]).unwrap_or_default(),
            thinking: self.asked.is_some() && !self.stuck,
            stuck: self.asked.is_some() && self.stuck,
            auto: self.auto,
            info: self.info.as_ref(),
            trouble: self.trouble.as_deref(),
            session: self.journal.path(),
            records: &self.records,
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
        return Err(Refusal::bad(format!("a remark has at most {MAX_NOTE} characters")));
    }
    Ok(agon_protocol::text::visible(note).into_owned())
}
