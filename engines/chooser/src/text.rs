//! Text from outside, such as paths and variables, in messages.

/// The text with each control character replaced by its escape.
pub fn visible(text: &str) -> String {
    text.chars().fold(String::new(), |mut shown, c| {
        if c.is_control() {
            shown.extend(c.escape_debug());
        } else {
            shown.push(c);
        }
        shown
    })
}
