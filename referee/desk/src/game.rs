//! The game on the board: its plies, its clocks, and what the engine proposes.

use super::action::{By, Why};
use super::dice::Agreement;
use agon_games::Turn;
use agon_games::arbiter::Arbiter;
use agon_games::game::MoveTexts;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_web::clocks::{ClockRule, Clocks, is_set_up, on_duty};
use agon_wire::message::Limits;
use std::time::Duration;

/// The time of an engine for a set-up, which is made before the clocks start, or without clocks.
const FREE_THINKING: Duration = Duration::from_secs(5);

/// A ply on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPly {
    /// The canonical token.
    pub token: String,
    /// Who gave it.
    pub by: By,
    /// The player who made it; `None` for chance.
    pub player: Option<usize>,
    /// When: milliseconds of the Unix clock.
    pub at: u64,
}

/// What the engine proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The move.
    pub texts: MoveTexts,
    /// Which engine.
    pub by: By,
    /// Its score as in a log, or as text; empty if it sent none.
    pub score: String,
    /// Its expected score in permille, if it sent one.
    pub expected: Option<u32>,
    /// The depth.
    pub depth: Option<u32>,
    /// Milliseconds that it took.
    pub ms: u64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeskGameEnd {
    /// The winning team; `None`: a draw.
    pub winner: Option<usize>,
    /// Why.
    pub why: Why,
    /// A remark.
    pub note: String,
    /// When: milliseconds of the Unix clock.
    pub at: u64,
}

/// A game, begun and perhaps ended.
pub struct DeskGame {
    /// Counted from 1.
    pub number: u32,
    /// The team that moves first.
    pub first: usize,
    /// The rules' view of the position.
    pub board: Box<dyn Arbiter>,
    /// The position before the first ply.
    start: Box<dyn Arbiter>,
    /// The plies on the board.
    pub plies: Vec<BoardPly>,
    /// The clocks.
    pub clocks: Clocks,
    /// The engine's proposal for this position.
    pub proposal: Option<Proposal>,
    /// The commitments for the roll that is due.
    pub agreement: Agreement,
    /// How it ended.
    pub end: Option<DeskGameEnd>,
    /// When it began.
    pub begun: u64,
}

impl Clone for DeskGame {
    fn clone(&self) -> DeskGame {
        DeskGame {
            board: self.board.boxed_clone(),
            start: self.start.boxed_clone(),
            plies: self.plies.clone(),
            clocks: self.clocks.clone(),
            proposal: self.proposal.clone(),
            agreement: self.agreement.clone(),
            end: self.end.clone(),
            ..*self
        }
    }
}

impl DeskGame {
    /// A game before its first ply.
    pub fn new(
        number: u32,
        first: usize,
        start: Box<dyn Arbiter>,
        clocks: Clocks,
        at: u64,
    ) -> DeskGame {
        DeskGame {
            number,
            first,
            board: start.boxed_clone(),
            start,
            plies: Vec::new(),
            clocks,
            proposal: None,
            agreement: Agreement::default(),
            end: None,
            begun: at,
        }
    }

    /// The same game with no ply on the board and this end.
    pub fn without_moves(&self, end: DeskGameEnd) -> DeskGame {
        let (board, plies) = (self.start.boxed_clone(), Vec::new());
        DeskGame { board, plies, end: Some(end), ..self.clone() }
    }

    /// The team of a player, 0 for the first one.
    pub fn team(&self, player: usize) -> usize {
        self.first ^ player
    }

    /// The team whose clock runs: the one that moves, or that moves after the roll that is due.
    /// `None`: the game is over.
    pub fn on_duty(&self) -> Option<usize> {
        on_duty(&*self.board).map(|player| self.team(player.index()))
    }

    /// The canonical tokens on the board.
    pub fn tokens(&self) -> Vec<String> {
        self.plies.iter().map(|ply| ply.token.clone()).collect()
    }

    /// Whether the position awaits a set-up.
    pub fn awaits_set_up(&self) -> bool {
        let player = self.board.turn().player().is_some();
        player && self.board.fen().ends_with(" setup")
    }

    /// Plays a ply.
    ///
    /// # Errors
    /// The text of the rules if it is illegal.
    pub fn play(&mut self, token: &str, by: By, at: u64) -> Result<(), Phrase> {
        if self.end.is_some() {
            return Err(phrase!("the game has ended"));
        }
        let player = self.board.turn().player().map(agon_games::Player::index);
        let token = self.board.push(token).map_err(|e| e.to_phrase())?;
        let is_set_up = is_set_up(&token);
        self.plies.push(BoardPly { token, by, player, at });
        self.proposal = None;
        self.agreement = Agreement::default();
        if is_set_up {
            self.clocks.set_up(self.plies.len());
        } else {
            let mover = player.map(|player| self.team(player));
            let next = self.on_duty();
            self.clocks.played(at, self.plies.len(), mover, next);
        }
        Ok(())
    }

    /// Takes back plies; the clocks stay as they are.
    ///
    /// # Errors
    /// If there are not so many plies, or the game has ended.
    pub fn back(&mut self, plies: usize) -> Result<(), Phrase> {
        if self.end.is_some() {
            return Err(phrase!("the game has ended; reopen it first"));
        }
        let Some(keep) = self.plies.len().checked_sub(plies).filter(|_| plies > 0) else {
            let have = self.plies.len();
            return Err(phrase!(
                "cannot take back {plies} plies: {have} are on the board",
                plies,
                have
            ));
        };
        let mut board = self.start.boxed_clone();
        for ply in &self.plies[..keep] {
            board.push(&ply.token).map_err(|e| e.to_phrase())?;
        }
        self.board = board;
        self.plies.truncate(keep);
        self.proposal = None;
        self.agreement = Agreement::default();
        Ok(())
    }

    /// What the engine is told of its time at this time of day.
    pub fn limits(&self, rule: ClockRule, now: u64) -> Limits {
        if self.awaits_set_up() || rule.time_ms == 0 {
            return Limits::with_move_time(FREE_THINKING);
        }
        let left = self.clocks.left(now);
        let of = |player: usize| {
            let ms = u64::try_from(left[self.team(player)]).unwrap_or(0);
            Some(Duration::from_millis(ms.max(100)))
        };
        let increment = [Duration::from_millis(rule.increment_ms); 2];
        Limits { time: [of(0), of(1)], increment, ..Limits::default() }
    }

    /// The winning team by the rules; `Some(None)` is a draw, `None` a game that is not over.
    pub fn ruled(&self) -> Option<Option<usize>> {
        match self.board.turn() {
            Turn::Over(agon_games::Outcome::Win(player)) => Some(Some(self.team(player.index()))),
            Turn::Over(agon_games::Outcome::Draw) => Some(None),
            _ => None,
        }
    }
}
