//! Commands of the UCI family, sent by a manager.

use super::{Family, one_line, split_word};
use crate::dialect::{DialectError, LineTiming, refuse, refuse_unknown};
use crate::message::{Command, Limits, Query};
use agon_games::text::excerpt;
use std::fmt::Write as _;
use std::time::Duration;

/// When a line of the UCI family takes effect during a search.
pub(in crate::dialect) fn timing(line: &str) -> LineTiming {
    match split_word(line).0 {
        "stop" | "ponderhit" | "quit" | "exit" => LineTiming::AtOnce,
        "isready" | "query" | "d" | "print" | "show" | "probe" | "debug" | "" => {
            LineTiming::AnyTime
        }
        _ => LineTiming::InOrder,
    }
}

impl Family {
    /// Reads a manager's line.
    pub fn read_command(&self, line: &str) -> Result<Command, DialectError> {
        let (word, rest) = split_word(line);
        match word {
            "setoption" => set_option(rest),
            "position" => position(rest),
            // Written without the word `position` by the Cyclone dialect and by humans.
            "fen" | "startpos" => position(line.trim()),
            "go" => self.go(rest),
            "query" => query(rest),
            "perft" => perft(rest),
            // UCI commands without effect here; a comment in a script.
            "" | "debug" | "register" => Ok(Command::Nothing),
            _ if word.starts_with('#') => Ok(Command::Nothing),
            _ => self.bare(word, rest),
        }
    }

    /// Commands of one word.
    fn bare(&self, word: &str, rest: &str) -> Result<Command, DialectError> {
        let command = match word {
            "isready" => Command::IsReady,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" | "exit" => Command::Quit,
            "d" | "print" | "show" => Command::Show,
            "newgame" => Command::NewGame,
            _ if word == self.name => Command::Identify,
            _ if word == self.new_game => Command::NewGame,
            _ => {
                let known = "position, go, stop, ponderhit, query, perft, d, quit";
                let own = format!("{}, isready, setoption, {}", self.name, self.new_game);
                return refuse_unknown(word, &format!("{own}, {known}"));
            }
        };
        if rest.is_empty() {
            return Ok(command);
        }
        refuse(format!("`{word}` stands alone, found `{}` after it", excerpt(rest)))
    }

    fn go(&self, rest: &str) -> Result<Command, DialectError> {
        let mut limits = Limits::default();
        let mut words = rest.split_whitespace().peekable();
        if let ("perft", depth) = split_word(rest) {
            return perft(depth);
        }
        while let Some(word) = words.next() {
            match word {
                "infinite" => limits.infinite = true,
                "ponder" => limits.ponder = true,
                // A mate in n moves is found on the ply before the opponent's n-th.
                "mate" => {
                    let moves: u32 = number(word, words.next(), u32::MAX)?;
                    limits.depth = Some(moves.saturating_mul(2).max(2) - 1);
                }
                "searchmoves" => {
                    while let Some(token) = words.next_if(|w| !self.is_limit(w)) {
                        limits.search_moves.push(token.into());
                    }
                }
                _ => self.limit(word, words.next(), &mut limits)?,
            }
        }
        if limits == Limits::default() {
            limits.infinite = true;
        }
        Ok(Command::Go(limits))
    }

    /// Whether a word of `go` is a limit, not a move.
    fn is_limit(&self, word: &str) -> bool {
        const OTHERS: [&str; 8] = [
            "movetime",
            "movestogo",
            "depth",
            "nodes",
            "mate",
            "infinite",
            "ponder",
            "searchmoves",
        ];
        OTHERS.contains(&word) || self.times.contains(&word) || self.increments.contains(&word)
    }

    /// One limit with a number.
    fn limit(
        &self,
        word: &str,
        value: Option<&str>,
        limits: &mut Limits,
    ) -> Result<(), DialectError> {
        let clock = |words: [&str; 2]| words.iter().position(|w| *w == word);
        if let Some(player) = clock(self.times) {
            limits.time[player] = Some(clock_time(word, value)?);
        } else if let Some(player) = clock(self.increments) {
            limits.increment[player] = clock_time(word, value)?;
        } else {
            match word {
                "movetime" => limits.move_time = Some(clock_time(word, value)?),
                "movestogo" => limits.moves_to_go = Some(number(word, value, u32::MAX)?),
                "depth" => limits.depth = Some(number(word, value, u32::MAX)?),
                "nodes" => limits.nodes = Some(number(word, value, u64::MAX)?),
                _ => return refuse(self.unknown_limit(word)),
            }
        }
        Ok(())
    }

    fn unknown_limit(&self, word: &str) -> String {
        format!(
            "go: unknown limit `{}`; known: {} {} {} {} movestogo movetime depth nodes mate infinite \
             ponder searchmoves perft",
            excerpt(word),
            self.times[0],
            self.times[1],
            self.increments[0],
            self.increments[1]
        )
    }

    /// The line for `command`; `None` if the dialect has none.
    pub fn write_command(&self, command: &Command) -> Option<String> {
        Some(match command {
            Command::Nothing | Command::Acknowledge => return None,
            Command::Identify => self.name.into(),
            Command::SetOption { name, value } => write_option(name, value),
            Command::IsReady => "isready".into(),
            Command::NewGame => self.new_game.into(),
            Command::Position { fen, moves } => write_position(fen.as_deref(), moves),
            Command::Go(limits) => self.write_go(limits),
            Command::Stop => "stop".into(),
            Command::PonderHit => "ponderhit".into(),
            Command::Query(query) => format!("query {}", query_word(*query)),
            Command::Perft(depth) => format!("go perft {depth}"),
            Command::Show => "d".into(),
            Command::Quit => "quit".into(),
        })
    }

