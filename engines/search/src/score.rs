//! Search values: 1/100 of the unit of the game (centipawns), and wins counted in plies from the
//! root. Their probabilities of a win, a draw and a loss, for `UCI_ShowWDL`.
//!
//! A search value is turned into the odds of Davidson's model (1970) for games with draws: with
//! `t = exp(value / (2 * unit))`, win : draw : loss = `t : draws : 1 / t`. Without draws that is
//! the logistic curve of "Texel's method". An expected outcome, as of a Monte Carlo tree search, is
//! split so that it stays the same and its shares lie on the same curve.

use agon_games::{Outcome, Player};
use agon_wire::message::{Bound, Score};

/// The value of a win at the root itself; a win `p` plies below it is worth `WIN - p`.
pub const WIN: i32 = 1_000_000;
/// Greater than every value: the bound of a full window.
pub const INFINITE: i32 = WIN + 1;
/// The maximum distance of a forced result from the root. Every static evaluation is less than `WIN
/// - MAX_DECISIVE_PLY`, which separates the two kinds.
pub const MAX_DECISIVE_PLY: i32 = 10_000;
/// The value of a certain win on the scale of expected outcomes. It fits in the 24-bit values of a
/// transposition table.
pub const UNIT: i32 = 1_000_000;
/// The maximum search depth in plies.
pub const MAX_DEPTH: u32 = 200;

/// Whether a value means a forced result.
pub const fn is_decisive(value: i32) -> bool {
    value.abs() >= WIN - MAX_DECISIVE_PLY
}

/// The value, for `player`, of a game that ended `ply` plies below the root.
pub fn of_outcome(outcome: Outcome, player: Player, ply: u32) -> i32 {
    outcome.sign_for(player) * (WIN - ply as i32)
}

/// Converts a value counted from a node into one counted from the root, `ply` plies above it.
pub const fn value_from_tt(value: i32, ply: u32) -> i32 {
    if is_decisive(value) { value - value.signum() * ply as i32 } else { value }
}

/// The inverse of [`value_from_tt`]: the table stores values counted from the node, because the
/// same position can be reached at different plies.
pub const fn value_to_tt(value: i32, ply: u32) -> i32 {
    if is_decisive(value) { value + value.signum() * ply as i32 } else { value }
}

/// Clamps a static evaluation below the values of forced results.
pub fn clamp_static(value: i32) -> i32 {
    value.clamp(-(WIN - MAX_DECISIVE_PLY - 1), WIN - MAX_DECISIVE_PLY - 1)
}

/// A forced result that a search claims without proof, if the value is one: `win` less the plies to the end, or
/// its negative. It is at best a win, at worst a loss.
pub fn claimed(value: i32, win: i32) -> Option<(Score, Bound)> {
    let plies = win - value.abs();
    let is_claim = !is_decisive(value) && (0..win / 2).contains(&plies);
    is_claim.then(|| match value > 0 {
        true => (Score::Mate(plies), Bound::Upper),
        false => (Score::Mate(-plies), Bound::Lower),
    })
}

/// The scale of a search's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Centipawns, or 1/100 of the game's unit where that is not a pawn; forced results by their distance from [`WIN`].
    Evaluation,
    /// Expected outcomes, from `-UNIT` to [`UNIT`].
    ExpectedOutcome,
}

impl Scale {
    /// A root value as a protocol score; an expected outcome in 1/100 of a won game.
    pub fn score(self, value: i32) -> Score {
        match self {
            Scale::ExpectedOutcome => Score::Cp(value / (UNIT / 100)),
            Scale::Evaluation if !is_decisive(value) => Score::Cp(value),
            Scale::Evaluation if value > 0 => Score::Mate(WIN - value),
            Scale::Evaluation => Score::Mate(-(WIN + value)),
        }
    }

    /// An expected outcome as a human-readable winning chance.
    pub fn text(self, value: i32) -> Option<String> {
        let chance = f64::from(value) / f64::from(UNIT) * 50.0 + 50.0;
        (self == Scale::ExpectedOutcome).then(|| format!("wins {chance:.2}%"))
    }
}

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
    fn node_and_root_values_are_inverse() {
        for value in [-WIN + 7, -300, 0, 12, WIN - 40] {
            for ply in [0, 1, 9] {
                assert_eq!(value_from_tt(value_to_tt(value, ply), ply), value);
            }
        }
    }

    #[test]
    fn a_win_in_three_is_written_as_a_mate_in_three() {
        assert_eq!(
            Scale::Evaluation.score(of_outcome(Outcome::Win(Player::First), Player::First, 3)),
            Score::Mate(3)
        );
        assert_eq!(
            Scale::Evaluation.score(of_outcome(Outcome::Win(Player::First), Player::Second, 4)),
            Score::Mate(-4)
        );
        assert_eq!(Scale::Evaluation.score(-250), Score::Cp(-250));
    }

    #[test]
    fn a_claim_is_a_mate_that_is_only_a_bound() {
        assert_eq!(claimed(19_995, 20_000), Some((Score::Mate(5), Bound::Upper)));
        assert_eq!(claimed(-19_996, 20_000), Some((Score::Mate(-4), Bound::Lower)));
        for value in [0, 9_000, -10_000, 20_001, WIN - 3, 4 - WIN] {
            assert_eq!(claimed(value, 20_000), None, "{value}");
        }
    }

    #[test]
    fn expected_outcomes_are_written_as_percentages() {
        let scale = Scale::ExpectedOutcome;
        assert_eq!(scale.score(UNIT), Score::Cp(100));
        assert_eq!(scale.score(-UNIT / 2), Score::Cp(-50));
        assert_eq!(scale.text(0).as_deref(), Some("wins 50.00%"));
        assert_eq!(Scale::Evaluation.text(0), None);
    }

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
