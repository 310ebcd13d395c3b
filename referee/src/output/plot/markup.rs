//! Writing HTML and SVG so that the output is well-formed by construction: elements nest as
//! closures, and all text and every attribute value is escaped.

use std::fmt::{self, Display, Write};

/// An attribute: its name and its value.
pub type Attr<'a> = (&'a str, &'a dyn Display);

/// Markup being written.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Markup {
    out: String,
}

/// The text with everything escaped that means something in HTML or XML. Control characters that
/// XML forbids become U+FFFD, because engine output may hold any byte.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Writing to a String cannot fail.
    let _ = Escaper(&mut out).write_str(text);
    out
}

struct Escaper<'a>(&'a mut String);

impl Write for Escaper<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\t' | '\n' | '\r' => self.0.push(c),
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                    self.0.push('\u{fffd}');
                }
                c => self.0.push(c),
            }
        }
        Ok(())
    }
}

/// A length in user units, printed with at most two decimals.
pub fn px(x: f64) -> impl Display {
    struct Px(f64);
    impl Display for Px {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let text = format!("{:.2}", self.0);
            let text = text.trim_end_matches('0').trim_end_matches('.');
            f.write_str(if text == "-0" { "0" } else { text })
        }
    }
    Px(x)
}

impl Markup {
    /// Nothing yet.
    pub fn new() -> Markup {
        Markup::default()
    }

    fn tag(&mut self, name: &str, attrs: &[Attr<'_>]) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attrs {
            self.out.push(' ');
            self.out.push_str(key);
            self.out.push_str("=\"");
            let _ = write!(Escaper(&mut self.out), "{value}");
            self.out.push('"');
        }
    }

    /// An element with whatever `body` writes.
    pub fn within(&mut self, name: &str, attrs: &[Attr<'_>], body: impl FnOnce(&mut Markup)) {
        self.tag(name, attrs);
        self.out.push('>');
        body(self);
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// An element that holds only text.
    pub fn leaf(&mut self, name: &str, attrs: &[Attr<'_>], text: impl Display) {
        self.within(name, attrs, |m| m.text(text));
    }

    /// An element without content, closed as XML has it.
    pub fn void(&mut self, name: &str, attrs: &[Attr<'_>]) {
        self.tag(name, attrs);
        self.out.push_str("/>");
    }

    /// Escaped text.
    pub fn text(&mut self, text: impl Display) {
        let _ = write!(Escaper(&mut self.out), "{text}");
    }

    /// Other markup, as it is.
    pub fn append(&mut self, other: &Markup) {
        self.out.push_str(&other.out);
    }

    /// Text of this program's own that must not be escaped: a style sheet, a script.
    pub fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A line break between elements, for readers of the source.
    pub fn newline(&mut self) {
        self.out.push('\n');
    }

    /// What was written.
    pub fn as_str(&self) -> &str {
        &self.out
    }

    /// What was written.
    pub fn into_string(self) -> String {
        self.out
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Checks nesting: every element that is opened is closed, in order; HTML's void elements
    /// must be closed as XML has it. Scripts and styles are skipped.
    pub(crate) fn assert_well_formed(text: &str) {
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

    #[test]
    fn everything_from_outside_is_escaped() {
        let mut m = Markup::new();
        let evil = "<script>alert('x')</script>\"&\u{0}";
        m.within("p", &[("title", &evil)], |m| m.text(evil));
        let escaped = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;\u{fffd}";
        assert_eq!(m.as_str(), format!("<p title=\"{escaped}\">{escaped}</p>"));
        assert_eq!(escape(evil), escaped);
        assert_well_formed(m.as_str());
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            [px(1.0), px(0.126), px(-0.001), px(12.5)].map(|p| p.to_string()),
            ["1", "0.13", "0", "12.5"]
        );
    }

    #[test]
    #[should_panic(expected = "left open")]
    fn the_checker_finds_an_element_left_open() {
        assert_well_formed("<p><b></b>");
    }
}
