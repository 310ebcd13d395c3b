//! What an engine tells the tree search: about its game, and how to search.

use agon_protocol::{Game, Player};

/// What the search must be told about a game.
pub trait MctsEvaluator<G: Game>: Send {
    /// Plays each position out `simulations` times, with random streams named by the position's
    /// key, and puts the first player's results into `half_points`: 2 a win, 1 a draw. The
    /// positions are not over. Asks `stopped` every few milliseconds; once it says yes, breaks off
    /// and returns false.
    fn play_out(
        &mut self,
        leaves: &[(G, u64)],
        simulations: u32,
        half_points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool;

    /// The expected share of a point, 0 to 1, of `player` in a position that is not over, as far
    /// as it is known without playing out.
    fn value(&mut self, game: &G, player: Player) -> f32;

    /// Outcomes of one chance position with equal classes are equally good: one node stands for
    /// them all.
    fn outcome_class(&self, game: &G, outcome: G::Move) -> u32;
}

/// Numbers and choices.
#[derive(Clone, Copy, Debug)]
pub struct MctsSettings {
    /// Playouts of each new node; 0: none, only prior knowledge counts.
    pub simulations: u32,
    /// The factor of UCB1's exploration term.
    pub exploration: f64,
    /// Progressive bias: this, times the value, over the losses, is added to a move's bound.
    pub bias: Option<f64>,
    /// Prior knowledge: new nodes begin with so many visits of their value.
    pub prior: Option<f64>,
    /// Iterations a search; `None`: as many as the clock allows, a depth limit of `d` counting as
    /// `1000 d`.
    pub iterations: Option<u64>,
    /// Bytes of tree, roughly.
    pub memory: usize,
    /// Names all random streams.
    pub seed: u64,
}
