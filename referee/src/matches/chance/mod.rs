//! Chance of a match: where it comes from, the secret behind it, and the flags that choose. The page
//! `referee/CHANCE.md` describes the construction for other people's programs.

mod flags;
mod secret;
mod sections;
mod source;

pub use flags::{ChanceFlags, yes_or_no};
pub use secret::{Secret, secret_path};
pub use sections::{MatchChance, SectionChance, section_secrets};
pub use source::{Chance, hexadecimal};
