//! What engines and managers say to each other: the messages, the foreign dialects of those messages, and the
//! loop that serves an engine on standard input and output.
//!
//! An engine program needs [`engine`] and [`serve`], a manager such as the referee [`message`] and [`dialect`]. The
//! protocol never chooses a move.

pub mod dialect;
pub mod engine;
pub mod input_file;
pub mod interrupt;
pub mod lines;
pub mod message;
pub mod serve;
pub mod version;

/// The commit that a program is built from, for [`version::set_commit`].
pub use agon_commit::commit;
