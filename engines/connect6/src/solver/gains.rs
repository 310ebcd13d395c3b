//! What stones would add to the evaluation, remembered as long as the stones on their lines stay the
//! same: from one position to the next most do.

use crate::board::Board;
use agon_protocol::connect6::POINTS;

/// The stones on the four lines of a point, and what another there would add.
type Known = ([[u32; 2]; 4], i32);

/// No lines hold such stones.
const NOTHING: Known = ([[u32::MAX; 2]; 4], 0);

/// Gains of one colour's stones, by point.
#[derive(Clone, Debug, Default)]
pub struct Gains(Vec<Known>);

impl Gains {
    /// [`Board::gain`] of an empty point; always for the same colour.
    #[inline]
    pub fn of(&mut self, board: &Board, colour: usize, point: u16) -> i32 {
        self.0.resize(POINTS, NOTHING);
        let (around, gain) = &mut self.0[usize::from(point)];
        let now = board.stones_around(point);
        if *around != now {
            (*around, *gain) = (now, board.gain(colour, point));
        }
        *gain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random_step;
    use agon_protocol::rng;

    #[test]
    fn what_is_remembered_of_a_gain_is_what_a_stone_adds_now() {
        let mut gains = Gains::default();
        let mut stream = rng::stream(1, 0, "gains");
        let mut board = Board::new(19);
        for _ in 0..3000 {
            let q = random_step(&mut board, &mut stream);
            if board.is_empty(q) {
                assert_eq!(gains.of(&board, 1, q), board.gain(1, q), "{q}");
            }
        }
    }
}
