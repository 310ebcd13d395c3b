//! The summary of all papers in Markdown. It is also the record of earlier runs: a run renews the
//! sections of its papers.

use super::overview::{HEADING, above};
use super::{COLUMNS, OURS, Reproduction, Survey, TITLE};
use crate::report::{CLAIM_SECTIONS, Claim, ClaimVerdict, Origin, PaperReport, claim_id};
use std::fmt::Write;

/// The summary; of an older one, the sections of other papers stay.
pub fn markdown(survey: &Survey, older: &str) -> String {
    let mut sections: Vec<String> = older
        .split("\n## ")
        .skip(1)
        .map(|section| section.trim_end().into())
        .filter(|section: &String| section.lines().next() != Some(HEADING))
        .collect();
    for run in &survey.reproductions {
        let section = section(run);
        match sections.iter_mut().find(|old| is_of(old, &run.page)) {
            Some(old) => *old = section,
            None => sections.push(section),
        }
    }
    let mut out = format!("# {}\n\n{}", TITLE.0, above(&sections, &legend()));
    sections.iter().for_each(|section| out += &format!("\n## {section}\n"));
    out
}

/// What the verdicts mean.
fn legend() -> String {
    let meanings = ClaimVerdict::ALL.map(|verdict| {
        let (english, chinese) = verdict.meaning();
        let [name, named] = [verdict.name(Origin::Paper), verdict.chinese(Origin::Paper)];
        format!("- **{name}**: {english}.<br>**{named}**：{chinese}。\n")
    });
    format!("{}\n{}<br>{}", meanings.concat(), OURS.0, OURS.1)
}

/// Whether a text is a summary, or nothing yet.
pub fn is_summary(text: &str) -> bool {
    text.trim().is_empty() || text.starts_with(&format!("# {}\n", TITLE.0))
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
        out += &findings(run, report);
    }
    let _ = write!(out, "\n<a id=\"{}-command\"></a>\n\n```sh\n{}\n```", run.id(), run.command);
    out
}

/// Warnings, the sentence on all, and the claims.
fn findings(run: &Reproduction, report: &PaperReport) -> String {
    let mut out = String::new();
    for warning in &report.warnings {
        let _ = writeln!(out, "- {}", escaped(warning));
    }
    if !report.summary.is_empty() {
        let _ = writeln!(out, "\n**{}**", escaped(&report.summary));
    }
    for (origin, _, (heading, _)) in CLAIM_SECTIONS {
        for (row, (number, claim)) in report.claims_of(origin).enumerate() {
            if row == 0 {
                let rule = "---|".repeat(COLUMNS.len());
                let _ = writeln!(out, "\n### {heading}\n\n| {} |\n|{rule}", COLUMNS.join(" | "));
            }
            let id = format!("{}-{}", run.id(), claim_id(number));
            let _ = writeln!(out, "| <a id=\"{id}\"></a>{} |", cells(claim).join(" | "));
        }
    }
    // For `.ci/figures`.
    let figures = report.claims.iter().flat_map(Claim::figures);
    let figures: Vec<String> = figures.map(|(name, number)| format!("{name}={number}")).collect();
    if !figures.is_empty() {
        let _ = writeln!(out, "\n<!-- figures: {} -->", figures.join("; "));
    }
    out
}

/// The cells of a claim's row.
fn cells(claim: &Claim) -> [String; COLUMNS.len()] {
    let or_dash = |text: &str| if text.is_empty() { "-".into() } else { escaped(text) };
    [
        format!("{}<br>{}", escaped(claim.text()), escaped(claim.chinese())),
        claim.section().to_string(),
        or_dash(claim.reading()),
        or_dash(claim.paper()),
        or_dash(claim.evidence()),
        claim.share_text(),
        claim.verdict_name().into(),
    ]
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
