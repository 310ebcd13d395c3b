//! Functions of a game that only a referee needs: shuffles dealt in advance, positions with hidden
//! information, results that are certain before the game is over.

use crate::game::{Game, Outcome, Player};
use rand_core::Rng;

/// Which rule ended a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// The player to move has no legal move.
    NoMove,
    /// The player to move is in check and has no legal move.
    Checkmate,
    /// A side has no piece left.
    Elimination,
    /// A piece reached its goal.
    Goal,
    /// A line of pieces is complete.
    Line,
    /// The board is full.
    FullBoard,
    /// Too many moves without progress.
    QuietMoves,
    /// Too many repetitions of a position.
    Repetition,
}

impl Ending {
    /// All endings, in the order of tables.
    pub const ALL: [Ending; 8] = [
        Ending::NoMove,
        Ending::Checkmate,
        Ending::Elimination,
        Ending::Goal,
        Ending::Line,
        Ending::FullBoard,
        Ending::QuietMoves,
        Ending::Repetition,
    ];

    /// The name in tables; logs write `_` for the blank.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::NoMove => "no move",
            Ending::Checkmate => "checkmate",
            Ending::Elimination => "elimination",
            Ending::Goal => "goal",
            Ending::Line => "line",
            Ending::FullBoard => "full board",
            Ending::QuietMoves => "quiet moves",
            Ending::Repetition => "repetition",
        }
    }
}

/// The referee's interface to a game. Most games need only [`Refereed::ending`].
pub trait Refereed: Game {
    /// The rule that ended the game in this position. Called only if the position's own
    /// [`Game::turn`] is over; a repetition is recorded by [`crate::Record`].
    fn ending(&self) -> Ending;

    /// A result that is already certain although the game is not over, because the rest can be
    /// counted. `None` (the default) if it cannot be counted or the count is inconclusive. Too slow
    /// for search nodes.
    fn certain_outcome(&self) -> Option<Outcome> {
        None
    }

    /// The position as visible to `player`, without what the rules hide (a set-up that the player
    /// has yet to answer). `player` then moves in that position and learns the true one later.
    /// `None` (the default): nothing is hidden.
    fn player_view(&self, _player: Player) -> Option<Self> {
        None
    }

    /// For games in which chance only reveals what was shuffled before the game (face-down pieces):
    /// every decision with a chance outcome, and that outcome, in a shuffle by this generator. All
    /// arrangements consistent with the position are equally likely. Empty (the default): chance is
    /// drawn when it occurs. Both games of a pair can thus use the same shuffle.
    fn deal(&self, _rng: &mut dyn Rng) -> Vec<(Self::Move, Self::Move)> {
        Vec::new()
    }
}
