//! The report: the paper's figures beside ours.

use super::{
    ClassCounts, ClassRow, ClassTiming, Classes, METHODS, PAPER_PIECES, PAPER_SECONDS, PAPER_SETS,
    PUBLISHED, SparkRun,
};
use crate::report::grouped;
use crate::report::{Claim, Finding, PaperReport, PaperTable, Share, Statement, Unit};
use agon_report::plot::{Align, Chart, DataPoint, Mark, Scale, TextTable};

/// Minimum ratio of wall-clock time to processor time at which a machine counts as busy.
const BUSY: f64 = 1.5;

/// Makes the report. `command` is the command line that reproduces it.
pub fn report(findings: &ClassCounts, command: &str) -> PaperReport {
    let mut tables = vec![headline(findings), compression(&findings.exact), figure_8(findings)];
    if !findings.spark.is_empty() {
        tables.push(spark(&findings.spark));
    }
    tables.push(by_pieces(&findings.exact));
    PaperReport {
        title: "Chinese dark chess: equivalence classes of endgames".into(),
        paper: "Hsiao, Chen, Lai, Wu, Hsiung: Using Spark and patterns to improve a program that \
                classifies equivalent Chinese dark chess boards (in Chinese); Chen, Lin, Chen, Hsu: \
                Equivalence classes in Chinese dark chess endgames (2015)"
            .into(),
        chinese: [
            "中国暗棋：残局的等价类".into(),
            "蕭名凱、陳宏光、賴聯福、伍朝欽、熊原朗：運用 Spark 及 Pattern 以提升暗棋盤面等價分類程式之效能；Chen、Lin、Chen、Hsu：\
             Equivalence Classes in Chinese Dark Chess Endgames（2015）"
                .into(),
        ],
        conditions: conditions(findings),
        warnings: warnings(findings),
        tables,
        figures: vec![(
            chart(&findings.figure),
            "Processor time of one core; the paper shows its figure as an image only. A method's line \
             ends where one number of pieces took it longer than --limit."
                .into(),
        )],
        claims: claims(findings),
        command: command.into(),
        ..PaperReport::default()
    }
}

/// Notes on figures that may mislead.
fn warnings(findings: &ClassCounts) -> Vec<String> {
    let mut list: Vec<String> =
        findings.without_spark.iter().map(|w| format!("without Spark: {w}")).collect();
    let times = &findings.headline.times;
    let sum = |field: fn(&ClassTiming) -> u64| times.iter().map(field).sum::<u64>() as f64;
    let busy = sum(|t| t.microseconds) / sum(|t| t.cpu_microseconds).max(1.0);
    if busy > BUSY {
        list.push(format!(
            "the machine was busy with other work: wall-clock times are {busy:.1} times the processor \
             times, so wall-clock times, Spark's included, mean little"
        ));
    }
    list
}

fn conditions(findings: &ClassCounts) -> Vec<(String, String)> {
    let fact = |name: &str, text: &str| (name.to_string(), text.to_string());
    let mut facts = vec![
        fact("counted by", "lab darkchess classes --json"),
        fact("a set", "pieces of both colours, three at least, without squares"),
        fact("times", "one process, all methods one after the other; processor time of its thread"),
        fact(
            "stepwise matching",
            "as the paper describes it; the program of 2015 is not at hand, nor is its machine",
        ),
    ];
    if let Some(time) = findings.exact.time("exact") {
        let text = format!("{:.0} ms of one core", ms(time.cpu_microseconds));
        facts.push(fact("all exact counts", &text));
    }
    facts
}

fn ms(microseconds: u64) -> f64 {
    microseconds as f64 / 1000.0
}

fn headline(findings: &ClassCounts) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Method"]),
        (Align::Right, &["ms of one core", "ms wall clock", "Classes", "Colours exchangeable"]),
    ]);
    for (name, words) in METHODS {
        let (Some(sum), Some(time)) =
            (findings.headline.sum(name, false, PAPER_PIECES), findings.headline.time(name))
        else {
            continue;
        };
        table.row([
            words.to_string(),
            format!("{:.1}", ms(time.cpu_microseconds)),
            format!("{:.1}", ms(time.microseconds)),
            grouped(sum.classes),
            grouped(sum.exchangeable()),
        ]);
    }
    for (words, seconds) in [
        ("the paper: quoted from 2015", PAPER_SECONDS[0]),
        ("the paper: its own, on Spark", PAPER_SECONDS[1]),
    ] {
        let cells = [words.into(), "-".into(), format!("{:.1}", 1000.0 * seconds), "-".into()];
        table.row(cells.into_iter().chain(["-".to_string()]));
    }
    PaperTable {
        caption: "Section 5: the 144,158 sets of 3 to 8 open pieces".into(),
        table,
        notes: vec![
            "Ours are all from one run on one machine; the paper's two figures are from two machines, \
             and it does not say what its 0.045 s include."
                .into(),
        ],
    }
}

