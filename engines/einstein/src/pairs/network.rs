//! The weights in the layout that `best` evaluates.

use super::sharing::{FEATURES, sharing};
use super::stones::{StoneFeatures, chance};
use super::weights::{Weights, from_bytes};
use crate::playout_board::PlayoutBoard;
use std::sync::OnceLock;

/// Weights in a layout optimized for speed.
pub struct PairNetwork {
    constant: f32,
    race: f32,
    /// Indexed by two features, the lower one first.
    pairs: Vec<f32>,
    masks: Vec<f32>,
}

impl std::fmt::Debug for PairNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("race", &self.race).finish_non_exhaustive()
    }
}

impl PairNetwork {
    /// Expands the shared weights.
    pub fn new(weights: &Weights) -> PairNetwork {
        let shared = sharing();
        let unfold = |numbers: &[u16], weights: &[f32]| {
            numbers.iter().map(|&n| weights[usize::from(n)]).collect()
        };
        PairNetwork {
            constant: weights.constant,
            race: weights.race,
            pairs: unfold(&shared.pair, &weights.pairs),
            masks: unfold(&shared.masks, &weights.masks),
        }
    }

    /// The built-in network, used for both rules about missing numbers.
    pub fn own() -> &'static PairNetwork {
        static OWN: OnceLock<PairNetwork> = OnceLock::new();
        OWN.get_or_init(|| {
            let weights = from_bytes(include_bytes!("weights.bin")).unwrap_or_else(|error| {
                log::error!("the program's own weights: {error}; playing by the race alone");
                Weights::default()
            });
            PairNetwork::new(&weights)
        })
    }

    /// The roller's winning probability in a position that is not over.
    #[inline]
    pub fn chance(&self, board: &PlayoutBoard) -> f32 {
        let features = StoneFeatures::of(board);
        let mut odds = self.constant + self.race * features.race + self.masks[features.masks];
        let stones = features.stones();
        for (i, &a) in stones.iter().enumerate() {
            let row = &self.pairs[usize::from(a) * FEATURES..(usize::from(a) + 1) * FEATURES];
            for &b in &stones[i + 1..] {
                odds += row[usize::from(b)];
            }
        }
        chance(odds)
    }
}

#[cfg(test)]
mod tests {
    use super::super::stones::race_odds;
    use super::*;
    use agon_games::einstein::{EinStein, EinSteinRules};
    use agon_games::game::Game;

    fn board(fen: &str) -> PlayoutBoard {
        PlayoutBoard::new(&EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap())
    }

    fn noisy() -> Weights {
        let mut weights = Weights { constant: 0.3, race: 0.8, ..Weights::default() };
        let noise = |i: usize| (agon_games::hash::mix(i as u64) % 1000) as f32 / 5000.0 - 0.1;
        for (i, w) in weights.pairs.iter_mut().chain(&mut weights.masks).enumerate() {
            *w = noise(i);
        }
        weights
    }

    #[test]
    fn without_weights_the_race_is_all() {
        let board = board("BFA2/CD3/E3e/3dc/2afb u -");
        let value = Weights::default().chance(&board);
        assert!((value - chance(race_odds(&board))).abs() < 1e-6);
    }

    #[test]
    fn positions_that_mirror_each_other_are_worth_the_same() {
        let weights = noisy();
        let value = |fen: &str| weights.chance(&board(fen));
        let original = value("A1C2/4e/5/1b3/2f2 u -");
        // The diagonal; the roller's numbers; the opponent's numbers; the colours.
        for fen in [
            "A4/3b1/C3f/5/1e3 u -",
            "F1D2/4e/5/1b3/2f2 u -",
            "A1C2/4b/5/1e3/2a2 u -",
            "2F2/3B1/5/E4/2c1a l -",
        ] {
            assert!((value(fen) - original).abs() < 1e-5, "{fen}: {} {original}", value(fen));
        }
        assert!((value("A1C2/4b/5/1e3/2f2 u -") - original).abs() > 1e-5);
    }

    #[test]
    fn the_fast_layout_gives_the_same_values() {
        let weights = noisy();
        let network = PairNetwork::new(&weights);
        for fen in ["BFA2/CD3/E3e/3dc/2afb u -", "A1C2/4e/5/1b3/2f2 l -"] {
            assert!((network.chance(&board(fen)) - weights.chance(&board(fen))).abs() < 1e-5);
        }
    }

    #[test]
    fn the_programs_own_weights_can_be_read() {
        assert!(from_bytes(include_bytes!("weights.bin")).is_ok());
    }
}
