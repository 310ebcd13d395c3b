//! Values of this search, which fit in 16 bits. In ascending order: static evaluations, wins by
//! repetition, and mates, whether found by search or in the tablebase.

use agon_search::score::WIN;

/// The value of a mate at the root itself; a mate `p` plies below it is worth `MATE - p`.
pub const MATE: i32 = 32_000;
/// The value of a win by repetition at the root itself.
pub const REPETITION_WIN: i32 = 29_000;
/// Greater than every value.
pub const INFINITE: i32 = 32_500;
/// The maximum length of a line; it keeps mates above repetition wins and those above static
/// evaluations.
pub const MAX_PLY: usize = 240;
/// The maximum total plies of a line and a tablebase mate at its end.
const MAX_MATE_PLIES: i32 = 2 * MAX_PLY as i32 + 20;

/// Whether a value is a mate.
pub const fn is_mate(value: i32) -> bool {
    value.abs() >= MATE - MAX_MATE_PLIES
}

/// Whether a value is a proved win or loss, not an evaluation.
pub const fn is_decisive(value: i32) -> bool {
    value.abs() >= REPETITION_WIN - MAX_PLY as i32
}

/// The value of being mated `ply` plies below the root.
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The winner's value of a tablebase mate in `plies`, at a node `ply` plies below the root.
pub const fn tablebase_win(plies: u32, ply: usize) -> i32 {
    let plies = if plies > 2 * MAX_PLY as u32 { 2 * MAX_PLY as u32 } else { plies };
    let far = plies as i32 + ply as i32;
    MATE - if far < MAX_MATE_PLIES { far } else { MAX_MATE_PLIES }
}

/// Converts a value counted from the root into one counted from a node, as the table stores it.
pub const fn value_to_tt(value: i32, ply: usize) -> i32 {
    if is_decisive(value) { value + value.signum() * ply as i32 } else { value }
}

/// The inverse of [`value_to_tt`].
pub const fn value_from_tt(value: i32, ply: usize) -> i32 {
    if is_decisive(value) { value - value.signum() * ply as i32 } else { value }
}

/// Converts a value to the scale of `agon_search::score`, for reports.
pub const fn to_report(value: i32) -> i32 {
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
        for value in
            [mated_in(7), -REPETITION_WIN + 3, -300, 0, 12, tablebase_win(40, 9), MATE - 40]
        {
            for ply in [0, 1, 9] {
                assert_eq!(value_from_tt(value_to_tt(value, ply), ply), value);
            }
        }
    }

    #[test]
    fn evaluations_wins_and_mates_do_not_overlap() {
        assert!(!is_decisive(crate::evaluation::EVAL_LIMIT));
        assert!(is_mate(tablebase_win(u32::MAX, 200)) && is_mate(tablebase_win(252, MAX_PLY)));
        assert!(is_decisive(REPETITION_WIN - MAX_PLY as i32) && !is_mate(REPETITION_WIN));
        assert_eq!(to_report(tablebase_win(7, 2)), WIN - 9);
        assert!(is_mate(MATE - MAX_PLY as i32));
        assert_eq!(to_report(MATE - 3), WIN - 3);
        assert_eq!(to_report(mated_in(4)), 4 - WIN);
    }
}
