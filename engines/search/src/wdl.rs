//! Win, draw and loss probabilities of a search value, for `UCI_ShowWDL`.
//!
//! A search value is turned into the odds of Davidson's model (1970) for games with draws: with
//! `t = exp(value / (2 * unit))`, win : draw : loss = `t : draws : 1 / t`. Without draws that is
//! the logistic curve of "Texel's method". An expected outcome, as of a Monte Carlo tree search, is
//! split so that it stays the same and its shares lie on the same curve.

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
    /// add up to 1000.
    pub fn wdl(self, value: i32, scale: Scale) -> [u32; 3] {
        let (win, loss) = match scale {
            Scale::Evaluation if is_decisive(value) => {
                (f64::from(u8::from(value > 0)), f64::from(u8::from(value < 0)))
            }
            Scale::Evaluation => self.shares(libm::exp(f64::from(value) / (2.0 * self.unit))),
            Scale::ExpectedOutcome => self.split(f64::from(value) / f64::from(UNIT)),
        };
        let win = (win * 1000.0).round() as u32;
        let loss = ((loss * 1000.0).round() as u32).min(1000 - win);
        // Rounding must not make a draw where there is none.
        let loss = if self.draws == 0.0 { 1000 - win } else { loss };
        [win, 1000 - win - loss, loss]
    }

    /// Probabilities of win and loss whose odds to each other are `t` squared.
    fn shares(self, t: f64) -> (f64, f64) {
        // Multiplied by t, so that 0 needs no division.
        let sum = t * t + self.draws * t + 1.0;
        (t * t / sum, 1.0 / sum)
    }

    /// Win and loss of an expected outcome from -1 to 1: solves `(t - 1/t) / (t + draws + 1/t) =
    /// outcome` for `t`.
    fn split(self, outcome: f64) -> (f64, f64) {
        let outcome = outcome.clamp(-1.0, 1.0);
        if outcome == 1.0 {
            return (1.0, 0.0);
        }
        let half = self.draws * outcome / 2.0;
        let root = (half * half + (1.0 - outcome) * (1.0 + outcome)).sqrt();
        self.shares((half + root) / (1.0 - outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;

    #[test]
    fn the_curve_is_symmetric_rises_and_adds_up() {
        let curve = WinCurve { unit: 300.0, draws: 1.0 };
        assert_eq!(curve.wdl(0, Scale::Evaluation), [333, 334, 333]);
        for (scale, step) in [(Scale::Evaluation, 50), (Scale::ExpectedOutcome, UNIT / 60)] {
            let mut last = 0;
            for value in (-60..=60).map(|i| i * step) {
                let [w, d, l] = curve.wdl(value, scale);
                assert!(w + d + l == 1000 && w >= last, "{value}");
                assert_eq!(curve.wdl(-value, scale), [l, d, w], "{value}");
                last = w;
            }
        }
        assert_eq!(curve.wdl(WIN - 3, Scale::Evaluation), [1000, 0, 0]);
        assert_eq!(curve.wdl(3 - WIN, Scale::Evaluation), [0, 0, 1000]);
    }

    #[test]
    fn an_expected_outcome_stays_the_same_when_it_is_split() {
        let curve = WinCurve { unit: 300.0, draws: 0.0 };
        assert_eq!(curve.wdl(UNIT / 2, Scale::ExpectedOutcome), [750, 0, 250]);
        assert_eq!(curve.wdl(300, Scale::Evaluation), [731, 0, 269]);
        let curve = WinCurve { unit: 300.0, draws: 1.5 };
        for outcome in [-UNIT, -UNIT / 2, -UNIT / 10, 0, UNIT / 4, UNIT] {
            let [win, _, loss] = curve.wdl(outcome, Scale::ExpectedOutcome).map(f64::from);
            assert!((win - loss - f64::from(outcome) / 1000.0).abs() <= 1.0, "{outcome}");
        }
        assert_eq!(curve.wdl(UNIT, Scale::ExpectedOutcome), [1000, 0, 0]);
    }
}
