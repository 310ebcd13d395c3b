//! Win, draw and loss probabilities of a search value, for `UCI_ShowWDL`.
//!
//! A search value is turned into the odds of Davidson's model (1970) for games with draws: with
//! `t = exp(value / (2 * unit))`, win : draw : loss = `t : draws : 1 / t`. Without draws that is
//! the logistic curve of "Texel's method".

use crate::score::{Scale, UNIT, is_decisive};

/// How often a value wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinCurve {
    /// The value in centipawns at which a win is e times as likely as a loss.
    pub unit: f64,
    /// The odds of a draw to a win between equal positions; 0 in a game without draws.
    pub draws: f64,
}

impl WinCurve {
    /// Win, draw and loss in permille, from the point of view of the side to move at the root; they
    /// add up to 1000. `None` for an expected outcome in a game with draws, whose share it does not
    /// tell.
    pub fn wdl(self, value: i32, scale: Scale) -> Option<[u32; 3]> {
        let (win, loss) = match scale {
            Scale::Evaluation if is_decisive(value) => {
                (f64::from(u8::from(value > 0)), f64::from(u8::from(value < 0)))
            }
            Scale::Evaluation => {
                let t = (f64::from(value) / (2.0 * self.unit)).exp();
                let sum = t + self.draws + 1.0 / t;
                (t / sum, 1.0 / t / sum)
            }
            Scale::ExpectedOutcome if self.draws == 0.0 => {
                let win = (f64::from(value) / f64::from(UNIT)).mul_add(0.5, 0.5).clamp(0.0, 1.0);
                (win, 1.0 - win)
            }
            Scale::ExpectedOutcome => return None,
        };
        let win = (win * 1000.0).round() as u32;
        let loss = ((loss * 1000.0).round() as u32).min(1000 - win);
        // Rounding must not make a draw where there is none.
        let loss = if self.draws == 0.0 { 1000 - win } else { loss };
        Some([win, 1000 - win - loss, loss])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;

    #[test]
    fn the_curve_is_symmetric_rises_and_adds_up() {
        let curve = WinCurve { unit: 300.0, draws: 1.0 };
        assert_eq!(curve.wdl(0, Scale::Evaluation), Some([333, 334, 333]));
        let mut last = 0;
        for value in (-3000..=3000).step_by(50) {
            let [w, d, l] = curve.wdl(value, Scale::Evaluation).unwrap();
            assert!(w + d + l == 1000 && w >= last, "{value}");
            assert_eq!(curve.wdl(-value, Scale::Evaluation), Some([l, d, w]));
            last = w;
        }
        assert_eq!(curve.wdl(WIN - 3, Scale::Evaluation), Some([1000, 0, 0]));
        assert_eq!(curve.wdl(3 - WIN, Scale::Evaluation), Some([0, 0, 1000]));
        assert_eq!(curve.wdl(0, Scale::ExpectedOutcome), None);
    }

    #[test]
    fn an_expected_outcome_is_the_chance_to_win_where_there_are_no_draws() {
        let curve = WinCurve { unit: 300.0, draws: 0.0 };
        assert_eq!(curve.wdl(UNIT / 2, Scale::ExpectedOutcome), Some([750, 0, 250]));
        assert_eq!(curve.wdl(300, Scale::Evaluation), Some([731, 0, 269]));
    }
}
