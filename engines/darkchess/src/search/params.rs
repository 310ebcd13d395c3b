//! The named constants of the search. Margins are in the units of the static evaluation, where 100
//! is a knight, and depths are in plies.

agon_search::search_params! {
    /// Late-move reductions: number of unreduced moves.
    lmr_moves: usize = 3, 1..=12;
    /// Late-move reductions: minimum depth.
    lmr_depth: i32 = 3, 2..=6;
    /// Late-move reductions: minimum depth for two plies.
    lmr_depth_two: i32 = 5, 3..=10;
    /// Late-move reductions: minimum depth for three plies.
    lmr_depth_three: i32 = 7, 4..=14;
    /// Late-move reductions: before this move index (from 0) at most two plies.
    lmr_moves_two: usize = 10, 4..=30;
    /// Late-move reductions: from this move index (from 0) three plies.
    lmr_moves_three: usize = 20, 6..=60;

    /// Futility pruning: margin of quiet moves at depth 1.
    futility_one: i32 = 130, 0..=600;
    /// Futility pruning: margin of quiet moves at depth 2.
    futility_two: i32 = 260, 0..=900;
    /// Quiescence: futility margin of captures above the static evaluation.
    qs_margin: i32 = 150, 0..=600;
    /// Quiescence: maximum number of captures in a row.
    qs_plies: u32 = 10, 1..=30;

    /// Chance nodes: depth reduction of flips, in plies.
    flip_reduction: i32 = 1, 0..=3;
    /// Flips searched at depth 2.
    flips_two: usize = 2, 0..=16;
    /// Flips searched at depths 3 and 4.
    flips_three: usize = 3, 0..=16;
    /// Flips searched at greater depths.
    flips_more: usize = 4, 0..=16;
    /// Flips: percentage of a piece's value that counts if the side to move can capture it.
    flip_now: i32 = 75, 0..=100;
    /// Flips: percentage of a piece's value that counts if it can be captured a ply later.
    flip_later: i32 = 25, 0..=100;

    /// Contempt: cost of a draw for the side at the root, in millionths of a point.
    contempt: i32 = 25_000, -100000..=200000;
    /// Tablebase draws: the static evaluation is divided by this.
    drawn_divisor: i32 = 64, 1..=1000;
    /// Transposition table: entries are ignored this many plies before the draw by quiet plies.
    draw_distance: i32 = 8, 0..=30;
    /// Tablebase wins and losses beyond the limit of quiet plies: divisor of their value.
    beyond_limit_divisor: i32 = 4, 1..=100;
    /// Depth of the game's first flip: without colours a deep search finds nothing.
    first_flip_depth: u32 = 2, 1..=20;
    /// Minimum depth at which a decisive value based on the tablebase ends the search.
    tablebase_depth: u32 = 6, 1..=60;
    /// Chance nodes: minimum depth at which Star2 searches a reply to each outcome.
    star2_depth: i32 = 2, 0..=20;

    /// Move ordering: weight of the victim's value relative to the attacker's.
    order_victim: i32 = 16, 1..=64;
    /// History: counters are halved when one exceeds this.
    history_max: i32 = 1 << 20, 1000..=10000000;

    /// Time management: percentage of the planned time after which no iteration starts.
    time_percent: u32 = 60, 10..=100;
    /// Time management: expected number of own moves left.
    moves_left: u32 = 40, 5..=200;

    /// Playouts: number of plies after which the static evaluation decides.
    playout_plies: u32 = 40, 1..=400;
    /// Playouts: advantage that then counts as a win.
    playout_won: i32 = 150, 0..=2000;
    /// Playouts: where a capture exists, one move in this many ignores it.
    playout_quiet_odds: u64 = 4, 1..=100;
    /// Tree search: the static evaluation counts as this number of visits of a new node.
    prior_visits: i32 = 6, 0..=1000;
}
