//! The summary of all papers in Markdown.

use super::{COLUMNS, LEGEND, Survey, TITLE};
use std::fmt::Write;

/// The summary.
pub fn markdown(survey: &Survey) -> String {
    let legend = LEGEND.replace(". ", ".\n");
    let mut out = format!("# {TITLE}\n\n{}\n\n{legend}\n\n", survey.counts());
    // Writing to a String cannot fail.
    for (name, value) in &survey.facts {
        let _ = writeln!(out, "- {name}: {}", escaped(value));
    }
    let _ = writeln!(out, "\n```sh\n{}\n```", survey.command);
    for part in &survey.parts {
        let report = match &part.report {
            Ok(report) => report,
            Err(why) => {
                let _ = writeln!(
                    out,
                    "\n## {}\n\nThis reproduction failed: {}",
                    part.name,
                    escaped(why)
                );
                continue;
            }
        };
        let _ = writeln!(out, "\n## {}\n\n{}", escaped(&report.title), escaped(&report.paper));
        if !report.summary.is_empty() {
            let _ = writeln!(out, "\n**{}**", escaped(&report.summary));
        }
        if !report.warnings.is_empty() {
            out.push('\n');
        }
        for warning in &report.warnings {
            let _ = writeln!(out, "- {}", escaped(warning));
        }
        let _ = writeln!(out, "\n| {} |\n|{}", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
        for c in &report.claims {
            let cells =
                [&c.text, &c.reading, &c.paper, &c.evidence].map(|cell| match cell.as_str() {
                    "" => "-".into(),
                    text => escaped(text),
                });
            let _ = writeln!(out, "| {} | {} |", cells.join(" | "), c.verdict.name());
        }
        let _ = writeln!(out, "\n```sh\n{}\n```", part.command);
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
