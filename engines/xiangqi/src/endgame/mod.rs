//! Endgame tables: the exact distance to mate of every position in which one side, the defender,
//! has no rook, horse, cannon or pawn.
//!
//! **What a value says.** With best play of both sides the side to move mates (or stalemates, which
//! wins as well) in so many plies, is mated in so many, or neither: the attacker wants the
//! shortest mate, the defender the longest. Captures lead into the tables of smaller sets; without
//! attacking pieces on either side the game is a draw, because then nobody can ever be mated or
//! stalemated (a test goes through all such positions).
//!
//! **Repetition.** The values know nothing of the positions before. A won position stays won under
//! every setting of `Repetition`: each move of the winning line shortens the distance, so that no
//! position comes twice, and no line of the table needs a perpetual check or chase. A drawn
//! position is one in which the attacker cannot force mate; since a perpetual check loses for the
//! attacker who gives it, or draws, he cannot gain by one either. The defender can never give
//! check: he has no piece that could, and a king may not step before the other. Under `draw` and
//! `check` a table's draw is therefore a draw. Under `asian` the defender might in principle hold a
//! position only by attacking one and the same piece for ever with an advisor or elephant, which
//! would be a forbidden chase; the tables call that a draw.
//!
//! **Long games.** `DrawPlies` ends a game after so many plies without a capture. A win is certain
//! if the mate comes within the limit ([`Value::certain_within`]); a longer one may contain a
//! capture that starts the count anew, and then the capture's own position says so.
//!
//! [`set`] names the sets, [`layout`] numbers their positions, [`solve`] finds the values in
//! [`frame`]s with [`sets`] of squares, [`format`](mod@format) and [`file`](mod@file) are the files, [`Tables`] looks values
//! up, [`verify`](mod@verify) checks them against the rules alone.

pub mod build;
pub mod error;
pub mod file;
pub mod format;
pub mod frame;
pub mod homes;
pub mod layout;
mod oracle;
pub mod set;
pub mod sets;
pub mod solve;
mod store;
#[cfg(test)]
mod tests;
pub mod verify;
pub mod work;

pub use build::{Builder, Built, Monitor};
pub use error::TableError;
pub use set::EndgameSet;
pub use store::Tables;

use std::cmp::Ordering;
use std::fmt;

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Nobody can force mate.
    Draw,
    /// Mates in so many plies, an odd number.
    Win(u16),
    /// Is mated in so many plies, an even number; 0 if it is so now.
    Loss(u16),
}

impl Value {
    /// Of a table's code (see [`format`](mod@format)).
    pub fn from_code(code: u8) -> Value {
        match u16::from(code).checked_sub(1) {
            None => Value::Draw,
            Some(plies) if plies % 2 == 1 => Value::Win(plies),
            Some(plies) => Value::Loss(plies),
        }
    }

    /// The value of a position one ply before this one if its side to move chooses it.
    pub fn before(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
        }
    }

    /// Whether a game that is drawn after `limit` plies without a capture (0: never) and has had
    /// `quiet` of them is sure to end with this value: a draw, or a mate in time.
    pub fn certain_within(self, quiet: u16, limit: u16) -> bool {
        match self {
            Value::Draw => true,
            Value::Win(plies) | Value::Loss(plies) => {
                limit == 0 || u32::from(quiet) + u32::from(plies) <= u32::from(limit)
            }
        }
    }

    /// Greater is better for the side to move.
    fn merit(self) -> i32 {
        match self {
            Value::Draw => 0,
            Value::Win(plies) => 1000 - i32::from(plies),
            Value::Loss(plies) => i32::from(plies) - 1000,
        }
    }
}

/// Better for the side to move is greater: quick wins first, late losses before early ones.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.merit().cmp(&other.merit())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Draw => write!(f, "draw"),
            Value::Win(plies) => write!(f, "win in {plies} plies"),
            Value::Loss(plies) => write!(f, "loss in {plies} plies"),
        }
    }
}
