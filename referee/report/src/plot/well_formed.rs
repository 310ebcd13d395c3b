//! A check of pictures and pages for tests.

/// Checks nesting: every element is closed, in order, except the void elements of HTML. Scripts
/// and styles are skipped.
pub fn assert_well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "stray > before {}", &rest[start..]);
        rest = &rest[start + 1..];
        let end = rest.find('>').expect("a tag ends");
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        if tag.starts_with('!') || tag.starts_with('?') || tag.ends_with('/') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closing tag out of order");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "unbalanced quotes in <{tag}>");
        let name = tag.split_whitespace().next().expect("a tag has a name");
        if matches!(name, "meta" | "input") {
            continue;
        }
        if matches!(name, "script" | "style") {
            let close = format!("</{name}>");
            let at = rest.find(&close).expect("raw text element ends");
            rest = &rest[at + close.len()..];
            continue;
        }
        open.push(name);
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "left open")]
    fn the_checker_finds_an_element_left_open() {
        assert_well_formed("<p><b></b>");
    }
}
