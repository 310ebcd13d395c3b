//! Cloudict's variant for Connect6, which many student engines copied: `name` without the question
//! mark, rows from the bottom, a first move of two letters, and its own commands to place stones
//! (`black`, `white`), request a move (`next`) and set the depth (`depth 1` to `9`).
//!
//! Cloudict prints help at its start, in indented lines that begin with the names of its commands,
//! and reports of its search. Only lines that begin with `name` or `move` are answers.

use super::{NameRequest, bad_squares, write_reply};
use crate::dialect::history::MoveHistory;
use crate::dialect::squares::{LetterBoard, Letters};
use crate::dialect::{Dialect, DialectError, PositionSupport, refuse, refuse_unknown, split_word};
use crate::message::{Command, Limits, Reply};
use agon_games::game::Player;
use agon_games::text::excerpt;

const LETTERS: Letters = Letters { board: LetterBoard::Connect6, platform: false };

/// One conversation in Cloudict's variant.
#[derive(Debug, Default)]
pub struct Cloudict {
    /// Engine side: the game so far, and the requested depth.
    game: MoveHistory,
    depth: Option<u32>,
    /// Manager side: the request for the name.
    name: NameRequest,
    /// Manager side: the moves of the last position, and how many of them were sent.
    moves: Vec<String>,
    sent_moves: usize,
    begun: bool,
}

impl Cloudict {
    /// Starts a conversation about `game`; `None` unless it is Connect6.
    pub fn new(game: &str) -> Option<Cloudict> {
        (game == "connect6").then(Cloudict::default)
    }

    fn go(&self) -> Command {
        // Its depths count turns of a width-bounded search; ours count turns too.
        Command::Go(Limits { depth: self.depth, ..Limits::default() })
    }

    fn place(&mut self, text: &str) -> Result<(), DialectError> {
        let Some(token) = LETTERS.read(text) else { return refuse(bad_squares(LETTERS, text)) };
        self.game.checkpoint();
        self.game.moves.push(token);
        Ok(())
    }

    fn new_game(&mut self, colour: &str) -> Vec<Command> {
        self.game.clear();
        let begin = vec![Command::NewGame, self.game.position()];
        if colour == "black" { [begin, vec![self.go()]].concat() } else { begin }
    }

    fn set_depth(&mut self, text: &str) -> Result<Vec<Command>, DialectError> {
        match text.parse() {
            Ok(depth @ 1..=9) => self.depth = Some(depth),
            _ => return refuse(format!("expected a depth from 1 to 9, found `{}`", excerpt(text))),
        }
        Ok(Vec::new())
    }

    /// Stones that the engine has not received, its own included, then the move request.
    fn write_go(&mut self, mover: Player) -> Vec<String> {
        let mut lines = Vec::new();
        let unknown: Vec<(usize, String)> = (self.sent_moves.min(self.moves.len())
            ..self.moves.len())
            .filter_map(|i| Some((i, LETTERS.write(&self.moves[i])?)))
            .collect();
        if !std::mem::replace(&mut self.begun, true) {
            if self.moves.is_empty() {
                self.sent_moves = 1;
                return vec!["new black".into()];
            }
            lines.push(format!("new {}", if mover == Player::First { "xxx" } else { "white" }));
        }
        match unknown.as_slice() {
            [(_, text)] => lines.push(format!("move {text}")),
            _ => {
                lines.extend(unknown.iter().map(|(i, text)| {
                    format!("{} {text}", if i % 2 == 0 { "black" } else { "white" })
                }));
                lines.push("next".into());
            }
        }
        self.sent_moves = self.moves.len() + 1;
        lines
    }
}

impl Dialect for Cloudict {
    fn name(&self) -> &'static str {
        "cloudict"
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        let (word, rest) = split_word(line);
        match word {
            "name" => Ok(vec![Command::Identify]),
            "new" => Ok(self.new_game(rest)),
            "move" => {
                self.place(rest)?;
                Ok(vec![self.game.position(), self.go()])
            }
            "black" | "white" => {
                self.place(rest)?;
                Ok(vec![self.game.position()])
            }
            "next" => Ok(vec![self.go()]),
            "depth" => self.set_depth(rest),
            "print" => Ok(vec![Command::Show]),
            "quit" | "exit" => Ok(vec![Command::Quit]),
            // Our search for forced wins cannot be switched off.
            "" | "vcf" | "unvcf" | "help" => Ok(Vec::new()),
            _ => refuse_unknown(
                word,
                "name, new, move, black, white, next, depth, vcf, unvcf, print, quit",
            ),
        }
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        write_reply(&mut self.game, LETTERS, reply)
    }

    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        match command {
            Command::Identify | Command::IsReady => {
                self.name.asked = Some(command.clone());
                vec!["name".into()]
            }
            Command::NewGame => {
                self.moves.clear();
                self.sent_moves = 0;
                self.begun = false;
                Vec::new()
            }
            Command::Position { moves, .. } => {
                self.moves.clone_from(moves);
                Vec::new()
            }
            Command::Go(limits) => {
                let depth = limits.depth.map(|depth| format!("depth {}", depth.clamp(1, 9)));
                depth.into_iter().chain(self.write_go(mover)).collect()
            }
            Command::Quit => vec!["quit".into()],
            _ => Vec::new(),
        }
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let name = line.strip_prefix("name ").and_then(|name| self.name.answer(name.trim()));
        if name.is_some() {
            return name;
        }
        let word = split_word(line.strip_prefix("move ")?).0;
        Some(Reply::BestMove(Some(LETTERS.read(word).unwrap_or_else(|| word.into()))))
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.name.pending.take()
    }

    fn position_support(&self) -> PositionSupport {
        PositionSupport::MovesFromStart
    }
}
