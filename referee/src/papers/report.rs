//! Building blocks of a report on a reproduced experiment: the paper's tables beside ours, its
//! figures redrawn, and its claims, each with a verdict: reproduced, not reproduced or undecided.

use crate::output::plot::{Align, Chart, DataPoint, Mark, Scale, TextTable, compact};
use crate::output::report::{Page, facts, html_table};
use crate::stats::{FitError, Point, Polynomial, Wilson};
use maud::{Markup, html};
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// There is not enough data to tell.
    Open,
}

/// A claim of the paper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The claim in the paper's terms.
    pub text: String,
    /// Whether our data reproduces it.
    pub verdict: Verdict,
    /// The figures that decide it.
    pub evidence: String,
}

impl Claim {
    /// A claim that the data decides.
    pub fn new(text: &str, holds: bool, evidence: impl Into<String>) -> Claim {
        let verdict = if holds { Verdict::Yes } else { Verdict::No };
        Claim { text: text.into(), verdict, evidence: evidence.into() }
    }

    /// A claim that the data cannot decide, with the reason.
    pub fn open(text: &str, evidence: impl Into<String>) -> Claim {
        Claim { text: text.into(), verdict: Verdict::Open, evidence: evidence.into() }
    }
}

/// Observations by abscissa with a least-squares polynomial through them.
#[derive(Clone, PartialEq, Debug)]
pub struct FitSeries {
    /// The name in the legend.
    pub name: String,
    /// Mean ordinate at each abscissa, weighted by the number of observations.
    pub points: Vec<Point>,
    /// Sum of squared deviations of the observations from the mean of their abscissa; 0 if the
    /// points are single observations.
    pub within: f64,
    /// Intervals around the means, one per point, or empty.
    pub intervals: Vec<(f64, f64)>,
    /// The fit, or why there is none.
    pub fit: Result<Polynomial, FitError>,
}

impl FitSeries {
    /// Fits a polynomial of `degree` to weighted means; see [`FitSeries::within`].
    pub fn new(name: &str, points: Vec<Point>, within: f64, degree: usize) -> FitSeries {
        let fit = Polynomial::fit(&points, degree);
        FitSeries { name: name.into(), points, within, intervals: Vec::new(), fit }
    }

    /// R2 over the means, weighted by their numbers of observations only.
    pub fn r2_of_means(&self) -> Option<f64> {
        self.fit.as_ref().ok()?.r2()
    }

    /// R2 over all observations.
    pub fn r2_of_observations(&self) -> Option<f64> {
        self.fit.as_ref().ok()?.r2_over(&self.points, self.within)
    }

    /// The abscissa of the fit's maximum within the data, and the maximum.
    pub fn peak(&self) -> Option<(f64, f64)> {
        let fit = self.fit.as_ref().ok()?;
        self.grid().into_iter().map(|x| (x, fit.at(x))).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Closely spaced abscissas over the data's range.
    fn grid(&self) -> Vec<f64> {
        const STEPS: u32 = 240;
        let xs = || self.points.iter().map(|p| p.x);
        let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(-f64::INFINITY, f64::max));
        if low > high {
            return Vec::new();
        }
        (0..=STEPS).map(|i| low + (high - low) * f64::from(i) / f64::from(STEPS)).collect()
    }
}

/// A figure of observations with polynomial fits.
#[derive(Clone, PartialEq, Debug)]
pub struct FitPlot {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
    pub y_label: String,
    /// The vertical scale.
    pub y_scale: Scale,
    /// The data.
    pub series: Vec<FitSeries>,
}

impl FitPlot {
    /// The figure: markers for the means, a line for each fit.
    pub fn chart(&self) -> Chart {
        let mut chart = Chart::new(&self.title, &self.x_label, &self.y_label);
        chart.y_scale = self.y_scale;
        for s in &self.series {
            let dots = s
                .points
                .iter()
                .enumerate()
                .map(|(i, p)| DataPoint { x: p.x, y: p.y, interval: s.intervals.get(i).copied() })
                .collect();
            chart.add(&s.name, Mark::Dots, dots);
            if let Ok(fit) = &s.fit {
                let line = s.grid().into_iter().map(|x| DataPoint::new(x, fit.at(x))).collect();
                let name = format!("{}, fit of degree {}", s.name, fit.degree());
                chart.add_in_same_colour(&name, Mark::Line, line);
            }
        }
        chart
    }

    /// The fits as a table: both R2 values and the maximum of each fit.
    pub fn table(&self) -> PaperTable {
        let mut table = TextTable::new(&[
            ("series", Align::Left),
            ("degree", Align::Right),
            ("observations", Align::Right),
            ("R2 of means", Align::Right),
            ("R2 of all observations", Align::Right),
            ("greatest at", Align::Right),
        ]);
        let mut notes = Vec::new();
        let show = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.4}"));
        for s in &self.series {
            let observations: f64 = s.points.iter().map(|p| p.weight).sum();
            let degree = match &s.fit {
                Ok(fit) => fit.degree().to_string(),
                Err(e) => {
                    notes.push(format!("{}: no fit: {e}", s.name));
                    "-".into()
                }
            };
            table.row([
                s.name.clone(),
                degree,
                format!("{observations}"),
                show(s.r2_of_means()),
                show(s.r2_of_observations()),
                s.peak().map_or("-".into(), |(x, y)| format!("{x:.1} ({})", compact(y))),
            ]);
        }
        PaperTable { caption: format!("{}: least-squares fits", self.title), table, notes }
    }
}

