//! The game-independent constants of this search, by name. Game-specific ones are in
//! [`super::Selectivity`], which an engine fills from its own parameters. Values are 1/100 of
//! the game's unit, and depths are plies.

crate::search_params! {
    /// Aspiration windows: minimum depth.
    aspiration_depth: u32 = 4, 1..=10;
    /// Aspiration windows: the width grows by this factor.
    aspiration_factor: i32 = 4, 2..=16;
    /// Aspiration windows: maximum width before the full window is used.
    aspiration_most: i32 = 4000, 100..=20000;

    /// Late-move reductions: minimum depth.
    lmr_depth: usize = 3, 2..=8;
    /// Late-move reductions: number of moves that are not reduced.
    lmr_moves: usize = 2, 1..=8;
    /// Partial moves searched before the gains of completions are trusted.
    trusted_parts: usize = 2, 1..=10;

    /// History bonus: factor of the square of the depth.
    bonus_factor: i32 = 8, 1..=60;
    /// History bonus: maximum depth counted.
    bonus_depth: u32 = 16, 4..=40;

    /// Time management: percent of the planned time for a position with a stable best move.
    time_base: u32 = 50, 10..=150;
    /// Time management: plies by which an iteration is deeper than a won or lost game is long,
    /// after which no further one starts.
    proved_plies: u32 = 6, 0..=40;
    /// Time management: percent added when the best move changes; it decays by a third per
    /// iteration.
    time_change: u32 = 100, 0..=300;
}
