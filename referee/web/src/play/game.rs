//! A game against an engine: the thread that owns the board, the engine and the events.

use super::super::answer::{HttpAnswer, Refusal, message};
use super::super::feed::Feed;
use super::super::lines::{MAX_LINES, SearchLines, move_squares};
use super::super::position::for_engine;
use super::super::session::{Call, Message};
use super::super::thinker::{ThinkRequest, Thinker, ThinkerReport};
use super::board::GameBoard;
use super::clock::GameClock;
use super::request::{
    ChanceBy, EndedBy, GameCommand, Level, MAX_ANALYSIS, NewGame, SAVED_GAME, SideChoice,
};
use agon_engine::{GoAnswer as Move, interrupted};
use agon_games::game::MoveTexts;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::visible_lines;
use agon_games::{Player, Turn};
use agon_matchlog::Setting;
use agon_wire::message::{Annotation, Limits};
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The shortest time between two events with an engine's lines.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How often pages are told of a clock that runs.
const TICK: Duration = Duration::from_secs(1);

/// A game that nobody looks at ends after this time.
const ABANDONED: Duration = Duration::from_secs(15 * 60);

/// Why the engine thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Move,
    Hint,
    Analysis,
}

/// The engine of a game.
pub struct Opponent {
    /// Its name.
    pub name: String,
    /// The options that the page has set, as `Name=Value`.
    pub options: Vec<String>,
    /// Its thread.
    pub thinker: Thinker,
    /// Whether it is being started.
    pub starts: bool,
    /// Why it failed, with the tail of its output.
    pub error: Option<Phrase>,
    /// The option of its strength, if the page has set it.
    pub strength: Option<Strength>,
}

/// The option `Level` of an engine with two of its values.
#[derive(Clone)]
pub struct Strength {
    /// The value for moves.
    pub own: Setting,
    /// The value for hints and analyses.
    pub full: Setting,
    /// Its least and its greatest value.
    pub range: [i64; 2],
}

/// A game with everything that belongs to it.
pub struct PageGame {
    name: &'static str,
    /// How it began.
    begun: NewGame,
    board: GameBoard,
    engine: Option<Opponent>,
    level: Level,
    /// The search that runs: the number of the request and why.
    request: Option<(u64, Purpose, Player)>,
    last_request: u64,
    /// Number of lines of the analysis; 0: none.
    analysis: u32,
    /// Whether the analysis of this position is complete.
    analysed: bool,
    hint: Value,
    lines: SearchLines,
    feed: Feed,
}

impl PageGame {
    /// A game that has not begun.
    pub fn new(
        name: &'static str,
        begun: NewGame,
        board: GameBoard,
        engine: Option<Opponent>,
        feed: Feed,
    ) -> PageGame {
        let level = begun.level;
        PageGame {
            name,
            begun,
            board,
            engine,
            level,
            request: None,
            last_request: 0,
            analysis: 0,
            analysed: false,
            hint: Value::Null,
            lines: SearchLines::default(),
            feed,
        }
    }

