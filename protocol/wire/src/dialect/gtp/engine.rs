//! The engine's side of GTP: a manager's commands, and the answers.

use super::line::{self, GtpLine};
use super::spelling::{BOARD_SIZE, Spelling};
use super::stages::StagedTurn;
use crate::dialect::history::MoveHistory;
use crate::dialect::{DialectError, name_or_version, refuse, refuse_unknown, split_word};
use crate::message::{Command, Limits, Reply};
use agon_games::text::excerpt;
use std::time::Duration;

/// The commands of both forms.
const COMMANDS: [&str; 15] = [
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
    "showboard",
    "time_settings",
    "time_left",
];

/// Whether a conversation that begins with this word is in GTP and in no other dialect of its
/// games.
pub(in crate::dialect) fn opens(word: &str) -> bool {
    COMMANDS.contains(&word) && !["name", "quit"].contains(&word)
}

/// What the engine remembers.
#[derive(Debug)]
pub(super) struct EngineSide {
    spelling: &'static Spelling,
    /// The game so far, and the turn that is being played in stages.
    game: MoveHistory,
    turn: StagedTurn,
    size: String,
    /// The id of the line being answered and of the line that began the search.
    id: Option<u32>,
    search_id: Option<u32>,
    /// The text of the next answer.
    answer: String,
    /// Whether the last query was `version` rather than `name`.
    version_asked: bool,
    /// The clocks as sent by the manager; the time for one move.
    clocks: [Option<Duration>; 2],
    move_time: Option<Duration>,
}

impl EngineSide {
    pub fn new(spelling: &'static Spelling) -> EngineSide {
        EngineSide {
            spelling,
            game: MoveHistory::default(),
            turn: StagedTurn::default(),
            size: spelling.fixed_size.unwrap_or("19").into(),
            id: None,
            search_id: None,
            answer: String::new(),
            version_asked: false,
            clocks: [None; 2],
            move_time: None,
        }
    }

