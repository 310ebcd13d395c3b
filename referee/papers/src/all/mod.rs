//! All papers: every claim beside our figures on one page, and a summary in Markdown.

mod page;
mod summary;

pub use page::html;
pub use summary::{is_summary, markdown};

use super::report::{ClaimVerdict, Origin, PaperReport};

/// The reproduction of one paper.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// The name of the experiment, as in `referee reproduce NAME`.
    pub name: &'static str,
    /// The command that runs it alone.
    pub command: String,
    /// The report, or why there is none.
    pub report: Result<PaperReport, String>,
    /// The file name of the paper's own page, beside the common one.
    pub page: String,
    /// Date, commit, scale and machine.
    pub facts: Vec<(String, String)>,
}

/// The reproductions of all papers so far.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The papers that were run, in order.
    pub reproductions: Vec<Reproduction>,
    /// The command that makes it again.
    pub command: String,
}

/// The title of page and summary.
const TITLE: &str = "The results of the papers, reproduced";
/// What the verdicts mean.
const LEGEND: &str = "Reproduced: our figures confirm the claim's figure and direction; of a rate of \
                      won games, the paper's rate lies in our 95% interval, which is at most 10 \
                      percentage points wide. Direction only: the paper's direction is confirmed, \
                      its size is not. Not reproduced: our figures contradict the claim. Undecided: \
                      too little was run, or too small a difference to tell. Not tested here: \
                      nothing was run that could tell.";
/// The head of the tables of claims.
const COLUMNS: [&str; 7] = ["claim", "section", "reading", "the paper", "ours", "run", "verdict"];

/// The number of claims by verdict, in words.
fn counts(count: impl Fn(ClaimVerdict) -> usize) -> String {
    let all = ClaimVerdict::ALL;
    let words = all.map(|verdict| format!("{} {}", count(verdict), verdict.name(Origin::Paper)));
    format!("{} claims: {}.", all.into_iter().map(count).sum::<usize>(), words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::report::{Finding, Share, Statement, Unit};
    use super::*;
    use agon_report::plot::assert_well_formed;

    fn games(run: u64) -> Share {
        Share::of_sample(run, 1108, 20, Unit::Games)
    }

    fn survey() -> Survey {
        let report = PaperReport {
            title: "Amazons: PVS".into(),
            paper: "Li et al. 2018".into(),
            summary: "It is reproduced in `fitting`.".into(),
            warnings: vec!["These games have 200 ms.".into()],
            claims: vec![
                Statement::paper("2.2, table 1", "PVS is | better", "PVS 更强")
                    .judged(games(60), Finding::Holds, "30 of 30")
                    .published("606 of 610")
                    .in_reading("fitting"),
                Statement::ours("2.2", "PVS is lucky", "运气").judged(
                    games(60),
                    Finding::Holds,
                    "lots",
                ),
                Statement::paper("2.2", "PVS is faster", "PVS 更快").untested("no clock <given>"),
            ],
            ..PaperReport::default()
        };
        let run = |name: &'static str, report| Reproduction {
            name,
            command: format!("referee reproduce {name} --quick --out 'my pages/{name}.html'"),
            report,
            page: format!("{name}.html"),
            facts: vec![("date".into(), "2026-01-02".into()), ("commit".into(), "abc".into())],
        };
        Survey {
            reproductions: vec![
                run("amazons", Ok(report)),
                run("connect6", Err("there is no engine <connect6>".into())),
            ],
            command: "referee reproduce all --quick".into(),
        }
    }

    #[test]
    fn page_and_summary_show_claims_figures_verdicts_and_commands() {
        let survey = survey();
        let (page, text) = (html(&survey), markdown(&survey, ""));
        assert_well_formed(&page);
        let both = [
            "606 of 610",
            "30 of 30",
            "not tested here",
            "fitting",
            "referee reproduce amazons --quick",
            "2026-01-02",
            "These games have 200 ms.",
            "2 claims: 1 reproduced, 0 direction only, 0 not reproduced, 0 undecided, 1 not tested here.",
            "60 of 1,108 games (5.4%)",
            "2.2, table 1",
            "Our findings",
        ];
        for part in both {
            assert!(page.contains(part) && text.contains(part), "{part} in {text}");
        }
        assert!(page.contains("referee reproduce all --quick"));
        assert!(page.contains("href=\"amazons.html\"") && !page.contains("href=\"connect6.html\""));
        assert!(page.contains("there is no engine &lt;connect6&gt;"), "{page}");
        assert!(text.contains("there is no engine \\<connect6\\>"), "{text}");
    }

    #[test]
    fn a_summary_keeps_the_sections_of_papers_that_were_not_run_again() {
        let older = markdown(&survey(), "");
        assert!(is_summary(&older) && is_summary("") && !is_summary("# Another page\n"));
        assert_eq!(markdown(&Survey::default(), &older), older);
        let mut later = survey();
        later.reproductions.remove(1);
        later.reproductions[0].facts[0].1 = "2026-03-04".into();
        let claim = Statement::paper("2.2", "PVS is better", "PVS 更强").judged(
            games(30),
            Finding::Fails,
            "15 of 30",
        );
        later.reproductions[0].report = later.reproductions[0]
            .report
            .clone()
            .map(|report| PaperReport { claims: vec![claim], ..report });
        let text = markdown(&later, &older);
        assert!(
            text.contains(
                "1 claims: 0 reproduced, 0 direction only, 1 not reproduced, 0 undecided"
            ),
            "{text}"
        );
        assert_eq!(
            (text.matches("2026-03-04").count(), text.matches("2026-01-02").count()),
            (1, 1)
        );
        assert!(text.contains("there is no engine \\<connect6\\>"), "{text}");
        assert!(text.find("15 of 30") < text.find("connect6"), "in its place: {text}");
        // The page of the repository has a section that was written by hand.
        let page = include_str!("../../../REPRODUCTIONS.md");
        assert_eq!(markdown(&Survey::default(), page), page);
        let by_hand = page.split("\n## ").last().unwrap();
        assert!(by_hand.contains("Written by hand") && markdown(&later, page).contains(by_hand));
    }

    #[test]
    fn a_bar_in_a_claim_does_not_break_the_table() {
        let text = markdown(&survey(), "");
        let row = text.lines().find(|l| l.contains("606 of 610")).unwrap();
        assert!(row.contains("PVS is \\| better"));
        assert_eq!(row.replace("\\|", "").matches('|').count(), COLUMNS.len() + 1);
    }
}
