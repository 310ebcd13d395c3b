//! All papers: every claim beside our figures on one page, and a summary in Markdown.

mod overview;
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
    /// Date, commit, run, scale and machine.
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

impl Reproduction {
    /// Its anchor on the page and in the summary: unlike the name, no other has it.
    fn id(&self) -> &str {
        self.page.trim_end_matches(".html")
    }

    fn source(&self) -> Source {
        let fact = |name: &str| {
            self.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| value.clone())
        };
        let title = self.report.as_ref().map_or(self.name, |report| &report.title);
        let commit = fact("commit").unwrap_or_else(|| "unknown".into());
        Source { title: title.into(), commit, run: fact("run") }
    }
}

/// What the figures of a section are from.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Source {
    title: String,
    commit: String,
    /// The command of the run of all papers and when it began; `None` before this was written down.
    run: Option<String>,
}

/// The title of page and summary.
const TITLE: (&str, &str) = ("The results of the papers, reproduced", "论文结果的复现");
/// Which rows are ours.
const OURS: (&str, &str) = (
    "Our findings, among them the papers' claims in readings that are ours, stand apart and are not \
     counted.",
    "我们的发现（包括按我们的解读检验的论文论断）单独列出，不计入总数。",
);
/// The head of the tables of claims.
const COLUMNS: [&str; 7] =
    ["claim", "section", "reading", "the paper", "ours", "share run", "verdict"];

/// The number of the papers' claims by verdict, in English and Chinese.
fn counts(count: impl Fn(ClaimVerdict) -> usize) -> (String, String) {
    let all = ClaimVerdict::ALL.map(|verdict| (count(verdict), verdict));
    let total: usize = all.iter().map(|(n, _)| n).sum();
    let english = all.map(|(n, verdict)| format!("{n} {}", verdict.name(Origin::Paper)));
    let chinese = all.map(|(n, verdict)| format!("{} {n}", verdict.chinese(Origin::Paper)));
    (
        format!("{total} claims: {}.", english.join(", ")),
        format!("共 {total} 条论断：{}。", chinese.join("，")),
    )
}

/// Whether the sections are one sequence of figures: of one commit and one run.
fn provenance(sources: &[Source]) -> (String, String) {
    let Some(first) = sources.first() else {
        return ("Nothing was run.".into(), "尚未运行。".into());
    };
    let Source { commit, run, .. } = first;
    if sources.iter().any(|source| source.commit != *commit) {
        let list = grouped_by(sources, |source| &source.commit);
        return (
            format!("Not one sequence of figures: the sections are of different commits: {list}."),
            format!("并非同一批数据：各部分来自不同的提交：{list}。"),
        );
    }
    let one_run = sources.iter().all(|source| source.run == *run);
    match run {
        Some(run) if one_run => (
            format!("One sequence of figures: every section is of commit {commit}, made by {run}."),
            format!("同一批数据：各部分均来自提交 {commit}，由 {run} 生成。"),
        ),
        _ => {
            let list =
                grouped_by(sources, |source| source.run.as_deref().unwrap_or("an unknown run"));
            (
                format!(
                    "Not one sequence of figures: the sections are of one commit, {commit}, and of \
                     different runs: {list}."
                ),
                format!("并非同一批数据：各部分来自同一提交 {commit}，但来自不同的运行：{list}。"),
            )
        }
    }
}

