//! Building blocks of a report on a reproduced experiment: the paper's tables beside ours, its
//! figures redrawn, and its claims, each with a verdict: reproduced, not reproduced, undecided or
//! not tested.

use agon_report::plot::{Align, Chart, TextTable};
use agon_report::report::{Page, facts, html_table};
use agon_stats::Wilson;
use maud::{Markup, html};
use serde_json::{Value, json};
use std::fmt::Write;

/// A table of the paper with our figures beside it.
#[derive(Clone, PartialEq, Debug)]
pub struct PaperTable {
    /// The title, with the table number in the paper.
    pub caption: String,
    /// Its cells.
    pub table: TextTable,
    /// A note for the reader.
    pub notes: Vec<String>,
}

/// A row of a table of win rates: ours, and the paper's if it has the row.
#[derive(Clone, PartialEq, Debug)]
pub struct WinRate {
    /// What was played.
    pub label: String,
    /// Our wins.
    pub wins: u64,
    /// Our games.
    pub games: u64,
    /// The paper's wins and games.
    pub paper: Option<(u64, u64)>,
}

/// Whether our data reproduces a claim of the paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClaimVerdict {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// There is not enough data to tell.
    Open,
    /// Nothing here tests it.
    Untested,
}

/// A claim of the paper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The claim in the paper's terms.
    pub text: String,
    /// The paper's figure; empty if it gives none.
    pub paper: String,
    /// The reading of the paper, where it allows several; empty if there is only one.
    pub reading: String,
    /// Whether our data reproduces it.
    pub verdict: ClaimVerdict,
    /// Our figures that decide it.
    pub evidence: String,
}

impl Claim {
    /// A claim that the data decides.
    pub fn new(text: &str, holds: bool, evidence: impl Into<String>) -> Claim {
        let verdict = if holds { ClaimVerdict::Yes } else { ClaimVerdict::No };
        Claim { verdict, ..Claim::open(text, evidence) }
    }

    /// A claim that the data cannot decide, with the reason.
    pub fn open(text: &str, evidence: impl Into<String>) -> Claim {
        let (paper, reading) = (String::new(), String::new());
        Claim {
            text: text.into(),
            paper,
            reading,
            verdict: ClaimVerdict::Open,
            evidence: evidence.into(),
        }
    }

    /// A claim that is not tested here, with the reason.
    pub fn untested(text: &str, reason: impl Into<String>) -> Claim {
        Claim { verdict: ClaimVerdict::Untested, ..Claim::open(text, reason) }
    }

    /// Adds the paper's figure.
    #[must_use]
    pub fn published(self, paper: impl Into<String>) -> Claim {
        Claim { paper: paper.into(), ..self }
    }

    /// Adds the reading of the paper.
    #[must_use]
    pub fn in_reading(self, reading: impl Into<String>) -> Claim {
        Claim { reading: reading.into(), ..self }
    }

    /// The claim with its reading.
    fn title(&self) -> String {
        match self.reading.as_str() {
            "" => self.text.clone(),
            reading => format!("{reading}: {}", self.text),
        }
    }

    /// The claim as a row of JSON output.
    pub fn json(&self) -> Value {
        json!({
            "table": "claim",
            "claim": self.text,
            "reading": self.reading,
            "paper": self.paper,
            "ours": self.evidence,
            "verdict": self.verdict.name(),
        })
    }
}

impl PaperTable {
    /// Win rates with our 95% Wilson intervals, beside the paper's figures if it has any.
    pub fn win_rates(caption: &str, rows: &[WinRate]) -> PaperTable {
        let has_paper = rows.iter().any(|row| row.paper.is_some());
        let columns: [(Align, &[&str]); 4] = [
            (Align::Left, &[""]),
            (Align::Right, &["games", "wins", "rate", "95% Wilson"]),
            (Align::Right, &["paper: games", "wins", "rate"]),
            (Align::Left, &["paper within ours"]),
        ];
        let mut table = TextTable::new(if has_paper { &columns } else { &columns[..2] });
        for row in rows {
            let theirs = row.paper_cells();
            table.row(row.cells().into_iter().chain(theirs.into_iter().filter(|_| has_paper)));
        }
        PaperTable { caption: caption.into(), table, notes: Vec::new() }
    }
}

