//! The search's constants that belong to Amazons, under names, and the settings made of them. Values
//! are hundredths of a move, and depths are plies.

use agon_search::selective::{SelectiveSettings, Selectivity};

agon_search::search_params! {
    /// Steps (partial moves) looked at, by their evaluations, at depth 1.
    steps_base: usize = 10, 2..=60;
    /// Steps looked at: more for each further ply of depth.
    steps_slope: usize = 8, 0..=40;
    /// Moves searched, by static evaluation, at depth 1.
    moves_base: usize = 20, 2..=100;
    /// Moves searched: more for each further ply of depth.
    moves_slope: usize = 16, 0..=60;
    /// The root searches so many times as many steps and moves.
    root_factor: usize = 3, 1..=8;
    /// Beam: moves are dropped so far below the best static evaluation at depth 1.
    beam_base: i32 = 600, 100..=2000;
    /// Beam: more for each further ply of depth.
    beam_slope: i32 = 200, 0..=1000;
    /// Futility margin of moves by the evaluation of their step and the gain of their arrow.
    futility_margin: i32 = 300, 0..=1500;
    /// Reverse futility pruning: margin for each ply of depth beyond the first.
    rfp_slope: i32 = 150, 20..=600;
    /// Reverse futility pruning: up to this depth.
    rfp_depth: u32 = 3, 0..=10;
    /// Late-move reductions: hundredths by which ln(depth) ln(move) is divided.
    lmr_divisor: u32 = 200, 50..=800;
    /// History that is worth a hundredth of a move.
    history_divisor: i32 = 64, 8..=512;
    /// Aspiration windows: half the first width.
    aspiration_width: i32 = 60, 5..=500;
}

/// How `best` searches Amazons.
pub fn settings(threads: usize) -> SelectiveSettings {
    let selectivity = Selectivity {
        partial_moves: [steps_base(), steps_slope()],
        moves: [moves_base(), moves_slope()],
        root_factor: root_factor(),
        beam: [beam_base(), beam_slope()],
        futility_margin: futility_margin(),
        reverse_futility_margin: rfp_slope(),
        reverse_futility_depth: rfp_depth(),
        lmr_divisor: lmr_divisor(),
        history_divisor: history_divisor(),
    };
    SelectiveSettings { threads, selectivity: Some(selectivity), aspiration: aspiration_width() }
}
