//! The search's constants that belong to Connect6, under names. Values are hundredths of a stone, and
//! depths are plies; limits of the solver count stones that it places.

agon_search::search_params! {
    /// Points whose pairs are searched where nothing is forced.
    pair_points: usize = 10, 4..=30;
    /// Points tried beside a stone that stops all threats by itself.
    beside_points: usize = 12, 2..=40;
    /// Points of the zone tried against a threatened win.
    zone_points: usize = 20, 4..=60;

    /// Turns looked at, by their estimates, at depth 1.
    parts_base: usize = 24, 4..=100;
    /// Turns looked at: more for each further ply of depth.
    parts_slope: usize = 4, 0..=40;
    /// Turns searched, by static evaluation, at depth 1.
    moves_base: usize = 14, 2..=60;
    /// Turns searched: more for each further ply of depth.
    moves_slope: usize = 6, 0..=40;
    /// The root searches so many times as many turns.
    root_factor: usize = 4, 1..=8;
    /// Beam: turns are dropped so far below the best static evaluation at depth 1.
    beam_base: i32 = 120, 10..=1000;
    /// Beam: more for each further ply of depth.
    beam_slope: i32 = 40, 0..=500;
    /// Late-move reductions: hundredths by which ln(depth) ln(turn) is divided.
    lmr_divisor: u32 = 200, 50..=800;
    /// History that is worth a hundredth of a stone.
    history_divisor: i32 = 64, 8..=512;
    /// Aspiration windows: half the first width.
    aspiration_width: i32 = 60, 5..=500;

    /// Solver at the root: percent of the turn's time for either side.
    root_percent: u32 = 20, 1..=80;
    /// Solver at the root: stones without a clock.
    root_stones: u64 = 300_000, 1000..=10000000;
    /// Solver behind each root turn: depth.
    refute_depth: u32 = 20, 1..=60;
    /// Solver behind each root turn: stones of an iteration.
    refute_iteration: u64 = 20_000, 100..=1000000;
    /// Solver behind each root turn: stones in all.
    refute_total: u64 = 25_000, 100..=1000000;
    /// Solver at inner nodes: depth.
    inner_depth: u32 = 4, 1..=20;
    /// Solver at inner nodes: stones of an iteration.
    inner_iteration: u64 = 300, 10..=10000;
    /// Solver at inner nodes: stones in all.
    inner_total: u64 = 500, 10..=10000;
}