fn compression(exact: &Classes) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Sets"]),
        (Align::Right, &["How many", "Classes", "%", "Colours exchangeable", "%", "Published %"]),
    ]);
    for (hidden, least, most, percent) in PUBLISHED {
        let Some(sum) = exact.sum("exact", hidden, [least, most]) else { continue };
        let with = if hidden { "with hidden pieces" } else { "all open" };
        table.row([
            format!("{with}, {least} to {most} pieces"),
            grouped(sum.sets),
            grouped(sum.classes),
            format!("{:.2}", sum.percent(sum.classes)),
            grouped(sum.exchangeable()),
            format!("{:.2}", sum.percent(sum.exchangeable())),
            format!("{percent:.2}"),
        ]);
    }
    PaperTable {
        caption: "Compression: the four percentages of the abstract of 2015".into(),
        table,
        notes: vec![
            "The paper's definition keeps the colours; the published percentages count two sets as one \
             also if one is the other with red and black exchanged."
                .into(),
        ],
    }
}

/// The numbers of pieces that some method reached, with their sets.
fn sizes(figure: &Classes) -> Vec<(u64, u64)> {
    let mut sizes: Vec<(u64, u64)> = figure.rows.iter().map(|r| (r.pieces, r.sets)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn figure_8(findings: &ClassCounts) -> PaperTable {
    let methods = METHODS.map(|(name, _)| name);
    let mut table =
        TextTable::new(&[(Align::Right, &["Pieces", "Sets"]), (Align::Right, &methods)]);
    for (pieces, sets) in sizes(&findings.figure) {
        let times = METHODS.map(|(name, _)| {
            let row = findings.figure.rows.iter().find(|r| r.method == name && r.pieces == pieces);
            let time = row.and_then(|r| r.cpu_microseconds);
            time.map_or("-".into(), |t| format!("{:.1}", ms(t)))
        });
        table.row([pieces.to_string(), grouped(sets)].into_iter().chain(times));
    }
    PaperTable {
        caption: "Figure 8: milliseconds of one core by number of open pieces".into(),
        table,
        notes: vec!["Without the tables that `canonical` builds first.".into()],
    }
}

fn chart(figure: &Classes) -> Chart {
    let mut chart =
        Chart::new("Figure 8: time by number of pieces", "pieces", "milliseconds of one core");
    chart.y_scale = Scale::Log;
    for (name, _) in METHODS {
        let rows = figure.rows.iter().filter(|r| r.method == name);
        let points = rows.filter_map(|r| {
            let time = r.cpu_microseconds.filter(|&t| t > 0)?;
            Some(DataPoint::new(r.pieces as f64, ms(time)))
        });
        chart.add(name, Mark::DottedLine, points.collect());
    }
    chart
}

fn spark(runs: &[SparkRun]) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Work"]),
        (Align::Right, &["One process", "Two processes", "Spark: start", "shards", "job"]),
        (Align::Right, &["longest shard", "start and job"]),
    ]);
    let s = |seconds: f64| format!("{seconds:.2} s");
    for run in runs {
        table.row([
            format!("{}: {} sets", run.work, grouped(run.sets)),
            s(run.one),
            s(run.two),
            s(run.spark.start_seconds),
            run.shards.to_string(),
            s(run.spark.job_seconds),
            s(run.spark.longest_shard_seconds),
            s(run.spark.start_seconds + run.spark.job_seconds),
        ]);
    }
    PaperTable {
        caption: "Spark against one core, wall clock".into(),
        table,
        notes: vec![
            "Spark with two tasks at a time on this machine. Two processes: `--shard 1/2` and `2/2` at \
             the same time, without Spark."
                .into(),
        ],
    }
}