impl WinRate {
    fn ours(&self) -> Option<Wilson> {
        Wilson::new(self.wins, self.games)
    }

    fn cells(&self) -> [String; 5] {
        let ours = self.ours();
        [
            self.label.clone(),
            self.games.to_string(),
            self.wins.to_string(),
            ours.map_or("-".into(), |w| percent(w.rate)),
            ours.map_or("-".into(), |w| format!("{:.2} to {:.2}%", 100.0 * w.low, 100.0 * w.high)),
        ]
    }

    fn paper_cells(&self) -> [String; 4] {
        let Some((wins, games)) = self.paper else {
            return std::array::from_fn(|_| "-".into());
        };
        let rate = wins as f64 / games.max(1) as f64;
        let within = self.ours().map_or("-", |w| if w.contains(rate) { "yes" } else { "no" });
        [games.to_string(), wins.to_string(), percent(rate), within.into()]
    }
}

fn percent(x: f64) -> String {
    format!("{:.2}%", 100.0 * x)
}

/// A report on a reproduced experiment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PaperReport {
    /// The title.
    pub title: String,
    /// The paper: authors, title, year.
    pub paper: String,
    /// What the figures show and what they do not, in one sentence; may be empty.
    pub summary: String,
    /// How our figures were made: games played, time per move, openings, seed, reading of the
    /// paper, ...
    pub conditions: Vec<(String, String)>,
    /// Notes before the figures: a reduced time, missing games.
    pub warnings: Vec<String>,
    /// The paper's tables.
    pub tables: Vec<PaperTable>,
    /// The paper's figures: a chart and its caption. Those of the same width, if they are narrow,
    /// are drawn side by side.
    pub figures: Vec<(Chart, String)>,
    /// The paper's claims.
    pub claims: Vec<Claim>,
    /// The figures as rows of JSON output, without the claims.
    pub rows: Vec<Value>,
    /// The command that reproduces this report.
    pub command: String,
}

impl ClaimVerdict {
    /// The word for tables.
    pub fn name(self) -> &'static str {
        match self {
            ClaimVerdict::Yes => "reproduced",
            ClaimVerdict::No => "not reproduced",
            ClaimVerdict::Open => "undecided",
            ClaimVerdict::Untested => "not tested here",
        }
    }

    /// The class on a page.
    pub fn class(self) -> &'static str {
        match self {
            ClaimVerdict::Yes => "yes",
            ClaimVerdict::No => "no",
            ClaimVerdict::Open | ClaimVerdict::Untested => "undecided",
        }
    }
}

impl PaperReport {
    /// The self-contained page.
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.title, &self.paper);
        page.lead(html! {
            @if !self.summary.is_empty() { p class="summary" { (self.summary) } }
            @for warning in &self.warnings { p class="warn" { (warning) } }
        });
        let tables = html! {
            @for t in &self.tables {
                h3 { (t.caption) }
                (html_table(&t.table))
                @for note in &t.notes { p class="note" { (note) } }
            }
        };
        page.section("tables", "The paper's figures and ours", tables);
        if !self.claims.is_empty() {
            page.section("claims", "What the paper claims", self.claims_html());
        }
        if !self.figures.is_empty() {
            page.section("figures", "Figures", self.figures_html());
        }
        let conditions = html! {
            (facts(&self.conditions))
            p { "This command makes the report again:" }
            pre { (self.command) }
        };
        page.section("conditions", "Conditions", conditions);
        page.html()
    }

    fn figures_html(&self) -> Markup {
        let together = |a: &(Chart, String), b: &(Chart, String)| a.0.width == b.0.width;
        let class =
            |width: f64| if width <= Chart::NARROWEST { "figures three" } else { "figures" };
        html! {
            @for group in self.figures.chunk_by(together) {
                @let width = group.first().map_or(Chart::WIDE, |(chart, _)| chart.width);
                div class=[(width < Chart::WIDE).then(|| class(width))] {
                    @for (chart, caption) in group {
                        figure { (chart.svg()) figcaption { (caption) } }
                    }
                }
            }
        }
    }

    fn claims_html(&self) -> Markup {
        html! {
            ul class="claims" {
                @for claim in &self.claims {
                    li {
                        span class={ "verdict " (claim.verdict.class()) } { (claim.verdict.name()) }
                        div {
                            div { (claim.title()) }
                            @if !claim.paper.is_empty() { div class="note" { "The paper: " (claim.paper) } }
                            div class="note" { (claim.evidence) }
                        }
                    }
                }
            }
        }
    }

    /// The rows of the tables and the claims, for JSON output.
    pub fn json_rows(&self) -> impl Iterator<Item = Value> + '_ {
        self.rows.iter().cloned().chain(self.claims.iter().map(Claim::json))
    }

    /// The same report for the terminal, without the figures.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n{}\n", self.title, self.paper);
        // Writing to a String cannot fail.
        if !self.summary.is_empty() {
            let _ = writeln!(out, "\n{}\n", self.summary);
        }
        for warning in &self.warnings {
            let _ = writeln!(out, "! {warning}");
        }
        for (name, value) in &self.conditions {
            let _ = writeln!(out, "  {name}: {value}");
        }
        for t in &self.tables {
            let _ = write!(out, "\n{}\n{}", t.caption, t.table);
            for note in &t.notes {
                let _ = writeln!(out, "{note}");
            }
        }
        if !self.claims.is_empty() {
            out.push('\n');
        }
        for claim in &self.claims {
            let _ = writeln!(out, "[{}] {}", claim.verdict.name(), claim.title());
            if !claim.paper.is_empty() {
                let _ = writeln!(out, "    the paper: {}", claim.paper);
            }
            let _ = writeln!(out, "    {}", claim.evidence);
        }
        out
    }
}

