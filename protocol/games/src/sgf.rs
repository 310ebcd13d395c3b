//! The syntax of SGF (Smart Game Format): games of a file, their nodes, and the properties of a main line.

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

/// A node of a game's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfNode {
    /// The node before it; `None` for the first.
    pub parent: Option<usize>,
    /// The byte at which it begins.
    pub at: usize,
    /// Its properties.
    pub properties: Vec<Property>,
}

/// The properties of the first game's main line, in order.
///
/// # Errors
/// A bracket is not closed, or there is something between properties.
pub fn main_line(text: &str) -> Result<Vec<Property>, SyntaxError> {
    Ok(parse(text, true)?.into_iter().flat_map(|node| node.properties).collect())
}

/// The nodes of the first game, each after the one before it.
///
/// # Errors
/// A bracket is not closed, or there is something between properties.
pub fn nodes(text: &str) -> Result<Vec<SgfNode>, SyntaxError> {
    parse(text, false)
}

/// Reads the nodes up to the end of the game, or of its main line.
fn parse(text: &str, only_main: bool) -> Result<Vec<SgfNode>, SyntaxError> {
    let bytes = text.as_bytes();
    let fail = |at: usize, reason: &str| SyntaxError { at, reason: reason.into() };
    let mut at = text.find('(').ok_or_else(|| fail(0, "there is no `(`"))?;
    let mut nodes: Vec<SgfNode> = Vec::new();
    let mut forks: Vec<Option<usize>> = Vec::new();
    let mut here = None;
    // Each `(` begins anew; until a `;` comes, its properties belong to no node.
    let mut is_open = false;
    while let Some(&b) = bytes.get(at) {
        match b {
            // The first variation of each fork comes first; the main line ends where a branch ends.
            b')' if only_main || forks.len() == 1 => return Ok(nodes),
            b')' => {
                here = forks.pop().flatten();
                is_open = false;
            }
            b'(' => {
                forks.push(here);
                is_open = false;
            }
            b';' => {
                nodes.push(SgfNode { parent: here, at, properties: Vec::new() });
                here = Some(nodes.len() - 1);
                is_open = true;
            }
            b if b.is_ascii_whitespace() => {}
            b'[' => {
                let end = closing(bytes, at).ok_or_else(|| fail(at, "`[` is never closed"))?;
                let value = unescape(text.get(at + 1..end).unwrap_or_default());
                let last = nodes.last_mut().filter(|_| is_open);
                let last = last.and_then(|node| node.properties.last_mut());
                last.ok_or_else(|| fail(at, "a value without a property"))?.values.push(value);
                at = end;
            }
            b if b.is_ascii_alphabetic() => {
                let from = at;
                while bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) {
                    at += 1;
                }
                // Old files write `Black` for `B`: lower-case letters are ignored.
                let name = text[from..=at].chars().filter(char::is_ascii_uppercase).collect();
                if !is_open {
                    nodes.push(SgfNode { parent: here, at: from, properties: Vec::new() });
                    here = Some(nodes.len() - 1);
                    is_open = true;
                }
                if let Some(node) = nodes.last_mut() {
                    node.properties.push(Property { name, values: Vec::new() });
                }
            }
            _ => return Err(fail(at, "expected `;`, `(`, `)` or a property such as `B[k9l8]`")),
        }
        at += 1;
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
        let tree = nodes("(;A[1];B[2](;C[3];D[4])(E[5]F[6]))").unwrap();
        let parents: Vec<Option<usize>> = tree.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(2), Some(1)]);
        assert_eq!((tree[4].properties.len(), tree[3].at), (2, 17));
        assert_eq!(games("no game").len(), 1, "so that reading it is an error");
        assert!(games(" \n").is_empty());
    }
}
