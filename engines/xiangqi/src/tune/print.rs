//! Writes weights as the source file that the engine is built with.

use crate::evaluation::Group;
use std::fmt::Write;

/// The text of `src/evaluation/weights.rs`.
pub fn source(weights: &[(i16, i16)], command: &str, how: &str) -> String {
    let mut text = format!(
        "//! The weights of the evaluation, for the middle game and for the endgame, in centipawns (a\n\
         //! pawn before the river is 100).\n\
         //!\n\
         //! Written by `{command}`:\n\
         //! {how}.\n\n\
         use super::layout::TERMS;\n\n\
         /// In the order of [`super::Group`].\n\
         #[rustfmt::skip]\n\
         pub const WEIGHTS: [(i16, i16); TERMS] = [\n"
    );
    for group in Group::all() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    // {group:?}");
        let width = if matches!(group, Group::Psqt(_)) { 5 } else { 6 };
        for row in weights[group.first()..group.first() + group.size()].chunks(width) {
            let row: Vec<String> = row.iter().map(|w| format!("({}, {}),", w.0, w.1)).collect();
            let _ = writeln!(text, "    {}", row.join(" "));
        }
    }
    text.push_str("];\n");
    text
}
