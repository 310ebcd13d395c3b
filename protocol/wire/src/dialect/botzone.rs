//! Bots of the Botzone site, for Amazons on its 8x8 board: one JSON line per turn (`botzone`), or
//! the simple interaction with plain lines (`botzone-simple`).
//!
//! The site starts a bot for every turn and sends the whole game: a list of requests (the
//! opponent's moves; six times -1 before Black's first move) and one of responses (its own). A bot
//! that prints the line [`KEEP_RUNNING`] stays and then receives only new requests; ours do. A move
//! is six numbers: x and y, from 0 at the top left, of origin, destination and arrow. The site's
//! limit is 1 s per turn, so a bot without an option `MoveTime` of its own thinks for less.
//!
//! A bot may save `data` with its response, which it receives at its next turn, and `globaldata`,
//! which it also receives in later games. In the simple interaction the line after the response is
//! `data` and the rest is `globaldata`. Our engines save nothing.

mod lines;
#[cfg(test)]
mod tests;

use super::history::MoveHistory;
use super::{Dialect, DialectError, PositionSupport, refuse};
use crate::message::{Command, Limits, Reply};
use agon_games::game::Player;
use agon_games::text::excerpt;
use lines::{NONE, is_none, read_move, write_move};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;

/// The line that a bot prints after its response to keep running.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The start position of every game on the site; its Black, who moves first, is White here.
pub const START: &str = "2Q2Q2/8/Q6Q/8/8/q6q/8/2q2q2 w";

/// An engine's position within the input of the simple interaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Simple {
    /// The next line is a number of turns, or a new request of a running game.
    #[default]
    Idle,
    /// The number of messages of a whole game that are still to come.
    Messages(usize),
}

/// One conversation, with a bot or as a bot.
#[derive(Debug, Default)]
pub struct Botzone {
    json: bool,
    /// Engine side: the game so far, and the state of the input.
    game: MoveHistory,
    simple: Simple,
    /// Engine side: moves are written as object fields, because the requests are.
    objects: bool,
    /// Manager side: the moves of the last position.
    moves: Vec<String>,
    /// Manager side: this process has received a request, and keeps running.
    asked: bool,
    stays: bool,
    /// Manager side: the bot has responded; further lines are saved data.
    answered: bool,
    /// Manager side: the bot's saved data for its next turn and for its next games.
    data: Value,
    global: Value,
    /// Manager side: lines saved since the response, in the simple interaction.
    saved: usize,
    pending: VecDeque<Reply>,
}

impl Botzone {
    /// A conversation in JSON.
    pub fn json() -> Botzone {
        Botzone { json: true, ..Botzone::default() }
    }

    /// A conversation in the simple interaction.
    pub fn simple() -> Botzone {
        Botzone::default()
    }

    fn begin(&mut self) {
        self.game.clear();
        self.game.fen = Some(START.into());
        self.objects = false;
    }

    /// Adds a message to the game; Black's first request is empty.
    fn add_message(&mut self, message: &Value) -> Result<(), DialectError> {
        let Some(numbers) = lines::numbers(message) else {
            return refuse(format!(
                "`{}` is not a move: expected six numbers, x and y of from, to and arrow",
                excerpt(&message.to_string())
            ));
        };
        self.objects |= message.is_object();
        if !is_none(numbers) {
            let token = write_move(numbers).ok_or_else(|| {
                DialectError(format!("{numbers:?} is not a move: expected numbers from 0 to 7"))
            })?;
            self.game.moves.push(token);
        }
        Ok(())
    }

    fn go(&self) -> [Command; 2] {
        [self.game.position(), Command::Go(Limits::default())]
    }

    /// A whole game, from the first turn on.
    fn whole_game(&mut self, game: &Value) -> Result<Vec<Command>, DialectError> {
        const FORM: &str =
            "expected {\"requests\":[...],\"responses\":[...]}, with one request more";
        let list = |name: &str| game.get(name).and_then(Value::as_array).cloned();
        let requests = list("requests").unwrap_or_default();
        let responses = list("responses").unwrap_or_default();
        if requests.len() != responses.len() + 1 {
            let (n, m) = (requests.len(), responses.len());
            return refuse(format!("{FORM}; found {n} requests and {m} responses"));
        }
        self.begin();
        for (i, request) in requests.iter().enumerate() {
            self.add_message(request)?;
            responses.get(i).map_or(Ok(()), |response| self.add_message(response))?;
        }
        Ok([vec![Command::NewGame], self.go().into()].concat())
    }

    fn read_json(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let value = serde_json::from_str(line);
        let value: Value = value.map_err(|e| DialectError(format!("this is no JSON: {e}")))?;
        if value.get("requests").is_some() {
            return self.whole_game(&value);
        }
        self.game.checkpoint();
        self.add_message(value.get("request").unwrap_or(&value))?;
        Ok(self.go().into())
    }

    fn read_simple(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let message = json!(line);
        match (self.simple, line.parse::<usize>()) {
            (Simple::Idle, Ok(turn @ 1..=1000)) => {
                self.begin();
                self.simple = Simple::Messages(2 * turn - 1);
                Ok(vec![Command::NewGame])
            }
            // Saved data of earlier turns; we never save any.
            (Simple::Idle, _) if read_move(line).is_none() => Ok(Vec::new()),
            (Simple::Messages(left), _) if left > 1 => {
                self.simple = Simple::Messages(left - 1);
                self.add_message(&message).map(|()| Vec::new())
            }
            _ => {
                self.simple = Simple::Idle;
                self.game.checkpoint();
                self.add_message(&message)?;
                Ok(self.go().into())
            }
        }
    }

