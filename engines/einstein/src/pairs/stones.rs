//! The stones of a position as features, and the odds of winning the race.

use crate::playout_board::PlayoutBoard;
use crate::race_distribution::{RaceDistributions, SideStones};
use agon_games::Player;

/// The race's log odds are limited to this.
const CERTAIN: f32 = 8.0;

/// The stones of a position from the roller's point of view.
pub struct StoneFeatures {
    list: [u16; 12],
    len: usize,
    /// The sets of living numbers of both sides.
    pub masks: usize,
    /// The log odds of winning the race.
    pub race: f32,
}

impl StoneFeatures {
    #[inline]
    /// The stones of a position that is not over.
    pub fn of(board: &PlayoutBoard) -> StoneFeatures {
        let mut features = StoneFeatures { list: [0; 12], len: 0, masks: 0, race: 0.0 };
        for (i, side) in [board.side, 1 - board.side].into_iter().enumerate() {
            let mut alive = board.alive[side];
            while alive != 0 {
                let stone = alive.trailing_zeros() as usize;
                alive &= alive - 1;
                let square = board.squares[side][stone];
                let square = if board.side == 0 { square } else { 24 - square };
                features.list[features.len] = (i * 150 + stone * 25) as u16 + u16::from(square);
                features.len += 1;
            }
        }
        features.masks =
            usize::from(board.alive[board.side]) * 64 + usize::from(board.alive[1 - board.side]);
        features.race = race_odds(board);
        features
    }

    /// The stones, as numbers below [`super::sharing::FEATURES`].
    pub fn stones(&self) -> &[u16] {
        &self.list[..self.len]
    }
}

/// The log odds that the roller wins the race.
#[inline]
pub fn race_odds(board: &PlayoutBoard) -> f32 {
    let side = |i: usize| SideStones {
        player: Player::BOTH[i],
        squares: &board.squares[i],
        alive: board.alive[i],
    };
    let chance =
        RaceDistributions::of(board.rule).roller_wins(side(board.side), side(1 - board.side));
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    libm::logf(chance / (1.0 - chance)).clamp(-CERTAIN, CERTAIN)
}

/// Converts log odds to a winning probability.
#[inline]
pub fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-odds))
}