fn by_pieces(exact: &Classes) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Right, &["Pieces", "Sets, all open", "Classes", "Exchangeable"]),
        (Align::Right, &["Sets with hidden", "Classes", "Exchangeable"]),
    ]);
    let cells = |row: &ClassRow| [row.sets, row.classes, row.exchangeable()].map(grouped);
    for pieces in 3..=32 {
        let sums = [false, true].map(|hidden| exact.sum("exact", hidden, [pieces, pieces]));
        let [Some(open), Some(hidden)] = sums else { continue };
        table.row([pieces.to_string()].into_iter().chain(cells(&open)).chain(cells(&hidden)));
    }
    PaperTable {
        caption: "Exact numbers of classes by number of pieces".into(),
        table,
        notes: Vec::new(),
    }
}

fn claims(findings: &ClassCounts) -> Vec<Claim> {
    let time = |method| findings.headline.time(method).map(|t| ms(t.cpu_microseconds));
    let mut claims = vec![agreement(findings)];
    if let (Some(matching), Some(pattern), Some(kinds), Some(ours)) =
        (time("matching"), time("pattern"), time("pattern-kinds"), time("canonical"))
    {
        let patterns = Statement::paper(
            "section 5",
            "Patterns classify the sets in less time than stepwise matching of pairs.",
            "用模式对子力组合分类，比逐对逐步匹配用时更少。",
        )
        .judged(
            sets(findings),
            Finding::exact(pattern < matching),
            format!(
                "{pattern:.0} against {matching:.0} ms on one core, {:.1} times as fast, not the \
                 paper's {:.0}; {:.1} times with pieces of a kind kept together; canonical forms: \
                 {ours:.1} ms, {:.0} times",
                matching / pattern,
                PAPER_SECONDS[0] / PAPER_SECONDS[1],
                matching / kinds,
                matching / ours
            ),
        );
        claims
            .push(patterns.published("0.045 s on Spark against 11.1 s of 2015: 247 times as fast"));
    }
    claims.push(forty_five_milliseconds(findings));
    let percentages = PUBLISHED.map(|(hidden, least, most, percent)| {
        let sum = findings.exact.sum("exact", hidden, [least, most]);
        let near = |x: f64| (x - percent).abs() < 0.005;
        sum.map_or((false, false), |s| {
            (near(s.percent(s.classes)), near(s.percent(s.exchangeable())))
        })
    });
    let counted = |kept: bool| percentages.iter().filter(|p| if kept { p.0 } else { p.1 }).count();
    let present = PUBLISHED
        .iter()
        .filter(|(hidden, least, most, _)| {
            findings.exact.sum("exact", *hidden, [*least, *most]).is_some()
        })
        .count();
    let merging = Statement::paper(
        "abstract",
        "Merging equivalent sets leaves few of them.",
        "合并等价的子力组合后，剩下的很少。",
    )
    .judged(
        Share::of_set(present as u64, PUBLISHED.len() as u64, Unit::Figures),
        Finding::exact(counted(false) == PUBLISHED.len()),
        format!(
            "{} of the four come out with exchangeable colours, {} with the paper's definition, which \
             keeps them",
            counted(false),
            counted(true)
        ),
    );
    claims.push(merging.published("5.82, 28.93, 5.98 and 42.52%"));
    claims
}

/// The paper's sets that the patterns and the matching both visited.
fn sets(findings: &ClassCounts) -> Share {
    let visited = |method: &str| {
        let rows = findings.headline.rows.iter();
        let rows = rows.filter(|r| {
            r.method == method
                && !r.hidden
                && (PAPER_PIECES[0]..=PAPER_PIECES[1]).contains(&r.pieces)
        });
        rows.map(|r| r.sets).sum::<u64>()
    };
    Share::of_set(visited("pattern").min(visited("matching")), PAPER_SETS, Unit::Sets)
}

fn agreement(findings: &ClassCounts) -> Claim {
    let rows = || findings.headline.rows.iter().chain(&findings.figure.rows);
    let same = rows().all(|r| {
        let exact = findings.exact.sum("exact", r.hidden, [r.pieces, r.pieces]);
        exact.is_some_and(|e| (e.sets, e.classes, e.own) == (r.sets, r.classes, r.own))
    });
    let most = METHODS.map(|(name, _)| {
        let most = rows().filter(|r| r.method == name).map(|r| r.pieces).max();
        format!("{name} up to {}", most.unwrap_or(0))
    });
    Statement::paper(
        "section 4",
        "Sets with the same pattern are the classes that matching finds.",
        "模式相同的子力组合正是匹配法找到的等价类。",
    )
    .judged(
        sets(findings),
        Finding::exact(same),
        format!(
            "every method {} the exact number of classes of each number of pieces: {}",
            if same { "finds" } else { "DOES NOT find" },
            most.join(", ")
        ),
    )
}