    fn write_go(&self, limits: &Limits) -> String {
        let mut line = String::from("go");
        let mut add = |word: &str, value: Option<u128>| {
            if let Some(value) = value {
                let _ = write!(line, " {word} {value}");
            }
        };
        let clock = limits.time != [None, None] || limits.increment != [Duration::ZERO; 2];
        for (word, time) in self.times.iter().zip(limits.time) {
            add(word, time.map(|t| t.as_millis()));
        }
        for (word, increment) in self.increments.iter().zip(limits.increment) {
            add(word, clock.then_some(increment.as_millis()));
        }
        add("movestogo", limits.moves_to_go.map(u128::from));
        add("movetime", limits.move_time.map(|t| t.as_millis()));
        add("depth", limits.depth.map(u128::from));
        add("nodes", limits.nodes.map(u128::from));
        if limits.ponder {
            line.push_str(" ponder");
        }
        if limits.infinite || line == "go" {
            line.push_str(" infinite");
        }
        if !limits.search_moves.is_empty() {
            line.push_str(" searchmoves ");
            line.push_str(&limits.search_moves.join(" "));
        }
        line
    }
}

/// The whole number that follows `word`.
pub(in crate::dialect) fn number<T: TryFrom<u64>>(
    word: &str,
    value: Option<&str>,
    most: impl Into<u64>,
) -> Result<T, DialectError> {
    let most = most.into();
    let parsed = value.and_then(|v| v.parse::<u64>().ok()).and_then(|v| T::try_from(v).ok());
    parsed.ok_or_else(|| {
        DialectError(format!(
            "`{word}` needs a whole number from 0 to {most}, found `{}`",
            excerpt(value.unwrap_or("nothing"))
        ))
    })
}

/// Milliseconds. Managers send negative clocks to engines that exceeded their time: those count as zero.
fn clock_time(word: &str, value: Option<&str>) -> Result<Duration, DialectError> {
    match value.map(str::parse::<i64>) {
        Some(Ok(ms)) => Ok(Duration::from_millis(u64::try_from(ms).unwrap_or(0))),
        _ => refuse(format!(
            "`{word}` needs a whole number of milliseconds, found `{}`",
            excerpt(value.unwrap_or("nothing"))
        )),
    }
}

fn perft(rest: &str) -> Result<Command, DialectError> {
    match rest.parse() {
        Ok(depth) => Ok(Command::Perft(depth)),
        Err(_) => {
            refuse(format!("`perft` needs a depth such as `perft 2`, found `{}`", excerpt(rest)))
        }
    }
}

fn set_option(rest: &str) -> Result<Command, DialectError> {
    let (word, rest) = split_word(rest);
    let (name, value) = match rest.split_once(" value ") {
        Some((name, value)) => (name.trim(), value.trim()),
        None => (rest.strip_suffix(" value").unwrap_or(rest).trim(), ""),
    };
    if word != "name" || name.is_empty() || split_word(name).0 == "value" {
        return refuse("expected `setoption name NAME value VALUE`");
    }
    let value = if value == "<empty>" { "" } else { value };
    Ok(Command::SetOption { name: name.into(), value: value.into() })
}

fn write_option(name: &str, value: &str) -> String {
    match value {
        "" => one_line(&format!("setoption name {name}")),
        _ => one_line(&format!("setoption name {name} value {value}")),
    }
}

/// Reads the text after the word `position`.
pub(in crate::dialect) fn position(rest: &str) -> Result<Command, DialectError> {
    const FORM: &str = "expected `position startpos [moves ...]` or `position fen F [moves ...]`";
    let mut words = rest.split_whitespace();
    let kind = words.next();
    let place: Vec<&str> = words.by_ref().take_while(|w| *w != "moves").collect();
    let moves = words.map(String::from).collect();
    match (kind, place.as_slice()) {
        (Some("startpos"), []) => Ok(Command::Position { fen: None, moves }),
        (Some("startpos"), [word, ..]) => {
            refuse(format!("{FORM}, found `{}` after `startpos`", excerpt(word)))
        }
        (Some("fen"), []) => refuse(format!("{FORM}, found no FEN after `fen`")),
        (Some("fen"), _) => Ok(Command::Position { fen: Some(place.join(" ")), moves }),
        (Some(word), _) => refuse(format!("{FORM}, found `{}`", excerpt(word))),
        (None, _) => refuse(format!("{FORM}, found nothing")),
    }
}

/// The `position` line.
pub(in crate::dialect) fn write_position(fen: Option<&str>, moves: &[String]) -> String {
    let mut line = String::from("position ");
    match fen {
        None => line.push_str("startpos"),
        Some(fen) => {
            line.push_str("fen ");
            line.push_str(fen);
        }
    }
    if !moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(&moves.join(" "));
    }
    one_line(&line)
}

const QUERIES: [Query; 6] =
    [Query::P1Turn, Query::P2Turn, Query::GameOver, Query::Result, Query::Fen, Query::Tablebase];

fn query_word(query: Query) -> &'static str {
    match query {
        Query::P1Turn => "p1turn",
        Query::P2Turn => "p2turn",
        Query::GameOver => "gameover",
        Query::Result => "result",
        Query::Fen => "fen",
        Query::Tablebase => "table",
    }
}

fn query(rest: &str) -> Result<Command, DialectError> {
    match QUERIES.into_iter().find(|q| query_word(*q) == rest) {
        Some(query) => Ok(Command::Query(query)),
        None => refuse(format!(
            "query: unknown question `{}`; known: {}",
            excerpt(rest),
            QUERIES.map(query_word).join(", ")
        )),
    }
}
