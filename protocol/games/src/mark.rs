//! Marks that a reader draws on a position, as records of several forms have them.

use serde::{Deserialize, Serialize};

/// How a mark looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkShape {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A cross.
    Cross,
    /// A text of a few characters.
    Label,
    /// An arrow to another square.
    Arrow,
}

/// A mark on a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// How it looks.
    pub shape: MarkShape,
    /// The name of its square.
    pub at: String,
    /// The end of an arrow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The text of a label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Mark {
    /// Whether it is on a square, an arrow on two, and a label is short.
    pub fn is_sound(&self) -> bool {
        let arrow_has_end = (self.shape == MarkShape::Arrow) == self.to.is_some();
        let label = self.text.as_deref().unwrap_or("A");
        let is_text = (1..=12).contains(&label.len()) && !label.contains(char::is_whitespace);
        let squares = [Some(&self.at), self.to.as_ref()];
        arrow_has_end && is_text && squares.into_iter().flatten().all(|at| is_square(at))
    }
}

/// Whether a text may name a square: a letter and a number.
fn is_square(text: &str) -> bool {
    let number = text.strip_prefix(|c: char| c.is_ascii_lowercase());
    number.is_some_and(|n| (1..=2).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit()))
}
