//! Searching any game: clocks, a shared transposition table, and the alpha-beta family.
//!
//! Everything is generic over [`agon_protocol::Game`] and monomorphised; nothing is allocated per
//! node. Values are negated by comparing sides, never by assuming that sides alternate. The
//! algorithms that cannot treat chance refuse such games when compiled.
//!
//! - [`evaluator`]: what a search must be told about a game beyond its rules
//! - [`searcher`]: what every algorithm offers, and running it under a manager's limits
//! - [`negamax`]: the reference; [`alphabeta`], [`pvs`]: the algorithms of the Amazons paper, as
//!   they are there; [`selective`]: the strongest one; [`baseline`]: `random` and `greedy`
//! - [`host`]: what every engine does around its searchers; [`root`]: the moves that may be searched
//! - [`program`]: the command line that every engine has
//! - [`expectimax`]: games of chance by expected values; [`mcts`]: by playing them out
//! - [`params`]: constants of a search that a tuning build can set by name
//! - [`clock`], [`transposition`], [`history`], [`ordering`], [`result`], [`score`]: their parts

pub mod alphabeta;
pub mod baseline;
pub mod clock;
pub mod evaluator;
pub mod expectimax;
pub mod history;
pub mod host;
pub mod mcts;
pub mod negamax;
pub mod ordering;
pub mod params;
pub mod program;
pub mod pvs;
pub mod result;
pub mod root;
pub mod score;
pub mod searcher;
pub mod selective;
pub mod transposition;
