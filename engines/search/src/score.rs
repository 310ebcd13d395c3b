//! Search values: 1/100 of the unit of the game (centipawns), and wins counted in plies from the
//! root.

use agon_protocol::Outcome;
use agon_protocol::Player;
use agon_protocol::message::Score;

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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn expected_outcomes_are_written_as_percentages() {
        let scale = Scale::ExpectedOutcome;
        assert_eq!(scale.score(UNIT), Score::Cp(100));
        assert_eq!(scale.score(-UNIT / 2), Score::Cp(-50));
        assert_eq!(scale.text(0).as_deref(), Some("wins 50.00%"));
        assert_eq!(Scale::Evaluation.text(0), None);
    }
}
