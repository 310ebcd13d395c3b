//! The game-specific interface of the tree search, its settings, and the choice among children.

use agon_games::{Game, Player};

/// The game-specific parts of the tree search.
pub trait MctsEvaluator<G: Game>: Send {
    /// Plays each position out `simulations` times, with random streams derived from the position's
    /// key, and writes the first player's results to `half_points`: 2 per win, 1 per draw. The
    /// positions are not over. Calls `stopped` every few milliseconds; once it returns true, aborts
    /// and returns false. By default a playout ends at once with the expected result.
    fn play_out(
        &mut self,
        leaves: &[(G, u64)],
        simulations: u32,
        half_points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        half_points.clear();
        for (game, _) in leaves {
            let share = self.value(game, Player::First);
            half_points.push((share * 2.0 * simulations as f32).round() as u32);
        }
        !stopped()
    }

    /// The playouts on other threads, if the evaluator has them.
    fn parallel(&mut self) -> Option<&mut dyn ParallelPlayouts<G>> {
        None
    }

    /// The expected score of `player`, 0 to 1, in a position that is not over, estimated without a
    /// playout.
    fn value(&mut self, game: &G, player: Player) -> f32;

    /// Outcomes of one chance position with equal classes are equally good and share one node. Games
    /// without chance have none.
    fn outcome_class(&self, _game: &G, _outcome: G::Move) -> u32 {
        const { assert!(!G::HAS_CHANCE, "a game of chance needs classes of outcomes") };
        0
    }
}

/// Playouts that run on other threads beside the search.
pub trait ParallelPlayouts<G: Game> {
    /// Starts the playouts of these positions, as in [`MctsEvaluator::play_out`].
    fn submit(&mut self, leaves: &[(G, u64)], simulations: u32);

    /// Helps with the oldest batch that was submitted and not collected, until it is finished, and
    /// writes its results as [`MctsEvaluator::play_out`] does.
    fn collect(&mut self, half_points: &mut Vec<u32>);
}

/// The settings.
#[derive(Clone, Copy, Debug)]
pub struct MctsSettings {
    /// Playouts per new node; 0: none, only prior knowledge counts.
    pub simulations: u32,
    /// The factor of UCB1's exploration term.
    pub exploration: f64,
    /// Progressive bias: this factor times the value, divided by the losses, is added to a move's
    /// bound.
    pub bias: Option<f64>,
    /// Prior knowledge: new nodes start with this many visits at their value.
    pub prior: Option<f64>,
    /// Iterations per search; `None`: as many as the clock allows, where a depth limit of `d` means
    /// `1000 d`.
    pub iterations: Option<u64>,
    /// The approximate memory limit of the tree, in bytes.
    pub memory: usize,
    /// The seed of all random streams.
    pub seed: u64,
}

/// The upper confidence bound of a child: UCB1 (Kocsis and Szepesvari 2006), with progressive bias
/// if `bias` is given.
///
/// `points` in `visits` are from the chooser's view, and `log_parent` is the logarithm of the
/// parent's visits. The bias is `bias * value / losses`, where `value` is the child's value for the
/// chooser, 0 to 1; a child without losses counts as having one. The bound of a child without
/// visits is infinite.
#[inline]
pub fn upper_confidence_bound(
    points: f64,
    visits: f64,
    log_parent: f64,
    exploration: f64,
    bias: Option<f64>,
    value: f64,
) -> f64 {
    if visits == 0.0 {
        return f64::INFINITY;
    }
    let losses = (visits - points).max(1.0);
    points / visits
        + exploration * (log_parent / visits).sqrt()
        + bias.map_or(0.0, |factor| factor * value / losses)
}
