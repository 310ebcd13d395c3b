//! UCCI 3.0, the Universal Chinese Chess Interface: a relative of UCI for Xiangqi.
//!
//! Differences from UCI: `setoption` without `name` and `value`, options named by one lower-case
//! word, clocks for the mover and the opponent in seconds unless `usemillisec` is set, `banmoves`,
//! `nobestmove`, `bye`. A new game is the button `newgame`; `hashsize` and `threads` map to our
//! `Hash` and `Threads`, 0 meaning automatic. A draw offer or a resignation comes with the move:
//! our engines accept a draw if their last score is 0 or less, offer none, and never resign.

mod info;

use super::family::{self, number};
use super::history::ExpectedLine;
use super::{Dialect, DialectError, one_line, refuse, refuse_unknown, split_word};
use crate::message::{Annotation, Command, Limits, Reply, Score};
use agon_games::game::Player;
use agon_games::option::{OptionKind, OptionSpec};
use agon_games::text::excerpt;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::Duration;

/// Our names for the options that UCCI names differently.
const RENAMED: [(&str, &str); 2] = [("hashsize", "Hash"), ("threads", "Threads")];

/// The option of engines that count milliseconds.
const MILLISECONDS: &str = "usemillisec";

/// One conversation in UCCI.
#[derive(Debug, Default)]
pub struct Ucci {
    /// Either side: clocks are in milliseconds.
    milliseconds: bool,
    /// Engine side: the names of our options; unknown ones are not an error.
    options: Vec<String>,
    /// Engine side: the second player is the side to move.
    second_to_move: bool,
    /// Engine side: moves forbidden in this position.
    banned: Vec<String>,
    /// Engine side: only the score was requested.
    score_only: bool,
    /// Engine side: the predicted line.
    line: ExpectedLine,
    /// Engine side: the opponent offers a draw.
    draw_offered: bool,
    /// Engine side: the last score of the search, from the mover's view.
    score: Option<Score>,
    /// Manager side: the engine's options and names so far.
    offered: Vec<String>,
    names: family::EngineNames,
    /// Manager side: replies that need no line from the engine.
    pending: VecDeque<Reply>,
}

impl Ucci {
    fn set_option(&mut self, rest: &str) -> Result<Command, DialectError> {
        let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (name, value) = (name.to_ascii_lowercase(), value.trim());
        match name.as_str() {
            "" => return refuse("expected `setoption OPTION [VALUE]`"),
            "newgame" => return Ok(Command::NewGame),
            "usemillisec" => {
                self.milliseconds = match value {
                    "true" | "on" => true,
                    "false" | "off" => false,
                    _ => {
                        let found = excerpt(value);
                        return refuse(format!(
                            "usemillisec: expected true or false, found `{found}`"
                        ));
                    }
                };
                return Ok(Command::Nothing);
            }
            _ => {}
        }
        if RENAMED.iter().any(|r| r.0 == name) && value == "0" {
            return Ok(Command::Nothing);
        }
        let known = self.options.iter().find(|ours| self.is_option(ours, &name));
        // An unknown option is not an error in UCCI.
        Ok(known.map_or(Command::Nothing, |name| Command::SetOption {
            name: name.clone(),
            value: value.into(),
        }))
    }

    fn position(&mut self, rest: &str) -> Result<Command, DialectError> {
        let command = family::position(rest)?;
        if let Command::Position { fen, moves } = &command {
            let black = fen.as_ref().is_some_and(|fen| fen.split(' ').nth(1) == Some("b"));
            self.second_to_move = black != (moves.len() % 2 == 1);
        }
        self.banned.clear();
        Ok(command)
    }

