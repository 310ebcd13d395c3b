//! The protocol of the SAU Game Platform (Shenyang Aerospace University), used by the Chinese
//! college championships in Amazons and Connect6, and its older variant, Cloudict.
//!
//! A line is a word and its parameters. `move XY...` sends the opponent's move and requests ours;
//! `new black` starts a game in which we move first. There are no clocks, options or positions: an
//! engine's own option `MoveTime` sets its time. The platform searches all output of an engine,
//! including standard error, for the words `name` and `move`, so no other output may contain them.

mod cloudict;
#[cfg(test)]
mod tests;

pub use cloudict::Cloudict;

use super::history::MoveHistory;
use super::squares::{LetterBoard, Letters};
use super::{
    Dialect, DialectError, LineTiming, PositionSupport, refuse, refuse_unknown, split_word,
};
use crate::message::{Command, Limits, Reply};
use agon_games::amazons::Amazons;
use agon_games::game::{Game, Player};
use agon_games::text::excerpt;

/// Number of characters of a name that the platform shows.
const NAME_LENGTH: usize = 12;

/// One conversation, with the platform or as the platform.
#[derive(Debug)]
pub struct Sau {
    letters: Letters,
    /// Engine side: the game so far.
    game: MoveHistory,
    /// Engine side: moves of this turn that the platform has rejected.
    refused: Vec<String>,
    /// Engine side: the game is over, so a late move must not be sent.
    over: bool,
    /// Manager side: the request for the name.
    name: NameRequest,
    /// Manager side: the moves of the last position, and whether `new` was sent.
    moves: Vec<String>,
    begun: bool,
}

impl Sau {
    /// Starts a conversation about `game`; `None` if the platform does not support it.
    pub fn new(game: &str) -> Option<Sau> {
        let board = match game {
            Amazons::NAME => LetterBoard::Amazons,
            "connect6" => LetterBoard::Connect6,
            _ => return None,
        };
        Some(Sau {
            letters: Letters { board, platform: true },
            game: MoveHistory::default(),
            refused: Vec::new(),
            over: false,
            name: NameRequest::default(),
            moves: Vec::new(),
            begun: false,
        })
    }

    fn new_game(&mut self, colour: &str) -> Result<Vec<Command>, DialectError> {
        self.game.clear();
        self.refused.clear();
        self.over = false;
        let begin = vec![Command::NewGame, self.game.position()];
        match colour {
            "black" => Ok([begin, vec![Command::Go(Limits::default())]].concat()),
            "white" => Ok(begin),
            _ => {
                refuse(format!("expected `new black` or `new white`, found `{}`", excerpt(colour)))
            }
        }
    }

    fn reply_to(&mut self, text: &str) -> Result<Vec<Command>, DialectError> {
        let Some(token) = self.letters.read(text) else {
            return refuse(bad_squares(self.letters, text));
        };
        self.refused.clear();
        self.game.checkpoint();
        self.game.moves.push(token);
        Ok(vec![self.game.position(), Command::Go(Limits::default())])
    }

    /// The platform rejected our last move: play another one. (Its older versions reject arrows to
    /// or across the square that the amazon has just left.)
    fn try_again(&mut self) -> Result<Vec<Command>, DialectError> {
        let Some(token) = self.game.moves.pop() else {
            return refuse("`error`: no turn of ours has been played");
        };
        self.refused.push(token);
        let limits = Limits { ban_moves: self.refused.clone(), ..Limits::default() };
        Ok(vec![self.game.position(), Command::Go(limits)])
    }

    fn write_go(&mut self) -> Vec<String> {
        let last = self.moves.last().and_then(|token| self.letters.write(token));
        let mut lines = Vec::new();
        if !self.begun {
            self.begun = true;
            lines.push(if last.is_some() { "new white" } else { "new black" }.to_string());
        }
        lines.extend(last.map(|text| format!("move {text}")));
        lines
    }
}

fn bad_squares(letters: Letters, text: &str) -> String {
    let form = match (letters.board, letters.platform) {
        (LetterBoard::Amazons, _) => "six letters A to J such as AGIGEG: from, to, arrow",
        (LetterBoard::Connect6, true) => "four letters A to S such as KKJK, or JJ@@ for one stone",
        (LetterBoard::Connect6, false) => "four letters A to S such as KKJK, or two for one stone",
    };
    format!("`{}` is not a turn: expected {form}", excerpt(text))
}

