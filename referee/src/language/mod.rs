//! The language of help, messages and pages: Chinese if the user's locale says so, else English.
//!
//! All texts are written in English where they arise, and so are errors, logs and exports. Only what a person
//! at the board reads is translated, at the place where it is shown, by the catalogue of this folder.

mod catalogue;
mod command;
mod locale;
#[cfg(test)]
mod tests;

pub use command::{localized, of_arguments};
pub use locale::{Language, current};
