//! The endgame tablebase: the exact distance to mate (DTM) of every position in which one side, the
//! defender, has no rook, horse, cannon or pawn.
//!
//! **Values.** With best play by both sides, the side to move mates in n plies (or stalemates,
//! which also wins), is mated in n plies, or neither: the attacker chooses the shortest mate, the
//! defender the longest. Captures lead to the slices of smaller sets. Without attacking pieces on
//! either side the game is a draw, because neither side can then be mated or stalemated (a test
//! checks all such positions).
//!
//! **Repetition.** Values ignore the positions before. A won position stays won under every setting
//! of `Repetition`: each move of the winning line shortens the distance, so no position occurs
//! twice, and no line of the tablebase needs a perpetual check or chase. In a drawn position the
//! attacker cannot force mate; a perpetual check loses for the attacker or draws, so he cannot gain
//! by one either. The defender can never give check: he has no piece that could, and a king may not
//! move to face the other. A tablebase draw is therefore a draw under `draw` and `check`. Under
//! `asian` the defender might in principle hold a position only by a perpetual attack on one piece
//! with an advisor or elephant, which would be a forbidden chase; the tablebase calls that a draw.
//!
//! **Long games.** `DrawPlies` ends a game after that many plies without a capture. A win is
//! certain if the mate comes within the limit
//! ([`Dtm::certain_within`](agon_tablebase::Dtm::certain_within)). A longer one may contain a
//! capture that resets the count; a probe of the position after that capture then shows the win.
//!
//! A slice is the file of one set of pieces, named by its [`material`] key. [`layout`] indexes its
//! positions: pairs of [`palace`] configurations, and the attacking pieces, by [`numbering`]. [`slice`](mod@slice) is
//! the indexer. [`solver`] computes the values by retrograde analysis: [`analysis`],
//! [`attacker_wins`] and [`defender_wins`], over [`frame`]s with [`square_sets`]. [`probe`] looks
//! values up, also for the search, and [`verify`](mod@verify) checks them against the rules alone.

mod analysis;
mod attacker_wins;
mod defender_wins;
mod frame;
mod layout;
mod material;
pub mod numbering;
mod palace;
mod probe;
mod side_state;
mod slice;
mod solver;
mod square_sets;
#[cfg(test)]
mod tests;
mod verify;

pub use layout::SetLayout;
pub use material::{MaterialKey, SideMaterial};
pub use probe::XiangqiTablebase;
pub use slice::XiangqiSlice;
pub use solver::{SliceTally, XiangqiSolver};
pub use verify::{Checked, Thoroughness, verify, witness};

use agon_search::host::{Loaded, Setting, loaded};
use std::path::Path;
use std::sync::Arc;

/// The option that names the folder.
pub const TABLE_PATH: Setting<Option<Arc<XiangqiTablebase>>> =
    Setting::folder("TablePath", open, "Folder of endgame tablebase files; empty for none");

/// Opens a folder for use, if a sample of each file's values is right.
fn open(folder: &Path) -> Result<Loaded, String> {
    let tables = XiangqiTablebase::open(folder);
    if tables.as_ref().is_ok_and(XiangqiTablebase::is_empty) {
        let folder = folder.display();
        return Err(format!("{folder} holds no tablebase; `xiangqi table build` makes them"));
    }
    loaded(tables.and_then(|tables| witness(&tables).map(|()| tables)))
}
