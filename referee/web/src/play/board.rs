//! The board of a game: its position, who moves for each player, and going back.

use super::super::answer::Refusal;
use super::super::position::MAX_PLIES;
use super::super::server::no_random;
use super::clock::{self, GameClock};
use super::request::{ChanceBy, Ended, EndedBy, NewGame, SideChoice};
use agon_games::arbiter::Arbiter;
use agon_games::game::{MoveError, MoveTexts};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::rng::{self, Stream};
use agon_games::{Player, Turn};
use agon_report::shown::texts;
use agon_report::view::{Legal, ResultText, View, Viewing};
use serde_json::{Value, json};

/// Most legal moves that the refusal of a move lists.
const MOST_LISTED: usize = 60;

/// A board with its players.
pub struct GameBoard {
    /// The game and its rules.
    viewing: Viewing,
    /// The position before the first move.
    start: Box<dyn Arbiter>,
    /// The current position.
    pub arbiter: Box<dyn Arbiter>,
    /// Who moves for each player.
    pub sides: [SideChoice; 2],
    /// Who rolls and reveals.
    pub chance: ChanceBy,
    /// How it ended, if not by the rules.
    pub ended: Option<Ended>,
    /// The clocks, if the game has any.
    pub clock: Option<GameClock>,
    rng: Stream,
}

impl GameBoard {
    /// Sets up the board of a request.
    pub fn open(new: &NewGame) -> Result<GameBoard, Refusal> {
        let position = &new.position;
        let board = position.open()?;
        let rule = new.clock.as_deref().map(clock::rule).transpose()?;
        let plies = board.tokens().len();
        let rules = position.rule_pairs();
        let kind = position.kind()?;
        let start = kind.open(Some(&board.start_fen()), &rules);
        let seed = getrandom::u64().map_err(|e| Refusal::conflict(no_random(e)))?;
        Ok(GameBoard {
            viewing: Viewing { legal: true, ..Viewing::spectator(kind, rules) },
            start: start.map_err(|e| Refusal::bad(e.to_phrase()))?,
            arbiter: board,
            sides: new.sides,
            chance: new.chance,
            ended: new.ended,
            clock: rule.map(|rule| GameClock::new(rule, new.left, plies)),
            rng: rng::stream(seed, 0, "play"),
        })
    }

    /// Whose turn it is; nobody's after a resignation or a flag.
    pub fn turn(&self) -> Option<Turn> {
        let is_over = self.ended.is_some() || matches!(self.arbiter.turn(), Turn::Over(_));
        (!is_over).then(|| self.arbiter.turn())
    }

    /// Who is to move, and whether by hand or by the engine; `None` if it is no player's turn.
    pub fn mover(&self) -> Option<(Player, SideChoice)> {
        let player = self.turn()?.player()?;
        Some((player, self.sides[player.index()]))
    }

    /// The only player who moves by hand: what the rules hide from this player is not shown.
    fn viewer(&self) -> Option<Player> {
        match self.sides {
            [SideChoice::Hand, SideChoice::Engine] => Some(Player::First),
            [SideChoice::Engine, SideChoice::Hand] => Some(Player::Second),
            _ => None,
        }
    }

    /// Whether the rules hide something from the player by hand now.
    pub fn hides_something(&self) -> bool {
        self.viewer().is_some_and(|viewer| self.arbiter.player_view_fen(viewer).is_some())
    }

    /// The position as the page gets it.
    pub fn view(&self) -> Result<View, Refusal> {
        let viewing = Viewing { viewer: self.viewer(), ..self.viewing.clone() };
        let mut view = viewing.view(&*self.arbiter).map_err(|e| Refusal::bad(Phrase::Plain(e)))?;
        if let Some(Ended { loser, why }) = self.ended {
            let winner = Some(loser.opponent().index());
            view.result = Some(ResultText { winner, text: why.name().into() });
            (view.turn, view.legal, view.chance) = (Value::Null, None, None);
        }
        if self.mover().is_some_and(|(_, side)| side == SideChoice::Engine) {
            view.legal = None;
        }
        Ok(view)
    }

