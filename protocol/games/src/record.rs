//! A game in progress: a start position, the moves since, and the current state.
//!
//! The record applies rules that need the path (repetition). A `position` command is converted to a
//! record.

use crate::game::{FenError, Game, MoveError, Path, Turn};
use crate::phrase::{Phrase, ToPhrase, phrase};

/// A start position and the moves played from it.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    start: G,
    moves: Vec<G::Move>,
    hashes: Vec<u64>,
    current: G,
    turn: Turn,
}

/// Why a `position` command was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The FEN was bad.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move in the list was bad.
    #[error("{}", self.to_phrase())]
    Move {
        /// Counted from 1.
        number: usize,
        /// The error.
        error: MoveError,
    },
}

impl ToPhrase for RecordError {
    fn to_phrase(&self) -> Phrase {
        match self {
            RecordError::Fen(error) => error.to_phrase(),
            RecordError::Move { number, error } => {
                phrase!("move {number} of the list: {error}", number, error)
            }
        }
    }
}

impl<G: Game> Record<G> {
    /// A record without moves.
    pub fn new(start: G) -> Record<G> {
        Record {
            current: start.clone(),
            hashes: vec![start.hash()],
            turn: start.turn(),
            start,
            moves: Vec::new(),
        }
    }

    /// The record of a `position` command: the start position if `fen` is `None`, then `moves`.
    pub fn from_text<S: AsRef<str>>(
        fen: Option<&str>,
        moves: &[S],
        rules: &G::Rules,
    ) -> Result<Record<G>, RecordError> {
        let mut record = Record::new(match fen {
            None => G::start(rules),
            Some(fen) => G::parse_fen(fen, rules)?,
        });
        for (i, text) in moves.iter().enumerate() {
            record
                .push_text(text.as_ref())
                .map_err(|error| RecordError::Move { number: i + 1, error })?;
        }
        Ok(record)
    }

    /// Reads a move or chance outcome, checks it and plays it.
    pub fn push_text(&mut self, text: &str) -> Result<G::Move, MoveError> {
        if let Turn::Over(_) = self.turn() {
            return Err(MoveError::illegal(text, phrase!("the game is over")));
        }
        let m = self.current.parse_move(text)?;
        self.push(m);
        Ok(m)
    }

    /// Plays a legal move.
    pub fn push(&mut self, m: G::Move) {
        self.play(m);
    }

    /// Plays a legal move and returns what [`Record::take_back`] needs.
    pub fn play(&mut self, m: G::Move) -> G::Undo {
        self.play_by(m, G::turn)
    }

    /// The same with a function that does what [`Game::turn`] does, and perhaps more.
    #[inline]
    pub fn play_by(&mut self, m: G::Move, turn: impl FnOnce(&G) -> Turn) -> G::Undo {
        let undo = self.current.play(m);
        self.moves.push(m);
        self.hashes.push(self.current.hash());
        self.turn = turn(&self.current);
        if !matches!(self.turn, Turn::Over(_)) {
            let repetition = G::repetition_outcome(&Path {
                start: &self.start,
                moves: &self.moves,
                hashes: &self.hashes,
                current: &self.current,
            });
            self.turn = repetition.map_or(self.turn, Turn::Over);
        }
        undo
    }

    /// Takes back the last move, played before the game was over.
    pub fn take_back(&mut self, undo: G::Undo) {
        if let Some(m) = self.moves.pop() {
            self.hashes.pop();
            self.current.undo(m, undo);
            self.turn = self.current.turn();
        }
    }

    /// Goes back to the start, and keeps the memory for the next game.
    pub fn restart(&mut self) {
        self.moves.clear();
        self.hashes.truncate(1);
        self.current.clone_from(&self.start);
        self.turn = self.current.turn();
    }

    /// Whose turn it is, including the rules that need the path.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The position before the first move.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The current position.
    pub fn current(&self) -> &G {
        &self.current
    }

    /// The moves and chance outcomes so far.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The hash of every position so far: one more than the number of moves, the current one last.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The canonical tokens of the moves so far.
    pub fn tokens(&self) -> Vec<String> {
        let mut state = self.start.clone();
        self.moves
            .iter()
            .map(|&m| {
                let token = state.move_token(m);
                state.play(m);
                token
            })
            .collect()
    }
}
