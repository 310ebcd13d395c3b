//! MGTP, the protocol of the Taiwanese platform for Chinese dark chess (NTU course, NTPU server):
//! GTP with a fixed number for each command.
//!
//! A command is `12 genmove red`, its answer one line, `=12 b8 b8`; a flip is a move with equal
//! squares. **An engine does not play its own answer**: the manager echoes every ply, also the
//! engine's own, as `11 flip b8 G` or `10 move c8 a8`, and then sends the mover's remaining time.

mod commands;
#[cfg(test)]
mod tests;

use super::gtp::GtpLine;
use super::history::MoveHistory;
use super::{
    Dialect, DialectError, PositionSupport, name_or_version, one_line, refuse, refuse_unknown,
};
use crate::message::{Command, Limits, Reply};
use agon_games::game::Player;
use agon_games::text::excerpt;
use commands::{COMMANDS, Verb, number};
use std::collections::VecDeque;
use std::time::Duration;

/// The rule options that `num_moves_to_draw` and `num_repetition` set.
const DRAW_PLIES: &str = "DrawPlies";
const REPETITION: &str = "RepetitionCount";

/// One conversation.
#[derive(Debug, Default)]
pub struct Mgtp {
    /// Engine side: the game so far.
    game: MoveHistory,
    /// Engine side: the number of the line being answered, and the text of the answer.
    id: u32,
    answer: String,
    version_asked: bool,
    /// Engine side: the clock of each player.
    clocks: [Option<Duration>; 2],
    /// Manager side: replies that need no line from the engine.
    pending: VecDeque<Reply>,
    name: String,
    /// Manager side: the moves of the last position, how many of them were sent to the engine, and
    /// whether its time was sent.
    moves: Vec<String>,
    sent_moves: usize,
    sent_time: bool,
}

