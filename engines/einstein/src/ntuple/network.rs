//! A trained network.

use super::patterns::{ENTRIES, TUPLES, indices};
use agon_games::Player;

/// A trained network: the winning rate of every pattern.
pub struct NTuple {
    /// `rate XOR HALF`, in units of 1/65535, so that untouched zero memory means one half.
    rates: Vec<u16>,
    /// The number of random self-play games it was trained on.
    pub games: u64,
    /// The seed of those games.
    pub seed: u64,
}

const HALF: u16 = 0x8000;

impl std::fmt::Debug for NTuple {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NTuple").field("games", &self.games).field("seed", &self.seed).finish()
    }
}

impl NTuple {
    /// An untrained network: every pattern has a winning rate of one half.
    pub fn blank(games: u64, seed: u64) -> NTuple {
        NTuple { rates: vec![0; ENTRIES], games, seed }
    }

    /// Sets the rate of a pattern. `visits` must be at least 1 and at least `wins`.
    pub fn set(&mut self, index: usize, wins: u64, visits: u64) {
        let rate = (wins * 65535 + visits / 2) / visits;
        self.rates[index] = rate as u16 ^ HALF;
    }

    /// The winning rate of a pattern.
    pub fn rate(&self, index: usize) -> f64 {
        f64::from(self.rates[index] ^ HALF) / 65535.0
    }

    /// `V(b)`, 0 to 1, for the player who has just moved.
    #[inline]
    pub fn value(&self, cells: &[u8; 25], mover: Player) -> f32 {
        let sum: u32 =
            indices(cells, mover).iter().map(|&i| u32::from(self.rates[i as usize] ^ HALF)).sum();
        sum as f32 / (TUPLES as f32 * 65535.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_were_never_seen_are_worth_one_half() {
        let mut net = NTuple::blank(0, 0);
        assert!((net.rate(7) - 0.5).abs() < 1e-4);
        net.set(7, 3, 4);
        assert!((net.rate(7) - 0.75).abs() < 1e-4);
        net.set(7, 0, 4);
        assert_eq!(net.rate(7), 0.0);
    }
}
