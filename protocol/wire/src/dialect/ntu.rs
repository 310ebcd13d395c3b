//! The EinStein protocol of the NTU course (Theory of Computer Games, 2022): one line in, one line
//! out.
//!
//! Every request holds the whole position, so the protocol is stateless: `ini R` requests a set-up,
//! `get R 6 b1..b6 r1..r6` a move with a 6. Red corresponds to our first player, with the ranks
//! counted from the other side: Red's home is A1 B1 C1 A2 B2 A3, its goal E5. The unit of
//! `time_setting` is undocumented: up to 3600 it is read as seconds, above as milliseconds.
//! Managers do not send the remaining time, so an engine keeps its own clock.

mod squares;
#[cfg(test)]
mod tests;

use super::{Dialect, DialectError, name_or_version, one_line, refuse, refuse_unknown, split_word};
use crate::message::{Command, Limits, Reply};
use agon_games::einstein::{EinStein, Stage};
use agon_games::game::Player;
use agon_games::record::Record;
use agon_games::text::excerpt;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The largest value read as seconds: a game of one hour per side.
const MOST_SECONDS: u64 = 3600;

/// The request that the next line of an engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Name,
    /// The stand-in for `isready`: the name once more.
    Ready,
    Version,
    /// A setting, answered by `1`.
    Setting,
    SetUp(Player),
    Move,
}

/// One conversation.
#[derive(Debug, Default)]
pub struct Ntu {
    /// Engine side: the time for the game, the time left, and the start of the current search.
    time: Option<Duration>,
    left: Option<Duration>,
    thinking: Option<Instant>,
    /// Engine side: the last request. Manager side: the unanswered requests.
    questions: VecDeque<Question>,
    /// Manager side: replies that need no line from the engine.
    pending: VecDeque<Reply>,
    /// Manager side: the last position; `None` if it is not valid in this game.
    record: Option<Record<EinStein>>,
    /// Manager side: the engine's name, and whether it has received the settings of this game.
    name: String,
    begun: bool,
}

impl Ntu {
    fn asked(&mut self, question: Question) {
        self.questions.clear();
        self.questions.push_back(question);
    }

    fn set_time(&mut self, text: &str) -> Result<Vec<Command>, DialectError> {
        let Ok(time) = text.parse::<f64>() else {
            return refuse(format!("time_setting: expected a number, found `{}`", excerpt(text)));
        };
        let seconds = if time > MOST_SECONDS as f64 { time / 1000.0 } else { time };
        let Ok(time) = Duration::try_from_secs_f64(seconds) else {
            return refuse(format!("time_setting: `{}` is no time", excerpt(text)));
        };
        self.time = Some(time);
        self.left = self.time;
        self.asked(Question::Setting);
        Ok(vec![Command::Acknowledge])
    }

    fn set_board(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        self.asked(Question::Setting);
        if rest.split_whitespace().eq(["5", "6"]) {
            return Ok(vec![Command::Acknowledge]);
        }
        refuse(format!("board_setting: only `5 6` can be played, found `{}`", excerpt(rest)))
    }

    fn set_up(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        let player = squares::player(rest)?;
        self.asked(Question::SetUp(player));
        self.left = self.time;
        let side = if player == Player::First { 'u' } else { 'l' };
        let fen = Some(format!("5/5/5/5/5 {side} setup"));
        let place = Command::Position { fen, moves: Vec::new() };
        Ok(vec![Command::NewGame, place, self.go()])
    }

    fn get(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        self.asked(Question::Move);
        let fen = Some(squares::read_position(rest)?);
        Ok(vec![Command::Position { fen, moves: Vec::new() }, self.go()])
    }

    fn go(&mut self) -> Command {
        self.thinking = Some(Instant::now());
        // The opponent's clock is unknown; it is assumed to be equal.
        Command::Go(Limits { time: [self.left; 2], ..Limits::default() })
    }

    fn write_best(&mut self, token: &str) -> String {
        let used = self.thinking.take().map_or(Duration::ZERO, |t| t.elapsed());
        self.left = self.left.map(|left| left.saturating_sub(used));
        match self.questions.front() {
            Some(Question::SetUp(player)) => squares::write_set_up(token, *player),
            _ => squares::write_move(token),
        }
        .unwrap_or_else(|| token.into())
    }

