//! The summary of all papers in Markdown. It is also the record of earlier runs: a run renews the
//! sections of its papers.

use super::{COLUMNS, LEGEND, Reproduction, Survey, TITLE, counts};
use crate::report::{CLAIM_SECTIONS, Claim, ClaimVerdict, Origin, PaperReport};
use std::fmt::Write;

/// The summary; of an older one, the sections of other papers stay.
pub fn markdown(survey: &Survey, older: &str) -> String {
    let mut sections: Vec<String> =
        older.split("\n## ").skip(1).map(|section| section.trim_end().into()).collect();
    for run in &survey.reproductions {
        let section = section(run);
        match sections.iter_mut().find(|old| is_of(old, &run.page)) {
            Some(old) => *old = section,
            None => sections.push(section),
        }
    }
    let count = |verdict: ClaimVerdict| {
        let end = format!("| {} |", verdict.name(Origin::Paper));
        sections.iter().flat_map(|s| s.lines()).filter(|line| line.ends_with(&end)).count()
    };
    let legend = LEGEND.replace(". ", ".\n");
    let mut out = format!("# {TITLE}\n\n{}\n\n{legend}\n", counts(count));
    sections.iter().for_each(|section| out += &format!("\n## {section}\n"));
    out
}

/// Whether a text is a summary, or nothing yet.
pub fn is_summary(text: &str) -> bool {
    text.trim().is_empty() || text.starts_with(&format!("# {TITLE}\n"))
}

/// Whether a section has the command that writes this page.
fn is_of(section: &str, page: &str) -> bool {
    let mut commands = section.lines().filter(|line| line.starts_with("referee reproduce "));
    commands.any(|line| line.trim_end_matches('\'').ends_with(page))
}

/// The section on a paper, without the mark of its heading.
fn section(run: &Reproduction) -> String {
    let (title, paper) = match &run.report {
        Ok(report) => (report.title.as_str(), report.paper.clone()),
        Err(why) => (run.name, format!("This reproduction failed: {why}")),
    };
    let mut out = format!("{}\n\n{}\n\n", escaped(title), escaped(&paper));
    // Writing to a String cannot fail.
    for (name, value) in &run.facts {
        let _ = writeln!(out, "- {name}: {}", escaped(value));
    }
    if let Ok(report) = &run.report {
        out += &findings(report);
    }
    let _ = write!(out, "\n```sh\n{}\n```", run.command);
    out
}

/// Warnings, the sentence on all, and the claims.
fn findings(report: &PaperReport) -> String {
    let mut out = String::new();
    for warning in &report.warnings {
        let _ = writeln!(out, "- {}", escaped(warning));
    }
    if !report.summary.is_empty() {
        let _ = writeln!(out, "\n**{}**", escaped(&report.summary));
    }
    for (origin, _, heading) in CLAIM_SECTIONS {
        let claims: Vec<&Claim> = report.claims_of(origin).map(|(_, claim)| claim).collect();
        if claims.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n### {heading}\n");
        let _ = writeln!(out, "| {} |\n|{}", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
        for c in claims {
            let (place, share) = (c.section().to_string(), c.share_text());
            let cells = [c.text(), &place, c.reading(), c.paper(), c.evidence(), &share];
            let cells = cells.map(|cell| if cell.is_empty() { "-".into() } else { escaped(cell) });
            let _ = writeln!(out, "| {} | {} |", cells.join(" | "), c.verdict_name());
        }
    }
    out
}

/// The text without the characters that Markdown would take for a table, a tag or emphasis; code
/// spans stay.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '<' | '>' | '*' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
