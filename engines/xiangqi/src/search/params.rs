//! The named constants of the search. Values are centipawns and depths are plies unless stated
//! otherwise; reductions are in 1024ths of a ply.

agon_search::search_params! {
    /// Reverse futility pruning: maximum depth.
    rfp_depth: i32 = 8, 1..=16;
    /// Reverse futility pruning: margin for each ply of depth.
    rfp_slope: i32 = 89, 10..=300;
    /// Reverse futility pruning: margin at depth 0.
    rfp_base: i32 = 49, -100..=200;

    /// Null move: minimum depth.
    null_depth: i32 = 2, 1..=6;
    /// Null move: plies of reduction at depth 0.
    null_base: i32 = 3, 1..=6;
    /// Null move: one more ply of reduction for each this many plies of depth.
    null_divisor: i32 = 3, 1..=8;
    /// Null move: one more ply of reduction for each this much above beta.
    null_margin: i32 = 162, 50..=600;
    /// Null move: maximum plies of reduction added for the margin above beta.
    null_margin_plies: i32 = 2, 0..=6;
    /// Null move: minimum depth at which a cut-off is verified.
    null_verify_depth: i32 = 12, 4..=40;
    /// Null move: percent of the reduced depth in which the verification tries no null move.
    null_verify_percent: i32 = 75, 0..=100;

    /// ProbCut: minimum depth.
    probcut_depth: i32 = 5, 2..=12;
    /// ProbCut: margin above beta.
    probcut_margin: i32 = 156, 50..=500;
    /// ProbCut: decrease of the margin if the static evaluation is improving.
    probcut_improving: i32 = 63, 0..=200;
    /// ProbCut: plies of reduction.
    probcut_reduction: i32 = 5, 2..=7;

    /// Internal iterative reduction: minimum depth.
    iir_depth: i32 = 4, 1..=12;

    /// Late-move pruning: quiet moves searched at depth 0.
    lmp_base: i32 = 6, 1..=20;
    /// Late-move pruning: divisor of the count if the static evaluation is not improving.
    lmp_divisor: i32 = 2, 1..=4;

    /// Futility pruning: maximum reduced depth.
    futility_depth: i32 = 6, 0..=16;
    /// Futility pruning: margin at depth 0.
    futility_base: i32 = 85, 0..=500;
    /// Futility pruning: margin for each ply of reduced depth.
    futility_slope: i32 = 79, 10..=300;
    /// Futility and SEE pruning of quiet moves: history score that adds a ply to the reduced depth.
    pruning_history: i32 = 8683, 1000..=32000;

    /// SEE pruning of captures: maximum depth.
    see_capture_depth: i32 = 4, 0..=16;
    /// SEE pruning of captures: loss allowed for each ply of depth.
    see_capture_slope: i32 = 141, 10..=400;
    /// SEE pruning of quiet moves: maximum reduced depth.
    see_quiet_depth: i32 = 8, 0..=16;
    /// SEE pruning of quiet moves: loss allowed at depth 0.
    see_quiet_base: i32 = 1, 0..=200;
    /// SEE pruning of quiet moves: loss allowed, times the square of the reduced depth.
    see_quiet_slope: i32 = 31, 5..=120;

    /// Singular extension: minimum depth.
    singular_depth: i32 = 7, 3..=16;
    /// Singular extension: plies by which the table entry may be shallower.
    singular_entry_plies: i32 = 3, 1..=6;
    /// Singular extension: margin below the table's value for each ply of depth.
    singular_slope: i32 = 2, 0..=8;
    /// Singular extension: divisor of the depth less one for the search of the other moves.
    singular_divisor: i32 = 2, 1..=4;
    /// Double extension: margin below the singular bound.
    double_margin: i32 = 26, 0..=100;
    /// Double extension: maximum number in one line.
    double_limit: u8 = 6, 0..=20;

    /// One-reply extension: maximum depth at which the only legal evasion is extended.
    one_reply_depth: i32 = 3, 0..=40;

    /// Extensions: none beyond this many times the depth of the iteration.
    extension_limit: i32 = 2, 1..=4;

    /// Late-move reductions: minimum depth.
    lmr_depth: i32 = 2, 1..=6;
    /// Late-move reductions: number of moves that are not reduced; one more at the root.
    lmr_moves: usize = 1, 1..=8;
    /// Late-move reductions: base, in 1/100 of a ply.
    lmr_base: i32 = 69, 0..=200;
    /// Late-move reductions: divisor of ln(depth) ln(move), times 100.
    lmr_divisor: i32 = 225, 100..=500;
    /// Late-move reductions: divisor for captures.
    lmr_capture_divisor: i32 = 2, 1..=4;
    /// Late-move reductions: capture history worth one ply.
    lmr_capture_history: i32 = 14_562, 2000..=60000;
    /// Late-move reductions: quiet history worth one ply.
    lmr_history: i32 = 16_915, 2000..=60000;
    /// Late-move reductions: increase if the static evaluation is not improving.
    lmr_not_improving: i32 = 784, -1024..=3072;
    /// Late-move reductions: increase for quiet moves if the table's move is a capture.
    lmr_table_capture: i32 = 512, -1024..=3072;
    /// Late-move reductions: increase at expected cut nodes.
    lmr_cut: i32 = 971, -1024..=3072;
    /// Late-move reductions: decrease for moves that give or evade check.
    lmr_check: i32 = 1515, -1024..=3072;
    /// Late-move reductions: decrease on a principal variation, now or earlier.
    lmr_pv: i32 = 1237, -1024..=3072;
    /// Late-move reductions: increase if replies were often cut off.
    lmr_cutoffs: i32 = 1367, -1024..=3072;
    /// Late-move reductions: the number of cut-offs above which replies were often cut off.
    lmr_cutoffs_limit: u8 = 0, 0..=16;

    /// Quiescence: futility margin of captures above the static evaluation.
    qs_margin: i32 = 187, 0..=600;

    /// Aspiration windows: minimum depth.
    aspiration_depth: i32 = 7, 1..=16;
    /// Aspiration windows: half the initial width.
    aspiration_width: i32 = 18, 2..=200;
    /// Aspiration windows: added to one and a half times the width at each widening.
    aspiration_step: i32 = 5, 0..=100;
    /// Aspiration windows: maximum width before the full window is used.
    aspiration_most: i32 = 600, 50..=4000;
    /// Aspiration windows: maximum reduction of the depth after fail-highs, in plies.
    aspiration_plies: i32 = 3, 0..=6;

    /// History bonus: for each ply of depth.
    bonus_slope: i32 = 173, 10..=600;
    /// History bonus: subtracted offset.
    bonus_offset: i32 = -52, -500..=500;
    /// History bonus: minimum.
    bonus_min: i32 = 34, 0..=500;
    /// History bonus: maximum.
    bonus_max: i32 = 1701, 200..=8000;
    /// Correction history: maximum error learned from.
    correction_error: i32 = 280, 20..=1000;
    /// Correction history: maximum correction.
    correction_max: i32 = 82, 10..=400;
    /// Correction history: maximum weight of a new error, in 256ths.
    correction_weight: i32 = 25, 1..=128;
    /// Move ordering: weight of the victim's value.
    order_victim: i32 = 11, 1..=64;
    /// Move ordering: divisor of the capture history that is added to it.
    order_history_divisor: i32 = 4, 1..=32;
    /// Move ordering: bonus of a quiet move that gives check directly.
    order_check: i32 = 7684, 0..=60_000;
    /// Move ordering: bonus of a quiet move that leaves the attack of a less valuable piece, for each
    /// 256 of the piece's value.
    order_escape: i32 = 4333, 0..=30_000;
    /// Move ordering: the same for a move into such an attack, subtracted.
    order_exposed: i32 = 3217, 0..=30_000;

    /// Time management: moves that are planned for.
    moves_left: u32 = 40, 1..=200;
    /// Monte Carlo tree search: exploration, in percent.
    mcts_exploration: u32 = 25, 0..=400;
    /// Monte Carlo tree search: bias towards the static evaluation, in percent.
    mcts_bias: u32 = 40, 0..=400;

    /// Transposition table: an entry of this search is kept if it is deeper by more than this.
    tt_keep_plies: i32 = 4, 0..=64;

    /// Time management: percent of the planned time for a position in which nothing changes.
    time_base: i32 = 55, 10..=150;
    /// Time management: percent added when the best move changes; it decays by a third per
    /// iteration.
    time_change: i32 = 40, 0..=200;
    /// Time management: maximum percent added for a falling value.
    time_falling: i32 = 70, 0..=200;
    /// Time management: maximum percent saved for a rising value.
    time_rising: i32 = 15, 0..=100;
    /// Time management: maximum fall of the value counted per iteration.
    time_fall_step: i32 = 120, 0..=500;
    /// Time management: maximum rise of the value counted per iteration.
    time_rise_step: i32 = 60, 0..=500;
    /// Time management: minimum percent.
    time_min: i32 = 35, 1..=100;
    /// Time management: maximum percent.
    time_max: i32 = 230, 100..=500;
    /// Time management: plies by which an iteration is deeper than a won or lost game is long, after
    /// which no further one starts.
    proved_plies: i32 = 6, 0..=40;
    /// Time management: percent for a position with one legal move.
    time_only_move: u32 = 10, 1..=100;
}
