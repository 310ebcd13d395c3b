//! Equivalence classes of material: sets of pieces with the same moves on any squares, in canonical
//! form.
//!
//! - [`relation`]: who captures whom
//! - [`structure`]: combinations without their piece counts, which merge pieces that no opponent can
//!   distinguish; [`ties`] lists the orders among which it chooses
//! - [`canonical`](mod@canonical): the class of a combination of open pieces

pub mod canonical;
pub mod relation;
pub mod structure;
pub mod ties;

pub use canonical::{Canonical, Class, canonical};

use agon_games::darkchess::KINDS;

/// The number of pieces of each kind of one side, in the order of
/// [`Kind::ALL`](agon_games::darkchess::Kind::ALL).
pub type Counts = [u8; KINDS];
