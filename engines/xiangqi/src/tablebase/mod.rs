//! The endgame tablebase: the exact distance to mate (DTM) of every position in which one side, the defender,
//! has no rook, horse, cannon or pawn.
//!
//! **What a value says.** With best play of both sides the side to move mates (or stalemates, which
//! wins as well) in so many plies, is mated in so many, or neither: the attacker wants the
//! shortest mate, the defender the longest. Captures lead into the slices of smaller sets; without
//! attacking pieces on either side the game is a draw, because then nobody can ever be mated or
//! stalemated (a test goes through all such positions).
//!
//! **Repetition.** The values know nothing of the positions before. A won position stays won under
//! every setting of `Repetition`: each move of the winning line shortens the distance, so that no
//! position comes twice, and no line of the tablebase needs a perpetual check or chase. A drawn
//! position is one in which the attacker cannot force mate; since a perpetual check loses for the
//! attacker who gives it, or draws, he cannot gain by one either. The defender can never give
//! check: he has no piece that could, and a king may not step before the other. Under `draw` and
//! `check` a tablebase draw is therefore a draw. Under `asian` the defender might in principle hold a
//! position only by attacking one and the same piece for ever with an advisor or elephant, which
//! would be a forbidden chase; the tablebase calls that a draw.
//!
//! **Long games.** `DrawPlies` ends a game after so many plies without a capture. A win is certain
//! if the mate comes within the limit ([`Dtm::certain_within`](agon_tablebase::Dtm::certain_within)); a longer one may contain a
//! capture that starts the count anew, and then the capture's own position says so.
//!
//! A slice is the file of one set of pieces, named by its [`material`] key. [`layout`] numbers its
//! positions, pairs of [`palace`] configurations and the attacking pieces; [`slice`](mod@slice) is
//! the indexer. [`solver`] finds the values by retrograde analysis: [`analysis`], [`attacker_wins`]
//! and [`defender_wins`], in [`frame`]s with [`square_sets`]. [`probe`] looks values up,
//! [`search_probe`] does so for the search, [`verify`](mod@verify) checks them against the
//! rules alone.

mod analysis;
mod attacker_wins;
mod defender_wins;
mod frame;
mod layout;
mod material;
mod palace;
mod probe;
mod search_probe;
mod side_state;
mod slice;
mod solver;
mod square_sets;
mod tally;
#[cfg(test)]
mod tests;
mod verify;

pub use layout::Layout;
pub use material::MaterialKey;
pub use probe::XiangqiTablebase;
pub use slice::XiangqiSlice;
pub use solver::XiangqiSolver;
pub use tally::Tally;
pub use verify::{Checked, Thoroughness, verify};
