//! What is known after a move or a chance outcome of a running game, besides the board.

use crate::clock::ClocksLeft;
use agon_games::Player;
use agon_matchlog::{PlyScore, PlyStats};

/// What is known after a move or a chance outcome, besides the board.
#[derive(Clone, Debug)]
pub struct AfterPly {
    /// What each player has left.
    pub clocks: ClocksLeft,
    /// What the mover reported; `None` after a chance outcome.
    pub report: Option<MoveReport>,
}

/// What an engine reported with its move, from its own point of view.
#[derive(Clone, Debug)]
pub struct MoveReport {
    /// The player.
    pub mover: Player,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes of the search.
    pub nodes: Option<u64>,
    /// The time of the move in microseconds.
    pub us: Option<u64>,
    /// The score.
    pub score: Option<PlyScore>,
    /// The expected score in permille.
    pub expected: Option<u32>,
    /// The principal variation, which begins with the move; an engine may give none.
    pub line: Vec<String>,
}

impl MoveReport {
    /// The report of the last decision of a game.
    pub fn last(mover: Player, stats: &PlyStats, line: &[String]) -> MoveReport {
        MoveReport {
            mover,
            depth: stats.depth.last().copied().flatten(),
            nodes: stats.nodes.last().copied().flatten(),
            us: stats.us.last().copied(),
            score: stats.score.last().copied().flatten(),
            expected: stats.expected.last().copied().flatten(),
            line: line.to_vec(),
        }
    }
}
