//! A report on a reproduced experiment: the paper's tables beside ours, its figures redrawn, and its
//! claims with their verdicts; what is ours stands apart.

pub use crate::claim::{Claim, Statement};
pub use crate::verdict::{ClaimVerdict, Finding, Origin, Share, Unit, grouped};

use agon_report::assets::bilingual_script;
use agon_report::plot::{Align, Chart, TextTable};
use agon_report::report::{Page, bilingual, facts, html_table};
use agon_stats::Wilson;
use maud::{Markup, html};
use serde_json::Value;
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
    /// Title and paper in Chinese.
    pub chinese: [String; 2],
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
    /// The paper's claims, and our findings.
    pub claims: Vec<Claim>,
    /// The figures as rows of JSON output, without the claims.
    pub rows: Vec<Value>,
    /// The command that reproduces this report.
    pub command: String,
}

/// The paper's claims and our findings stand apart: origin, section of the page, heading.
pub const CLAIM_SECTIONS: [(Origin, &str, (&str, &str)); 2] = [
    (Origin::Paper, "claims", ("What the paper claims", "论文的论断")),
    (Origin::Ours, "findings", ("Our findings", "我们的发现")),
];

/// The verdict on a claim, as a badge.
pub fn verdict_html(claim: &Claim) -> Markup {
    let (verdict, origin) = (claim.verdict(), claim.origin());
    html! {
        span class={ "verdict " (verdict.class()) } data-zh=(verdict.chinese(origin)) {
            (verdict.name(origin))
        }
    }
}

/// The id of a claim on its paper's page, from its number in the report.
pub fn claim_id(number: usize) -> String {
    format!("claim-{}", number + 1)
}

/// "in the paper: 4.3, table 5; run: 1 of 272 positions (0.4%)", in English and Chinese.
fn place_and_share(claim: &Claim) -> (String, String) {
    let place = claim.section();
    let (english, chinese) = claim.share().map_or((String::new(), String::new()), |share| {
        (format!("; run: {}", share.text()), format!("；已运行：{}", share.chinese()))
    });
    (format!("in the paper: {place}{english}"), format!("论文：{}{chinese}", place.in_chinese()))
}

