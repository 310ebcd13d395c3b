//! Game-independent search: clocks, a shared transposition table, alpha-beta searches, expectimax
//! and Monte Carlo tree search.
//!
//! Everything is generic over [`agon_games::Game`] and monomorphised; nothing is allocated per
//! node. Values are negated by comparing sides, never by assuming that sides alternate. Using an
//! algorithm that cannot handle chance for a game of chance is a compile-time error.
//!
//! - [`evaluator`]: the game-specific parts of a search beyond the rules
//! - [`searcher`]: the interface of every search algorithm, and what an engine does around one
//! - [`baseline`]: `random`, `greedy` and the reference, plain negamax; [`alphabeta`], [`pvs`]: the
//!   algorithms of the Amazons paper; [`selective`]: the strongest one
//! - [`host`]: the common part of every engine; [`root`]: the moves that may be searched
//! - [`program`]: the command line of every engine program
//! - [`expectimax`] and [`mcts`] (Monte Carlo tree search): games of chance
//! - [`params`]: search constants that a tuning build can set by name
//! - [`clock`], [`lazy_smp`], [`transposition`], [`ordering`], [`result`], [`score`]: shared parts

pub mod alphabeta;
pub mod baseline;
pub mod clock;
pub mod evaluator;
pub mod expectimax;
pub mod host;
pub mod lazy_smp;
pub mod mcts;
pub mod ordering;
pub mod params;
pub mod program;
pub mod pvs;
pub mod result;
pub mod root;
pub mod score;
pub mod searcher;
pub mod selective;
pub mod threads;
pub mod transposition;
