//! The report: the thesis's tables and figures beside ours.

use super::claims::claims;
use super::limits::{LimitSearch, curve, experiments, limit_search};
use super::tables::{by_result, compared, lost_and_gained, speed_ups};
use super::{SolvedProblems, ThesisTable};
use agon_claims::report::PaperReport;
use agon_report::plot::{Chart, DataPoint, Mark, Scale};

/// Plotted time in seconds of a search that takes no time: a logarithmic axis has no zero.
const FLOOR: f64 = 1e-5;

/// Makes the report. `command` is the command line that reproduces it.
pub fn report(findings: &SolvedProblems, command: &str) -> PaperReport {
    let experiments = experiments(findings);
    let mut tables: Vec<_> = experiments.iter().map(|e| compared(findings, e)).collect();
    tables.push(curve(findings));
    let lost_and_gained = lost_and_gained(findings, &experiments);
    tables.extend([by_result(findings), speed_ups(findings), lost_and_gained]);
    // One figure 43: with the limits found, which come first.
    let mut drawn = Vec::new();
    for experiment in &experiments {
        if drawn.iter().all(|e: &&ThesisTable| e.figure != experiment.figure) {
            drawn.push(experiment);
        }
    }
    PaperReport {
        title: "Connect6: dependency-based threat-space search".into(),
        paper: "Kang: Dependency-Based Search for Connect6 (National Chiao Tung University, 2012; \
                in Chinese), chapter 4"
            .into(),
        chinese: [
            "六子棋：以区域相关攻击为主的威胁空间搜索".into(),
            "康皓華：以區域相關攻擊為主的六子棋搜尋演算法（國立交通大學碩士論文，2012），第 4 章".into(),
        ],
        conditions: conditions(findings),
        warnings: warnings(findings),
        tables,
        figures: drawn
            .into_iter()
            .map(|e| {
                let caption = "Each position's processor time, sorted by the original search's. The \
                               thesis shows its figure as an image only.";
                (figure(findings, e), caption.to_string())
            })
            .collect(),
        claims: claims(findings),
        command: command.into(),
        ..PaperReport::default()
    }
}

fn conditions(findings: &SolvedProblems) -> Vec<(String, String)> {
    let fact = |name: &str, text: &str| (name.to_string(), text.to_string());
    vec![
        fact("positions", &format!("{} of {}", findings.numbers().count(), findings.wanted)),
        fact(
            "problem set",
            "ours, from self-play, chosen by the plain search's effort: the thesis's was never \
             published",
        ),
        fact(
            "limits",
            "depth 20; 130,000 stones an iteration and 7,200,000 in all; adjusted: the least with which \
             the dependency-based search solves as many positions as the original search, and those \
             of the thesis, 70,000 and 3,800,000; the last experiment: the depth alone",
        ),
        fact("moves", "attacking turns that make two threats and passed the tests of the search"),
        fact(
            "time",
            "processor time of one thread in the search, without the verifier's, which is shown \
             apart; the thesis: by the clock",
        ),
        fact(
            "left open",
            "which iteration limit ends single threats (ours: a search behind one has 8,000 stones \
             an iteration); how often a conservative defence is split (ours: once on a path); \
             whether stones are counted when taken back (ours: when placed)",
        ),
    ]
}

fn warnings(findings: &SolvedProblems) -> Vec<String> {
    let mut list = Vec::new();
    let done = findings.numbers().count();
    if done < findings.wanted {
        list.push(format!(
            "{} of {} positions are missing: the time ran out or the run was interrupted; the same \
             command with --rows resumes",
            findings.wanted - done,
            findings.wanted
        ));
    } else if let LimitSearch::Next(_) = limit_search(findings) {
        list.push(
            "the search for the adjusted limits is not finished: the time ran out or the run was \
             interrupted; the same command with --rows resumes"
                .into(),
        );
    }
    for number in findings.numbers() {
        for search in super::SEARCHES {
            let refuted = |a: &super::SolveLine| a.result == "refuted";
            if findings.answer(number, search.name).is_some_and(refuted) {
                list.push(format!(
                    "a win that `{}` claims for number {number} was REFUTED by the verifier; it \
                     counts as no win",
                    search.name
                ));
            }
        }
    }
    list
}

