//! The syntax of SGF (Smart Game Format): games of a file, and the properties of a main line.

/// A property with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name in capitals, such as `AB`.
    pub name: String,
    /// Its values without brackets.
    pub values: Vec<String>,
}

/// A text that is no SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad SGF at byte {at}: {reason}")]
pub struct SyntaxError {
    /// Counted from 0.
    pub at: usize,
    /// The error and the expected form.
    pub reason: String,
}

/// The games of a file: where each begins, and its text. The last one may be incomplete.
pub fn games(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let (mut found, mut depth, mut begin, mut at) = (Vec::new(), 0usize, 0, 0);
    while let Some(&b) = bytes.get(at) {
        match b {
            b'(' => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            b')' if depth == 1 => {
                depth = 0;
                found.push((begin, &text[begin..=at]));
            }
            b')' => depth = depth.saturating_sub(1),
            b'[' if depth > 0 => at = closing(bytes, at).unwrap_or(bytes.len()),
            _ => {}
        }
        at += 1;
    }
    if depth > 0 || found.is_empty() && !text.trim().is_empty() {
        found.push((begin, &text[begin..]));
    }
    found
}

/// The properties of the first game's main line, in order.
///
/// # Errors
/// A bracket is not closed, or there is something between properties.
pub fn main_line(text: &str) -> Result<Vec<Property>, SyntaxError> {
    let bytes = text.as_bytes();
    let fail = |at: usize, reason: &str| SyntaxError { at, reason: reason.into() };
    let mut at = text.find('(').ok_or_else(|| fail(0, "there is no `(`"))? + 1;
    let mut properties: Vec<Property> = Vec::new();
    while let Some(&b) = bytes.get(at) {
        match b {
            // The first variation of each fork comes first; the main line ends where a branch ends.
            b')' => return Ok(properties),
            b'(' | b';' => at += 1,
            b if b.is_ascii_whitespace() => at += 1,
            b'[' => {
                let end = closing(bytes, at).ok_or_else(|| fail(at, "`[` is never closed"))?;
                let value = unescape(text.get(at + 1..end).unwrap_or_default());
                let last = properties.last_mut();
                last.ok_or_else(|| fail(at, "a value without a property"))?.values.push(value);
                at = end + 1;
            }
            b if b.is_ascii_alphabetic() => {
                let from = at;
                while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
                    at += 1;
                }
                // Old files write `Black` for `B`: lower-case letters are ignored.
                let name = text[from..at].chars().filter(char::is_ascii_uppercase).collect();
                properties.push(Property { name, values: Vec::new() });
            }
            _ => return Err(fail(at, "expected `;`, `(`, `)` or a property such as `B[k9l8]`")),
        }
    }
    Err(fail(at, "the `(` at the beginning is never closed"))
}

/// The index of the bracket that closes the one at `open`.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b']' => return Some(at),
            _ => at += 1,
        }
    }
}

fn unescape(value: &str) -> String {
    let mut out = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c == '\\' { out.extend(chars.next()) } else { out.push(c) }
    }
    out
}

/// A value as it is written between brackets.
pub fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_a_file_are_found_whatever_is_in_their_values() {
        let text = "(;A[(](;B[\\])])(;C[x]))\n(;D[y])";
        let found = games(text);
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 24]);
        assert_eq!(found[1].1, "(;D[y])");
        let names = main_line(found[0].1).unwrap().into_iter().map(|p| p.name);
        assert_eq!(names.collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(games("no game").len(), 1, "so that reading it is an error");
        assert!(games(" \n").is_empty());
    }
}