/// A name that fits: as many leading words as the limit allows.
fn short(name: &str) -> String {
    let words = name.split_whitespace().scan(0, |length, word| {
        *length += word.len() + usize::from(*length > 0);
        (*length <= NAME_LENGTH).then_some(word)
    });
    let text = words.collect::<Vec<_>>().join("-");
    if text.is_empty() { name.chars().take(NAME_LENGTH).collect() } else { text }
}

/// A text in which the platform finds no command.
fn without_commands(text: &str) -> String {
    ["name", "move"].into_iter().fold(super::one_line(text), |text, word| {
        text.replace(&format!("{word} "), &format!("{word}: "))
    })
}

/// The parameter of a word as found by the platform: at the start of the line or after a blank, up
/// to the next blank. The flag is true at the start of the line.
fn find<'a>(line: &'a str, word: &str) -> Option<(&'a str, bool)> {
    line.match_indices(word).find_map(|(at, _)| {
        let before = line[..at].chars().next_back();
        let rest = line[at + word.len()..].strip_prefix(' ')?;
        before.is_none_or(char::is_whitespace).then(|| (rest.trim(), line[..at].trim().is_empty()))
    })
}

/// The move in an engine's line, as a core token; an invalid move is passed on unchanged if the
/// line starts with `move`.
fn find_move(letters: Letters, line: &str) -> Option<Reply> {
    let (text, leads) = find(line, "move")?;
    let word = split_word(text).0;
    match letters.read(word) {
        Some(token) => Some(Reply::BestMove(Some(token))),
        None => leads.then(|| Reply::BestMove(Some(word.into()))),
    }
}

/// The lines for `reply`; moves and errors change the game so far.
fn write_reply(game: &mut MoveHistory, letters: Letters, reply: &Reply) -> Vec<String> {
    match reply {
        Reply::Id { name, .. } => vec![format!("name {}", short(name))],
        Reply::BestMove(Some(token)) => {
            game.checkpoint();
            game.moves.push(token.clone());
            letters.write(token).map(|text| format!("move {text}")).into_iter().collect()
        }
        Reply::Error(text) => {
            game.roll_back();
            vec![without_commands(&format!("error: {text}"))]
        }
        Reply::Text(text) => text.lines().map(without_commands).collect(),
        _ => Vec::new(),
    }
}

/// Manager side: the request that `name` answers, and a reply that needs no line of its own.
#[derive(Debug, Default)]
struct NameRequest {
    asked: Option<Command>,
    pending: Option<Reply>,
}

impl NameRequest {
    /// The reply to the name: it answers `IsReady`, too. `None` if it was not asked for.
    fn answer(&mut self, name: &str) -> Option<Reply> {
        if self.asked.take()? == Command::IsReady {
            return Some(Reply::Ready);
        }
        self.pending = Some(Reply::Identified);
        Some(Reply::Id { name: name.into(), author: String::new() })
    }
}

impl Dialect for Sau {
    fn name(&self) -> &'static str {
        "sau"
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let (word, rest) = split_word(line);
        match word {
            "name?" => Ok(vec![Command::Identify]),
            "new" => self.new_game(rest),
            "move" => self.reply_to(rest),
            "error" => self.try_again(),
            "end" => {
                self.over = true;
                Ok(vec![Command::Stop])
            }
            "quit" | "exit" => Ok(vec![Command::Quit]),
            "" => Ok(Vec::new()),
            _ => refuse_unknown(word, "name?, new, move, error, end, quit"),
        }
    }

    /// The end of a game cancels the move that is being computed.
    fn timing(&self, line: &str) -> LineTiming {
        if split_word(line).0 == "end" { LineTiming::AtOnce } else { LineTiming::InOrder }
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        match reply {
            Reply::BestMove(_) if self.over => Vec::new(),
            _ => write_reply(&mut self.game, self.letters, reply),
        }
    }

    fn write_command(&mut self, command: &Command, _mover: Player) -> Vec<String> {
        match command {
            Command::Identify | Command::IsReady => {
                self.name.asked = Some(command.clone());
                vec!["name?".into()]
            }
            Command::NewGame => {
                self.moves.clear();
                if std::mem::take(&mut self.begun) { vec!["end".into()] } else { Vec::new() }
            }
            Command::Position { moves, .. } => {
                self.moves.clone_from(moves);
                Vec::new()
            }
            Command::Go(_) => self.write_go(),
            Command::Quit => vec!["quit".into()],
            _ => Vec::new(),
        }
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let name = find(line, "name").and_then(|(name, _)| self.name.answer(name));
        name.or_else(|| find_move(self.letters, line))
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.name.pending.take()
    }

    fn position_support(&self) -> PositionSupport {
        PositionSupport::OwnGames
    }
}