/// "a (Amazons; Connect6); b (Xiangqi)".
fn grouped_by<'a>(sources: &'a [Source], key: impl Fn(&'a Source) -> &'a str) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for source in sources {
        match groups.iter_mut().find(|(of, _)| *of == key(source)) {
            Some((_, titles)) => titles.push(&source.title),
            None => groups.push((key(source), vec![&source.title])),
        }
    }
    let words = groups.iter().map(|(of, titles)| format!("{of} ({})", titles.join("; ")));
    words.collect::<Vec<_>>().join(", ")
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
            chinese: ["亚马逊棋：PVS".into(), "李等 2018".into()],
            summary: "It is reproduced in `fitting`.".into(),
            warnings: vec!["These games have 200 ms.".into()],
            claims: vec![
                Statement::paper("2.2, table 1", "PVS is | better", "PVS 更强")
                    .judged(games(60), Finding::Holds, "30 of 30")
                    .published("606 of 610")
                    .in_reading("fitting")
                    .figure("amazons.won", "30"),
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
            facts: vec![
                ("date".into(), "2026-01-02".into()),
                ("commit".into(), "abc".into()),
                ("run".into(), "referee reproduce all --quick, begun today".into()),
            ],
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
        let figures =
            "\n\n<!-- figures: amazons.won=30 -->\n\n<a id=\"amazons-command\"></a>\n\n```sh\n";
        assert!(text.contains(figures), "{text}");
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
        let again = markdown(&Survey::default(), page);
        // The part above the sections is renewed with any of them.
        let above = |text: &str| text.split("\n- date").next().unwrap().to_string();
        assert_eq!(above(&again), above(page));
        assert_eq!(again.len(), page.len());
        let by_hand = page.split("\n## ").last().unwrap();
        assert!(by_hand.contains("Written by hand") && markdown(&later, page).contains(by_hand));
    }

    /// The values of an attribute.
    fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
        let start = format!(" {attribute}=\"");
        page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    /// The rows of a table from this text on.
    fn rows<'a>(page: &'a str, from: &str) -> Vec<&'a str> {
        let table = page.split_once(from).map_or("", |(_, rest)| rest);
        let body = table.split_once("<tbody>").map_or("", |(_, rest)| rest);
        let body = body.split("</tbody>").next().unwrap_or("");
        body.split("<tr>").skip(1).collect()
    }

    #[test]
    fn the_page_opens_with_a_line_a_claim_whose_links_lead_somewhere() {
        let page = html(&survey());
        let ids = values(&page, "id");
        let unique: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{ids:?}");
        for link in values(&page, "href").iter().filter_map(|link| link.strip_prefix('#')) {
            assert!(ids.contains(&link), "{link} leads nowhere");
        }
        let every = rows(&page, "id=\"every-claim\"");
        assert_eq!(every.len(), 3, "two claims, and a paper that failed");
        assert_eq!(rows(&page, "id=\"our-findings\"").len(), 1);
        for (row, evidence) in every.iter().zip(["amazons-claim-1", "amazons-claim-3", "connect6"])
        {
            let links = values(row, "href");
            assert_eq!(links.len(), 3, "paper, evidence, command: {row}");
            assert_eq!(links[1].strip_prefix('#'), Some(evidence));
            assert!(links[2].ends_with("-command"), "{row}");
        }
        let order = ["every-claim", "our-findings", "amazons", "connect6", "command"];
        let places = order.map(|id| page.find(&format!("<section id=\"{id}\"")));
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{places:?}");
    }

    #[test]
    fn what_the_page_says_of_a_claim_is_there_in_chinese() {
        let page = html(&survey());
        let chinese = values(&page, "data-zh");
        let parts = ["论文结果的复现", "fitting：PVS 更强", "已复现", "成立", "第 2.2 节，表 1"];
        let more = [
            "60 / 1,108 局（5.4%）",
            "全部论断",
            "我们的发现",
            "结论",
            "李等 2018",
            "亚马逊棋：PVS",
            "提交",
            "运行",
        ];
        for part in parts.iter().chain(&more) {
            assert!(chinese.contains(part), "{part} in {chinese:?}");
        }
        let ascii: Vec<_> = chinese.iter().filter(|text| text.is_ascii()).collect();
        assert!(ascii.is_empty(), "not Chinese: {ascii:?}");
        assert!(page.contains("<script type=\"module\">") && page.contains("id=\"switches\""));
    }

    #[test]
    fn the_summary_opens_with_a_line_a_claim_in_both_languages() {
        let text = markdown(&survey(), "");
        let above = text.split("\n## Amazons").next().unwrap();
        let lines: Vec<&str> = above.lines().filter(|l| l.starts_with("| [")).collect();
        assert_eq!(
            lines,
            [
                "| [Amazons: PVS](#amazons-pvs) | 2.2, table 1 | [fitting: PVS is \\| better](#amazons-claim-1)<br>\
                 fitting：PVS 更强 | reproduced | 60 of 1,108 games (5.4%) | [command](#amazons-command) |",
                "| [Amazons: PVS](#amazons-pvs) | 2.2 | [PVS is faster](#amazons-claim-3)<br>PVS 更快 | \
                 not tested here | - | [command](#amazons-command) |",
                "| [Amazons: PVS](#amazons-pvs) | 2.2 | [PVS is lucky](#amazons-claim-2)<br>运气 | holds | \
                 60 of 1,108 games (5.4%) | [command](#amazons-command) |",
            ]
        );
        for id in ["amazons-claim-1", "amazons-claim-2", "amazons-claim-3", "amazons-command"] {
            assert_eq!(text.matches(&format!("<a id=\"{id}\"></a>")).count(), 1, "{id}");
        }
        assert!(above.contains("**已复现**") && above.contains("10 percentage points"), "{above}");
    }

    #[test]
    fn a_section_of_an_older_version_is_listed_too() {
        let older = "# The results of the papers, reproduced\n\n40 claims.\n\n## Old (2012), a paper\n\n\
                     - commit: 1234\n\n| claim | reading | the paper | ours | verdict |\n|---|---|---|---|---|\n\
                     | a [b] | - | 7 | 8 | not reproduced |\n\n```sh\nreferee reproduce old --out old.html\n```\n";
        let text = markdown(&survey(), older);
        let line = "| [Old (2012), a paper](#old-2012-a-paper) | - | [a \\[b\\]](#old-2012-a-paper) | \
                    not reproduced | - | [command](#old-2012-a-paper) |";
        assert!(text.contains(line), "{text}");
        assert!(
            text.contains("3 claims: 1 reproduced, 0 direction only, 1 not reproduced"),
            "{text}"
        );
        assert!(
            text.contains(
                "Not one sequence of figures: the sections are of different commits: 1234 (Old (2012), a \
                 paper), abc (Amazons: PVS; connect6)."
            ),
            "{text}"
        );
    }

    #[test]
    fn a_sequence_of_figures_is_of_one_commit_and_one_run() {
        let source = |title: &str, commit: &str, run: &str| Source {
            title: title.into(),
            commit: commit.into(),
            run: Some(run.into()).filter(|run: &String| !run.is_empty()),
        };
        let said = |sources: &[Source]| provenance(sources).0;
        let a = source("A", "abc", "all --full, begun today");
        let one = said(&[a.clone(), source("B", "abc", "all --full, begun today")]);
        assert_eq!(
            one,
            "One sequence of figures: every section is of commit abc, made by all --full, begun today."
        );
        let runs = said(&[a.clone(), source("B", "abc", "all --quick, begun today")]);
        assert!(
            runs.contains("of different runs: all --full, begun today (A), all --quick"),
            "{runs}"
        );
        let unknown = said(&[a.clone(), source("B", "abc", "")]);
        assert!(unknown.contains("an unknown run (B)"), "{unknown}");
        let commits = said(&[a, source("B", "abd", "all --full, begun today")]);
        assert!(commits.contains("of different commits: abc (A), abd (B)"), "{commits}");
    }

    #[test]
    fn a_bar_in_a_claim_does_not_break_the_table() {
        let text = markdown(&survey(), "");
        let row = text.lines().find(|l| l.contains("606 of 610")).unwrap();
        assert!(row.contains("PVS is \\| better"));
        assert_eq!(row.replace("\\|", "").matches('|').count(), COLUMNS.len() + 1);
    }
}
