//! The value of a position, and the bounds of the tablebase.

use agon_games::{Outcome, Player};
use agon_tablebase::StoredValue;

/// The maximum number of stones of a position in a tablebase.
pub const MAX_STONES: usize = 6;
/// The maximum number of stones of one side in a tablebase: the other side has at least one.
pub const MAX_SIDE: usize = MAX_STONES - 1;

/// The maximum error of a value: half a unit of storage, and half a unit of computation for each of
/// the at most 48 moves that such a position has left.
pub const MAX_ERROR: f64 = 0.5 / 65535.0 + 48.0 * 0.5 / 4294967295.0;

/// A winning probability in units of 1/65535.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WinProbability(pub u16);

impl WinProbability {
    /// The probability, 0 to 1, within [`MAX_ERROR`] of the exact one.
    #[inline]
    pub fn probability(self) -> f64 {
        f64::from(self.0) / f64::from(u16::MAX)
    }

    /// The outcome if one side wins whatever the dice, within [`MAX_ERROR`].
    pub fn outcome(self, mover: Player) -> Option<Outcome> {
        match self.0 {
            u16::MAX => Some(Outcome::Win(mover)),
            0 => Some(Outcome::Win(mover.opponent())),
            _ => None,
        }
    }
}

impl StoredValue for WinProbability {
    const LEN: usize = 2;

    #[inline]
    fn read(bytes: &[u8]) -> Option<WinProbability> {
        bytes.first_chunk().map(|&bytes| WinProbability(u16::from_le_bytes(bytes)))
    }
}
