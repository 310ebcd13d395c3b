//! The Amazons-specific constants of the search, by name, and the settings built from them. Values
//! are 1/100 of a move, and depths are plies.

use agon_search::selective::{SelectiveSettings, Selectivity};

agon_search::search_params! {
    /// Maximum number of steps (partial moves), by their evaluations, at depth 1.
    steps_base: usize = 10, 2..=60;
    /// Maximum number of steps: increase for each further ply of depth.
    steps_slope: usize = 8, 0..=40;
    /// Maximum number of moves, by static evaluation, at depth 1.
    moves_base: usize = 20, 2..=100;
    /// Maximum number of moves: increase for each further ply of depth.
    moves_slope: usize = 16, 0..=60;
    /// Factor for the numbers of steps and moves at the root.
    root_factor: usize = 3, 1..=8;
    /// Beam: moves this far below the best static evaluation at depth 1 are pruned.
    beam_base: i32 = 600, 100..=2000;
    /// Beam: increase for each further ply of depth.
    beam_slope: i32 = 200, 0..=1000;
    /// Futility margin of moves by the evaluation of their step and the gain of their arrow.
    futility_margin: i32 = 300, 0..=1500;
    /// Reverse futility pruning: margin for each ply of depth beyond the first.
    rfp_slope: i32 = 150, 20..=600;
    /// Reverse futility pruning: maximum depth.
    rfp_depth: u32 = 3, 0..=10;
    /// Late-move reductions: divisor of ln(depth) ln(move), times 100.
    lmr_divisor: u32 = 200, 50..=800;
    /// History score worth 1/100 of a move.
    history_divisor: i32 = 64, 8..=512;
    /// Aspiration windows: half the initial width.
    aspiration_width: i32 = 60, 5..=500;

    /// Separated positions in the search: maximum number of filling positions per side.
    filling_budget: u64 = 1000, 10..=1000000;
    /// Separated positions at the root: maximum number of filling positions; some milliseconds.
    filling_root_budget: u64 = 1000, 10..=1000000;
    /// Separated positions at the root: maximum number of filling positions for each move. One line
    /// of play decides most moves that waste nothing.
    filling_move_budget: u64 = 200, 1..=1000000;
    /// Filling a region: weight of few empty squares around the arrow against many around the
    /// amazon.
    filling_arrow: i32 = 16, 1..=100;

    /// Time management: the empty squares for each own move that is expected to be left. Every turn
    /// fills a square, so each side has at most half of them left to play; the game is decided well
    /// before the board is full, and moves are then cheap.
    empty_squares_per_move: u32 = 3, 1..=20;
    /// Time management: minimum number of own moves expected to be left.
    moves_left_min: u32 = 4, 1..=40;
}

/// The settings of `best` for Amazons.
pub fn settings(threads: usize) -> SelectiveSettings {
    let selectivity = Selectivity {
        partial_moves: [steps_base(), steps_slope()],
        moves: [moves_base(), moves_slope()],
        root_factor: root_factor(),
        beam: [beam_base(), beam_slope()],
        futility_margin: futility_margin(),
        reverse_futility_margin: [0, rfp_slope()],
        reverse_futility_depth: rfp_depth(),
        lmr_divisor: lmr_divisor(),
        history_divisor: history_divisor(),
    };
    SelectiveSettings { threads, selectivity: Some(selectivity), aspiration: aspiration_width() }
}