    fn go(&mut self, rest: &str) -> Result<Command, DialectError> {
        let mut limits = Limits { ban_moves: self.banned.clone(), ..Limits::default() };
        let (own, other) = if self.second_to_move { (1, 0) } else { (0, 1) };
        self.score_only = false;
        (self.draw_offered, self.score) = (false, None);
        let mut bounded = false;
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            let mut number = || number::<u64>(word, words.next(), u64::MAX);
            match word {
                "ponder" => limits.ponder = true,
                "draw" => {
                    limits.draw_offered = true;
                    self.draw_offered = true;
                }
                "infinite" => limits.infinite = true,
                // An older form of the same limit.
                "depth" if rest.ends_with("depth infinite") => {
                    words.next();
                    limits.infinite = true;
                }
                "depth" => {
                    let depth = u32::try_from(number()?).unwrap_or(u32::MAX);
                    self.score_only = depth == 0;
                    limits.depth = Some(depth.max(1));
                    bounded = true;
                }
                "nodes" => {
                    limits.nodes = Some(number()?);
                    bounded = true;
                }
                "time" => {
                    limits.time[own] = Some(self.duration(number()?));
                    bounded = true;
                }
                "movestogo" => {
                    limits.moves_to_go = Some(u32::try_from(number()?).unwrap_or(u32::MAX));
                }
                "increment" => limits.increment[own] = self.duration(number()?),
                "opptime" => limits.time[other] = Some(self.duration(number()?)),
                "oppincrement" => limits.increment[other] = self.duration(number()?),
                "oppmovestogo" => drop(number()?),
                _ => {
                    return refuse(format!(
                        "go: unknown limit `{}`; known: ponder draw depth nodes infinite time \
                         movestogo increment opptime oppmovestogo oppincrement",
                        excerpt(word)
                    ));
                }
            }
        }
        limits.infinite |= !bounded;
        Ok(Command::Go(limits))
    }

    fn duration(&self, n: u64) -> Duration {
        if self.milliseconds { Duration::from_millis(n) } else { Duration::from_secs(n) }
    }

    fn clock(&self, time: Duration) -> u128 {
        if self.milliseconds { time.as_millis() } else { u128::from(time.as_secs()) }
    }

    /// A clock that is not empty: some engines take `time 0` for no limit.
    fn time(&self, time: Duration) -> u128 {
        self.clock(time).max(1)
    }

    fn write_go(&self, limits: &Limits, mover: Player) -> String {
        let mut line = String::from(match (limits.ponder, limits.draw_offered) {
            (true, _) => "go ponder",
            (false, true) => "go draw",
            (false, false) => "go",
        });
        let mut add = |word: &str, value: u128| {
            let _ = write!(line, " {word} {value}");
        };
        let (own, other) = (mover.index(), mover.opponent().index());
        if let Some(time) = limits.move_time {
            // A time for one move, expressed with the available words.
            add("time", self.time(time));
            add("movestogo", 1);
        } else if let Some(time) = limits.time[own] {
            add("time", self.time(time));
            match limits.moves_to_go {
                Some(moves) => add("movestogo", u128::from(moves)),
                None => add("increment", self.clock(limits.increment[own])),
            }
            if let Some(time) = limits.time[other] {
                add("opptime", self.time(time));
                match limits.moves_to_go {
                    Some(moves) => add("oppmovestogo", u128::from(moves)),
                    None => add("oppincrement", self.clock(limits.increment[other])),
                }
            }
        } else if let Some(nodes) = limits.nodes {
            add("nodes", u128::from(nodes));
        } else if let Some(depth) = limits.depth {
            add("depth", u128::from(depth));
        } else {
            line.push_str(" infinite");
        }
        line
    }

    fn write_option(&mut self, spec: &OptionSpec) -> String {
        self.options.push(spec.name.clone());
        let name = spelling(&spec.name);
        let kind = match &spec.kind {
            OptionKind::Check { default } => format!("check default {default}"),
            OptionKind::Spin { default, min, max } => {
                format!("spin min {min} max {max} default {default}")
            }
            OptionKind::Combo { default, choices } => {
                let vars: String = choices.iter().map(|c| format!("var {c} ")).collect();
                format!("combo {vars}default {default}")
            }
            OptionKind::Text { default } if default.is_empty() => "string".into(),
            OptionKind::Text { default } => format!("string default {default}"),
            OptionKind::Button => "button".into(),
        };
        format!("option {name} type {kind}")
    }

    fn write_best(&mut self, token: Option<&str>) -> String {
        match token {
            Some(token) if !std::mem::take(&mut self.score_only) => {
                let reply = self.line.expected_reply(token);
                let ponder = reply.map_or(String::new(), |reply| format!(" ponder {reply}"));
                let draw = if self.takes_draw() { " draw" } else { "" };
                format!("bestmove {token}{ponder}{draw}")
            }
            _ => "nobestmove".into(),
        }
    }

    /// Whether a draw is offered that the side to move has no reason to decline.
    fn takes_draw(&self) -> bool {
        let ahead = match self.score {
            Some(Score::Cp(value)) => value > 0,
            Some(Score::Mate(plies)) => plies > 0,
            None => true,
        };
        self.draw_offered && !ahead
    }

    /// The move and its annotations.
    fn read_best(&mut self, rest: &str) -> Reply {
        let mut words = rest.split_whitespace();
        let token = words.next().map(String::from);
        while let Some(word) = words.next() {
            let remark = match word {
                "ponder" => words.next().map(|reply| Annotation::PonderMove(reply.into())),
                "draw" => Some(Annotation::DrawOffer),
                "resign" => Some(Annotation::Resignation),
                _ => None,
            };
            self.pending.extend(remark.map(Reply::Annotation));
        }
        Reply::BestMove(token)
    }

    fn read_option(&mut self, rest: &str) -> Option<Reply> {
        let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if name.is_empty() {
            return None;
        }
        self.offered.push(name.into());
        Some(Reply::RawOption { name: name.into(), rest: rest.trim().into() })
    }
}

/// The spelling of an option: one word in lower case.
fn spelling(name: &str) -> String {
    let word = name.to_ascii_lowercase().replace(' ', "");
    RENAMED.iter().find(|r| r.1.eq_ignore_ascii_case(&word)).map_or(word, |r| r.0.into())
}

