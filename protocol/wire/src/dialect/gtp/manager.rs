//! The manager's side of GTP: commands to an engine, and what its answers mean.
//!
//! No ids are sent: many engines do not know them. Answers are matched to commands in order, and the answer
//! to `name`, which is known from the handshake, drops all earlier commands without one. So an engine that
//! answers a line twice, or not at all, is understood again before its next move. Commands that it may not
//! know are sent only if it lists them.

use super::handshake::{Handshake, QUESTIONS, same, without_id};
use super::spelling::{BOARD_SIZE, Spelling};
use crate::dialect::one_line;
use crate::message::{Command, Limits, Reply};
use agon_games::game::Player;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// Commands that an engine may not know.
const TIME_SETTINGS: &str = "time_settings";
const TIME_LEFT: &str = "time_left";

/// The kind of an unanswered command, needed to read its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// A turn, or a stage of one.
    Move {
        /// Whether it ends the turn.
        last: bool,
    },
    /// Nothing.
    Nothing,
    /// Whether the engine knows a command.
    Known(&'static str),
    Other,
    /// Engines may refuse it.
    Optional,
    /// The stand-in for `isready`: whatever it answers is not a move.
    Ready,
}

/// What the manager remembers.
#[derive(Debug)]
pub(super) struct ManagerSide {
    spelling: &'static Spelling,
    /// The handshake, while it lasts.
    handshake: Option<Handshake>,
    /// The engine's answer to `name`; empty if it is not the same each time. Whether it is a text.
    echo: String,
    named: bool,
    /// The commands that the engine knows, and those to ask it about.
    known: BTreeSet<String>,
    to_ask: Vec<&'static str>,
    /// Unanswered commands, and replies that need no line from the engine.
    asked: VecDeque<Asked>,
    pending: VecDeque<Reply>,
    /// The answers to the stages of the turn so far; whether the turn is over.
    stages: Vec<String>,
    turn_over: bool,
    /// The board size, the moves of the last position, how many of them were sent to the engine, and
    /// whether its time was sent.
    size: String,
    moves: Vec<String>,
    sent_moves: usize,
    sent_time: bool,
}

impl ManagerSide {
    pub fn new(spelling: &'static Spelling) -> ManagerSide {
        ManagerSide {
            spelling,
            handshake: None,
            echo: String::new(),
            named: false,
            known: BTreeSet::new(),
            to_ask: Vec::new(),
            asked: VecDeque::new(),
            pending: VecDeque::new(),
            stages: Vec::new(),
            turn_over: false,
            size: spelling.fixed_size.unwrap_or("19").into(),
            moves: Vec::new(),
            sent_moves: 0,
            sent_time: false,
        }
    }

    /// A reply that needs no line.
    pub fn poll_reply(&mut self) -> Option<Reply> {
        self.pending.pop_front()
    }

