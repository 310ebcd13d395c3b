//! The page on all papers.

use super::{COLUMNS, LEGEND, Reproduction, Survey, TITLE, counts};
use crate::report::{CLAIM_SECTIONS, Claim, Origin, PaperReport};
use agon_report::report::{Page, facts};
use maud::{Markup, html};

/// The page; it links to the pages of the papers beside it.
pub fn html(survey: &Survey) -> String {
    let reports = || survey.reproductions.iter().filter_map(|run| run.report.as_ref().ok());
    let count = |v| {
        reports().flat_map(|r| r.claims_of(Origin::Paper)).filter(|(_, c)| c.verdict() == v).count()
    };
    let mut page = Page::new(TITLE, &counts(count));
    page.lead(html! { p class="note" { (LEGEND) } });
    for run in &survey.reproductions {
        match &run.report {
            Ok(report) => page.section(run.name, &report.title, paper(run, report)),
            Err(why) => page.section(run.name, run.name, failed(run, why)),
        }
    }
    let command = html! {
        p { "This command makes the page again:" }
        pre { (survey.command) }
    };
    page.section("command", "Command", command);
    page.html()
}

fn paper(run: &Reproduction, report: &PaperReport) -> Markup {
    html! {
        p class="note" { (report.paper) }
        (facts(&run.facts))
        @if !report.summary.is_empty() { p class="summary" { (report.summary) } }
        @for warning in &report.warnings { p class="warn" { (warning) } }
        @for (origin, _, heading) in CLAIM_SECTIONS {
            @if report.claims_of(origin).next().is_some() {
                h3 { (heading) }
                (claims(report.claims_of(origin)))
            }
        }
        p { a href=(run.page) { "All tables and figures" } ", made by:" }
        pre { (run.command) }
    }
}

fn failed(run: &Reproduction, why: &str) -> Markup {
    html! {
        p class="warn" { "This reproduction failed: " (why) }
        pre { (run.command) }
    }
}

fn claims<'a>(claims: impl Iterator<Item = (usize, &'a Claim)>) -> Markup {
    let or_dash = |text: &str| if text.is_empty() { "-".to_string() } else { text.to_string() };
    html! {
        div class="scroll" tabindex="0" {
            table {
                thead { tr { @for name in COLUMNS { th class="t" { (name) } } } }
                tbody {
                    @for (_, c) in claims {
                        tr {
                            td class="t" { (c.text()) }
                            td class="t" { (c.section()) }
                            td class="t" { (or_dash(c.reading())) }
                            td class="t" { (or_dash(c.paper())) }
                            td class="t" { (c.evidence()) }
                            td class="t" { (c.share_text()) }
                            td { span class={ "verdict " (c.verdict().class()) } { (c.verdict_name()) } }
                        }
                    }
                }
            }
        }
    }
}
