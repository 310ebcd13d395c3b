//! Functions of a game that only a referee needs: shuffles dealt in advance, positions with hidden
//! information, results that are certain before the game is over.

use crate::game::{Game, Outcome, Player};

/// The referee's interface to a game. Most games need none of these methods.
pub trait Refereed: Game {
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
    /// every decision with a chance outcome, and that outcome, in the shuffle of this seed. All
    /// arrangements consistent with the position are equally likely. Empty (the default): chance is
    /// drawn when it occurs. Both games of a pair can thus use the same shuffle.
    fn deal(&self, _seed: u64) -> Vec<(Self::Move, Self::Move)> {
        Vec::new()
    }
}
