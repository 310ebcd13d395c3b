//! What the sections of a summary in Markdown say, read back: their claims, one line each, and the
//! runs that they come from.

use super::{COLUMNS, Origin, Source, counts, provenance};
use crate::report::{CLAIM_SECTIONS, ClaimVerdict};
use std::fmt::Write;

/// The heading of the table of all claims.
pub const HEADING: &str = "Every claim";
/// The head of that table.
const HEAD: [&str; 6] = ["paper", "section", "claim", "verdict", "share run", "command"];

/// A claim of a section.
struct Row {
    origin: Origin,
    /// The link to the row.
    anchor: Option<String>,
    text: String,
    chinese: Option<String>,
    place: String,
    share: String,
    verdict: String,
}

/// The part above the sections: counts, the runs they come from, and every claim in a line.
pub fn above(sections: &[String], legend: &str) -> String {
    let rows: Vec<(&str, Vec<Row>)> =
        sections.iter().map(|section| (section.as_str(), rows(section))).collect();
    let sources: Vec<Source> = sections.iter().filter_map(|section| source(section)).collect();
    let all = || rows.iter().flat_map(|(_, rows)| rows);
    let count = |verdict: ClaimVerdict| {
        let of_paper = all().filter(|row| row.origin == Origin::Paper);
        of_paper.filter(|row| row.verdict == verdict.name(Origin::Paper)).count()
    };
    let mut out = format!("{}\n\n{}\n\n{legend}\n", counts(count).0, provenance(&sources).0);
    for (origin, _, (heading, _)) in CLAIM_SECTIONS {
        let lines: String =
            rows.iter().map(|(section, rows)| lines_of(section, rows, origin)).collect();
        if lines.is_empty() {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = match origin {
            Origin::Paper => writeln!(out, "\n## {HEADING}\n"),
            Origin::Ours => writeln!(out, "\n### {heading}\n"),
        };
        let _ = write!(out, "| {} |\n|{}\n{lines}", HEAD.join(" | "), "---|".repeat(HEAD.len()));
    }
    out
}

/// The claims of one section with this origin, a line each.
fn lines_of(section: &str, rows: &[Row], origin: Origin) -> String {
    let title = title(section);
    let (paper, command) = (format!("[{title}](#{})", slug(title)), command(section));
    let mut out = String::new();
    for row in rows.iter().filter(|row| row.origin == origin) {
        let Row { text, place, share, verdict, .. } = row;
        let text = text.replace('[', "\\[").replace(']', "\\]");
        let target = row.anchor.clone().unwrap_or_else(|| slug(title));
        let chinese = row.chinese.as_ref().map_or(String::new(), |c| format!("<br>{c}"));
        let _ = writeln!(
            out,
            "| {paper} | {place} | [{text}](#{target}){chinese} | {verdict} | {share} | {command} |"
        );
    }
    out
}

fn title(section: &str) -> &str {
    section.lines().next().unwrap_or("").trim()
}

/// The link to a section's command; the section itself if it has no mark there.
fn command(section: &str) -> String {
    let marks = section.lines().filter_map(|line| anchored(line).0);
    let target = marks.rev().find(|id| id.ends_with("-command"));
    format!("[command](#{})", target.map_or_else(|| slug(title(section)), String::from))
}

/// The anchor of a heading as GitHub makes it.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The id of a mark at the beginning of a text, and the rest.
fn anchored(text: &str) -> (Option<&str>, &str) {
    let mark = text.strip_prefix("<a id=\"").and_then(|rest| rest.split_once("\"></a>"));
    mark.map_or((None, text), |(id, rest)| (Some(id), rest))
}

/// The claims of a section. Sections of older versions have fewer columns.
fn rows(section: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut origin = Origin::Paper;
    let mut head: Option<Vec<String>> = None;
    for line in section.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            let known = CLAIM_SECTIONS.iter().find(|(_, _, (english, _))| *english == heading);
            origin = known.map_or(origin, |(origin, _, _)| *origin);
        }
        if !line.starts_with('|') {
            head = None;
            continue;
        }
        let Some(head) = &head else {
            head = Some(cells(line)).filter(|cells| cells.first().is_some_and(|c| c == COLUMNS[0]));
            continue;
        };
        let cells = cells(line);
        let cell = |name: &str| {
            let at = head.iter().position(|column| column == name)?;
            cells.get(at).cloned()
        };
        let (Some(claim), Some(verdict)) = (cell(COLUMNS[0]), cell("verdict")) else { continue };
        if claim.starts_with("---") {
            continue;
        }
        let (anchor, text) = anchored(&claim);
        let (text, chinese) = text.split_once("<br>").map_or((text, None), |(a, b)| (a, Some(b)));
        let reading = cell("reading").filter(|reading| reading != "-");
        let read = |text: &str, colon: &str| match &reading {
            Some(reading) => format!("{reading}{colon}{text}"),
            None => text.into(),
        };
        rows.push(Row {
            origin,
            anchor: anchor.map(String::from),
            text: read(text, ": "),
            chinese: chinese.map(|chinese| read(chinese, "：")),
            place: cell("section").unwrap_or_else(|| "-".into()),
            share: cell("share run").unwrap_or_else(|| "-".into()),
            verdict,
        });
    }
    rows
}

/// The cells of a row; a bar behind a backslash divides none.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = line.trim().trim_start_matches('|').chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '|' => cells.push(String::new()),
            c => {
                let cell = cells.last_mut().expect("one cell at least");
                cell.push(c);
                cell.extend(chars.next_if(|_| c == '\\'));
            }
        }
    }
    cells.iter().map(|cell| cell.trim().to_string()).filter(|cell| !cell.is_empty()).collect()
}

/// Where a section's figures are from; `None` for one that was written by hand.
fn source(section: &str) -> Option<Source> {
    let fact = |name: &str| {
        let start = format!("- {name}: ");
        section.lines().find_map(|line| line.strip_prefix(&start)).map(String::from)
    };
    Some(Source { title: title(section).into(), commit: fact("commit")?, run: fact("run") })
}
