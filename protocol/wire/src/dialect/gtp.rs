//! GTP, the Go Text Protocol, version 2, for the games in `SPELLINGS`.
//!
//! Columns are `A` to `T` without `I`, rows 1 to 19 from the bottom; a turn is `K10` or, in
//! Connect6, two points joined by a comma. Every line is answered by `= ...` or `? ...` and an
//! empty line. `genmove` also plays the move that it answers.

mod line;
#[cfg(test)]
mod tests;

pub(super) use line::{GtpLine, read_answer};

use super::history::MoveHistory;
use super::squares::{places, square};
use super::{Dialect, DialectError, PositionSupport, name_or_version, refuse, refuse_unknown};
use crate::message::{Command, Limits, Reply};
use agon_games::game::Player;
use agon_games::text::excerpt;
use std::collections::VecDeque;
use std::time::Duration;

/// The GTP spelling of a game.
#[derive(Debug)]
struct Spelling {
    game: &'static str,
    /// The only size that `boardsize` accepts; if `None`, it sets the rule option `BoardSize`.
    fixed_size: Option<&'static str>,
    /// Whether the core's tokens skip the letter `i`, as GTP does.
    skips_i: bool,
    /// The form of a turn, for error messages.
    turn: &'static str,
}

static SPELLINGS: &[Spelling] = &[
    Spelling {
        game: "connect6",
        fixed_size: None,
        skips_i: false,
        turn: "points A1 to T19 without I, such as K10 or K10,K11",
    },
    Spelling {
        game: "nogo",
        fixed_size: Some("9"),
        skips_i: true,
        turn: "a point A1 to J9 without I, such as E5",
    },
];

/// The rule option that `boardsize` sets.
const BOARD_SIZE: &str = "BoardSize";

const COMMANDS: [&str; 14] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "time_settings",
    "time_left",
];

/// Whether a conversation that begins with this word is in GTP and in no other dialect of its
/// games.
pub(super) fn opens(word: &str) -> bool {
    COMMANDS.contains(&word) && !["name", "quit"].contains(&word)
}

/// The kind of an unanswered command, needed to read its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Name,
    Version,
    Move,
    Other,
    /// Engines may refuse it.
    Optional,
    /// The stand-in for `isready`: whatever it answers is not a move.
    Ready,
}

/// One conversation.
#[derive(Debug)]
pub struct Gtp {
    spelling: &'static Spelling,
    /// Engine side: the game so far.
    game: MoveHistory,
    /// Engine side: the id of the line being answered and of the line that began the search.
    id: Option<u32>,
    search_id: Option<u32>,
    /// Engine side: the text of the next answer.
    answer: String,
    /// Engine side: whether the last query was `version` rather than `name`.
    version_asked: bool,
    /// Engine side: the clocks as sent by the manager; the time for one move.
    clocks: [Option<Duration>; 2],
    move_time: Option<Duration>,
    /// Manager side: unanswered commands, and replies that need no line from the engine.
    asked: VecDeque<Asked>,
    pending: VecDeque<Reply>,
    name: String,
    /// Manager side: the board size, the moves of the last position, how many of them were sent to
    /// the engine, and whether its time was sent.
    size: String,
    moves: Vec<String>,
    sent_moves: usize,
    sent_time: bool,
}

impl Gtp {
    /// Starts a conversation about `game`; `None` if `SPELLINGS` does not list it.
    pub fn new(game: &str) -> Option<Gtp> {
        let spelling = SPELLINGS.iter().find(|s| s.game == game)?;
        Some(Gtp {
            spelling,
            game: MoveHistory::default(),
            id: None,
            search_id: None,
            answer: String::new(),
            version_asked: false,
            clocks: [None; 2],
            move_time: None,
            asked: VecDeque::new(),
            pending: VecDeque::new(),
            name: String::new(),
            size: spelling.fixed_size.unwrap_or("19").into(),
            moves: Vec::new(),
            sent_moves: 0,
            sent_time: false,
        })
    }

    fn answer(&mut self, answer: impl Into<String>) -> Result<Vec<Command>, DialectError> {
        self.answer = answer.into();
        Ok(vec![Command::Acknowledge])
    }

    /// Checks that it is this colour's turn.
    fn check_turn(&self, text: &str) -> Result<(), DialectError> {
        let turn = if self.game.moves.len().is_multiple_of(2) { "black" } else { "white" };
        let same = turn.starts_with(&text.to_ascii_lowercase()) && !text.is_empty();
        if same { Ok(()) } else { refuse(format!("it is {turn}'s turn, not `{}`", excerpt(text))) }
    }

