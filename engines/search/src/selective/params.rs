//! The constants of this search under names that are the same for every game. What depends on the game is
//! in [`super::Selectivity`], which an engine fills from parameters of its own. Values are hundredths
//! of the game's unit, and depths are plies.

crate::search_params! {
    /// Aspiration windows: from this depth.
    aspiration_depth: u32 = 4, 1..=10;
    /// Aspiration windows: the width grows by this factor.
    aspiration_factor: i32 = 4, 2..=16;
    /// Aspiration windows: a wider one is opened fully.
    aspiration_most: i32 = 4000, 100..=20000;

    /// Late-move reductions: from this depth.
    lmr_depth: usize = 3, 2..=8;
    /// Late-move reductions: moves that are not reduced.
    lmr_moves: usize = 2, 1..=8;
    /// Partial moves looked at before gains of second parts are trusted.
    trusted_parts: usize = 2, 1..=10;

    /// History bonus: factor of the square of the depth.
    bonus_factor: i32 = 8, 1..=60;
    /// History bonus: greater depths count as this one.
    bonus_depth: u32 = 16, 4..=40;

    /// Time management: percent of the planned time for a position in which the best move stays.
    time_base: u32 = 50, 10..=150;
    /// Time management: percent added when the best move changes; it decays by a third an iteration.
    time_change: u32 = 100, 0..=300;
}
