//! The page on all papers.

use super::{COLUMNS, LEGEND, Part, Survey, TITLE, counts};
use crate::output::report::{Page, facts};
use crate::papers::report::{Claim, PaperReport};
use maud::{Markup, html};

/// The page; it links to the pages of the papers beside it.
pub fn html(survey: &Survey) -> String {
    let reports = || survey.parts.iter().filter_map(|part| part.report.as_ref().ok());
    let count = |v| reports().flat_map(|r| &r.claims).filter(|c| c.verdict == v).count();
    let mut page = Page::new(TITLE, &counts(count));
    page.lead(html! { p class="note" { (LEGEND) } });
    for part in &survey.parts {
        match &part.report {
            Ok(report) => page.section(part.name, &report.title, paper(part, report)),
            Err(why) => page.section(part.name, part.name, failed(part, why)),
        }
    }
    let command = html! {
        p { "This command makes the page again:" }
        pre { (survey.command) }
    };
    page.section("command", "Command", command);
    page.html()
}

fn paper(part: &Part, report: &PaperReport) -> Markup {
    html! {
        p class="note" { (report.paper) }
        (facts(&part.facts))
        @if !report.summary.is_empty() { p class="summary" { (report.summary) } }
        @for warning in &report.warnings { p class="warn" { (warning) } }
        (claims(&report.claims))
        p { a href=(part.page) { "All tables and figures" } ", made by:" }
        pre { (part.command) }
    }
}

fn failed(part: &Part, why: &str) -> Markup {
    html! {
        p class="warn" { "This reproduction failed: " (why) }
        pre { (part.command) }
    }
}

fn claims(claims: &[Claim]) -> Markup {
    let or_dash = |text: &str| if text.is_empty() { "-".to_string() } else { text.to_string() };
    html! {
        div class="scroll" tabindex="0" {
            table {
                thead { tr { @for name in COLUMNS { th class="t" { (name) } } } }
                tbody {
                    @for c in claims {
                        tr {
                            td class="t" { (c.text) }
                            td class="t" { (or_dash(&c.reading)) }
                            td class="t" { (or_dash(&c.paper)) }
                            td class="t" { (c.evidence) }
                            td { span class={ "verdict " (c.verdict.class()) } { (c.verdict.name()) } }
                        }
                    }
                }
            }
        }
    }
}
