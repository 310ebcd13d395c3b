//! What a page asks of the desk, and what it is answered.

use super::super::action::{Action, By, EngineEvent, Why};
use super::super::command::{DeskCommand, DeskRequest};
use super::super::dice;
use super::super::engine_thread::EngineThread;
use super::super::game::DeskGame;
use super::super::record;
use super::super::typed;
use super::Controller;
use agon_games::Turn;
use agon_games::phrase::phrase;
use agon_web::{HttpAnswer, Refusal};
use serde_json::json;

/// The maximum length of a remark in characters.
const MAX_NOTE: usize = 500;

impl Controller {
    /// Obeys a command of a page.
    pub(super) fn obey(&mut self, request: &DeskRequest) -> HttpAnswer {
        if let (Some(at), Some(game)) = (request.at, &self.state.game) {
            let here = [game.number as usize, game.plies.len()];
            if at != here {
                return Err(Refusal::conflict(phrase!("the position has changed meanwhile")));
            }
        }
        self.command(&request.act)
    }

    fn command(&mut self, command: &DeskCommand) -> HttpAnswer {
        let action = match command.clone() {
            DeskCommand::Play { text } => return self.play_typed(&text),
            DeskCommand::Roll => return self.roll(),
            DeskCommand::Accept { token } => return self.accept(token.as_deref()),
            DeskCommand::Secret => {
                let secret = dice::secret().map_err(Refusal::conflict)?;
                let hash = dice::commitment(&secret);
                return Ok(json!({ "secret": secret, "hash": hash }));
            }
            DeskCommand::Record => {
                let ended = self.state.games().filter(|game| game.end.is_some()).last();
                let game =
                    ended.ok_or_else(|| Refusal::unknown(phrase!("no game has ended yet")))?;
                let record = record::of(&self.state.setup, game).map_err(Refusal::conflict)?;
                return Ok(json!({ "name": record.name, "text": record.text }));
            }
            DeskCommand::Think => {
                (self.asked, self.again) = (None, true);
                return self.done();
            }
            DeskCommand::Auto { on } => {
                self.auto = on;
                if on && self.state.game.as_ref().is_some_and(|g| g.proposal.is_some()) {
                    return self.accept(None);
                }
                return self.done();
            }
            DeskCommand::Engine { index } => return self.use_engine(index),
            DeskCommand::Begin => self.state.next_game().map_err(Refusal::conflict)?,
            DeskCommand::Back { plies } => Action::Back { plies },
            DeskCommand::Clock { team, left_ms, note } => {
                Action::SetClock { team, left_ms, note: checked(&note)? }
            }
            DeskCommand::Run { team } => Action::Run { team },
            DeskCommand::Reopen => Action::Reopen,
            DeskCommand::Commit { player, hash } => Action::Commit { player, hash },
            DeskCommand::Reveal { player, secret } => Action::Reveal { player, secret },
            DeskCommand::Note { text } => Action::Note { text: checked(&text)? },
            DeskCommand::End { winner, why, note } => {
                let ruled = self.state.game.as_ref().and_then(DeskGame::ruled);
                let winner = match (why, ruled) {
                    (Why::Rules, Some(ruled)) => ruled,
                    _ => winner,
                };
                Action::End { winner, why, note: checked(&note)? }
            }
        };
        let ends = matches!(action, Action::End { .. });
        let reopens = matches!(action, Action::Reopen);
        self.write(action).map_err(Refusal::conflict)?;
        if ends || reopens {
            self.keep_records(ends);
            self.engine.iter().for_each(EngineThread::rest);
        }
        self.done()
    }

    fn done(&self) -> HttpAnswer {
        Ok(json!({ "n": self.state.n }))
    }

    /// Plays what was typed.
    fn play_typed(&mut self, text: &str) -> HttpAnswer {
        let game = self.state.setup.game.clone();
        let board = self.state.playing().map_err(Refusal::conflict)?.board.boxed_clone();
        let tokens = typed::read(&game, &*board, text).map_err(|refused| {
            Refusal::bad(refused.reason).with(json!({ "legal": refused.nearest }))
        })?;
        for token in tokens {
            self.write(Action::Play { token, by: By::Hand }).map_err(Refusal::conflict)?;
        }
        self.done()
    }

    /// Rolls here.
    fn roll(&mut self) -> HttpAnswer {
        let game = self.state.playing().map_err(Refusal::conflict)?;
        let outcomes = match game.board.turn() {
            Turn::Chance => game.board.chance_tokens(),
            _ => return Err(Refusal::conflict(phrase!("no roll is due"))),
        };
        let token = dice::roll(&outcomes).map_err(Refusal::conflict)?;
        self.write(Action::Play { token: token.clone(), by: By::Rolled })
            .map_err(Refusal::conflict)?;
        Ok(json!({ "n": self.state.n, "rolled": token }))
    }

    /// Plays the engine's proposal; a page names the one that it shows.
    pub(super) fn accept(&mut self, shown: Option<&str>) -> HttpAnswer {
        let game = self.state.playing().map_err(Refusal::conflict)?;
        let Some(proposal) = game.proposal.clone() else {
            return Err(Refusal::conflict(phrase!("the engine proposes no move here")));
        };
        if shown.is_some_and(|shown| shown != proposal.texts.token) {
            return Err(Refusal::conflict(phrase!("the engine proposes another move now")));
        }
        let action = Action::Play { token: proposal.texts.token, by: proposal.by };
        self.write(action).map_err(Refusal::conflict)?;
        self.ponder();
        self.done()
    }

    fn use_engine(&mut self, index: usize) -> HttpAnswer {
        let Some(engine) = &self.engine else {
            return Err(Refusal::conflict(phrase!("no engine plays")));
        };
        let Some(entry) = engine.entries.get(index) else {
            return Err(Refusal::bad(phrase!("there is no stand-by engine; give --second-engine")));
        };
        let name = entry.name.clone();
        engine.use_engine(index, self.due_game());
        self.asked = None;
        let event = if index == 0 { EngineEvent::MainUsed } else { EngineEvent::StandbyUsed };
        let detail = phrase!("by hand");
        self.write(Action::Engine { event, name, detail }).map_err(Refusal::conflict)?;
        self.done()
    }
}

/// A remark of a page: not too long.
fn checked(note: &str) -> Result<String, Refusal> {
    let note = note.trim();
    if note.chars().count() > MAX_NOTE {
        return Err(Refusal::bad(phrase!("a remark has at most {n} characters", n = MAX_NOTE)));
    }
    Ok(agon_games::text::visible(note).into_owned())
}