/// Whether the first player is red, once a piece has been flipped.
fn first_is_red(moves: &[String]) -> Option<bool> {
    let piece = moves.iter().find_map(|m| m.strip_prefix('='))?;
    Some(piece.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// A player's colour in `genmove`.
fn colour(moves: &[String], player: Player) -> &'static str {
    match first_is_red(moves) {
        None => "unknown",
        Some(first) if first == (player == Player::First) => "red",
        Some(_) => "black",
    }
}

impl Mgtp {
    fn answer(&mut self, answer: impl Into<String>) -> Result<Vec<Command>, DialectError> {
        self.answer = answer.into();
        Ok(vec![Command::Acknowledge])
    }

    fn play(&mut self, tokens: Vec<String>) -> Result<Vec<Command>, DialectError> {
        self.game.moves.extend(tokens);
        Ok(vec![self.game.position(), Command::Acknowledge])
    }

    fn set_rule(&self, name: &str, value: &str) -> Result<Vec<Command>, DialectError> {
        let set = Command::SetOption { name: name.into(), value: value.into() };
        Ok(vec![set, Command::Acknowledge])
    }

    fn set_left(&mut self, rest: &[&str]) -> Result<Vec<Command>, DialectError> {
        let &[side, ms] = rest else { return refuse("expected `time_left red|black MS`") };
        let time = milliseconds(ms)?;
        let player = match (first_is_red(&self.game.moves), side) {
            (Some(first), "red") => Some(usize::from(!first)),
            (Some(first), "black") => Some(usize::from(first)),
            // The colours are not decided yet.
            (None, "red" | "black" | "unknown") => None,
            _ => return refuse(format!("expected red or black, found `{}`", excerpt(side))),
        };
        if let Some(player) = player {
            self.clocks[player] = Some(time);
        }
        self.answer("")
    }

    fn obey(&mut self, verb: Verb, rest: &[&str]) -> Result<Vec<Command>, DialectError> {
        match (verb, rest) {
            (Verb::ProtocolVersion, _) => self.answer("1.1.0"),
            (Verb::Name | Verb::Version, _) => {
                self.version_asked = verb == Verb::Version;
                Ok(vec![Command::Identify])
            }
            (Verb::KnownCommand, &[name]) => {
                self.answer(COMMANDS.iter().any(|c| c.1 == name).to_string())
            }
            (Verb::ListCommands, _) => {
                let names: Vec<&str> = COMMANDS.iter().map(|c| c.1).collect();
                self.answer(names.join("\n"))
            }
            (Verb::Quit, _) => Ok(vec![Command::Acknowledge, Command::Quit]),
            (Verb::BoardSize, ["4", "8"] | ["8", "4"]) => self.answer(""),
            (Verb::ResetBoard, _) => {
                self.game.clear();
                Ok(vec![Command::NewGame, Command::Acknowledge])
            }
            (Verb::NumRepetition, &[n]) => self.set_rule(REPETITION, n),
            (Verb::NumMovesToDraw, &[n]) => self.set_rule(DRAW_PLIES, n),
            (Verb::Move, &[from, to]) => self.play(vec![format!("{from}{to}")]),
            (Verb::Flip, &[square, piece]) => self.play(vec![square.into(), format!("={piece}")]),
            (Verb::Genmove, _) => {
                let limits = Limits { time: self.clocks, ..Limits::default() };
                Ok(vec![self.game.position(), Command::Go(limits)])
            }
            (Verb::GameOver, _) => self.answer(""),
            (Verb::Ready, _) => Ok(vec![Command::IsReady]),
            (Verb::TimeSettings, &[ms]) => {
                self.clocks = [Some(milliseconds(ms)?); 2];
                self.answer("")
            }
            (Verb::TimeLeft, rest) => self.set_left(rest),
            (Verb::ShowBoard, _) => Ok(vec![Command::Show, Command::Acknowledge]),
            // Other set-ups would not specify the captured pieces.
            (Verb::InitBoard, letters) if letters.concat() == "X".repeat(32) => {
                self.obey(Verb::ResetBoard, &[])
            }
            (verb, _) => refuse(format!("expected `{}`", commands::form(verb))),
        }
    }

    fn write_go(&mut self, limits: &Limits, mover: Player) -> Vec<String> {
        let mut lines = Vec::new();
        let clock = limits.time[mover.index()].map(|t| t.as_millis());
        if !std::mem::replace(&mut self.sent_time, true)
            && let Some(ms) = clock
        {
            lines.push(format!("{} time_setting {ms}", number(Verb::TimeSettings)));
        }
        let all = self.moves.clone();
        let (mut i, mut player) = (0, Player::First);
        while let Some(token) = all.get(i) {
            let reveal = all.get(i + 1).and_then(|m| m.strip_prefix('='));
            let next = if reveal.is_some() { i + 2 } else { i + 1 };
            if i >= self.sent_moves {
                lines.push(match (reveal, token.split_at_checked(2)) {
                    (Some(piece), _) => format!("{} flip {token} {piece}", number(Verb::Flip)),
                    (None, Some((from, to))) => {
                        format!("{} move {from} {to}", number(Verb::Move))
                    }
                    (None, None) => format!("{} move {token}", number(Verb::Move)),
                });
                let side = colour(&all[..next], player);
                let left = limits.time[player.index()].map(|t| t.as_millis());
                let id = number(Verb::TimeLeft);
                lines.extend(left.map(|ms| format!("{id} time_left {side} {ms}")));
            }
            (i, player) = (next, player.opponent());
        }
        self.sent_moves = i;
        lines.push(format!("{} genmove {}", number(Verb::Genmove), colour(&all, mover)));
        lines
    }

    /// Interprets an answer by the number of its command.
    fn read_answer_text(&mut self, good: bool, id: u32, text: &str) -> Option<Reply> {
        let verb = COMMANDS.iter().find(|c| number(c.0) == id).map(|c| c.0)?;
        if !good {
            if verb == Verb::Genmove {
                self.pending.push_back(Reply::BestMove(None));
            }
            return Some(Reply::Error(format!("?{id} {text}")));
        }
        match verb {
            Verb::Name => self.name = text.into(),
            Verb::Version => {
                let option =
                    |name: &str| Reply::RawOption { name: name.into(), rest: String::new() };
                let last = [option(DRAW_PLIES), option(REPETITION), Reply::Identified];
                self.pending.extend(last);
                let name = format!("{} {text}", self.name).trim().to_string();
                return Some(Reply::Id { name, author: String::new() });
            }
            Verb::Ready => return Some(Reply::Ready),
            Verb::Genmove => {
                let words: Vec<&str> = text.split_whitespace().collect();
                return Some(Reply::BestMove(match words.as_slice() {
                    [] => None,
                    [from, to] if from == to => Some((*from).into()),
                    words => Some(words.concat()),
                }));
            }
            _ => {}
        }
        None
    }
}

fn milliseconds(text: &str) -> Result<Duration, DialectError> {
    match text.parse::<i64>() {
        // An expired clock may be sent as a negative time.
        Ok(ms) => Ok(Duration::from_millis(u64::try_from(ms).unwrap_or(0))),
        Err(_) => refuse(format!("expected milliseconds, found `{}`", excerpt(text))),
    }
}

impl Dialect for Mgtp {
    fn name(&self) -> &'static str {
        "mgtp"
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let Some(GtpLine { id, name, rest }) = GtpLine::read(line) else { return Ok(Vec::new()) };
        self.answer.clear();
        self.game.checkpoint();
        let Some(verb) = commands::find(id, name) else {
            self.id = id.unwrap_or(0);
            let known: Vec<&str> = COMMANDS.iter().map(|c| c.1).collect();
            return refuse_unknown(name, &known.join(", "));
        };
        self.id = id.unwrap_or(number(verb));
        self.obey(verb, &rest.split_whitespace().collect::<Vec<_>>())
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        let answer = |good: bool, id: u32, text: &str| {
            let mark = if good { '=' } else { '?' };
            format!("{mark}{id} {text}").trim_end().split('\n').map(String::from).collect()
        };
        match reply {
            Reply::Id { name, .. } => {
                answer(true, self.id, name_or_version(name, self.version_asked))
            }
            Reply::Ready => answer(true, number(Verb::Ready), ""),
            Reply::Acknowledged => answer(true, self.id, &self.answer),
            Reply::BestMove(Some(token)) => {
                let (from, to) = token.split_at_checked(2).unwrap_or((token, ""));
                let to = if to.is_empty() { from } else { to };
                answer(true, number(Verb::Genmove), &format!("{from} {to}"))
            }
            Reply::BestMove(None) => answer(false, number(Verb::Genmove), "the game is over"),
            Reply::Error(text) => {
                self.game.roll_back();
                answer(false, self.id, &one_line(text))
            }
            // The manager skips lines without a mark.
            Reply::Text(text) => text.lines().map(|l| format!("# {l}")).collect(),
            _ => Vec::new(),
        }
    }

    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        let line = |verb: Verb, rest: &str| {
            vec![one_line(format!("{} {} {rest}", number(verb), commands::name(verb)).trim_end())]
        };
        match command {
            Command::Identify => [line(Verb::Name, ""), line(Verb::Version, "")].concat(),
            Command::SetOption { name, value } if name.eq_ignore_ascii_case(DRAW_PLIES) => {
                line(Verb::NumMovesToDraw, value)
            }
            Command::SetOption { name, value } if name.eq_ignore_ascii_case(REPETITION) => {
                line(Verb::NumRepetition, value)
            }
            Command::IsReady => line(Verb::Ready, ""),
            Command::NewGame => {
                self.sent_moves = 0;
                self.sent_time = false;
                line(Verb::ResetBoard, "")
            }
            Command::Position { moves, .. } => {
                self.moves.clone_from(moves);
                Vec::new()
            }
            Command::Go(limits) => self.write_go(limits, mover),
            Command::Quit => line(Verb::Quit, ""),
            _ => Vec::new(),
        }
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let (good, id, text) = super::gtp::read_answer(line.trim())?;
        self.read_answer_text(good, id?, text)
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.pending.pop_front()
    }

    fn position_support(&self) -> PositionSupport {
        PositionSupport::MovesFromStart
    }
}
