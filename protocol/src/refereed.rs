//! What only a referee asks of a game: shuffles dealt in advance, positions with something hidden,
//! results that are certain before the game is over.

use crate::game::{Game, Outcome, Player};

/// A game as its referee sees it. Most games need none of these methods.
pub trait Refereed: Game {
    /// The result that is already certain although the game is not over, because the rest of it
    /// can be counted. `None` (the default) where it cannot be counted or the count leaves a doubt.
    /// Too slow for a search's nodes.
    fn certain_outcome(&self) -> Option<Outcome> {
        None
    }

    /// The position as `player` may know it, without what the rules hide from that player (a set-up
    /// that the player has yet to answer). `player` then moves in that position and learns the
    /// true one later. `None` (the default): nothing is hidden.
    fn player_view(&self, _player: Player) -> Option<Self> {
        None
    }

    /// For games in which chance only reveals what was shuffled before the game (pieces face down):
    /// every decision that chance answers with its answer, in the shuffle of this seed. All
    /// arrangements that the position allows are equally likely. Empty (the default): chance is
    /// drawn when it comes up. Both games of a pair can so be played with the same shuffle.
    fn deal(&self, _seed: u64) -> Vec<(Self::Move, Self::Move)> {
        Vec::new()
    }
}