impl PaperTable {
    /// Win rates with our 95% Wilson intervals, beside the paper's figures if it has any.
    pub fn win_rates(caption: &str, rows: &[WinRate]) -> PaperTable {
        let beside = rows.iter().any(|row| row.paper.is_some());
        let mut columns = vec![
            ("", Align::Left),
            ("games", Align::Right),
            ("wins", Align::Right),
            ("rate", Align::Right),
            ("95% Wilson", Align::Right),
        ];
        if beside {
            columns.extend([
                ("paper: games", Align::Right),
                ("wins", Align::Right),
                ("rate", Align::Right),
                ("paper within ours", Align::Left),
            ]);
        }
        let mut table = TextTable::new(&columns);
        for row in rows {
            let theirs = row.paper_cells();
            table.row(row.cells().into_iter().chain(theirs.into_iter().filter(|_| beside)));
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
    /// How our figures were made: games played, time per move, openings, seed, reading of the
    /// paper, ...
    pub conditions: Vec<(String, String)>,
    /// Notes before the figures: a reduced time, missing games.
    pub warnings: Vec<String>,
    /// The paper's tables.
    pub tables: Vec<PaperTable>,
    /// The paper's figures: a chart and its caption.
    pub figures: Vec<(Chart, String)>,
    /// The paper's claims.
    pub claims: Vec<Claim>,
    /// The command that reproduces this report.
    pub command: String,
}

impl Verdict {
    fn name_and_class(self) -> (&'static str, &'static str) {
        match self {
            Verdict::Yes => ("reproduced", "yes"),
            Verdict::No => ("not reproduced", "no"),
            Verdict::Open => ("undecided", "undecided"),
        }
    }
}

impl PaperReport {
    /// The self-contained page.
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.title, &self.paper);
        page.lead(html! {
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
            let figures = html! {
                @for (chart, caption) in &self.figures {
                    figure { (chart.svg()) figcaption { (caption) } }
                }
            };
            page.section("figures", "Figures", figures);
        }
        let conditions = html! {
            (facts(&self.conditions))
            p { "This command makes the report again:" }
            pre { (self.command) }
        };
        page.section("conditions", "Conditions", conditions);
        page.html()
    }

    fn claims_html(&self) -> Markup {
        html! {
            ul class="claims" {
                @for claim in &self.claims {
                    @let (verdict, class) = claim.verdict.name_and_class();
                    li {
                        span class={ "verdict " (class) } { (verdict) }
                        div { div { (claim.text) } div class="note" { (claim.evidence) } }
                    }
                }
            }
        }
    }

    /// The same report for the terminal, without the figures.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n{}\n", self.title, self.paper);
        // Writing to a String cannot fail.
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
            let (verdict, _) = claim.verdict.name_and_class();
            let _ = writeln!(out, "[{verdict}] {}\n    {}", claim.text, claim.evidence);
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
    use crate::output::plot::assert_well_formed;

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
    fn a_fit_is_drawn_and_tabled_with_both_r2() {
        let points = (1..=30).map(|i| {
            let x = f64::from(i);
            Point { x, y: 100.0 - (x - 12.0) * (x - 12.0), weight: 4.0 }
        });
        let good = FitSeries::new("pvs", points.collect(), 1000.0, 6);
        let (x, y) = good.peak().unwrap();
        assert!((x - 12.0).abs() < 0.1 && (y - 100.0).abs() < 0.1);
        assert!(good.r2_of_means().unwrap() > 0.999_999);
        assert!(good.r2_of_observations().unwrap() < 1.0);
        let none = FitSeries::new("short", vec![Point::new(1.0, 1.0)], 0.0, 6);
        let plot = FitPlot {
            title: "Figure 2".into(),
            x_label: "move".into(),
            y_label: "nodes".into(),
            y_scale: Scale::Linear,
            series: vec![good, none],
        };
        assert_eq!(plot.chart().series.len(), 3, "two sets of dots, one fit");
        assert!(plot.table().notes[0].contains("needs 7 different abscissas, there are 1"));
    }

    #[test]
    fn a_report_says_the_same_in_html_and_in_text() {
        let report = PaperReport {
            title: "Amazons <PVS>".into(),
            paper: "Li et al. 2018".into(),
            conditions: vec![("time a move".into(), "100 ms".into())],
            warnings: vec!["Reduced time.".into()],
            tables: vec![table_one()],
            figures: vec![(Chart::new("f", "x", "y"), "caption".into())],
            claims: vec![
                Claim::new("PVS visits more nodes", true, "2.5M against 0.3M"),
                Claim::new("nodes fall", false, "they rise"),
                Claim::open("more", "no games"),
            ],
            command: "referee reproduce amazons --quick".into(),
        };
        let html = report.html();
        assert_well_formed(&html);
        let text = report.text();
        for part in ["98.00%", "Reduced time.", "100 ms", "not reproduced", "2.5M against 0.3M"] {
            assert!(html.contains(part) && text.contains(part), "{part}");
        }
        assert!(html.contains("Amazons &lt;PVS&gt;"));
    }
}