    fn write_go(&mut self, limits: &Limits, mover: Player) -> Vec<String> {
        let Some(record) = &self.record else { return Vec::new() };
        let (question, line) = match record.current().stage() {
            Stage::SetUp(player) => {
                (Question::SetUp(player), format!("ini {}", squares::colour(player)))
            }
            Stage::Decide(player, die) => {
                (Question::Move, squares::write_position(record.current(), player, die))
            }
            Stage::Reveal | Stage::Roll(_) => return Vec::new(),
        };
        let mut lines = Vec::new();
        if !std::mem::replace(&mut self.begun, true) {
            let time = limits.time[mover.index()].map(|t| t.as_millis().div_ceil(1000));
            lines.extend(time.map(|seconds| format!("time_setting {seconds}")));
            lines.push("board_setting 5 6".into());
            self.questions.extend(lines.iter().map(|_| Question::Setting));
        }
        lines.push(line);
        self.questions.push_back(question);
        lines
    }

    /// The answer to the oldest open request; other lines have no meaning.
    fn read_answer(&mut self, line: &str) -> Option<Reply> {
        let expected = self.questions.front().copied();
        if matches!(expected, None | Some(Question::Ready)) && line != self.name {
            // Nothing of this kind was asked: a second answer.
            let second = squares::read_move(line)
                .or_else(|| squares::read_set_up(line, Player::First))
                .or_else(|| squares::read_set_up(line, Player::Second));
            if second.is_some() || line == "1" {
                return second.map(|token| Reply::BestMove(Some(token)));
            }
        }
        let question = self.questions.pop_front()?;
        let best = |token: Option<String>| {
            Some(Reply::BestMove(Some(token.unwrap_or_else(|| line.into()))))
        };
        match question {
            Question::Name => {
                self.name = line.into();
                Some(Reply::Id { name: self.name.clone(), author: String::new() })
            }
            Question::Version => {
                self.pending.push_back(Reply::Identified);
                let name = format!("{} {line}", self.name);
                Some(Reply::Id { name, author: String::new() })
            }
            Question::Ready => Some(Reply::Ready),
            Question::Setting => None,
            Question::SetUp(player) => best(squares::read_set_up(line, player)),
            Question::Move => best(squares::read_move(line)),
        }
    }
}

impl Dialect for Ntu {
    fn name(&self) -> &'static str {
        "ntu"
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let (word, rest) = split_word(line);
        match word {
            "name" | "version" => {
                self.asked(if word == "name" { Question::Name } else { Question::Version });
                Ok(vec![Command::Identify])
            }
            "time_setting" => self.set_time(rest),
            "board_setting" => self.set_board(rest),
            "ini" => self.set_up(rest),
            "get" => self.get(rest),
            "exit" | "quit" => Ok(vec![Command::Quit]),
            "" => Ok(Vec::new()),
            _ => refuse_unknown(word, "name, version, time_setting, board_setting, ini, get, exit"),
        }
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        let line = match reply {
            Reply::Id { name, .. } => {
                let version_asked = self.questions.front() == Some(&Question::Version);
                name_or_version(name, version_asked).to_string()
            }
            Reply::Acknowledged => "1".into(),
            Reply::BestMove(Some(token)) => self.write_best(token),
            Reply::BestMove(None) => "error: the game is over".into(),
            Reply::Error(text) => format!("error: {text}"),
            // Unrequested output is suppressed: the manager counts lines.
            _ => return Vec::new(),
        };
        vec![one_line(&line)]
    }

    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        match command {
            Command::Identify => {
                self.questions.extend([Question::Name, Question::Version]);
                vec!["name".into(), "version".into()]
            }
            Command::IsReady => {
                self.questions.push_back(Question::Ready);
                vec!["name".into()]
            }
            Command::NewGame => {
                self.begun = false;
                Vec::new()
            }
            Command::Position { fen, moves } => {
                let rules = Default::default();
                self.record = Record::from_text(fen.as_deref(), moves, &rules).ok();
                Vec::new()
            }
            Command::Go(limits) => self.write_go(limits, mover),
            Command::Quit => vec!["exit".into()],
            _ => Vec::new(),
        }
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let line = line.trim();
        if line.is_empty() { None } else { self.read_answer(line) }
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.pending.pop_front()
    }
}