    fn play(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        let (colour, text) = super::split_word(rest);
        self.check_turn(colour)?;
        let Some(token) = self.spelling.read_turn(text) else {
            let (found, expected) = (excerpt(text), self.spelling.turn);
            return refuse(format!("`{found}` is not a turn: expected {expected}"));
        };
        self.game.moves.push(token);
        Ok(vec![self.game.position(), Command::Acknowledge])
    }

    fn go(&mut self, colour: &str) -> Result<Vec<Command>, DialectError> {
        self.check_turn(colour)?;
        self.search_id = self.id;
        let limits = Limits { time: self.clocks, move_time: self.move_time, ..Limits::default() };
        Ok(vec![self.game.position(), Command::Go(limits)])
    }

    /// Main time, overtime and stones: without main time, the overtime is for its stones.
    fn set_time(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        let numbers = rest.split_whitespace().map(str::parse::<u32>);
        let numbers = numbers.collect::<Result<Vec<u32>, _>>().unwrap_or_default();
        let &[main, over, stones] = numbers.as_slice() else {
            return refuse("expected `time_settings MAIN OVERTIME STONES` in whole seconds");
        };
        let main = Duration::from_secs(main.into());
        self.clocks = if main.is_zero() { [None; 2] } else { [Some(main); 2] };
        let each = Duration::from_secs(over.into()).checked_div(stones);
        self.move_time = each.filter(|t| main.is_zero() && !t.is_zero());
        self.answer("")
    }

    fn set_left(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let &[colour, seconds, ..] = words.as_slice() else {
            return refuse("expected `time_left COLOUR SECONDS STONES`");
        };
        let player = usize::from(colour.to_ascii_lowercase().starts_with('w'));
        self.clocks[player] = seconds.parse().ok().map(Duration::from_secs);
        self.answer("")
    }

    fn new_game(&mut self) -> Result<Vec<Command>, DialectError> {
        self.game.clear();
        Ok(vec![Command::NewGame, Command::Acknowledge])
    }

    fn command(&mut self, name: &str, rest: &str) -> Result<Vec<Command>, DialectError> {
        match name {
            "protocol_version" => self.answer("2"),
            "name" | "version" => {
                self.version_asked = name == "version";
                Ok(vec![Command::Identify])
            }
            "known_command" => self.answer(COMMANDS.contains(&rest).to_string()),
            "list_commands" => self.answer(COMMANDS.join("\n")),
            "quit" => Ok(vec![Command::Acknowledge, Command::Quit]),
            "boardsize" => {
                let new_game = self.new_game()?;
                match self.spelling.fixed_size {
                    Some(size) if size == rest => Ok(new_game),
                    Some(size) => refuse(format!("unacceptable size: expected {size}")),
                    None => {
                        let (name, value) = (BOARD_SIZE.into(), rest.into());
                        Ok([vec![Command::SetOption { name, value }], new_game].concat())
                    }
                }
            }
            "clear_board" => self.new_game(),
            "komi" => self.answer(""),
            "play" => self.play(rest),
            "genmove" => self.go(rest),
            "undo" if self.game.moves.is_empty() => refuse("there is no move to undo"),
            "undo" => {
                self.game.moves.pop();
                Ok(vec![self.game.position(), Command::Acknowledge])
            }
            "showboard" => Ok(vec![Command::Show, Command::Acknowledge]),
            "time_settings" => self.set_time(rest),
            "time_left" => self.set_left(rest),
            _ => refuse_unknown(name, &COMMANDS.join(", ")),
        }
    }

    fn ask(&mut self, line: impl Into<String>, asked: Asked) -> String {
        self.asked.push_back(asked);
        line.into()
    }

    fn write_go(&mut self, limits: &Limits, mover: Player) -> Vec<String> {
        let mut lines = Vec::new();
        if !std::mem::replace(&mut self.sent_time, true) {
            let seconds = |t: Duration| t.as_millis().div_ceil(1000);
            let clock = limits.time[mover.index()].map(|t| format!("{} 0 0", seconds(t)));
            let single = limits.move_time.map(|t| format!("0 {} 1", seconds(t)));
            let time = clock.or(single).map(|time| format!("time_settings {time}"));
            lines.extend(time.map(|line| self.ask(line, Asked::Optional)));
        }
        for i in self.sent_moves.min(self.moves.len())..self.moves.len() {
            let turn = self.spelling.write_turn(&self.moves[i]);
            lines.push(self.ask(format!("play {} {turn}", colour(i)), Asked::Other));
        }
        for (i, time) in limits.time.iter().enumerate() {
            let line = time.map(|t| format!("time_left {} {} 0", colour(i), t.as_secs()));
            lines.extend(line.map(|line| self.ask(line, Asked::Optional)));
        }
        lines.push(self.ask(format!("genmove {}", colour(mover.index())), Asked::Move));
        self.sent_moves = self.moves.len() + 1;
        lines
    }

