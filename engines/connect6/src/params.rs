//! The constants of the search that belong to Connect6. Values are centipoints of the evaluation (a window with one
//! stone is worth about a point), depths are plies, limits of the solver are stones placed.

agon_search::search_params! {
    /// Points whose pairs are candidates if nothing is forced.
    quiet_points: usize = 10, 4..=30;
    /// Second stones tried with a stone that stops all threats alone.
    second_stones: usize = 12, 2..=40;
    /// Points of a relevance zone that are tried.
    zone_points: usize = 20, 4..=60;

    /// Turns ordered by placement value that are evaluated, at depth 1.
    parts_base: usize = 24, 4..=100;
    /// Turns that are evaluated: more per ply of depth.
    parts_slope: usize = 4, 0..=40;
    /// Turns ordered by static evaluation that are searched, at depth 1.
    moves_base: usize = 14, 2..=60;
    /// Turns that are searched: more per ply of depth.
    moves_slope: usize = 6, 0..=40;
    /// How many times as many turns the root searches.
    root_factor: usize = 4, 1..=8;
    /// Beam: turns so far below the best static evaluation are dropped, at depth 1.
    beam_base: i32 = 120, 10..=1000;
    /// Beam: more per ply of depth.
    beam_slope: i32 = 40, 0..=500;
    /// Late-move reductions: ln(depth) ln(turn) is divided by this, in hundredths.
    lmr_divisor: u32 = 200, 50..=800;
    /// The history score that counts as a centipoint.
    history_divisor: i32 = 64, 8..=512;
    /// Half the width of the first aspiration window.
    aspiration_width: i32 = 60, 5..=500;

    /// Solver at the root: percent of the move's time for either side.
    root_percent: u32 = 20, 1..=80;
    /// Solver at the root: stones in all if the move has no time limit.
    root_stones: u64 = 300_000, 1000..=10000000;
    /// Solver after each root turn: depth in attacking turns.
    refute_depth: u32 = 20, 1..=60;
    /// Solver after each root turn: stones in an iteration.
    refute_iteration: u64 = 20_000, 100..=1000000;
    /// Solver after each root turn: stones in all.
    refute_total: u64 = 25_000, 100..=1000000;
    /// Solver at inner nodes: depth in attacking turns.
    inner_depth: u32 = 4, 1..=20;
    /// Solver at inner nodes: stones in an iteration.
    inner_iteration: u64 = 300, 10..=10000;
    /// Solver at inner nodes: stones in all.
    inner_total: u64 = 500, 10..=10000;
}
