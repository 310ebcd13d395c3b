//! The trait that every game implements.
//!
//! A state is complete, also in games with chance: it knows whose turn it is, and chance is a
//! player whose outcomes carry integer weights. Search negates a value by comparing sides and never
//! assumes that sides alternate.

use crate::option::RuleSet;
use crate::phrase::{Phrase, ToPhrase, phrase};
use serde::Serialize;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// One of the two players, named by move order instead of colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The player who makes the first decision from the start position.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both players, first player first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second: an index into per-player arrays.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Drawn.
    Draw,
}

impl Outcome {
    /// 1 for a win of `player`, 0 for a draw, -1 for a loss.
    pub fn sign_for(self, player: Player) -> i32 {
        match self {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == player => 1,
            Outcome::Win(_) => -1,
        }
    }
}

/// Who acts next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// A player decides.
    Player(Player),
    /// Chance decides: a die roll or the identity of a flipped piece.
    Chance,
    /// Nobody: the game is over.
    Over(Outcome),
}

impl Turn {
    /// The player to move, if it is a player's turn.
    pub fn player(self) -> Option<Player> {
        match self {
            Turn::Player(p) => Some(p),
            _ => None,
        }
    }

    /// The result, if the game is over.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Turn::Over(o) => Some(o),
            _ => None,
        }
    }
}

/// Why a FEN was rejected: the error, its place, and the expected form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.to_phrase())]
pub struct FenError {
    /// The original text.
    pub fen: String,
    /// The error, its place, and the expected form.
    pub reason: String,
}

impl FenError {
    /// An error about `fen`.
    pub fn new(fen: &str, reason: impl Into<String>) -> FenError {
        FenError { fen: crate::text::excerpt(fen), reason: reason.into() }
    }
}

impl ToPhrase for FenError {
    fn to_phrase(&self) -> Phrase {
        phrase!("bad FEN `{fen}`: {reason}", fen = self.fen, reason = self.reason)
    }
}

/// Why a move's text was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in this game's notation.
    #[error("{}", self.to_phrase())]
    Syntax {
        /// The original text, shortened to a readable length.
        text: String,
        /// The error and the expected form.
        reason: Phrase,
    },
    /// The text is a move, but illegal here.
    #[error("{}", self.to_phrase())]
    Illegal {
        /// The original text.
        text: String,
        /// The rule that it breaks.
        reason: Phrase,
    },
}

impl MoveError {
    /// A text that is not a move.
    pub fn syntax(text: &str, reason: Phrase) -> MoveError {
        MoveError::Syntax { text: crate::text::excerpt(text), reason }
    }

    /// A move that the rules forbid here.
    pub fn illegal(text: &str, reason: Phrase) -> MoveError {
        MoveError::Illegal { text: crate::text::excerpt(text), reason }
    }
}

impl ToPhrase for MoveError {
    fn to_phrase(&self) -> Phrase {
        match self {
            MoveError::Syntax { text, reason } => {
                phrase!("`{text}` is not a move: {reason}", text, reason)
            }
            MoveError::Illegal { text, reason } => {
                phrase!("illegal move `{text}`: {reason}", text, reason)
            }
        }
    }
}

/// A move in every notation that people use for its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveTexts {
    /// The canonical protocol token.
    pub token: String,
    /// By the letters and numbers on the edge of the board: `d1-d7/g7`, `h2-e2`.
    pub text: String,
    /// In the notation of the World Xiangqi Federation: `C2.5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wxf: Option<String>,
    /// In Chinese characters: `炮二平五`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chinese: Option<String>,
}

impl MoveTexts {
    /// A move that is written in one way.
    pub fn new(token: String, text: String) -> MoveTexts {
        MoveTexts { token, text, wxf: None, chinese: None }
    }

    /// All texts that are read as the move.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        [&self.token, &self.text].into_iter().chain(&self.wxf).chain(&self.chinese)
    }
}

/// The moves that led to a position, for repetition rules.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a, G: Game> {
    /// The position before the first move.
    pub start: &'a G,
    /// The moves and chance outcomes since.
    pub moves: &'a [G::Move],
    /// The hash of every position so far: one more than the number of moves, the current one last.
    pub hashes: &'a [u64],
    /// The current position.
    pub current: &'a G,
}