/// Time per position, sorted by the time of the plain search.
fn figure(findings: &SolvedProblems, experiment: &ThesisTable) -> Chart {
    let title = format!("Figure {}: {}", experiment.figure, experiment.words);
    let mut chart = Chart::new(&title, "position", "seconds");
    chart.y_scale = Scale::Log;
    let mut times: Vec<[f64; 2]> = findings
        .pairs(experiment)
        .map(|(_, answers)| answers.map(|a| a.cpu_seconds.max(FLOOR)))
        .collect();
    times.sort_by(|a, b| a[0].total_cmp(&b[0]));
    for (i, name) in ["original search", "dependency-based search"].into_iter().enumerate() {
        let points = (1..).zip(&times).map(|(x, t)| DataPoint::new(f64::from(x), t[i]));
        chart.add(name, if i == 0 { Mark::Line } else { Mark::Dots }, points.collect());
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::super::{
        PAPER_POSITIONS, SEARCHES, SearchCall, SearchResult, SolveLine, ThesisProblem,
    };
    use super::*;
    use agon_claims::claim::assert_bilingual;
    use agon_claims::report::{Claim, ClaimVerdict};
    use agon_report::plot::assert_well_formed;

    /// Four problems and many without any effort, without the last rows, and so many steps of the search for the limits.
    fn findings(missing: usize, steps: usize) -> SolvedProblems {
        let problems: Vec<ThesisProblem> = (1..=PAPER_POSITIONS)
            .map(|number| ThesisProblem {
                number,
                position: "startpos moves j10".into(),
                result: if number < 3 { "VCDT" } else { "unknown" }.into(),
            })
            .collect();
        // The dependency-based search loses number 2 and gains number 3, which needs 10,000 stones an
        // iteration.
        let row = |problem: &ThesisProblem, search: &SearchCall| {
            let plain = search.name.starts_with("plain");
            let few = search.name.strip_prefix("db-").and_then(|n| n.parse::<u64>().ok());
            let solved = match problem.number {
                1 => true,
                2 => plain,
                3 => !plain && few.is_none_or(|stones| stones >= 10_000),
                _ => false,
            };
            let times = if problem.number <= 4 { problem.number as u64 } else { 0 };
            let moves = if plain { 60_000 } else { 10_000 } * times;
            SearchResult {
                number: problem.number,
                position: problem.position.clone(),
                program: String::new(),
                search: search.name.clone(),
                answer: SolveLine {
                    result: if solved { "VCDT" } else { "unknown" }.into(),
                    moves,
                    stones: 7 * moves,
                    cpu_seconds: moves as f64 * if plain { 2e-6 } else { 2.2e-6 },
                    verify_seconds: 1e-4,
                    lost_by: (problem.number == 2 && !plain).then(|| "combination".into()),
                },
            }
        };
        let searches = SEARCHES.map(SearchCall::from);
        let mut rows: Vec<SearchResult> = problems
            .iter()
            .flat_map(|p| searches.iter().map(move |s| (p, s)))
            .map(|(p, s)| row(p, s))
            .collect();
        rows.truncate(rows.len() - missing);
        for _ in 0..steps {
            let LimitSearch::Next(limits) =
                limit_search(&SolvedProblems::new(&problems, rows.clone()))
            else {
                break;
            };
            rows.extend(problems.iter().map(|p| row(p, &limits.search())));
        }
        SolvedProblems::new(&problems, rows)
    }

    #[test]
    fn speed_up_overhead_and_differences_are_those_of_the_rows() {
        let report = report(&findings(0, 99), "referee reproduce connect6");
        assert_bilingual(&report.claims);
        let text = report.text();
        // 600,000 moves in 1.2 s against 100,000 in 0.22 s.
        assert!(text.contains("600,000"), "{text}");
        for figure in
            ["6.00", "5.45", "+10.0%", "62,865,372", "1.37", "1.25", "2.09", "1.78", "6.35", "4.30"]
        {
            assert!(text.contains(figure), "{figure} in {text}");
        }
        assert!(text.contains("1 lost, 1 gained"), "{text}");
        for verdict in [
            "[reproduced] In unlimited time both searches solve the same",
            "[reproduced] The inversions and pairs",
            "[direction only] With limits adjusted",
            "[direction only] A move of the dependency-based search",
            "[not reproduced] With the original limits the dependency-based search",
        ] {
            assert!(text.contains(verdict), "{verdict} in {text}");
        }
        let limits = "limits found: 10,000 stones an iteration and 553,846 in all; 2 against 2 solved; 1 with \
                      9,500 stones an iteration";
        assert!(
            text.contains(limits) && text.contains("5.45, the mean of tables 4 and 5"),
            "{text}"
        );
        let lost = text.lines().find(|l| l.contains("loses") && l.contains("combination"));
        assert!(lost.is_some_and(|l| l.trim_end().ends_with('2')), "{text}");
    }

    #[test]
    fn positions_without_all_answers_are_left_out_and_said_to_be_missing() {
        let report = report(&findings(1, 0), "referee reproduce connect6");
        assert!(report.warnings.iter().any(|w| w.starts_with("1 of 260 positions are missing")));
        assert!(findings(1, 0).numbers().eq(1..260));
        // And no claim has a verdict from the others.
        let decided =
            |c: &Claim| !matches!(c.verdict(), ClaimVerdict::Open | ClaimVerdict::Untested);
        assert!(!report.claims.iter().any(decided), "{}", report.text());
        assert_eq!(report.scale(), "259 of 260 positions (99.6%)");
    }

    #[test]
    fn a_smaller_set_than_the_thesis_s_decides_nothing() {
        let whole = findings(0, 99);
        let mut few = SolvedProblems { wanted: 4, ..whole };
        few.answers.retain(|number, _| *number <= 4);
        let report = report(&few, "referee reproduce connect6 --problems few.jsonl");
        assert_eq!(report.scale(), "4 of 260 positions (1.5%)");
        for claim in &report.claims {
            let verdict = claim.verdict();
            assert!(
                matches!(verdict, ClaimVerdict::Open | ClaimVerdict::Untested),
                "{}",
                claim.text()
            );
        }
    }

    #[test]
    fn until_the_limits_are_found_the_claims_about_them_are_undecided() {
        for steps in 0..4 {
            let report = report(&findings(0, steps), "referee reproduce connect6");
            assert!(report.warnings.iter().any(|w| w.contains("adjusted limits is not finished")));
            let open: Vec<&str> = report
                .claims
                .iter()
                .filter(|c| c.evidence().ends_with(super::super::claims::UNFINISHED))
                .map(|c| c.verdict_name())
                .collect();
            assert_eq!(open, ["undecided"; 3], "{steps}");
        }
        assert!(report(&findings(0, 99), "").warnings.is_empty());
    }

    #[test]
    fn where_the_original_needs_ten_seconds_the_stones_decide() {
        // 7 stones a move, up to 240,000 moves: more than 1,000,000 stones in numbers 3 and 4.
        let report = report(&findings(0, 99), "");
        let claim = report.claims.iter().find(|c| c.text().contains("more than 10 s"));
        let said = claim.map(|c| (c.verdict_name(), c.evidence()));
        let (verdict, evidence) = said.unwrap_or_default();
        assert!(
            verdict == "reproduced" && evidence.ends_with("more than 5 times in 2 of 2"),
            "{evidence}"
        );
        assert!(evidence.contains("5.45 times less time together"));
    }

    #[test]
    fn the_page_has_three_figures() {
        let html = report(&findings(0, 99), "referee reproduce connect6").html();
        assert_well_formed(&html);
        assert_eq!(html.matches("<svg").count(), 3);
    }

    #[test]
    fn the_problem_set_has_its_numbers_and_classes() {
        let all = super::super::problems(super::super::PROBLEMS, "the problem set").unwrap();
        assert!(all.len() >= PAPER_POSITIONS, "{}", all.len());
        let count = |result: &str| all.iter().filter(|p| p.result == result).count();
        assert!(count("VCDT") >= 72 && count("VCST") >= 60, "{:?}", count("VCST"));
        assert_eq!(all.len(), count("VCDT") + count("VCST") + count("unknown"));
        assert!(all.iter().all(|p| p.position.starts_with("startpos moves ")));
    }

    #[test]
    fn a_torn_line_is_refused_with_its_number() {
        let line = r#"{"number":1,"position":"startpos moves j10","result":"VCDT"}"#;
        let problems = |text: &str| super::super::problems(text, "set.jsonl");
        assert_eq!(problems(line).unwrap().len(), 1);
        let error = problems(&format!("{line}\n{{")).unwrap_err().to_string();
        assert!(error.contains("line 2 of set.jsonl"), "{error}");
        let error = problems(&format!("{line}\n{line}")).unwrap_err().to_string();
        assert!(error.contains("two problems with the number 1"), "{error}");
    }
}
