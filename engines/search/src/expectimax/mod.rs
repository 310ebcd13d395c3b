//! Expectimax for games of chance, with Star1 and Star2 pruning (Ballard 1983; Hauk, Buro and
//! Schaeffer 2004), iterative deepening and a transposition table.
//!
//! Values are expected outcomes in units of [`UNIT`]: a certain win is `UNIT`, a certain loss
//! `-UNIT`. All arithmetic uses integers and every average is rounded the same way, so pruning
//! changes no value: [`Expectimax`] agrees exactly with the reference [`plain`]. Depth counts
//! decisions only, not the chance outcomes between them.

mod search;
pub mod star;
#[cfg(test)]
mod tests;

pub use crate::score::UNIT;
pub use search::Expectimax;

use agon_games::game::{chance_outcomes, legal_moves};
use agon_games::{Game, Player, Turn};

/// The game-specific parts of the search. One value per thread.
pub trait ExpectimaxEvaluator<G: Game>: Clone + Send + 'static {
    /// The expected outcome for `player` of a position that is not over, from `-UNIT` to `UNIT`.
    /// Called at chance nodes or decision nodes, wherever the depth ends.
    fn evaluate(&mut self, game: &G, player: Player) -> i32;

    /// The expected outcome if known without a search (an endgame tablebase), else `None`.
    fn solve(&mut self, _game: &G, _player: Player) -> Option<i32> {
        None
    }

    /// Reads into memory what [`ExpectimaxEvaluator::solve`] needs; see `Searcher::prepare`.
    fn prepare(&mut self) {}

    /// Whether [`ExpectimaxEvaluator::solve`] may have to read a disk.
    fn is_slow(&self) -> bool {
        false
    }

    /// Outcomes of the same chance position with equal classes lead to equally good positions, so
    /// only one of them is searched. Usually every outcome is its own class.
    fn outcome_class(&self, game: &G, outcome: G::Move) -> u32;

    /// The move-ordering score of a decision: higher first. Only the order matters.
    fn ordering_score(&mut self, game: &G, decision: G::Move) -> i32;

    /// The decision in 24 bits, never all ones, for the transposition table.
    fn pack(decision: G::Move) -> u32;
}

/// The average of `sum` over the total weight `total`, rounded half up. Monotonic in `sum`.
#[inline]
fn average(sum: i64, total: i64) -> i32 {
    (sum + total / 2).div_euclid(total) as i32
}

/// The value of a finished game for `player`, if it is over.
#[inline]
fn outcome_value(turn: Turn, player: Player) -> Option<i32> {
    turn.outcome().map(|outcome| outcome.sign_for(player) * UNIT)
}

/// The expected outcome of `game` for `player`, looking `depth` decisions ahead, and the number
/// of nodes visited.
pub fn plain<G: Game, E: ExpectimaxEvaluator<G>>(
    game: &G,
    player: Player,
    depth: u32,
    evaluator: &mut E,
) -> (i32, u64) {
    if let Some(value) = outcome_value(game.turn(), player) {
        return (value, 1);
    }
    if let Some(value) = evaluator.solve(game, player) {
        return (value, 1);
    }
    if depth == 0 {
        return (evaluator.evaluate(game, player), 1);
    }
    let mut nodes = 1;
    let mut child = |m, viewer, depth| {
        let mut next = game.clone();
        next.play(m);
        let (value, below) = plain(&next, viewer, depth, evaluator);
        nodes += below;
        value
    };
    let value = match game.turn() {
        Turn::Player(mover) => {
            let values = legal_moves(game).into_iter().map(|m| child(m, mover, depth - 1));
            let best = values.max().unwrap_or(0);
            if mover == player { best } else { -best }
        }
        _ => {
            let outcomes = chance_outcomes(game);
            let total = outcomes.iter().map(|o| i64::from(o.1)).sum();
            let values = outcomes.into_iter();
            let sum = values.map(|(m, w)| i64::from(child(m, player, depth)) * i64::from(w)).sum();
            average(sum, total)
        }
    };
    (value, nodes)
}