    /// The response to a turn, and the line to keep running. An invalid turn is answered by no
    /// move, which loses, with the reason in the `debug` field.
    fn write_response(&self, numbers: [i8; 6], debug: Option<&str>) -> Vec<String> {
        let text = lines::text(numbers);
        let line = if self.json {
            let response = if self.objects { lines::object(numbers) } else { json!(text) };
            match debug {
                Some(debug) => json!({ "response": response, "debug": debug }),
                None => json!({ "response": response }),
            }
            .to_string()
        } else {
            text
        };
        vec![line, KEEP_RUNNING.into()]
    }

    /// The lines that request the next move.
    fn write_go(&mut self, mover: Player) -> Vec<String> {
        let none = lines::text(NONE);
        let texts = self.moves.iter().map(|m| read_token(m));
        let mut messages: Vec<String> = if mover == Player::First { vec![none] } else { vec![] };
        messages.extend(texts);
        self.answered = false;
        if std::mem::replace(&mut self.asked, true) {
            let last = messages.pop().unwrap_or_default();
            return vec![if self.json { json!(last).to_string() } else { last }];
        }
        if self.json {
            let every_other =
                |from: usize| messages.iter().skip(from).step_by(2).collect::<Vec<_>>();
            let mut game = json!({ "requests": every_other(0), "responses": every_other(1) });
            for (name, saved) in [("data", &self.data), ("globaldata", &self.global)] {
                if !saved.is_null() {
                    game[name] = saved.clone();
                }
            }
            return vec![game.to_string()];
        }
        let turn = messages.len().div_ceil(2);
        let saved = [&self.data, &self.global].map(|v| v.as_str().unwrap_or_default().into());
        [turn.to_string()].into_iter().chain(messages).chain(saved).collect()
    }

    /// A line after the response of the simple interaction.
    fn save(&mut self, line: &str) {
        match (self.saved, self.global.as_str()) {
            (0, _) => self.data = line.into(),
            (2.., Some(global)) => self.global = format!("{global}\n{line}").into(),
            _ => self.global = line.into(),
        }
        self.saved += 1;
    }

    fn is_response(&self, line: &str) -> bool {
        let read = serde_json::from_str::<Value>(line);
        if self.json {
            read.is_ok_and(|answer| answer.get("response").is_some())
        } else {
            lines::numbers(&json!(line)).is_some()
        }
    }

    fn read_response(&mut self, line: &str) -> Option<Reply> {
        let message = if self.json {
            let mut answer = serde_json::from_str::<Value>(line).ok()?;
            let message = answer.get("response")?.clone();
            self.data = answer["data"].take();
            // A bot that saves no data keeps the old data.
            let global = answer["globaldata"].take();
            self.global = if global.is_null() { self.global.take() } else { global };
            message
        } else {
            json!(line)
        };
        let token = match lines::numbers(&message) {
            Some(numbers) if is_none(numbers) => None,
            Some(numbers) => Some(write_move(numbers).unwrap_or_else(|| lines::text(numbers))),
            // In the simple interaction, lines that are not moves have no meaning.
            None if self.json => {
                Some(message.as_str().map_or_else(|| message.to_string(), String::from))
            }
            None => return None,
        };
        if !self.json {
            self.data = Value::Null;
        }
        self.saved = 0;
        self.answered = true;
        Some(Reply::BestMove(token))
    }
}

/// A core token as a message.
fn read_token(token: &str) -> String {
    lines::read_token(token).map_or_else(|| token.to_string(), lines::text)
}

impl Dialect for Botzone {
    fn name(&self) -> &'static str {
        if self.json { "botzone" } else { "botzone-simple" }
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        match line.trim() {
            "" => Ok(Vec::new()),
            line if self.json => self.read_json(line),
            line => self.read_simple(line),
        }
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        match reply {
            Reply::BestMove(Some(token)) => {
                self.game.checkpoint();
                self.game.moves.push(token.clone());
                self.write_response(lines::read_token(token).unwrap_or(NONE), None)
            }
            Reply::BestMove(None) => self.write_response(NONE, Some("the game is over")),
            Reply::Error(text) => {
                self.game.roll_back();
                self.write_response(NONE, Some(&excerpt(text)))
            }
            _ => Vec::new(),
        }
    }

    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        match command {
            Command::Identify => self.pending.push_back(Reply::Identified),
            Command::IsReady => self.pending.push_back(Reply::Ready),
            Command::Position { moves, .. } => self.moves.clone_from(moves),
            Command::Go(_) => return self.write_go(mover),
            _ => {}
        }
        Vec::new()
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let line = line.trim();
        if line == KEEP_RUNNING {
            self.stays = true;
        } else if !self.answered {
            return self.read_response(line);
        } else if (self.json || self.stays) && self.is_response(line) {
            // A second answer.
            return self.read_response(line);
        } else if !self.json && !line.is_empty() {
            self.save(line);
        }
        None
    }

    fn expects_exit(&self) -> bool {
        self.answered && !self.stays
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.pending.pop_front()
    }

    fn can_restart(&self) -> bool {
        true
    }

    fn needs_restart(&mut self, command: &Command) -> bool {
        let other_game = matches!(command, Command::NewGame);
        let next_turn = matches!(command, Command::Position { .. }) && !self.stays;
        let restart = self.asked && (other_game || next_turn);
        if restart {
            self.asked = false;
            self.stays = false;
            self.answered = false;
        }
        if other_game {
            self.data = Value::Null;
        }
        restart
    }

    fn start_fen(&self) -> Option<&'static str> {
        Some(START)
    }

    fn position_support(&self) -> PositionSupport {
        PositionSupport::MovesFromStart
    }

    fn default_move_time(&self) -> Duration {
        Duration::from_millis(800)
    }
}