/// A game's rules and its notation.
///
/// Every implementation passes [`crate::conformance::check`], which tests the contracts below.
///
/// ```
/// use agon_games::amazons::Amazons;
/// use agon_games::option::NoRules;
/// use agon_games::{Game, Player, Turn};
///
/// let mut game = Amazons::start(&NoRules);
/// assert_eq!(game.count_moves(), 2176);
/// let m = game.parse_move("d1-d7/g7")?;
/// game.play(m);
/// assert_eq!(game.turn(), Turn::Player(Player::Second));
/// game.undo(m, ());
/// assert_eq!(game.move_token(m), "d1d7,d7g7");
/// # Ok::<(), agon_games::MoveError>(())
/// ```
pub trait Game: Clone + PartialEq + Eq + Debug + Send + Sync + 'static {
    /// The name in flags and logs: one lower-case word.
    const NAME: &'static str;
    /// Whether [`Turn::Chance`] can occur; lets the compiler drop the branch if it cannot.
    const HAS_CHANCE: bool;

    /// A decision or a chance outcome. The order is arbitrary but fixed: it breaks ties.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// The data that [`Game::undo`] needs besides the move.
    type Undo: 'static;
    /// The match's rule limits (draw plies, repetition, ...); `NoRules` if there are none.
    type Rules: RuleSet;

    /// The start position.
    fn start(rules: &Self::Rules) -> Self;

    /// Whose turn it is. Must be cheap: it is called at every node.
    fn turn(&self) -> Turn;

    /// Calls `visit` once for every legal decision, in a fixed order, until it breaks. Visits
    /// nothing unless it is a player's turn.
    fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Calls `visit` once for every chance outcome of non-zero weight, with its weight, in a fixed
    /// order, until it breaks. Visits nothing unless it is chance's turn. The probability of an
    /// outcome is its weight over the sum of all weights.
    fn visit_chance<B>(
        &self,
        _visit: &mut impl FnMut(Self::Move, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }

    /// Whether `m` is among the visited moves or chance outcomes. Accepts any value of the type
    /// without a panic.
    fn is_legal(&self, m: Self::Move) -> bool;

    /// Plays a legal move or chance outcome. An illegal one leaves the state unspecified (but does
    /// not cause undefined behaviour); check text with [`Game::parse_move`].
    fn play(&mut self, m: Self::Move) -> Self::Undo;

    /// Undoes the last [`Game::play`], given its return value.
    fn undo(&mut self, m: Self::Move, undo: Self::Undo);

    /// The incremental hash of everything that determines the game's future, including the side to
    /// move; equal states have equal hashes.
    fn hash(&self) -> u64;

    /// The same hash, recomputed from scratch.
    fn hash_from_scratch(&self) -> u64;

    /// The number of legal decisions; a game that can count without visiting overrides it.
    fn count_moves(&self) -> u64 {
        let mut n = 0;
        let _ = self.visit_moves::<()>(&mut |_| {
            n += 1;
            ControlFlow::Continue(())
        });
        n
    }

    /// The result of a repetition rule for the current position of `path`, beyond the position's
    /// own result. Called only if the position's own [`Game::turn`] is not over.
    fn repetition_outcome(_path: &Path<Self>) -> Option<Outcome> {
        None
    }

    /// Reads a position. `rules` become the position's rules.
    fn parse_fen(fen: &str, rules: &Self::Rules) -> Result<Self, FenError>;

    /// The canonical text of this position; [`Game::parse_fen`] reads it back to an equal state.
    fn fen(&self) -> String;

    /// Reads a move token and checks that it is legal here. Accepts every notation in common use
    /// for the game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The canonical protocol token of a legal move or chance outcome, without white space.
    fn move_token(&self, m: Self::Move) -> String;

    /// The move in human-readable form; defaults to the protocol token.
    fn display_move(&self, m: Self::Move) -> String {
        self.move_token(m)
    }

    /// The move in every notation of the game; [`Game::parse_move`] reads each.
    fn move_texts(&self, m: Self::Move) -> MoveTexts {
        MoveTexts::new(self.move_token(m), self.display_move(m))
    }

    /// A text board for a terminal, with coordinates, ending in a line break.
    fn diagram(&self) -> String;
}

/// All legal decisions, in visiting order, for tests and tools rather than search loops.
pub fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    let _ = game.visit_moves::<()>(&mut |m| {
        moves.push(m);
        ControlFlow::Continue(())
    });
    moves
}

/// All chance outcomes with their weights, in visiting order.
pub fn chance_outcomes<G: Game>(game: &G) -> Vec<(G::Move, u32)> {
    let mut outcomes = Vec::new();
    let _ = game.visit_chance::<()>(&mut |m, w| {
        outcomes.push((m, w));
        ControlFlow::Continue(())
    });
    outcomes
}
