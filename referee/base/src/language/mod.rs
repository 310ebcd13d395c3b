//! The language of help, messages and pages: Chinese if the user's locale says so, else English.
//!
//! All texts are written in English where they arise, and so are errors, logs and exports. What a person at the
//! board reads is a [`Phrase`](agon_games::phrase::Phrase): it is translated by its key, at the place where it
//! is shown, with the catalogue of this folder.

mod catalogue;
mod locale;
#[cfg(test)]
mod tests;

pub use catalogue::{help, messages};
pub use locale::{Language, current};