    /// Runs until the page closes the game or nobody looks at it any more.
    pub fn run(&mut self, messages: &Receiver<Message<GameCommand, ThinkerReport>>) {
        self.proceed();
        let (mut shown, mut used) = (Instant::now(), Instant::now());
        let mut told = Instant::now();
        loop {
            let wait = if self.lines.is_new() { POLL_INTERVAL } else { TICK };
            let flag = self.board.clock.as_ref().and_then(GameClock::until_flag);
            let wait = flag.map_or(wait, |flag| wait.min(flag));
            match messages.recv_timeout(wait) {
                Ok(Message::Call(call)) => {
                    used = Instant::now();
                    if matches!(call.command, GameCommand::Close {}) {
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
                self.feed.send("info", &self.lines.take());
                shown = Instant::now();
            }
            if let Some(loser) = self.board.clock.as_mut().and_then(GameClock::flag) {
                self.board.end(loser, EndedBy::Time);
                self.changed();
            }
            if told.elapsed() >= TICK {
                self.tell_clock();
                told = Instant::now();
            }
            if self.feed.has_listeners() {
                used = Instant::now();
            }
            if interrupted() || used.elapsed() > ABANDONED {
                return;
            }
        }
    }

    /// Tells the pages of a clock that runs: one that opens now gets the position as it was sent last.
    fn tell_clock(&self) {
        if let Some(clock) = self.board.clock.as_ref().filter(|clock| clock.runs()) {
            self.feed.send("clock", &clock.value());
        }
    }

    /// Answers a command.
    fn call(&mut self, call: Call<GameCommand>) {
        if matches!(call.command, GameCommand::Save {}) {
            return call.answer(self.saved());
        }
        let answer = self.obey(&call.command).map(|()| Value::Null);
        let state = self.state();
        let answer: HttpAnswer = answer.and(state);
        call.answer(answer);
    }

    fn obey(&mut self, command: &GameCommand) -> Result<(), Refusal> {
        match command {
            GameCommand::Move { token, ply } => {
                self.board.play(token, *ply)?;
                self.changed();
            }
            GameCommand::Chance { token } => {
                self.board.enter(token)?;
                self.changed();
            }
            GameCommand::Roll {} => {
                if self.board.turn() != Some(Turn::Chance) {
                    return Err(Refusal::conflict(phrase!("no die and no piece is due")));
                }
                self.board.roll();
                self.changed();
            }
            GameCommand::Undo {} => {
                self.board.undo()?;
                self.changed();
            }
            GameCommand::Resign {} => {
                let Some((player, side)) = self.board.mover() else {
                    return Err(Refusal::conflict(phrase!("it is no player's turn")));
                };
                let engine_moves = side == SideChoice::Engine;
                let loser = if engine_moves { player.opponent() } else { player };
                self.board.end(loser, EndedBy::Resignation);
                self.changed();
            }
            GameCommand::Now {} => self.stop(false),
            GameCommand::Hint {} => self.begin_hint()?,
            GameCommand::Analyse { lines } => {
                self.engine()?;
                if *lines > MAX_LINES {
                    return Err(Refusal::bad(phrase!("lines: expected 0 to {n}", n = MAX_LINES)));
                }
                self.analysis = *lines;
                self.analysed = false;
                if self.request.is_none_or(|(_, purpose, _)| purpose == Purpose::Analysis) {
                    self.stop(true);
                }
                self.proceed();
            }
            GameCommand::Set { sides, level, chance } => {
                self.set(*sides, *level, *chance)?;
            }
            GameCommand::Retry {} => {
                self.engine()?;
                if let Some(engine) = &mut self.engine {
                    engine.error = None;
                }
                self.proceed();
            }
            // Handled before.
            GameCommand::Close {} | GameCommand::Save {} => {}
        }
        Ok(())
    }

    fn set(
        &mut self,
        sides: Option<[SideChoice; 2]>,
        level: Option<Level>,
        chance: Option<ChanceBy>,
    ) -> Result<(), Refusal> {
        if let Some(level) = level {
            self.level = level.check(self.board.clock.is_some())?;
        }
        if let Some(sides) = sides {
            if sides.contains(&SideChoice::Engine) {
                self.engine()?;
            }
            self.board.sides = sides;
        }
        self.board.chance = chance.unwrap_or(self.board.chance);
        self.stop(true);
        self.proceed();
        Ok(())
    }

    fn engine(&self) -> Result<&Opponent, Refusal> {
        self.engine
            .as_ref()
            .ok_or_else(|| Refusal::conflict(phrase!("no engine was chosen for this game")))
    }

    fn begin_hint(&mut self) -> Result<(), Refusal> {
        self.engine()?;
        let Some((player, SideChoice::Hand)) = self.board.mover() else {
            return Err(Refusal::conflict(phrase!("a hint is for a move by hand")));
        };
        self.stop(true);
        self.think(Purpose::Hint, player);
        self.publish();
        Ok(())
    }

    /// After a change of the position.
    fn changed(&mut self) {
        self.stop(true);
        self.hint = Value::Null;
        self.analysed = false;
        self.lines.clear();
        self.proceed();
    }

    /// Ends the search that runs; its result is used unless it is dropped.
    fn stop(&mut self, drop_result: bool) {
        if let (Some((id, ..)), Some(engine)) = (self.request, &self.engine) {
            engine.thinker.stop(id);
            if drop_result {
                self.request = None;
            }
        }
    }

    /// Draws what chance is due and lets the engine think if there is a reason.
    fn proceed(&mut self) {
        while self.board.chance == ChanceBy::Server && self.board.turn() == Some(Turn::Chance) {
            self.board.roll();
        }
        self.tend_clock();
        let works = self.engine.as_ref().is_some_and(|engine| engine.error.is_none());
        if let (Some((player, side)), true, None) = (self.board.mover(), works, self.request) {
            if side == SideChoice::Engine {
                self.think(Purpose::Move, player);
            } else if self.analysis > 0 && !self.analysed {
                self.think(Purpose::Analysis, player);
            }
        }
        self.publish();
    }

    /// Time runs for an engine only while it can think.
    fn tend_clock(&mut self) {
        let is_engines = matches!(self.board.mover(), Some((_, SideChoice::Engine)));
        let is_away = |engine: &Opponent| engine.starts || engine.error.is_some();
        let waits = is_engines && self.engine.as_ref().is_some_and(is_away);
        let (is_over, board) = (self.board.turn().is_none(), &self.board.arbiter);
        match &mut self.board.clock {
            Some(clock) if waits => clock.hold(),
            Some(clock) if !is_over => clock.go_on(&**board),
            _ => {}
        }
    }

    fn think(&mut self, purpose: Purpose, mover: Player) {
        let Some(engine) = &self.engine else { return };
        self.last_request += 1;
        self.request = Some((self.last_request, purpose, mover));
        self.lines.begin(self.name, self.board.arbiter.boxed_clone(), mover);
        let (fen, moves) = for_engine(&*self.board.arbiter, mover);
        let (limits, allowed) = match purpose {
            Purpose::Analysis => (Limits { infinite: true, ..Limits::default() }, MAX_ANALYSIS),
            Purpose::Hint => self.level.limits_of_hint(),
            Purpose::Move => match &self.board.clock {
                Some(clock) => clock.limits(&*self.board.arbiter, mover, self.level),
                None => self.level.limits(),
            },
        };
        let strength = engine.strength.as_ref();
        let strength = strength.map(|s| if purpose == Purpose::Move { &s.own } else { &s.full });
        let lines = self.analysis.max(1);
        engine.thinker.think(ThinkRequest {
            id: self.last_request,
            fen,
            moves,
            mover,
            limits,
            allowed,
            lines,
            strength: strength.cloned(),
        });
    }

    /// Takes in what the engine reports about the search that runs.
    fn report(&mut self, report: ThinkerReport) {
        let id = match &report {
            ThinkerReport::Starts(starts) => return self.set_starts(*starts),
            ThinkerReport::Failed(0, text) => {
                self.request = None;
                self.fail(text.clone());
                return self.proceed();
            }
            ThinkerReport::Info(id, _)
            | ThinkerReport::Done(id, _)
            | ThinkerReport::Failed(id, _) => id,
        };
        let Some((_, purpose, player)) = self.request.filter(|(current, ..)| current == id) else {
            if let ThinkerReport::Failed(_, text) = report {
                log::warn!("an engine failed after its search was stopped: {text}");
            }
            return;
        };
        match report {
            ThinkerReport::Starts(_) => {}
            ThinkerReport::Info(_, info) => return self.lines.add(&info),
            ThinkerReport::Failed(_, text) => {
                self.request = None;
                self.fail(text);
            }
            ThinkerReport::Done(_, answer) => {
                self.request = None;
                match purpose {
                    Purpose::Move => self.engine_move(player, &answer),
                    Purpose::Hint => self.show_hint(&answer),
                    Purpose::Analysis => self.analysed = true,
                }
            }
        }
        self.proceed();
    }

    /// Shows whether the engine is being started.
    fn set_starts(&mut self, starts: bool) {
        if let Some(engine) = self.engine.as_mut().filter(|engine| engine.starts != starts) {
            engine.starts = starts;
            self.tend_clock();
            self.publish();
        }
    }

    fn fail(&mut self, text: Phrase) {
        if let Some(engine) = &mut self.engine {
            engine.error = Some(text.map(&|text| visible_lines(text).into_owned()));
        }
    }

    /// Plays the engine's move.
    fn engine_move(&mut self, player: Player, answer: &Move) {
        if answer.annotations.contains(&Annotation::Resignation) {
            self.board.end(player, EndedBy::Resignation);
            return;
        }
        let played = match &answer.token {
            Some(token) => self.board.put(token).map_err(|e| e.to_phrase()),
            None => Err(phrase!("it reports no move, but there are legal ones")),
        };
        match played {
            Ok(()) => (self.hint, self.analysed) = (Value::Null, false),
            Err(cause) => self.fail(phrase!("the engine's move is refused: {cause}", cause)),
        }
    }

    fn show_hint(&mut self, answer: &Move) {
        let board = &*self.board.arbiter;
        let texts = answer.token.as_ref().and_then(|token| board.move_texts(token).ok());
        let hint = |texts: MoveTexts| {
            let squares = move_squares(self.name, board, &texts.token);
            json!({ "shown": texts, "squares": squares })
        };
        self.hint = texts.map_or(Value::Null, hint);
    }

    /// The state that the page shows.
    fn state(&self) -> HttpAnswer {
        let engine = self.engine.as_ref().map(|e| {
            let error = e.error.as_ref().map(message);
            let level = e.strength.as_ref().map(|strength| {
                let [min, max] = strength.range;
                json!({ "value": strength.own.value.parse().unwrap_or(max), "min": min, "max": max })
            });
            json!({
                "name": e.name, "options": e.options, "error": error, "starts": e.starts,
                "level": level,
            })
        });
        let thinking = self.request.map(|(_, purpose, _)| match purpose {
            Purpose::Move => "move",
            Purpose::Hint => "hint",
            Purpose::Analysis => "analysis",
        });
        Ok(json!({
            "view": self.board.view()?,
            "sides": self.board.sides,
            "chance": self.board.chance,
            "level": self.level,
            "engine": engine,
            "thinking": thinking,
            "analysis": self.analysis,
            "hint": self.hint,
            "names": self.names(),
            "clock": self.board.clock.as_ref().map(GameClock::value),
        }))
    }

    /// The players' names; empty for somebody who gave none.
    fn names(&self) -> [String; 2] {
        let engine = self.engine.as_ref().map_or("", |engine| engine.name.as_str());
        Player::BOTH.map(|player| match self.board.sides[player.index()] {
            SideChoice::Engine => engine.into(),
            SideChoice::Hand => self.begun.names[player.index()].clone(),
        })
    }

    /// The game as a file.
    fn saved(&self) -> HttpAnswer {
        let board = &self.board;
        if board.hides_something() {
            return Err(Refusal::conflict(phrase!(
                "the position hides something from you; save the game after the set-ups"
            )));
        }
        let mut game = self.begun.clone();
        (game.position.fen, game.position.moves) =
            (Some(board.arbiter.start_fen()), board.arbiter.tokens());
        (game.sides, game.chance, game.level) = (board.sides, board.chance, self.level);
        game.ended = board.ended;
        if let Some(clock) = &board.clock {
            (game.clock, game.left) = (Some(clock.text()), Some(clock.left()));
        }
        let referee = env!("CARGO_PKG_VERSION");
        Ok(json!({ "agon_game": SAVED_GAME, "referee": referee, "game": game }))
    }

    fn publish(&self) {
        match self.state() {
            Ok(state) => self.feed.send("state", &state),
            Err(refusal) => log::warn!("a position cannot be shown: {refusal:?}"),
        }
    }
}