impl Dialect for Ucci {
    fn name(&self) -> &'static str {
        "ucci"
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let (word, rest) = split_word(line);
        let command = match word {
            "ucci" => Command::Identify,
            "isready" => Command::IsReady,
            "setoption" => self.set_option(rest)?,
            "position" => self.position(rest)?,
            "banmoves" => {
                self.banned = rest.split_whitespace().map(String::from).collect();
                Command::Nothing
            }
            "go" => self.go(rest)?,
            "ponderhit" => {
                self.draw_offered |= rest == "draw";
                Command::PonderHit
            }
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            "d" => Command::Show,
            // A debugging query about the hash table, allowed at any time: the answer is always
            // that the position has no entry.
            "probe" => Command::Acknowledge,
            "" => Command::Nothing,
            _ => {
                let known = "ucci, isready, setoption, position, banmoves, go, ponderhit, stop, \
                             probe, quit";
                return refuse_unknown(word, known);
            }
        };
        Ok(vec![command])
    }

    fn has_ready(&self) -> bool {
        true
    }

    fn time_unit(&self) -> Duration {
        let offers = self.offered.iter().any(|name| name == MILLISECONDS);
        if self.milliseconds || offers { Duration::from_millis(1) } else { Duration::from_secs(1) }
    }

    /// Users may give our name of an option or UCCI's.
    fn is_option(&self, listed: &str, wanted: &str) -> bool {
        spelling(listed) == spelling(wanted)
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        let lines = match reply {
            Reply::Id { name, author } => {
                vec![format!("id name {name}"), format!("id author {author}")]
            }
            Reply::Option(spec) => vec![self.write_option(spec)],
            Reply::RawOption { name, rest } => vec![format!("option {name} {rest}")],
            Reply::Identified => vec![
                "option usemillisec type check default false".into(),
                "option newgame type button".into(),
                "ucciok".into(),
            ],
            Reply::Ready => vec!["readyok".into()],
            Reply::Info(info) => {
                self.line.note(info);
                self.score = info.score.or(self.score);
                info::write(info)
            }
            Reply::BestMove(token) => vec![self.write_best(token.as_deref())],
            Reply::Response(text) => vec![format!("info message {text}")],
            Reply::Text(text) => text.lines().map(|l| format!("info message {l}")).collect(),
            Reply::Error(text) | Reply::EngineError(text) => {
                vec![format!("info message error: {text}")]
            }
            Reply::Acknowledged => vec!["pophash".into()],
            // Sent with the move, if at all.
            Reply::Annotation(_) => Vec::new(),
            Reply::Bye => vec!["bye".into()],
        };
        lines.into_iter().map(|l| one_line(&l)).collect()
    }

    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        let mut lines = Vec::new();
        let offered = |name: &str| self.offered.iter().any(|o| o == name);
        if !self.milliseconds && offered(MILLISECONDS) && !matches!(command, Command::Quit) {
            lines.push("setoption usemillisec true".into());
        }
        self.milliseconds |= !lines.is_empty();
        match command {
            Command::Identify => lines.push("ucci".into()),
            Command::SetOption { name, value } => {
                let listed = self.offered.iter().find(|listed| self.is_option(listed, name));
                let name = listed.cloned().unwrap_or_else(|| spelling(name));
                lines.push(format!("setoption {name} {value}").trim_end().into());
            }
            Command::IsReady => lines.push("isready".into()),
            Command::NewGame if self.offered.iter().any(|o| o == "newgame") => {
                lines.push("setoption newgame".into());
            }
            Command::Position { fen, moves } => {
                lines.push(family::write_position(fen.as_deref(), moves));
            }
            Command::Go(limits) => {
                if !limits.ban_moves.is_empty() {
                    lines.push(format!("banmoves {}", limits.ban_moves.join(" ")));
                }
                lines.push(self.write_go(limits, mover));
            }
            Command::Stop => lines.push("stop".into()),
            Command::PonderHit => lines.push("ponderhit".into()),
            Command::Quit => lines.push("quit".into()),
            // UCCI cannot express these.
            Command::NewGame
            | Command::Query(_)
            | Command::Perft(_)
            | Command::Show
            | Command::Acknowledge
            | Command::Nothing => {}
        }
        lines.into_iter().map(|l: String| one_line(&l)).collect()
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let (word, rest) = split_word(line);
        match word {
            "id" => family::read_id(rest, &mut self.names),
            "option" => self.read_option(rest),
            "ucciok" => Some(Reply::Identified),
            "readyok" => Some(Reply::Ready),
            "info" => info::read(rest),
            "bestmove" => Some(self.read_best(rest)),
            "nobestmove" => Some(Reply::BestMove(None)),
            "bye" => Some(Reply::Bye),
            _ => None,
        }
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.pending.pop_front()
    }
}

#[cfg(test)]
mod tests;
