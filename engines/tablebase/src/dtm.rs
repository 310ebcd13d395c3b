//! Values of games without chance: win, draw or loss (WDL) and distance to mate (DTM), in one byte.

use crate::indexer::StoredValue;
use agon_games::{Outcome, Player};
use std::cmp::Ordering;
use std::fmt;

/// The result under optimal play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The opponent wins.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

/// WDL and DTM: the result for the side to move and, unless it is a draw, the plies to the end of
/// the game. The winner takes the shortest way, the loser the longest. The side to move at the end
/// has lost, so a win takes an odd number of plies and a loss an even one.
///
/// The byte is 0 for a draw, otherwise the number of plies plus 1. Values are ordered by the side
/// to move's preference: early losses, late losses, draws, late wins, early wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dtm(u8);

impl Dtm {
    /// A draw.
    pub const DRAW: Dtm = Dtm(0);
    /// The game is over and the side to move has lost.
    pub const LOST: Dtm = Dtm(1);
    /// The byte of an index without a position.
    pub const UNUSED: Dtm = Dtm(255);
    /// The maximum distance in plies.
    pub const MAX_PLIES: u32 = 252;

    /// Decodes a byte.
    #[inline]
    pub const fn from_code(code: u8) -> Dtm {
        Dtm(code)
    }

    /// A win or loss in this number of plies, at most [`Dtm::MAX_PLIES`] + 1.
    #[inline]
    pub const fn after(plies: usize) -> Dtm {
        Dtm(plies as u8 + 1)
    }

    /// Encodes the value.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Plies to the end of the game; `None` for a draw.
    #[inline]
    pub fn plies(self) -> Option<u8> {
        self.0.checked_sub(1)
    }

    /// The result.
    #[inline]
    pub fn wdl(self) -> Wdl {
        match self.0 {
            0 => Wdl::Draw,
            code if code.is_multiple_of(2) => Wdl::Win,
            _ => Wdl::Loss,
        }
    }

    /// Whether the side to move loses.
    #[inline]
    pub fn is_loss(self) -> bool {
        self.wdl() == Wdl::Loss
    }

    /// Whether the side to move wins.
    #[inline]
    pub fn is_win(self) -> bool {
        self.wdl() == Wdl::Win
    }

    /// The value of a move that leads here: one ply earlier, for the other side.
    #[inline]
    #[must_use]
    pub fn before(self) -> Dtm {
        if self.0 == 0 { self } else { Dtm(self.0.saturating_add(1)) }
    }

    /// Whether a game that is drawn after `limit` plies without a capture (0: never), of which
    /// `quiet` have been played, is certain to end with this value: a draw, or a mate within the
    /// limit.
    pub fn certain_within(self, quiet: u16, limit: u16) -> bool {
        let plies = u32::from(self.plies().unwrap_or(0));
        self == Dtm::DRAW || limit == 0 || u32::from(quiet) + plies <= u32::from(limit)
    }

    /// The outcome that is certain within the limit, as in [`Dtm::certain_within`], with `mover` to
    /// move.
    pub fn certain_outcome(self, mover: Player, quiet: u16, limit: u16) -> Option<Outcome> {
        self.certain_within(quiet, limit).then(|| match self.wdl() {
            Wdl::Draw => Outcome::Draw,
            Wdl::Win => Outcome::Win(mover),
            Wdl::Loss => Outcome::Win(mover.opponent()),
        })
    }

    fn preference(self) -> i32 {
        match self.wdl() {
            Wdl::Draw => 0,
            Wdl::Win => 1000 - i32::from(self.0),
            Wdl::Loss => i32::from(self.0) - 1000,
        }
    }
}

impl Ord for Dtm {
    fn cmp(&self, other: &Dtm) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl PartialOrd for Dtm {
    fn partial_cmp(&self, other: &Dtm) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dtm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.wdl(), self.plies().unwrap_or(0)) {
            (Wdl::Draw, _) => write!(f, "draw"),
            (Wdl::Win, plies) => write!(f, "win in {plies} plies"),
            (Wdl::Loss, plies) => write!(f, "loss in {plies} plies"),
        }
    }
}

impl StoredValue for Dtm {
    const LEN: usize = 1;

    #[inline]
    fn read(bytes: &[u8]) -> Option<Dtm> {
        bytes.first().map(|&code| Dtm(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_as_the_side_to_move_prefers_them() {
        let [now, soon, late] = [0, 2, 90].map(Dtm::after);
        let order = [now, soon, late, Dtm::DRAW, Dtm::after(91), Dtm::after(3), Dtm::after(1)];
        assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((soon.wdl(), soon.before()), (Wdl::Loss, Dtm::after(3)));
        assert_eq!(Dtm::DRAW.before(), Dtm::DRAW);
        assert_eq!(Dtm::after(3).to_string(), "win in 3 plies");
    }

    #[test]
    fn a_mate_beyond_the_limit_of_quiet_plies_is_not_certain() {
        assert!(Dtm::after(20).certain_within(100, 120));
        assert!(!Dtm::after(21).certain_within(100, 120));
        assert!(Dtm::after(251).certain_within(100, 0) && Dtm::DRAW.certain_within(1, 1));
    }
}