    /// The lines of a command.
    pub fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        match command {
            Command::Identify => {
                self.handshake = Some(Handshake::default());
                QUESTIONS.map(String::from).to_vec()
            }
            Command::SetOption { name, value } if name.eq_ignore_ascii_case(BOARD_SIZE) => {
                self.size.clone_from(value);
                Vec::new()
            }
            Command::IsReady => {
                let to_ask = std::mem::take(&mut self.to_ask).into_iter();
                let questions =
                    to_ask.map(|c| self.ask(format!("known_command {c}"), Asked::Known(c)));
                let mut lines: Vec<String> = questions.collect();
                lines.push(self.ask("name", Asked::Ready));
                lines
            }
            Command::NewGame => {
                self.sent_moves = 0;
                self.sent_time = false;
                let size = format!("boardsize {}", one_line(&self.size));
                vec![self.ask(size, Asked::Other), self.ask("clear_board", Asked::Other)]
            }
            Command::Position { moves, .. } => {
                self.moves.clone_from(moves);
                Vec::new()
            }
            Command::Go(limits) => self.write_go(limits, mover),
            Command::Quit => vec![self.ask("quit", Asked::Other)],
            _ => Vec::new(),
        }
    }

    fn ask(&mut self, line: impl Into<String>, asked: Asked) -> String {
        self.asked.push_back(asked);
        line.into()
    }

    fn write_go(&mut self, limits: &Limits, mover: Player) -> Vec<String> {
        let due = self.spelling.stages_due(self.moves.len());
        let mut lines = Vec::new();
        let first = !std::mem::replace(&mut self.sent_time, true);
        if first && self.known.contains(TIME_SETTINGS) {
            let clock = limits.time[mover.index()].map(|t| format!("{} 0 0", self.main_time(t)));
            let single = limits.move_time.map(|t| format!("0 {} 1", self.main_time(t)));
            let time = clock.or(single).map(|time| format!("{TIME_SETTINGS} {time}"));
            lines.extend(time.map(|line| self.ask(line, Asked::Optional)));
        }
        for i in self.sent_moves.min(self.moves.len())..self.moves.len() {
            for vertex in self.vertices(&self.moves[i]) {
                lines.push(self.ask(format!("play {} {vertex}", colour(i)), Asked::Other));
            }
        }
        for (i, time) in limits.time.iter().enumerate() {
            let time = time.filter(|_| self.known.contains(TIME_LEFT));
            let line = time.map(|t| format!("{TIME_LEFT} {} {} 0", colour(i), self.time_left(t)));
            lines.extend(line.map(|line| self.ask(line, Asked::Optional)));
        }
        for stage in 1..=due {
            let line = format!("genmove {}", colour(mover.index()));
            lines.push(self.ask(line, Asked::Move { last: stage == due }));
        }
        self.sent_moves = self.moves.len() + 1;
        self.stages.clear();
        self.turn_over = false;
        lines
    }

    /// A turn as `play` takes it, in one line or in several.
    fn vertices(&self, token: &str) -> Vec<String> {
        let stages = self.spelling.stages.and_then(|_| self.spelling.stages_of(token));
        match stages {
            Some(stages) => stages.into_iter().map(|s| self.spelling.write_stage(s)).collect(),
            None => vec![self.spelling.write_turn(token)],
        }
    }

    /// Whether the engine is told the time of a game or a move, and that in whole seconds.
    pub fn counts_seconds(&self) -> bool {
        self.spelling.stages.is_none() && self.known.contains(TIME_SETTINGS)
    }

    /// Whole seconds, as GTP has it; a match with other times is refused.
    fn main_time(&self, time: Duration) -> String {
        self.per_stage(time).unwrap_or_else(|| time.as_millis().div_ceil(1000).to_string())
    }

    /// A clock that is not empty: some engines take 0 for no limit.
    fn time_left(&self, time: Duration) -> String {
        self.per_stage(time).unwrap_or_else(|| time.as_secs().max(1).to_string())
    }

    /// A stage's part of a time, with a fraction, where a turn has several: the engine uses for each
    /// stage what it would use for a turn.
    fn per_stage(&self, time: Duration) -> Option<String> {
        let stages = u32::try_from(self.spelling.stages?).ok()?;
        Some(format!("{:.3}", (time / stages).as_secs_f64()))
    }

    /// Reads one line of an engine.
    pub fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let good = line.starts_with('=');
        let answer = line.strip_prefix(['=', '?']).filter(|text| !text.starts_with('='));
        let Some(text) = answer.map(str::trim) else {
            if let Some(handshake) = &mut self.handshake {
                handshake.add_line(line);
            }
            return None;
        };
        if self.handshake.is_some() { self.identify(good, text) } else { self.answer(good, text) }
    }

    fn identify(&mut self, good: bool, text: &str) -> Option<Reply> {
        let identity = self.handshake.as_mut()?.add_answer(good, text)?;
        self.handshake = None;
        self.named = !identity.name.is_empty();
        self.echo = identity.echo;
        match identity.commands {
            Some(commands) => self.known = commands.into_iter().collect(),
            None => self.to_ask = vec![TIME_SETTINGS, TIME_LEFT],
        }
        if self.spelling.fixed_size.is_none() {
            let (name, rest) = (BOARD_SIZE.into(), String::new());
            self.pending.push_back(Reply::RawOption { name, rest });
        }
        self.pending.push_back(Reply::Identified);
        let name = format!("{} {}", identity.name, identity.version).trim().to_string();
        Some(Reply::Id { name, author: String::new() })
    }

    /// Reads the first line of an answer, a success or an error.
    fn answer(&mut self, good: bool, text: &str) -> Option<Reply> {
        let said = if good { self.understand(text) } else { Said::Text };
        if good && !self.echo.is_empty() && same(text, &self.echo) {
            if let Some(at) = self.asked.iter().position(|asked| *asked == Asked::Ready) {
                self.asked.drain(..=at);
                return Some(Reply::Ready);
            }
            if said == Said::Text {
                return None;
            }
        }
        match *self.asked.front().unwrap_or(&Asked::Nothing) {
            Asked::Nothing | Asked::Ready if said.is_move() => {
                // A second answer to `genmove`.
                Some(Reply::BestMove(said.token()))
            }
            Asked::Nothing => None,
            // A second acknowledgement: the name follows.
            Asked::Ready if self.named && (!good || text.is_empty()) => None,
            Asked::Ready => {
                self.asked.pop_front();
                Some(Reply::Ready)
            }
            Asked::Move { .. } if good && text.is_empty() && !self.turn_over => None,
            Asked::Move { last } => {
                self.asked.pop_front();
                self.answer_to_genmove(good, text, said, last)
            }
            Asked::Known(command) => {
                self.asked.pop_front();
                if good && without_id(text).eq_ignore_ascii_case("true") {
                    self.known.insert(command.into());
                }
                None
            }
            Asked::Optional => {
                self.asked.pop_front();
                None
            }
            Asked::Other => {
                self.asked.pop_front();
                (!good).then(|| Reply::Error(text.into()))
            }
        }
    }

    fn answer_to_genmove(
        &mut self,
        good: bool,
        text: &str,
        said: Said,
        last: bool,
    ) -> Option<Reply> {
        if self.turn_over {
            return None;
        }
        match said {
            Said::Resign => {
                self.turn_over = true;
                return Some(Reply::BestMove(said.token()));
            }
            // After one stone that makes six there is no second one.
            Said::Pass => {}
            _ if good => self.stages.push(text.into()),
            _ => {}
        }
        let best = last.then(|| Reply::BestMove(self.turn()));
        if good {
            return best;
        }
        self.pending.extend(best);
        Some(Reply::Error(text.into()))
    }

    /// The turn of the answers to all its stages; text that is none stays as it is.
    fn turn(&self) -> Option<String> {
        if self.spelling.stages.is_none() || self.stages.is_empty() {
            let text = self.stages.first()?;
            return Some(self.understand(text).token().unwrap_or_else(|| text.clone()));
        }
        let squares = self.stages.iter().map(|text| self.read(text, Spelling::read_stage));
        let squares: Option<Vec<_>> = squares.collect();
        Some(squares.map_or_else(|| self.stages.join(" "), |s| self.spelling.token_of(&s)))
    }

    /// Reads a text that may have a comment at its end or an invented id at its begin.
    fn read<T>(&self, text: &str, read: impl Fn(&Spelling, &str) -> Option<T>) -> Option<T> {
        let text = text.split('#').next().unwrap_or_default().trim();
        read(self.spelling, text).or_else(|| read(self.spelling, without_id(text)))
    }

    fn understand(&self, text: &str) -> Said {
        let word = |_: &Spelling, text: &str| match text.to_ascii_lowercase().as_str() {
            "resign" => Some(Said::Resign),
            "pass" => Some(Said::Pass),
            _ => None,
        };
        let turn = || self.read(text, Spelling::read_turn).map(Said::Turn);
        self.read(text, word).or_else(turn).unwrap_or(Said::Text)
    }
}

/// What an answer may say to `genmove`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// A turn or a part of one, as a token.
    Turn(String),
    Resign,
    Pass,
    Text,
}

impl Said {
    fn is_move(&self) -> bool {
        *self != Said::Text
    }

    /// The move; `None` for none.
    fn token(self) -> Option<String> {
        match self {
            Said::Turn(token) => Some(token),
            Said::Resign => Some("resign".into()),
            Said::Pass | Said::Text => None,
        }
    }
}

/// The colour of the player to move at this ply, or with this index.
fn colour(ply: usize) -> char {
    if ply.is_multiple_of(2) { 'B' } else { 'W' }
}
