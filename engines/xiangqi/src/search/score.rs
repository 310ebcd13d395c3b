//! Values inside this search, which fit into 16 bits: static values, wins by the rules of repetition,
//! and mates, those that a table of endgames knows among them; each above the one before.

use agon_search::score::WIN;

/// The value of having mated at the root itself; a mate `p` plies below it is worth `MATE - p`.
pub const MATE: i32 = 32_000;
/// A win by the rules of repetition, less the plies to it.
pub const WON: i32 = 29_000;
/// Above every value.
pub const INFINITE: i32 = 32_500;
/// No line is longer, so that mates stay above wins and wins above static values.
pub const MOST_PLIES: usize = 240;
/// The plies of a line and of a mate that a table knows at its end.
const MOST_MATE: i32 = 2 * MOST_PLIES as i32 + 20;

/// Whether a value is a mate.
pub const fn is_mate(value: i32) -> bool {
    value.abs() >= MATE - MOST_MATE
}

/// Whether a value is a win or a loss that is not just an estimate.
pub const fn is_decided(value: i32) -> bool {
    value.abs() >= WON - MOST_PLIES as i32
}

/// The value of being mated `ply` plies below the root.
pub const fn mated(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The value for the winner of a mate that a table of endgames knows, `plies` from a node that is
/// `ply` plies below the root.
pub const fn known_win(plies: u32, ply: usize) -> i32 {
    let plies = if plies > 2 * MOST_PLIES as u32 { 2 * MOST_PLIES as u32 } else { plies };
    let far = plies as i32 + ply as i32;
    MATE - if far < MOST_MATE { far } else { MOST_MATE }
}

/// Turns a value counted from the root into one counted from a node, as the table stores it.
pub const fn to_node(value: i32, ply: usize) -> i32 {
    if !is_decided(value) {
        value
    } else if value > 0 {
        value + ply as i32
    } else {
        value - ply as i32
    }
}

/// The inverse of [`to_node`].
pub const fn from_node(value: i32, ply: usize) -> i32 {
    if !is_decided(value) {
        value
    } else if value > 0 {
        value - ply as i32
    } else {
        value + ply as i32
    }
}

/// The value as the engine's frame counts it.
pub const fn for_report(value: i32) -> i32 {
    if !is_mate(value) {
        value
    } else if value > 0 {
        WIN - (MATE - value)
    } else {
        (MATE + value) - WIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_and_root_values_are_inverse() {
        for value in [mated(7), -WON + 3, -300, 0, 12, known_win(40, 9), MATE - 40] {
            for ply in [0, 1, 9] {
                assert_eq!(from_node(to_node(value, ply), ply), value);
            }
        }
    }

    #[test]
    fn estimates_wins_and_mates_do_not_overlap() {
        assert!(!is_decided(crate::evaluation::EVAL_LIMIT));
        assert!(is_mate(known_win(u32::MAX, 200)) && is_mate(known_win(252, MOST_PLIES)));
        assert!(is_decided(WON - MOST_PLIES as i32) && !is_mate(WON));
        assert_eq!(for_report(known_win(7, 2)), WIN - 9);
        assert!(is_mate(MATE - MOST_PLIES as i32));
        assert_eq!(for_report(MATE - 3), WIN - 3);
        assert_eq!(for_report(mated(4)), 4 - WIN);
    }
}
