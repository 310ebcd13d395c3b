//! N-tuple networks (section 3.6 of the paper): statistics of random self-play over 24 windows of
//! six squares.
//!
//! A tuple is a rectangle of 2 rows by 3 columns or 3 by 2 at any position on the board: 24 in
//! total. Each square holds one of 13 values (empty, six own, six enemy stones), so a tuple has
//! 13^6 patterns. For each pattern the tables count how often a player left it on the board with a
//! move, and how often that player won. `V(b)`, the value of a board for the player who has just
//! moved, is the mean winning rate of its 24 patterns.
//!
//! The paper does not define how the two colours share the tables. Here every board is seen from
//! the player who has just moved: for the lower-right player it is rotated by 180 degrees and the
//! colours are exchanged. Otherwise a pattern would mean a win for one side and a loss for the
//! other, and average out.

mod counts;
mod file;
mod network;
mod patterns;

pub use counts::Counts;
pub use file::{FileError, MAX_BYTES, checksum, load, load_counts, parse, save};
pub use network::NTuple;
pub use patterns::{ENTRIES, PATTERNS, SQUARES, TUPLES, indices};
