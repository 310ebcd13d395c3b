//! The search parameters of NoGo.

agon_search::search_params! {
    /// Value of a position: factor of the mobility lead in the logistic function, times 100.
    lead: i32 = 80, 1..=500;
    /// Value of a position: exponent, times 100, that reduces the weight of a lead while both sides
    /// can play on many of the same points.
    shared_exponent: i32 = 25, 0..=200;
    /// Value of a position: tempo bonus in points of mobility, times 100.
    tempo: i32 = 100, -500..=500;

    /// Exploration constant c of UCB1, times 100, with values from mobility.
    exploration: i32 = 30, 0..=500;
    /// Exploration constant c of UCB1, times 100, in plain UCT.
    uct_exploration: i32 = 70, 0..=500;

    /// `rave`: exploration constant c, times 100.
    rave_exploration: i32 = 25, 0..=300;
    /// `rave`: b of the weight of later moves, times 1000.
    rave_bias: i32 = 0, 0..=1000;
    /// `rave`: a move is expanded after more playouts than these.
    expansion_visits: u32 = 1, 0..=1000;
    /// `rave`: playouts that a new move counts as having been played later in.
    prior_games: u32 = 20, 1..=1000;
    /// `rave`: wins among them of a move that the opponent cannot make.
    reserve_wins: u32 = 4, 0..=1000;

    /// `puct`: exploration constant, times 100.
    puct_exploration: i32 = 60, 0..=1000;
    /// `puct`: how much lower than its position's the value of an unvisited move is, times 100.
    puct_reduction: i32 = 10, -100..=100;

    /// Time management: the empty points for each own move that is expected to be left.
    empty_points_per_move: u32 = 3, 1..=20;
    /// Time management: minimum number of own moves expected to be left.
    moves_left_min: u32 = 4, 1..=40;
}
