//! The Monte Carlo tree search of Hsu, Hsu, Chen and Chang (National Taipei University, 2020), as
//! their section 3.2 describes it: the algorithm `mcts-paper` of the program `einstein`.
//!
//! Every root move gets its own tree. The trees ignore the dice: a node's children are all moves of
//! the next player, whatever the die, at most 18. Selection is by UCB1 (formula 1). Expansion
//! creates all children of the selected leaf. Each child is played out `simulations` times, and the
//! sums are backed up along the path. After `iterations` rounds in each tree the search plays the
//! root move with the best winning rate.
//!
//! The paper leaves four things open. A finished position is never expanded: the search backs up
//! its result with the weight of one leaf's playouts. A node without losses counts as having one in
//! the progressive bias. Ties between root moves are broken at random. The paper calls `W` the wins
//! "of the AI side" without defining who chooses in the opponent's nodes: by default the player to
//! move maximises its own rate ([`WinsOf::Mover`]); read literally, both maximise the engine's
//! ([`WinsOf::Engine`]).
//!
//! [`crate::ntuple`] is the paper's n-tuple network. Playouts and `V(b)` are a [`Simulator`]'s.

mod search;
mod settings;
mod simulator;
mod tree;

pub use search::PaperMcts;
pub use settings::{PaperMctsSettings, WinsOf};
pub use simulator::Simulator;
