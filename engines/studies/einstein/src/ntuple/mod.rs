//! N-tuple networks (section 3.6 of the paper): what random self-play says about 24 windows of six
//! squares.
//!
//! A tuple is a rectangle of 2 rows by 3 columns or 3 by 2, wherever it fits on the board: 24 of
//! them. Each square holds one of 13 values (empty, six own, six enemy stones), so a tuple has
//! 13^6 patterns. For each the tables hold how often a player left that pattern on the board with
//! a move, and how often that player went on to win. `V(b)`, the value of a board for the player
//! who has just moved, is the mean winning rate of its 24 patterns.
//!
//! The paper does not say how the two colours share the tables. Here every board is seen by the
//! player who has just moved: for the lower-right player it is turned by half a turn and the
//! colours are exchanged, without which a pattern would mean a win for one side and a loss for the
//! other and average out to nothing.

mod counts;
mod file;
mod network;
mod patterns;

pub use counts::Counts;
pub use file::{FileError, checksum, load, load_counts, save};
pub use network::NTuple;
pub use patterns::{ENTRIES, PATTERNS, SQUARES, TUPLES, indices};
