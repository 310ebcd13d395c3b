//! The shell of a page: head, style and sections.

use crate::output::plot::{Align, Attr, Markup, STYLE, TextTable};

const PAGE_STYLE: &str = include_str!("page.css");

/// A page under construction.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    subtitle: String,
    body: Markup,
    script: Option<&'static str>,
    contents: Vec<(String, String)>,
}

impl Page {
    /// A page with a heading and a line under it.
    pub fn new(title: &str, subtitle: &str) -> Page {
        Page {
            title: title.into(),
            subtitle: subtitle.into(),
            body: Markup::new(),
            script: None,
            contents: Vec::new(),
        }
    }

    /// Adds a section. `id` is its anchor: lower case, no blanks.
    pub fn section(&mut self, id: &str, heading: &str, body: impl FnOnce(&mut Markup)) {
        self.contents.push((id.to_string(), heading.to_string()));
        self.body.newline();
        self.body.within("section", &[("id", &id)], |m| {
            m.leaf("h2", &[], heading);
            body(m);
        });
    }

    /// Adds what stands above the first section.
    pub fn lead(&mut self, body: impl FnOnce(&mut Markup)) {
        body(&mut self.body);
    }

    /// Adds a script of the program's own at the end of the page.
    pub fn script(&mut self, script: &'static str) {
        self.script = Some(script);
    }

    /// The whole page.
    pub fn html(&self) -> String {
        let mut m = Markup::new();
        m.raw("<!DOCTYPE html>\n");
        m.within("html", &[("lang", &"en")], |m| {
            m.within("head", &[], |m| self.head(m));
            m.newline();
            m.within("body", &[("class", &"agon")], |m| {
                m.within("header", &[], |m| {
                    m.leaf("h1", &[], &self.title);
                    m.leaf("p", &[("class", &"subtitle")], &self.subtitle);
                    m.within("nav", &[], |m| {
                        for (id, heading) in &self.contents {
                            m.leaf("a", &[("href", &format!("#{id}"))], heading);
                        }
                    });
                });
                m.within("main", &[], |m| m.append(&self.body));
                m.newline();
                if let Some(script) = self.script {
                    m.within("script", &[], |m| m.raw(script));
                }
            });
        });
        m.newline();
        m.into_string()
    }

    fn head(&self, m: &mut Markup) {
        m.void("meta", &[("charset", &"utf-8")]);
        let viewport = "width=device-width, initial-scale=1";
        m.void("meta", &[("name", &"viewport"), ("content", &viewport)]);
        // The page may run its own inline script and load nothing.
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:";
        let attrs: &[Attr<'_>] =
            &[("http-equiv", &"Content-Security-Policy"), ("content", &policy)];
        m.void("meta", attrs);
        m.leaf("title", &[], &self.title);
        m.within("style", &[], |m| {
            m.raw(STYLE);
            m.raw(PAGE_STYLE);
        });
    }
}

/// A table in HTML. Wide ones scroll sideways on their own.
pub fn html_table(m: &mut Markup, table: &TextTable) {
    let class = |i: usize| if table.align()[i] == Align::Right { "n" } else { "t" };
    m.within("div", &[("class", &"scroll")], |m| {
        m.within("table", &[], |m| {
            m.within("thead", &[], |m| {
                m.within("tr", &[], |m| {
                    for (i, name) in table.head().iter().enumerate() {
                        m.leaf("th", &[("class", &class(i))], name);
                    }
                });
            });
            m.within("tbody", &[], |m| {
                for row in table.rows() {
                    m.within("tr", &[], |m| {
                        for (i, cell) in row.iter().enumerate() {
                            m.leaf("td", &[("class", &class(i))], cell);
                        }
                    });
                }
            });
        });
    });
}

/// A list of names and values.
pub fn facts(m: &mut Markup, pairs: &[(String, String)]) {
    m.within("dl", &[("class", &"facts")], |m| {
        for (name, value) in pairs {
            m.leaf("dt", &[], name);
            m.leaf("dd", &[], value);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plot::assert_well_formed;

    #[test]
    fn a_page_is_whole_and_loads_nothing() {
        let mut page = Page::new("a <b> & c", "sub");
        page.section("one", "One", |m| {
            let mut t = TextTable::new(&[("name", Align::Left), ("n", Align::Right)]);
            t.row(["<i>", "3"]);
            html_table(m, &t);
            facts(m, &[("k".into(), "\"v\"".into())]);
        });
        let html = page.html();
        assert_well_formed(&html);
        assert!(html.contains("<td class=\"t\">&lt;i&gt;</td><td class=\"n\">3</td>"));
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}