fn forty_five_milliseconds(findings: &ClassCounts) -> Claim {
    let statement = Statement::paper(
        "section 5",
        "On Spark the 144,158 sets take 0.045 s.",
        "在 Spark 上，144,158 个子力组合用时 0.045 秒。",
    );
    let claim = match findings.spark.iter().find(|r| r.sets == PAPER_SETS) {
        None => statement.untested("Spark was not run"),
        Some(run) => {
            let (start, job) = (run.spark.start_seconds, run.spark.job_seconds);
            statement.judged(
                Share::of_set(run.sets, PAPER_SETS, Unit::Sets),
                Finding::exact(start + job <= PAPER_SECONDS[1]),
                format!(
                    "starting Spark takes {start:.1} s and the job {job:.1} s here, of which the \
                     longest shard computes {:.2} s; one process without Spark takes {:.2} s; the \
                     merged rows {}",
                    run.spark.longest_shard_seconds,
                    run.one,
                    if run.agrees { "are the same" } else { "DIFFER" }
                ),
            )
        }
    };
    claim.published("0.045 s")
}

#[cfg(test)]
mod tests {
    use super::super::SparkTimes;
    use super::*;
    use crate::claim::assert_bilingual;

    fn findings() -> ClassCounts {
        let row = |method: &str, hidden, pieces, classes| ClassRow {
            method: method.into(),
            hidden,
            pieces,
            // The paper's sets of 3 to 8 pieces, shared out among the numbers of pieces.
            sets: if pieces == 8 { PAPER_SETS - 5000 } else { 1000 },
            classes,
            own: 0,
            cpu_microseconds: (method != "exact").then_some(500 * pieces),
        };
        let visited = METHODS.iter().flat_map(|m| (3..=8).map(|n| row(m.0, false, n, 40)));
        let times = METHODS.iter().enumerate().map(|(i, m)| ClassTiming {
            method: m.0.into(),
            microseconds: 9000,
            cpu_microseconds: 8000 - 1000 * i as u64,
        });
        let visited = Classes { rows: visited.collect(), times: times.collect() };
        let exact = [false, true].map(|hidden| (3..=32).map(move |n| row("exact", hidden, n, 40)));
        ClassCounts {
            headline: visited.clone(),
            figure: visited,
            exact: Classes { rows: exact.into_iter().flatten().collect(), times: Vec::new() },
            spark: Vec::new(),
            without_spark: Some("no java".into()),
        }
    }

    #[test]
    fn the_report_shows_the_papers_figures_beside_ours() {
        let report = report(&findings(), "referee reproduce darkchess");
        assert_bilingual(&report.claims);
        let text = report.text();
        assert!(text.contains("11100.0") && text.contains("45.0"), "{text}");
        assert!(text.contains("without Spark: no java"), "{text}");
        assert!(text.contains("[reproduced] Sets with the same pattern"), "{text}");
        assert!(text.contains("[not tested here] On Spark"), "{text}");
        assert!(text.contains("[not reproduced] Merging equivalent sets"), "{text}");
    }

    #[test]
    fn a_method_that_finds_other_classes_is_shouted_about() {
        let mut findings = findings();
        findings.figure.rows[7].classes = 41;
        let text = report(&findings, "").text();
        assert!(text.contains("[not reproduced] Sets with the same pattern"), "{text}");
        assert!(text.contains("DOES NOT find"), "{text}");
    }

    #[test]
    fn a_busy_machine_is_mentioned() {
        let mut findings = findings();
        assert!(!report(&findings, "").text().contains("busy"));
        findings.headline.times[0].microseconds *= 10;
        assert!(report(&findings, "").text().contains("busy with other work"));
    }

    #[test]
    fn sparks_start_counts_against_its_claim() {
        let mut findings = findings();
        findings.spark.push(SparkRun {
            work: "patterns".into(),
            sets: PAPER_SETS,
            one: 0.3,
            two: 0.2,
            shards: 4,
            spark: SparkTimes {
                start_seconds: 5.0,
                job_seconds: 0.04,
                longest_shard_seconds: 0.03,
            },
            agrees: true,
        });
        let text = report(&findings, "").text();
        assert!(text.contains("[not reproduced] On Spark"), "{text}");
        assert!(text.contains("Spark against one core"), "{text}");
    }
}