/// Digits in groups of three.
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_report::plot::assert_well_formed;

    fn table_one() -> PaperTable {
        let rows = [
            WinRate { label: "PVS first".into(), wins: 98, games: 100, paper: Some((606, 610)) },
            WinRate { label: "PVS second".into(), wins: 40, games: 50, paper: Some((492, 498)) },
            WinRate { label: "neither".into(), wins: 0, games: 0, paper: None },
        ];
        PaperTable::win_rates("Table 1", &rows)
    }

    #[test]
    fn win_rates_stand_beside_the_papers_with_an_interval() {
        let rows = table_one();
        let row = &rows.table.rows()[0];
        assert_eq!(row[1..5], ["100", "98", "98.00%", "93.00 to 99.45%"]);
        assert_eq!(row[5..], ["610", "606", "99.34%", "yes"]);
        assert_eq!(rows.table.rows()[1][8], "no");
        assert_eq!(rows.table.rows()[2][3..], ["-", "-", "-", "-", "-", "-"]);
    }

    #[test]
    fn a_report_says_the_same_in_html_and_in_text() {
        let report = PaperReport {
            title: "Amazons <PVS>".into(),
            paper: "Li et al. 2018".into(),
            summary: "No evidence.".into(),
            conditions: vec![("time per move".into(), "100 ms".into())],
            warnings: vec!["Reduced time.".into()],
            tables: vec![table_one()],
            figures: vec![(Chart::new("f", "x", "y"), "caption".into())],
            claims: vec![
                Claim::new("PVS visits more nodes", true, "2.5M against 0.3M")
                    .published("far more")
                    .in_reading("literal"),
                Claim::new("nodes fall", false, "they rise"),
                Claim::open("more", "no games"),
                Claim::untested("faster", "no clock"),
            ],
            rows: vec![json!({"table": "nodes", "pvs": 2})],
            command: "referee reproduce amazons --quick".into(),
        };
        let html = report.html();
        assert_well_formed(&html);
        let text = report.text();
        let parts = ["98.00%", "Reduced time.", "100 ms", "not reproduced", "2.5M against 0.3M"];
        let more = ["No evidence.", "literal: PVS visits", "he paper: far more", "not tested here"];
        for part in parts.iter().chain(&more) {
            assert!(html.contains(part) && text.contains(part), "{part}");
        }
        let rows: Vec<Value> = report.json_rows().collect();
        assert_eq!(rows.len(), 5);
        assert_eq!(
            (&rows[1]["verdict"], &rows[1]["reading"]),
            (&json!("reproduced"), &json!("literal"))
        );
        assert!(html.contains("Amazons &lt;PVS&gt;"));
    }
}