    /// Plays a move by hand. An illegal one is refused with the legal ones.
    pub fn play(&mut self, token: &str, ply: Option<usize>) -> Result<(), Refusal> {
        if ply.is_some_and(|ply| ply != self.arbiter.tokens().len()) {
            return Err(Refusal::conflict(phrase!("the position has changed meanwhile")));
        }
        match self.turn() {
            None => return Err(Refusal::conflict(phrase!("the game is over"))),
            Some(Turn::Chance) => {
                return Err(Refusal::conflict(phrase!("enter the die or the piece first")));
            }
            _ if self.mover().is_some_and(|(_, side)| side == SideChoice::Engine) => {
                return Err(Refusal::conflict(phrase!("it is the engine's turn")));
            }
            _ => {}
        }
        self.push(token)
    }

    /// Enters an outcome of chance by hand.
    pub fn enter(&mut self, token: &str) -> Result<(), Refusal> {
        if self.turn() != Some(Turn::Chance) {
            return Err(Refusal::conflict(phrase!("no die and no piece is due")));
        }
        self.push(token)
    }

    /// Plays a token, which is checked.
    pub fn push(&mut self, token: &str) -> Result<(), Refusal> {
        if self.arbiter.tokens().len() >= MAX_PLIES {
            return Err(Refusal::conflict(phrase!(
                "the game has {n} moves; begin a new one",
                n = MAX_PLIES
            )));
        }
        match self.put(token) {
            Ok(()) => Ok(()),
            Err(error) => {
                Err(Refusal::bad(error.to_phrase()).with(json!({ "legal": self.legal() })))
            }
        }
    }

    /// Plays a legal token; the clocks follow.
    ///
    /// # Errors
    ///
    /// Fails if the token is not legal; the position stays.
    pub fn put(&mut self, token: &str) -> Result<(), MoveError> {
        let mover = self.arbiter.turn().player();
        self.arbiter.push(token)?;
        if let Some(clock) = &mut self.clock {
            clock.played(&*self.arbiter, mover);
        }
        Ok(())
    }

    /// Ends the game before the rules end it; the clocks stop.
    pub fn end(&mut self, loser: Player, why: EndedBy) {
        self.ended = Some(Ended { loser, why });
        if let Some(clock) = &mut self.clock {
            clock.hold();
        }
    }

    /// What would be legal, as far as it is listed.
    fn legal(&self) -> Vec<MoveTexts> {
        let Ok(view) = self.view() else { return Vec::new() };
        let tokens: Vec<String> = match (view.legal, view.chance) {
            (Some(Legal::List { moves, .. }), _) => {
                moves.into_iter().map(|(token, _)| token).collect()
            }
            (Some(Legal::Points { points, .. }), _) => points,
            (Some(Legal::Setup { pieces, .. }), _) => vec![pieces.concat()],
            (_, Some(chance)) => chance.outcomes.into_iter().map(|outcome| outcome.token).collect(),
            _ => Vec::new(),
        };
        tokens.iter().take(MOST_LISTED).map(|token| texts(&*self.arbiter, token)).collect()
    }

    /// Draws the die or the piece that is due, if any.
    pub fn roll(&mut self) {
        let outcomes = self.arbiter.chance_tokens();
        let weights = outcomes.iter().map(|(_, weight)| *weight);
        if let Some(drawn) = rng::weighted_index(&mut self.rng, weights) {
            // The rules list only outcomes that they accept.
            let _ = self.put(&outcomes[drawn].0);
        }
    }

    /// Takes back the moves up to the last decision that was made by hand.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        if self.ended.is_some_and(|ended| ended.why == EndedBy::Resignation) {
            self.ended = None;
            if let Some(clock) = &mut self.clock {
                clock.go_on(&*self.arbiter);
            }
            return Ok(());
        }
        let tokens = self.arbiter.tokens();
        let mut board = self.start.boxed_clone();
        let mut last = None;
        for token in &tokens {
            if self.is_by_hand(board.turn()) {
                last = Some(board.boxed_clone());
            }
            if board.push(token).is_err() {
                break;
            }
        }
        self.arbiter =
            last.ok_or_else(|| Refusal::conflict(phrase!("there is no move to take back")))?;
        self.ended = None;
        if let Some(clock) = &mut self.clock {
            clock.back(&*self.arbiter);
        }
        Ok(())
    }

    /// Whether a page decides here. If the engine plays both sides, every decision counts.
    fn is_by_hand(&self, turn: Turn) -> bool {
        match turn {
            Turn::Player(player) => {
                self.sides[player.index()] == SideChoice::Hand
                    || self.sides == [SideChoice::Engine; 2]
            }
            Turn::Chance => self.chance == ChanceBy::Hand,
            Turn::Over(_) => false,
        }
    }
}