impl PaperReport {
    /// The self-contained page.
    pub fn html(&self) -> String {
        let [title, paper] = &self.chinese;
        let mut page = Page::new((&self.title, title), (&self.paper, paper));
        page.script(bilingual_script());
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
        page.section("tables", ("The paper's figures and ours", "论文的数值与我们的数值"), tables);
        for (origin, id, heading) in CLAIM_SECTIONS {
            if self.claims_of(origin).next().is_some() {
                page.section(id, heading, self.claims_html(origin));
            }
        }
        if !self.figures.is_empty() {
            page.section("figures", ("Figures", "图"), self.figures_html());
        }
        let again = ("This command makes the report again:", "重新生成本报告的命令：");
        let conditions = html! {
            (facts(&self.conditions))
            p { (bilingual(again)) }
            pre { (self.command) }
        };
        page.section("conditions", ("Conditions", "条件"), conditions);
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

    fn claims_html(&self, origin: Origin) -> Markup {
        html! {
            ul class="claims" {
                @for (i, claim) in self.claims_of(origin) {
                    li id=(claim_id(i)) {
                        (verdict_html(claim))
                        div {
                            div { (bilingual((claim.title(), claim.chinese_title()))) }
                            div class="note" { (bilingual(place_and_share(claim))) }
                            @if !claim.paper().is_empty() {
                                div class="note" { (bilingual(("The paper: ", "论文："))) (claim.paper()) }
                            }
                            div class="note" { (claim.evidence()) }
                        }
                    }
                }
            }
        }
    }

    /// The claims of this origin, with their numbers in the report.
    pub fn claims_of(&self, origin: Origin) -> impl Iterator<Item = (usize, &Claim)> {
        self.claims.iter().enumerate().filter(move |(_, claim)| claim.origin() == origin)
    }

    /// How much of the paper's experiments was run, counted from the paper's claims: each share once.
    pub fn scale(&self) -> String {
        let mut shares: Vec<String> = Vec::new();
        for share in self.claims_of(Origin::Paper).filter_map(|(_, claim)| claim.share()) {
            let text = share.text();
            if !shares.contains(&text) {
                shares.push(text);
            }
        }
        if shares.is_empty() { "nothing was run".into() } else { shares.join("; ") }
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
        for (origin, _, (heading, _)) in CLAIM_SECTIONS {
            for (i, (_, claim)) in self.claims_of(origin).enumerate() {
                if i == 0 {
                    let _ = writeln!(out, "\n{heading}");
                }
                let _ = writeln!(out, "[{}] {}", claim.verdict_name(), claim.title());
                let _ = writeln!(out, "    {}", place_and_share(claim).0);
                if !claim.paper().is_empty() {
                    let _ = writeln!(out, "    the paper: {}", claim.paper());
                }
                let _ = writeln!(out, "    {}", claim.evidence());
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_report::plot::assert_well_formed;
    use serde_json::json;

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

    fn report() -> PaperReport {
        let claim = |text: &str| Statement::paper("2.1, figure 2", text, "节点");
        let games = Share::of_sample(30, 60, 20, Unit::Games);
        PaperReport {
            title: "Amazons <PVS>".into(),
            paper: "Li et al. 2018".into(),
            chinese: ["亚马逊棋".into(), "李等 2018".into()],
            summary: "No evidence.".into(),
            conditions: vec![("time per move".into(), "100 ms".into())],
            warnings: vec!["Reduced time.".into()],
            tables: vec![table_one()],
            figures: vec![(Chart::new("f", "x", "y"), "caption".into())],
            claims: vec![
                claim("PVS visits more nodes")
                    .judged(games, Finding::Holds, "2.5M against 0.3M")
                    .published("far more")
                    .in_reading("literal"),
                claim("nodes fall").judged(games, Finding::Fails, "they rise"),
                Statement::ours("2.1", "luck", "运气").judged(games, Finding::Fails, "no luck"),
                claim("more").judged(Share { run: 1, ..games }, Finding::Holds, ""),
                claim("faster").untested("no clock"),
            ],
            rows: vec![json!({"table": "nodes", "pvs": 2})],
            command: "referee reproduce amazons --quick".into(),
        }
    }

    #[test]
    fn a_report_says_the_same_in_html_and_in_text() {
        let report = report();
        let html = report.html();
        assert_well_formed(&html);
        let text = report.text();
        let parts = ["98.00%", "Reduced time.", "100 ms", "not reproduced", "2.5M against 0.3M"];
        let more = ["No evidence.", "literal: PVS visits", "far more", "not tested here"];
        let core = ["30 of 60 games (50.0%)", "2.1, figure 2", "does not hold", "Our findings"];
        for part in parts.iter().chain(&more).chain(&core) {
            assert!(html.contains(part) && text.contains(part), "{part} in {text}");
        }
        assert!(text.contains("[undecided] more") && text.contains("the test needs 20"), "{text}");
        let rows: Vec<Value> = report.json_rows().collect();
        assert_eq!(rows.len(), 6);
        assert_eq!(
            (&rows[1]["verdict"], &rows[1]["reading"]),
            (&json!("reproduced"), &json!("literal"))
        );
        assert!(html.contains("Amazons &lt;PVS&gt;"));
        for chinese in [
            "亚马逊棋",
            "李等 2018",
            "literal：节点",
            "论文：第 2.1 节，图 2",
            "未复现",
            "我们的发现",
        ] {
            assert!(html.contains(&format!("data-zh=\"{chinese}")), "{chinese}");
        }
    }

    #[test]
    fn our_findings_stand_apart_and_the_scale_is_counted_from_the_papers_claims() {
        let report = report();
        let ours: Vec<usize> = report.claims_of(Origin::Ours).map(|(i, _)| i).collect();
        assert_eq!(ours, [2]);
        assert_eq!(report.scale(), "30 of 60 games (50.0%); 1 of 60 games (1.7%)");
        assert_eq!(PaperReport::default().scale(), "nothing was run");
        let (claims, findings) = report.text().split_once("\nOur findings\n").map_or_else(
            || panic!("no findings"),
            |(a, b)| (a.matches("\n[").count(), b.matches("[").count()),
        );
        assert_eq!((claims, findings), (4, 1));
        assert!(report.html().contains("<li id=\"claim-3\">"));
    }
}
