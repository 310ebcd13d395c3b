//! Statistics counted while a slice is solved, and their encoding in the file.

use agon_tablebase::format::word;
use agon_tablebase::{Dtm, Statistics};

/// Counts of the positions with one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Legal positions.
    pub legal: u64,
    /// Positions won by the attacker.
    pub attacker_wins: u64,
    /// Positions won by the defender. There are few; the counter saturates at 2^32 - 1.
    pub defender_wins: u32,
    /// The longest win of the attacker, and the index of the first position with it.
    pub longest: (u8, u64),
}

impl Tally {
    /// Counts a legal position; `attacker` is true if the attacker is to move.
    pub fn add(&mut self, code: u8, number: u64, attacker: bool) {
        self.legal += 1;
        if code != 0 && Dtm::from_code(code).is_win() != attacker {
            self.defender_wins = self.defender_wins.saturating_add(1);
            return;
        }
        self.attacker_wins += u64::from(code != 0);
        if code > self.longest.0 {
            self.longest = (code, number);
        }
    }

    /// The sum of both tallies; `other` counts positions of higher index.
    #[must_use]
    pub fn join(mut self, other: Tally) -> Tally {
        self.legal += other.legal;
        self.attacker_wins += other.attacker_wins;
        self.defender_wins = self.defender_wins.saturating_add(other.defender_wins);
        if other.longest.0 > self.longest.0 {
            self.longest = other.longest;
        }
        self
    }

    /// Encodes the tallies with the attacker and with the defender to move in 32 bytes each: legal,
    /// won by the attacker, index and code of the longest win, won by the defender.
    pub fn to_statistics(tallies: [Tally; 2]) -> Statistics {
        let mut statistics = [0; 64];
        for (bytes, tally) in statistics.chunks_exact_mut(32).zip(tallies) {
            bytes[..8].copy_from_slice(&tally.legal.to_le_bytes());
            bytes[8..16].copy_from_slice(&tally.attacker_wins.to_le_bytes());
            bytes[16..24].copy_from_slice(&tally.longest.1.to_le_bytes());
            bytes[24..28].copy_from_slice(&tally.defender_wins.to_le_bytes());
            bytes[28] = tally.longest.0;
        }
        statistics
    }

    /// The inverse of [`Tally::to_statistics`].
    pub fn from_statistics(statistics: &Statistics) -> [Tally; 2] {
        [0, 32].map(|at| Tally {
            legal: word(statistics, at),
            attacker_wins: word(statistics, at + 8),
            defender_wins: word(statistics, at + 24) as u32,
            longest: (statistics[at + 28], word(statistics, at + 16)),
        })
    }
}
