//! The tablebase that the options name.

use super::EinSteinTablebase;
use agon_search::host::{Options, Setting, loaded};
use std::sync::Arc;

/// The option that names the file.
pub const TABLE_FILE: Setting<Option<Arc<EinSteinTablebase>>> = Setting::file(
    "TableFile",
    |path| loaded(EinSteinTablebase::open(path)),
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
