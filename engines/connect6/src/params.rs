//! The search parameters of Connect6. Values are centipoints of the evaluation (a window with one
//! stone is worth about one point), depths are plies, limits of the solver are stones placed.

agon_search::search_params! {
    /// Number of points whose pairs are candidates if nothing is forced.
    quiet_points: usize = 10, 4..=30;
    /// The same in the tree: increase per ply of depth beyond the third.
    quiet_slope: usize = 2, 0..=10;
    /// The same at the root.
    root_points: usize = 16, 4..=60;
    /// Number of turns of two stones on a line with two, which make a threat, tried besides the pairs
    /// of quiet points: at depth 2.
    fours_base: usize = 12, 0..=200;
    /// The same: increase per ply of depth.
    fours_slope: usize = 2, 0..=40;
    /// The same at the root.
    root_fours: usize = 12, 0..=200;
    /// Number of second stones tried with a stone that alone stops all threats.
    second_stones: usize = 12, 2..=40;
    /// Number of second stones tried at a node where all candidates lose.
    resort_points: usize = 40, 2..=361;
    /// Number of first stones tried there besides those that make a threat, if nothing is forced.
    resort_firsts: usize = 3, 0..=30;
    /// Maximum number of turns tried there.
    resort_turns: usize = 160, 1..=1000;
    /// The least depth of such a node if the opponent has a threat.
    resort_depth: u32 = 2, 1..=30;
    /// The same if nothing is forced.
    resort_quiet_depth: u32 = 4, 1..=30;
    /// Number of points tried in a relevance zone.
    zone_points: usize = 20, 4..=60;

    /// Number of turns, ordered by placement value, that are evaluated at depth 1.
    partial_moves_base: usize = 24, 4..=100;
    /// Additional evaluated turns per ply of depth.
    partial_moves_slope: usize = 4, 0..=40;
    /// Number of turns, ordered by static evaluation, that are searched at depth 1.
    moves_base: usize = 14, 2..=60;
    /// Additional searched turns per ply of depth.
    moves_slope: usize = 6, 0..=40;
    /// Factor for the number of turns at the root.
    root_factor: usize = 4, 1..=8;
    /// Beam at depth 1: turns this far below the best static evaluation are dropped.
    beam_base: i32 = 120, 10..=1000;
    /// Beam: increase per ply of depth.
    beam_slope: i32 = 40, 0..=500;
    /// Reverse futility pruning: maximum depth.
    rfp_depth: u32 = 6, 0..=10;
    /// Reverse futility pruning: margin above beta at depth 1.
    rfp_base: i32 = 20, 0..=400;
    /// Reverse futility pruning: increase of the margin per ply.
    rfp_slope: i32 = 30, 0..=400;
    /// Late-move reductions: divisor of ln(depth) ln(turn), times 100.
    lmr_divisor: u32 = 200, 50..=800;
    /// The history score worth one centipoint.
    history_divisor: i32 = 64, 8..=512;
    /// Half the width of the first aspiration window.
    aspiration_width: i32 = 60, 5..=500;

    /// Solver at the root: percentage of the move's time, for each side.
    root_percent: u32 = 20, 1..=80;
    /// Solver at the root: total stones if the move has no time limit.
    root_stones: u64 = 300_000, 1000..=10000000;
    /// Solver after each root turn: depth in attacking turns.
    refute_depth: u32 = 20, 1..=60;
    /// Solver after each root turn: stones per iteration.
    refute_iteration: u64 = 20_000, 100..=1000000;
    /// Solver after each root turn: total stones.
    refute_total: u64 = 25_000, 100..=1000000;
    /// Solver after each root turn: total stones per millisecond of the move's time, if that is more.
    refute_stones_per_ms: u64 = 25, 1..=10000;
    /// Solver after each root turn: stones per iteration as a percentage of the total.
    refute_iteration_percent: u64 = 80, 1..=100;
    /// Solver at the root: percentage of the move's time while every turn is refuted.
    danger_percent: u32 = 70, 1..=95;
    /// Turns that the solver does not refute, after which no further turn is checked.
    held_turns: usize = 100, 1..=400;
    /// Percentage of the move's planned time if the opponent has a win to be stopped.
    danger_time: u32 = 115, 50..=300;
    /// Percentage of the move's planned time once the solver has refuted the best turn of an
    /// iteration.
    unclear_percent: u32 = 180, 50..=400;
    /// Solver after the best turn of an iteration: factor of the limits after each root turn.
    recheck_factor: u64 = 40, 1..=100;
    /// Solver after the best turn of an iteration: percentage of the move's time.
    recheck_percent: u32 = 20, 1..=90;
    /// The same after the last iteration; the search leaves this part of the time.
    recheck_last_percent: u32 = 5, 1..=90;
    /// Time management: turns of a side that are planned for at the start of the game.
    planned_turns: u32 = 12, 1..=100;
    /// Time management: turns that are planned for at least.
    planned_turns_min: u32 = 6, 1..=100;
    /// Solver at leaves: depth in attacking turns.
    leaf_depth: u32 = 6, 1..=20;
    /// Solver at leaves: total stones.
    leaf_total: u64 = 1_000, 10..=10000;
    /// Solver at nodes of depth 1: depth in attacking turns.
    inner_depth: u32 = 4, 1..=20;
    /// Solver at nodes of depth 1: stones per iteration.
    inner_iteration: u64 = 300, 10..=10000;
    /// Solver at nodes of depth 1: total stones.
    inner_total: u64 = 500, 10..=10000;
    /// Solver at deeper nodes: depth in attacking turns.
    deep_depth: u32 = 8, 1..=20;
    /// Solver at deeper nodes: total stones at depth 2, twice as many per further ply.
    deep_total: u64 = 2_000, 100..=100000;
    /// Solver at deeper nodes: maximum total stones.
    deep_most: u64 = 32_000, 100..=1000000;
    /// Solver in the tree: plies by which a node must be searched more deeply to be solved again.
    resolve_plies: u32 = 2, 1..=20;

    /// Solver without other limits: depth in attacking turns.
    solver_depth: u32 = 20, 1..=60;
    /// Solver without other limits: stones per iteration.
    solver_iteration: u64 = 130_000, 1000..=10000000;
    /// Solver without other limits: total stones.
    solver_total: u64 = 7_200_000, 1000..=100000000;
    /// Double threats: splits of a conservative defence into single defences per path.
    solver_splits: u32 = 1, 0..=4;
    /// Double threats: second stones tried with a stone that alone makes two threats.
    solver_free_stones: usize = 8, 1..=64;
    /// Double threats: maximum number of inversions per path that cost no depth.
    solver_extensions: u32 = 2, 0..=8;
    /// Dependency-based search: pairs of a stone that makes an attack line besides its threat.
    pairings: u8 = 4, 0..=64;
    /// Dependency-based search: pairs of any other stone.
    bare_pairings: u8 = 1, 0..=64;
    /// Dependency-based search: ways to play a live two that make no other attack line.
    bare_live_twos: usize = 3, 0..=64;

    /// Single threats: number collected per position.
    vcst_per_position: usize = 8, 1..=64;
    /// Single threats of two stones on a line with two: number collected per position besides the others.
    vcst_line_pairs: usize = 4, 0..=64;
    /// Single threats: maximum number of turns below the root at which they are collected.
    vcst_turns: usize = 2, 0..=8;
    /// Single threats: score penalty per turn of distance from the root.
    vcst_path_penalty: i32 = 40, 0..=400;
    /// Single threats: score bonus for each point where another stone makes a threat.
    vcst_three_point: i32 = 4, 0..=100;
    /// Single threats: number of second stones tried with one that makes a threat.
    vcst_seconds: usize = 10, 1..=64;
    /// Single threats: number tried after another single threat.
    vcst_nested: usize = 3, 0..=32;
    /// Single threats, proof of a win: depth in attacking turns.
    vcst_depth: u32 = 12, 1..=60;
    /// Single threats, proof of a win: stones per iteration.
    vcst_iteration: u64 = 8_000, 100..=1000000;
    /// Single threats, proof of a win: total stones.
    vcst_total: u64 = 40_000, 100..=10000000;
    /// Proof-number search: single threats tried in a position below the root.
    proof_turns: usize = 8, 1..=64;
    /// Proof-number search: first proof number of such a turn.
    proof_turn: u32 = 100, 1..=1000;
    /// Proof-number search: increase of it for each better turn of the position.
    proof_rank: u32 = 10, 0..=100;
    /// Proof-number search: total stones of a search for double threats in one position.
    proof_stones: u64 = 8_000, 10..=100000;
    /// Turns without a threat: number tried at the root.
    vcnt_turns: usize = 16, 1..=100;

    /// Evaluation: open windows with one stone, in sixteenths of a point as all weights but `own` and
    /// `attack`.
    windows_1: i32 = 16, 0..=120;
    /// Evaluation: open windows with two stones.
    windows_2: i32 = 53, 0..=400;
    /// Evaluation: open windows with three stones.
    windows_3: i32 = 276, 0..=800;
    /// Evaluation: open windows with four or more stones.
    windows_4: i32 = 534, 0..=1600;
    /// Evaluation: bonus of windows with two stones and room at both ends.
    free_2: i32 = 49, -120..=200;
    /// Evaluation: the same with three stones.
    free_3: i32 = -55, -240..=400;
    /// Evaluation: the same with four or more stones.
    free_4: i32 = -135, -480..=800;
    /// Evaluation: bonus of a stone per row or column of distance from the nearest edge.
    centre: i32 = -8, -30..=50;
    /// Evaluation: factor of the windows of the side to move, in 128ths.
    own: i32 = 150, 32..=272;
    /// Evaluation: bonus of the side to move.
    tempo: i32 = 1131, 0..=3200;
    /// Evaluation: penalty if the opponent has one threat.
    forced_1: i32 = -112, -1200..=2000;
    /// Evaluation: penalty if the opponent has two threats.
    forced_2: i32 = 557, -1600..=3200;
    /// Placement value: gain of a stone in an open window with none.
    steps_0: i32 = 15, 0..=120;
    /// Placement value: gain of a stone in an open window with one.
    steps_1: i32 = 60, 0..=400;
    /// Placement value: gain of a stone in an open window with two.
    steps_2: i32 = 182, 0..=640;
    /// Placement value: gain of a stone in an open window with three.
    steps_3: i32 = 433, 0..=1200;
    /// Placement value: factor of own windows, in 64ths.
    attack: i32 = 95, 16..=176;

    /// Tree search: exploration constant c of UCB1, times 100.
    mcts_exploration: i32 = 40, 0..=500;
}
