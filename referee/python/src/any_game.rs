//! A game of any kind behind one interface, with what it takes to take actions back.

use agon_games::Turn;
use agon_games::actions::{ActionError, ActionSet, Frame, Staged};
use agon_games::arbiter::{Arbiter, OpenError, start};
use agon_games::numbered::{Back, COMMON_PLANES, ForGame, Numbered};
use agon_games::record::Record;
use agon_games::{MoveError, Player};

/// What was played by one call: an action or an outcome, or a whole turn as text.
#[derive(Clone, Debug)]
pub enum Played {
    Action(u16),
    Turn(String),
}

/// A game in progress.
pub trait AnyGame: Send {
    /// The moves and the position as text, at the beginning of the turn.
    fn arbiter(&self) -> &dyn Arbiter;
    /// The game's name.
    fn name(&self) -> &'static str;
    fn frame(&self) -> Frame;
    fn action_count(&self) -> usize;
    fn outcome_count(&self) -> usize;
    fn stage(&self) -> &'static str;
    fn legal(&self) -> &ActionSet;
    fn turn(&self) -> Turn;
    fn chosen(&self) -> &[u16];
    fn play(&mut self, action: i64) -> Result<(), ActionError>;
    fn play_text(&mut self, text: &str) -> Result<(), MoveError>;
    /// Takes back the last call of one of the two; `false` if there is none.
    fn undo(&mut self) -> bool;
    fn history(&self) -> Vec<Played>;
    fn pick(&self, unit: f64) -> Option<u16>;
    fn outcomes(&self) -> Vec<(u16, u32)>;
    fn hash(&self) -> u64;
    fn perft(&self, depth: u32) -> u64;
    fn plane_names(&self) -> Vec<&'static str>;
    fn write_planes(&self, player: Player, out: &mut [u8]);
    /// The choices that make a legal turn.
    fn actions_of(&self, text: &str) -> Result<Vec<u16>, MoveError>;
    /// A legal action or outcome as text; `None` if it is not legal.
    fn action_text(&self, action: u16) -> Option<String>;
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    fn equals(&self, other: &dyn AnyGame) -> bool;
}

struct Undoable<G: Staged> {
    game: Numbered<G>,
    back: Vec<(Back<G::Undo>, Played)>,
}

impl<G: Staged> AnyGame for Undoable<G> {
    fn arbiter(&self) -> &dyn Arbiter {
        self.game.record()
    }
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn frame(&self) -> Frame {
        self.game.record().current().frame()
    }
    fn action_count(&self) -> usize {
        self.game.legal().size()
    }
    fn outcome_count(&self) -> usize {
        G::OUTCOMES
    }
    fn stage(&self) -> &'static str {
        self.game.record().current().stage(self.game.chosen())
    }
    fn legal(&self) -> &ActionSet {
        self.game.legal()
    }
    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn chosen(&self) -> &[u16] {
        self.game.chosen()
    }
    fn play(&mut self, action: i64) -> Result<(), ActionError> {
        let back = self.game.play(action)?;
        self.back.push((back, Played::Action(action as u16)));
        Ok(())
    }
    fn play_text(&mut self, text: &str) -> Result<(), MoveError> {
        let back = self.game.play_text(text)?;
        self.back.push((back, Played::Turn(text.into())));
        Ok(())
    }
    fn undo(&mut self) -> bool {
        let last = self.back.pop();
        last.map(|(back, _)| self.game.take_back(back)).is_some()
    }
    fn history(&self) -> Vec<Played> {
        self.back.iter().map(|(_, played)| played.clone()).collect()
    }
    fn pick(&self, unit: f64) -> Option<u16> {
        self.game.pick(unit)
    }
    fn outcomes(&self) -> Vec<(u16, u32)> {
        self.game.outcomes()
    }
    fn hash(&self) -> u64 {
        self.game.hash()
    }
    fn perft(&self, depth: u32) -> u64 {
        match self.game.turn() {
            Turn::Over(_) if depth > 0 => 0,
            _ => agon_games::perft::perft(&mut self.game.record().current().clone(), depth),
        }
    }
    fn plane_names(&self) -> Vec<&'static str> {
        G::PLANES.iter().chain(&COMMON_PLANES).copied().collect()
    }
    fn write_planes(&self, player: Player, out: &mut [u8]) {
        self.game.write_planes(player, out);
    }
    fn actions_of(&self, text: &str) -> Result<Vec<u16>, MoveError> {
        let state = self.game.record().current();
        let m = state.parse_move(text)?;
        Ok(match self.game.turn() {
            Turn::Chance => vec![state.outcome_number(m)],
            _ => state.actions_of(m).to_vec(),
        })
    }
    fn action_text(&self, action: u16) -> Option<String> {
        let state = self.game.record().current();
        match self.game.turn() {
            Turn::Over(_) => None,
            Turn::Player(_) => {
                let is_legal = self.game.legal().contains(action.into());
                is_legal.then(|| state.action_text(self.game.chosen(), action))
            }
            Turn::Chance => {
                let outcome = state.outcome(action).filter(|m| state.is_legal(*m));
                outcome.map(|m| state.move_token(m))
            }
        }
    }
    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(Undoable { game: self.game.clone(), back: self.back.clone() })
    }
    fn equals(&self, other: &dyn AnyGame) -> bool {
        let (ours, theirs) = (self.arbiter(), other.arbiter());
        self.name() == other.name()
            && self.chosen() == other.chosen()
            && ours.start_fen() == theirs.start_fen()
            && ours.tokens() == theirs.tokens()
    }
}

/// A game with the moves of a record.
fn of_moves<G: Staged>(record: &Record<G>) -> Undoable<G> {
    let mut copy = Undoable { game: Numbered::new(record.start().clone()), back: Vec::new() };
    for token in record.tokens() {
        // The record's own tokens.
        let _ = copy.play_text(&token);
    }
    copy
}

/// A game with the moves of a record.
pub fn of_record<G: Staged>(record: &Record<G>) -> Box<dyn AnyGame> {
    Box::new(of_moves(record))
}

/// A game as it is in a batch. What was played becomes whole turns, and the choices of an unfinished one.
pub fn replayed<G: Staged>(game: &Numbered<G>) -> Box<dyn AnyGame> {
    let mut copy = of_moves(game.record());
    for &action in game.chosen() {
        let _ = copy.play(action.into());
    }
    Box::new(copy)
}

struct Open<'a> {
    fen: Option<&'a str>,
    settings: &'a [(String, String)],
}

impl ForGame for Open<'_> {
    type Output = Result<Box<dyn AnyGame>, OpenError>;
    fn call<G: Staged>(self) -> Self::Output {
        let game = Numbered::new(start::<G>(self.fen, self.settings)?);
        Ok(Box::new(Undoable { game, back: Vec::new() }))
    }
}

/// Opens a game; `None` if there is none of this name.
pub fn open(
    name: &str,
    fen: Option<&str>,
    settings: &[(String, String)],
) -> Option<Result<Box<dyn AnyGame>, OpenError>> {
    agon_games::numbered::for_game(name, Open { fen, settings })
}
