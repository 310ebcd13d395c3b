//! GTP, the Go Text Protocol, version 2, for the games in `spelling`, and its staged form.
//!
//! Every line is answered by `= ...` or `? ...` and an empty line. `genmove` also plays the move that it
//! answers. In `gtp` a turn is one command; in `gtp-stages`, the form of `KataGomo`, each of its stages is
//! one, and colours are ignored.

mod engine;
mod handshake;
mod line;
mod manager;
mod spelling;
mod stages;
#[cfg(test)]
mod stages_tests;
#[cfg(test)]
mod tests;

pub(super) use engine::opens;
pub(super) use line::{GtpLine, read_answer};

use super::{Dialect, DialectError, PositionSupport};
use crate::message::{Command, Reply};
use agon_games::game::Player;
use engine::EngineSide;
use manager::ManagerSide;
use std::time::Duration;

/// One conversation.
#[derive(Debug)]
pub struct Gtp {
    name: &'static str,
    engine: EngineSide,
    manager: ManagerSide,
}

impl Gtp {
    /// Starts a conversation about `game` in which a turn is one command; `None` for a game without
    /// this form.
    pub fn whole(game: &str) -> Option<Gtp> {
        Gtp::new("gtp", spelling::WHOLE, game)
    }

    /// Starts a conversation in which a turn has a command for each stage.
    pub fn staged(game: &str) -> Option<Gtp> {
        Gtp::new("gtp-stages", spelling::STAGED, game)
    }

    fn new(name: &'static str, games: &'static [spelling::Spelling], game: &str) -> Option<Gtp> {
        let spelling = games.iter().find(|s| s.game == game)?;
        let (engine, manager) = (EngineSide::new(spelling), ManagerSide::new(spelling));
        Some(Gtp { name, engine, manager })
    }
}

impl Dialect for Gtp {
    fn name(&self) -> &'static str {
        self.name
    }

    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        self.engine.read_command(line)
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        self.engine.write_reply(reply)
    }

    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String> {
        self.manager.write_command(command, mover)
    }

    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        self.manager.read_reply(line)
    }

    fn poll_reply(&mut self) -> Option<Reply> {
        self.manager.poll_reply()
    }

    fn time_unit(&self) -> Duration {
        if self.manager.counts_seconds() {
            Duration::from_secs(1)
        } else {
            Duration::from_millis(1)
        }
    }

    fn tells_increments(&self) -> bool {
        false
    }

    fn position_support(&self) -> PositionSupport {
        PositionSupport::MovesFromStart
    }
}