    /// Reads one line of a manager.
    pub fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let Some(line) = GtpLine::read(line) else { return Ok(Vec::new()) };
        self.id = line.id;
        self.answer.clear();
        self.game.checkpoint();
        self.command(line.name, line.rest)
    }

    /// The lines of a reply.
    pub fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        match reply {
            Reply::Id { name, .. } => {
                line::answer(true, self.id, name_or_version(name, self.version_asked))
            }
            Reply::Acknowledged => line::answer(true, self.id, &self.answer),
            Reply::BestMove(Some(token)) => {
                self.game.checkpoint();
                let turn = self.played(token);
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

    /// Plays the move of the search, or its next stage, and returns the text of the answer.
    fn played(&mut self, token: &str) -> String {
        if self.spelling.stages.is_none() {
            self.game.moves.push(token.into());
            return self.spelling.write_turn(token);
        }
        self.turn.plan(self.spelling, token);
        let answer = self.turn.follow_plan(self.spelling, &mut self.game.moves);
        answer.unwrap_or_else(|| "pass".into())
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
            "boardsize" => self.set_size(rest),
            "clear_board" => Ok(self.new_game()),
            "komi" => self.answer(""),
            "play" => self.play(rest),
            "genmove" => self.go(rest),
            "undo" => self.undo(),
            "showboard" => Ok(vec![self.game.position(), Command::Show, Command::Acknowledge]),
            "time_settings" => self.set_time(rest),
            "time_left" => self.set_left(rest),
            _ => refuse_unknown(name, &COMMANDS.join(", ")),
        }
    }

    fn answer(&mut self, answer: impl Into<String>) -> Result<Vec<Command>, DialectError> {
        self.answer = answer.into();
        Ok(vec![Command::Acknowledge])
    }

    fn new_game(&mut self) -> Vec<Command> {
        self.game.clear();
        self.turn.clear();
        vec![Command::NewGame, Command::Acknowledge]
    }

    fn set_size(&mut self, size: &str) -> Result<Vec<Command>, DialectError> {
        match self.spelling.fixed_size {
            Some(fixed) if fixed == size => Ok(self.new_game()),
            Some(fixed) => refuse(format!("unacceptable size: expected {fixed}")),
            None => {
                self.size = size.into();
                let (name, value) = (BOARD_SIZE.into(), size.into());
                Ok([vec![Command::SetOption { name, value }], self.new_game()].concat())
            }
        }
    }

    /// Checks that it is this colour's turn.
    fn check_turn(&self, text: &str) -> Result<(), DialectError> {
        let turn = if self.game.moves.len().is_multiple_of(2) { "black" } else { "white" };
        let same = turn.starts_with(&text.to_ascii_lowercase()) && !text.is_empty();
        if same { Ok(()) } else { refuse(format!("it is {turn}'s turn, not `{}`", excerpt(text))) }
    }

    fn play(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        let (colour, text) = split_word(rest);
        if self.spelling.stages.is_some() {
            // The colour is ignored, and may be left out.
            let stage = if text.is_empty() { colour } else { text };
            self.turn.play(self.spelling, &mut self.game.moves, &self.size, stage)?;
            return Ok(vec![self.game.position(), Command::Acknowledge]);
        }
        self.check_turn(colour)?;
        let Some(token) = self.spelling.read_turn(text) else {
            let (found, expected) = (excerpt(text), self.spelling.turn);
            return refuse(format!("`{found}` is not a turn: expected {expected}"));
        };
        self.game.moves.push(token);
        Ok(vec![self.game.position(), Command::Acknowledge])
    }

    fn go(&mut self, colour: &str) -> Result<Vec<Command>, DialectError> {
        let mut search_moves = Vec::new();
        if self.spelling.stages.is_some() {
            if let Some(text) = self.turn.follow_plan(self.spelling, &mut self.game.moves) {
                return self.answer(text);
            }
            let EngineSide { spelling, turn, game, size, .. } = self;
            search_moves = turn.continuations(spelling, &game.moves, size)?;
        } else {
            self.check_turn(colour)?;
        }
        self.search_id = self.id;
        let (time, move_time) = (self.clocks, self.move_time);
        let limits = Limits { time, move_time, search_moves, ..Limits::default() };
        Ok(vec![self.game.position(), Command::Go(limits)])
    }

    fn undo(&mut self) -> Result<Vec<Command>, DialectError> {
        if !self.turn.undo() {
            let Some(token) = self.game.moves.pop() else {
                return refuse("there is no move to undo");
            };
            if self.spelling.stages.is_some() {
                self.turn.reopen(self.spelling, &token);
            }
        }
        Ok(vec![self.game.position(), Command::Acknowledge])
    }

    /// Main time, overtime and stones: without main time, the overtime is for its stones.
    fn set_time(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let read = || match words.as_slice() {
            &[main, over, stones] => {
                Some((seconds(main)?, seconds(over)?, stones.parse::<u32>().ok()?))
            }
            _ => None,
        };
        let Some((main, over, stones)) = read() else {
            return refuse("expected `time_settings MAIN OVERTIME STONES` in seconds");
        };
        self.clocks = if main.is_zero() { [None; 2] } else { [Some(main); 2] };
        let each = over.checked_div(stones);
        self.move_time = each.filter(|t| main.is_zero() && !t.is_zero());
        self.answer("")
    }

    fn set_left(&mut self, rest: &str) -> Result<Vec<Command>, DialectError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let &[colour, left, ..] = words.as_slice() else {
            return refuse("expected `time_left COLOUR SECONDS STONES`");
        };
        let player = usize::from(colour.to_ascii_lowercase().starts_with('w'));
        self.clocks[player] = seconds(left);
        self.answer("")
    }
}

/// Seconds, perhaps with a fraction; an expired clock may be sent as a negative time.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(if seconds < 0.0 { 0.0 } else { seconds }).ok()
}
