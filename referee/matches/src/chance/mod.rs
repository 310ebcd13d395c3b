//! Chance of a match: where it comes from, the secret behind it, and the settings that choose. The page
//! `referee/CHANCE.md` describes the construction for other people's programs.

mod recorded;
mod secret;
mod sections;
mod settings;
mod source;

pub use recorded::GameChance;
pub use secret::{Secret, secret_path};
pub use sections::{MatchChance, SectionChance, section_secrets};
pub use settings::ChanceSettings;
pub use source::{Chance, hexadecimal};
