//! The endgame tablebase: the exact value of every position of at most 6 stones.
//!
//! A value is the winning probability of the side to move, before its roll and under best play by
//! both, for the rule about missing numbers that the tablebase was built for. The game is acyclic
//! (every move brings a stone nearer to its goal), so one pass in the order of stones and distances
//! computes the values, without iteration. The computation uses units of 1/(2^32 - 1), the file
//! 16 bits in units of 1/65535: [`MAX_ERROR`].
//!
//! - [`arrangement`]: the arrangements of one side's numbers, up to relabelling.
//! - [`index`]: the indexer, with all exact reductions.
//! - [`value`]: winning probabilities in 16 bits.
//! - [`block`]: the values of the positions on one pair of square sets.
//! - [`layers`]: the order of solving, and the memory and disk space that it takes.
//! - [`solve`]: the solver, in memory or with scratch files.
//! - [`reference`](mod@reference), [`verify`](mod@verify): verification by plain expectimax without
//!   an index.

mod arrangement;
mod block;
mod index;
mod layers;
mod reference;
#[cfg(test)]
mod scratch_tests;
mod solve;
#[cfg(test)]
mod tests;
mod value;
mod verify;

pub use index::EinSteinIndexer;
pub use layers::Needs;
pub use reference::{Expectimax, position_key, random_position};
pub use solve::EinSteinSolver;
pub use value::{MAX_ERROR, MAX_STONES, WinProbability};
pub use verify::{VerifyReport, verify, witness};

use agon_search::host::{Options, Setting, loaded};
use std::sync::Arc;

/// The tablebase of the positions before a roll.
pub type EinSteinTablebase = agon_tablebase::Tablebase<EinSteinIndexer>;

/// The option that names the file.
pub const TABLE_FILE: Setting<Option<Arc<EinSteinTablebase>>> = Setting::mapped(
    "TableFile",
    |path| loaded(EinSteinTablebase::open(path).and_then(|t| witness(&t).map(|()| t))),
    "Endgame tablebase: the file that `einstein table build` writes",
);

/// The tablebase, if there is one; logs its size.
pub fn chosen(options: &Options) -> Option<Arc<EinSteinTablebase>> {
    let tablebase = options.get(&TABLE_FILE);
    match tablebase.as_deref().map(EinSteinTablebase::indexer) {
        None => log::warn!("no TableFile: playing without the endgame tablebase"),
        Some(indexer) => log::info!(
            "exact values up to {} stones in games with MissingDie {:?}",
            indexer.stones(),
            indexer.rule()
        ),
    }
    tablebase
}
