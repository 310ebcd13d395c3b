//! Chance of a match: where it comes from, the secret behind it, and the flags that choose. The page
//! `referee/CHANCE.md` describes the construction for other people's programs.

mod flags;
mod secret;
mod source;

pub use flags::{ChanceFlags, MatchChance};
pub use secret::{Secret, secret_path};
pub use source::{Chance, hexadecimal};
