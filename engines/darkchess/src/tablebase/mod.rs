//! The endgame tablebase: the value of every position of at most 4 pieces, all of them face up,
//! under best play by both: win, draw or loss for the side to move, and the number of plies to the
//! end of the game ([`agon_tablebase::Dtm`]). It can also be built for 5 pieces.
//!
//! Values ignore the match's limits: a win that takes longer than the draw rule allows is still a
//! win. Equivalent material and symmetric positions share an entry of one byte.
//!
//! - [`classes`]: equivalence classes of material; [`material`]: those of the tablebase; [`numbering`]:
//!   the number of an arrangement
//! - [`class_index`]: the indexer, which combines both
//! - [`solver`]: retrograde analysis of all classes in order
//! - [`verify`](mod@verify): verification by forward search and against every position's successors
//!
//! The engine uses a file that the options name, or a small one in the user's cache folder, built on
//! first use.

mod class_index;
pub mod classes;
mod material;
mod numbering;
mod solver;
#[cfg(test)]
mod tests;
mod verify;

pub use class_index::DarkChessIndexer;
pub use solver::DarkChessSolver;
pub use verify::{VerifyReport, verify, witness};

use agon_search::host::{OptionDef, Options, Setting, TABLE_CACHE, loaded};
use agon_tablebase::{CachedTablebase, Indexer, Monitor, Scratch, TablebaseError, resume};
use agon_wire::engine::Control;
use std::path::Path;
use std::sync::Arc;

/// The tablebase of the positions without face-down pieces.
pub type DarkChessTablebase = agon_tablebase::Tablebase<DarkChessIndexer>;

/// The options of the tablebase.
pub const OPTIONS: &[OptionDef] = &[TABLE_FILE.def, TABLE_CACHE.def];
const TABLE_FILE: Setting<Option<Arc<DarkChessTablebase>>> = Setting::mapped(
    "TableFile",
    |path| loaded(open_checked(path)),
    "Endgame tablebase instead of the small one: a file that `darkchess table build` writes",
);

/// The tablebase in the user's cache folder.
static CACHED: CachedTablebase<DarkChessTablebase> =
    CachedTablebase::new("darkchess-4.table", open_checked, build_cached);

/// Opens a file for use, if a sample of its values is right.
fn open_checked(path: &Path) -> Result<DarkChessTablebase, TablebaseError> {
    let table = DarkChessTablebase::open(path)?;
    witness(&table)?;
    Ok(table)
}

fn build_cached(path: &Path) -> Result<(), TablebaseError> {
    let indexer = DarkChessIndexer::new(4, 4, 8).map_err(TablebaseError::Refused)?;
    let scratch = Scratch::open(path, 2 * indexer.len())?;
    let solver = DarkChessSolver { scratch: Some(&scratch) };
    resume(path, &indexer, (&solver, &scratch), 0, &Monitor::hidden()).map(|_| ())
}

/// The tablebase that the options name, or that of the cache folder once it is open.
pub fn chosen(options: &Options) -> Option<Arc<DarkChessTablebase>> {
    options.get(&TABLE_FILE).or_else(|| options.get(&TABLE_CACHE).then(|| CACHED.get())?)
}

/// Opens the tablebase of the cache folder if it is to be used; whether it is open now and was not
/// before.
pub fn prepare(options: &Options, control: &Control) -> bool {
    options.get(&TABLE_FILE).is_none() && options.get(&TABLE_CACHE) && CACHED.prepare(control)
}