    /// Reads the first line of an answer, a success or an error.
    fn read_answer_text(&mut self, good: bool, text: &str) -> Option<Reply> {
        if matches!(self.asked.front(), None | Some(Asked::Ready)) && good {
            // A move here is a second answer to `genmove`, an empty one a second acknowledgement.
            if let Some(token) = self.spelling.read_turn(text) {
                return Some(Reply::BestMove(Some(token)));
            }
            match text.to_ascii_lowercase().as_str() {
                "" => return None,
                "pass" | "resign" => return Some(Reply::BestMove(None)),
                _ => {}
            }
        }
        match self.asked.pop_front()? {
            Asked::Ready => Some(Reply::Ready),
            Asked::Name if good => {
                self.name = text.into();
                None
            }
            Asked::Version => {
                if self.spelling.fixed_size.is_none() {
                    let (name, rest) = (BOARD_SIZE.into(), String::new());
                    self.pending.push_back(Reply::RawOption { name, rest });
                }
                self.pending.push_back(Reply::Identified);
                let version = if good { text } else { "" };
                let name = format!("{} {version}", self.name).trim().to_string();
                Some(Reply::Id { name, author: String::new() })
            }
            Asked::Move if good => {
                let none = ["", "pass", "resign"].contains(&text.to_ascii_lowercase().as_str());
                let token = || self.spelling.read_turn(text).unwrap_or_else(|| text.into());
                Some(Reply::BestMove((!none).then(token)))
            }
            Asked::Move => {
                self.pending.push_back(Reply::BestMove(None));
                Some(Reply::Error(text.into()))
            }
            Asked::Optional => None,
            Asked::Name | Asked::Other => (!good).then(|| Reply::Error(text.into())),
        }
    }
}

/// The colour of the player to move at this ply, or with this index.
fn colour(ply: usize) -> char {
    if ply.is_multiple_of(2) { 'B' } else { 'W' }
}

impl Spelling {
    /// Converts points in GTP to the core's token.
    fn read_turn(&self, text: &str) -> Option<String> {
        let mut token = String::new();
        for (column, row) in places(text)? {
            // There is no column I: from J on, letters are shifted by one.
            let column = match column {
                0..=7 => column,
                9..=19 => column - u8::from(!self.skips_i),
                _ => return None,
            };
            token.push_str(&square((column, row)));
        }
        (!token.is_empty()).then_some(token)
    }

    /// Converts the core's token to points in GTP; other text stays unchanged.
    fn write_turn(&self, token: &str) -> String {
        let Some(points) = places(token) else { return token.into() };
        let point = |(column, row)| {
            let shift = u8::from(!self.skips_i && column >= 8);
            square((column + shift, row)).to_ascii_uppercase()
        };
        points.into_iter().map(point).collect::<Vec<_>>().join(",")
    }
}

impl Dialect for Gtp {
    fn name(&self) -> &'static str {
        "gtp"
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let Some(line) = GtpLine::read(line) else { return Ok(Vec::new()) };
        self.id = line.id;
        self.answer.clear();
        self.game.checkpoint();
        self.command(line.name, line.rest)
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        match reply {
            Reply::Id { name, .. } => {
                line::answer(true, self.id, name_or_version(name, self.version_asked))
            }
            Reply::Acknowledged => line::answer(true, self.id, &self.answer),
            Reply::BestMove(Some(token)) => {
                self.game.checkpoint();
                self.game.moves.push(token.clone());
                let turn = self.spelling.write_turn(token);
                line::answer(true, self.search_id, &turn)
            }
            Reply::BestMove(None) => line::answer(true, self.search_id, "pass"),
            Reply::Error(text) => {
                self.game.roll_back();
                line::answer(false, self.id, text)
            }
            Reply::Text(text) => {
                self.answer = format!("\n{}", text.trim_end());
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        match command {
            Command::Identify => {
                // The first line shows engines with several dialects that this is GTP.
                vec![
                    self.ask("protocol_version", Asked::Optional),
                    self.ask("name", Asked::Name),
                    self.ask("version", Asked::Version),
                ]
            }
            Command::SetOption { name, value } if name.eq_ignore_ascii_case(BOARD_SIZE) => {
                self.size.clone_from(value);
                Vec::new()
            }
            Command::IsReady => vec![self.ask("protocol_version", Asked::Ready)],
            Command::NewGame => {
                self.sent_moves = 0;
                self.sent_time = false;
                let size = format!("boardsize {}", super::one_line(&self.size));
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

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let (good, _, text) = read_answer(line)?;
        self.read_answer_text(good, text)
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.pending.pop_front()
    }

    fn position_support(&self) -> PositionSupport {
        PositionSupport::MovesFromStart
    }
}
