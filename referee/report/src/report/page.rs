//! The frame of a page: head, style and sections.

use crate::assets::BOARD_STYLE;
use crate::plot::{Align, STYLE, TextTable, without_control_characters};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const PAGE_STYLE: &str = include_str!("page.css");

/// The content security policy: run the page's inline script, load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:";

/// A text of a page, with its Chinese if it carries it itself: see [`assets::bilingual_script`].
///
/// [`assets::bilingual_script`]: crate::assets::bilingual_script
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    english: String,
    chinese: Option<String>,
}

impl From<&str> for Text {
    fn from(english: &str) -> Text {
        Text { english: english.into(), chinese: None }
    }
}

impl From<&String> for Text {
    fn from(english: &String) -> Text {
        english.as_str().into()
    }
}

impl<A: Into<String>, B: Into<String>> From<(A, B)> for Text {
    fn from((english, chinese): (A, B)) -> Text {
        Text { english: english.into(), chinese: Some(chinese.into()) }
    }
}

impl Text {
    /// Whether the page's own table of texts translates it: the script does not, if it carries its
    /// Chinese.
    fn by_table(&self, scripted: bool) -> bool {
        scripted && self.chinese.is_none()
    }
}

/// A text that carries its Chinese, as an element within a line.
pub fn bilingual(text: impl Into<Text>) -> Markup {
    let Text { english, chinese } = text.into();
    html! { span data-zh=[chinese] { (english) } }
}

/// A page under construction.
#[derive(Clone, Debug, Default)]
pub struct Page {
    title: Text,
    subtitle: Text,
    lead: Markup,
    /// Anchor, heading and body of each section.
    sections: Vec<(String, Text, Markup)>,
    script: String,
    letters: bool,
}

impl Page {
    /// A page with a heading and a subtitle.
    pub fn new(title: impl Into<Text>, subtitle: impl Into<Text>) -> Page {
        Page { title: title.into(), subtitle: subtitle.into(), ..Page::default() }
    }

    /// Adds a section. `id` is its anchor: lower case, no blanks.
    pub fn section(&mut self, id: &str, heading: impl Into<Text>, body: Markup) {
        self.sections.push((id.into(), heading.into(), body));
    }

    /// Sets the text above the first section.
    pub fn lead(&mut self, body: Markup) {
        self.lead = body;
    }

    /// Adds the script of boards, replays and languages, a module, and its switches. It translates
    /// the elements with the attribute `data-i18n-text`, whose text is this program's own.
    pub fn script(&mut self, script: String) {
        self.script = script;
    }

    /// Whether pieces are letters instead of characters until the reader changes it.
    pub fn letters(&mut self, letters: bool) {
        self.letters = letters;
    }

    /// The whole page.
    pub fn html(&self) -> String {
        let scripted = !self.script.is_empty();
        let page = html! {
            (DOCTYPE) "\n"
            html lang="en" data-letters=(if self.letters { "yes" } else { "no" }) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    title data-zh=[&self.title.chinese] { (self.title.english) }
                    style { (PreEscaped(STYLE)) (PreEscaped(BOARD_STYLE)) (PreEscaped(PAGE_STYLE)) }
                }
                "\n"
                body class="agon" {
                    header {
                        h1 data-i18n-text[self.title.by_table(scripted)] data-zh=[&self.title.chinese] {
                            (self.title.english)
                        }
                        p class="subtitle" data-i18n-text[self.subtitle.by_table(scripted)]
                            data-zh=[&self.subtitle.chinese] { (self.subtitle.english) }
                        @if scripted { div id="switches" {} }
                        nav {
                            @for (id, heading, _) in &self.sections {
                                a href={ "#" (id) } data-i18n-text[heading.by_table(scripted)]
                                    data-zh=[&heading.chinese] { (heading.english) }
                            }
                        }
                    }
                    main {
                        (self.lead)
                        @for (id, heading, body) in &self.sections {
                            "\n"
                            section id=(id) {
                                h2 data-i18n-text[heading.by_table(scripted)]
                                    data-zh=[&heading.chinese] { (heading.english) }
                                (body)
                            }
                        }
                    }
                    "\n"
                    @if scripted { script type="module" { (PreEscaped(&self.script)) } }
                }
            }
            "\n"
        };
        without_control_characters(&page.0)
    }
}

/// A table in HTML. A wide table scrolls sideways on its own.
pub fn html_table(table: &TextTable) -> Markup {
    table_of(table, None)
}

/// The same for a page with a script, which translates the head and the cells of these columns.
pub fn translated_table(table: &TextTable, columns: &[usize]) -> Markup {
    table_of(table, Some(columns))
}

fn table_of(table: &TextTable, translated: Option<&[usize]>) -> Markup {
    let class = |align: &Align| if *align == Align::Right { "n" } else { "t" };
    let is_text = |column: usize| translated.is_some_and(|list| list.contains(&column));
    html! {
        div class="scroll" tabindex="0" {
            table {
                thead {
                    tr {
                        @for (name, align) in table.head().iter().zip(table.align()) {
                            @if name.is_empty() { td {} } @else {
                                th class=(class(align)) data-i18n-text[translated.is_some()] { (name) }
                            }
                        }
                    }
                }
                tbody {
                    @for row in table.rows() {
                        tr {
                            @for (i, (cell, align)) in row.iter().zip(table.align()).enumerate() {
                                td class=(class(align)) data-i18n-text[is_text(i)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A list of names and values.
pub fn facts(pairs: &[(String, String)]) -> Markup {
    html! {
        dl class="facts" {
            @for (name, value) in pairs { dt { (name) } dd { (value) } }
        }
    }
}

/// The names of facts whose values are words of this program, not commands or names of files.
const WORDED: [&str; 11] = [
    "game",
    "chance",
    "schedule",
    "openings",
    "limit",
    "thinking time",
    "H0",
    "H1",
    "alpha",
    "beta",
    "the match ends",
];

/// The same for a page with a script, which translates the names and the worded values.
pub fn translated_facts(pairs: &[(String, String)]) -> Markup {
    html! {
        dl class="facts" {
            @for (name, value) in pairs {
                dt data-i18n-text { (name) }
                @let is_worded = WORDED.contains(&name.as_str()) || value == "defaults";
                dd data-i18n-text[is_worded] { (value) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::assert_well_formed;

    #[test]
    fn a_page_is_whole_and_loads_nothing() {
        let mut page = Page::new("a <b> & c", "sub");
        let mut t = TextTable::new(&[(Align::Left, &["name"]), (Align::Right, &["n"])]);
        t.row(["<i>", "3"]);
        let list = facts(&[("k".into(), "\"v\"".into())]);
        page.section("one", "One", html! { (html_table(&t)) (list) });
        let html = page.html();
        assert_well_formed(&html);
        assert!(html.contains("<td class=\"t\">&lt;i&gt;</td><td class=\"n\">3</td>"));
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}
