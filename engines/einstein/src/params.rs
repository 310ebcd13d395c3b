//! The search parameters of EinStein.

agon_search::search_params! {
    /// Maximum depth of `best`, in decisions.
    max_depth: u32 = 40, 1..=200;

    /// Move ordering: for each move by which a step shortens the way to the goal.
    order_step: i32 = 4, 0..=40;
    /// Move ordering: capture of an enemy stone.
    order_capture: i32 = 5, -40..=40;
    /// Move ordering: capture of an own stone.
    order_own_capture: i32 = -3, -40..=40;

    /// Time management: expected number of own moves left; each side makes about a quarter of a
    /// game's rolls and moves.
    moves_left: u32 = 12, 1..=100;
}
