//! The report: the paper's figures beside ours.

use super::{
    ClassCounts, ClassRow, ClassTiming, Classes, FIGURE_8, FIGURE_8_METHODS, METHODS, PAPER_PIECES,
    PAPER_SECONDS, PUBLISHED, SparkPoint, SparkRun, claims, ms,
};
use agon_claims::report::{PaperReport, PaperTable, grouped};
use agon_report::plot::{Align, Chart, DataPoint, Mark, Scale, TextTable};

/// Minimum ratio of wall-clock time to processor time at which a machine counts as busy.
const BUSY: f64 = 1.5;

/// Makes the report. `command` is the command line that reproduces it.
pub fn report(findings: &ClassCounts, command: &str) -> PaperReport {
    let mut tables = vec![headline(findings), compression(&findings.exact), figure_8(findings)];
    if !findings.spark.is_empty() {
        tables.push(spark(&findings.spark));
    }
    let mut figures = vec![(
        chart(&findings.figure),
        "Processor time of one core; the paper shows its figure as an image only. A method's line \
         ends where one number of pieces took it longer than --limit."
            .to_string(),
    )];
    if !findings.figure_on_spark.is_empty() {
        tables.push(figure_8_spark_table(&findings.figure_on_spark));
        let caption = "On Spark, as in the paper: two tasks at a time, without the start of Spark.";
        figures.push((spark_chart(&findings.figure_on_spark), caption.into()));
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
        figures,
        claims: claims::all(findings),
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

/// Figure 8 as the paper has it.
fn figure_8_spark_table(points: &[SparkPoint]) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Right, &["Pieces"]),
        (
            Align::Right,
            &["all permuted: job", "longest shard", "ties permuted: job", "longest shard"],
        ),
    ]);
    let s = |seconds: f64| format!("{seconds:.2} s");
    for pieces in FIGURE_8 {
        let cells = FIGURE_8_METHODS.map(|method| {
            let point = points.iter().find(|p| p.method == method && p.pieces == pieces);
            let times = point.map(|p| [p.times.job_seconds, p.times.longest_shard_seconds].map(s));
            times.unwrap_or(["-", "-"].map(String::from))
        });
        table.row(std::iter::once(pieces.to_string()).chain(cells.into_iter().flatten()));
    }
    PaperTable {
        caption: "Figure 8 on Spark: wall clock by number of open pieces".into(),
        table,
        notes: vec![
            "Each number of pieces is a job of its own in four shards, two at a time; the start of Spark is not in the \
             job. A longest shard includes the start of its process."
                .into(),
        ],
    }
}

fn spark_chart(points: &[SparkPoint]) -> Chart {
    let mut chart =
        Chart::new("Figure 8 on Spark: time by number of pieces", "pieces", "seconds of the job");
    chart.y_scale = Scale::Log;
    for method in FIGURE_8_METHODS {
        let of_it = points.iter().filter(|p| p.method == method);
        let points = of_it.map(|p| DataPoint::new(p.pieces as f64, p.times.job_seconds));
        chart.add(method, Mark::DottedLine, points.collect());
    }
    chart
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

#[cfg(test)]
mod tests {
    use super::super::{PAPER_SETS, SparkTimes};
    use super::*;
    use agon_claims::claim::assert_bilingual;

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
            figure_on_spark: Vec::new(),
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

    /// The verdicts of the claims whose text begins so.
    fn verdicts(findings: &ClassCounts, begin: &str) -> Vec<&'static str> {
        let claims = claims::all(findings);
        claims.iter().filter(|c| c.text().starts_with(begin)).map(|c| c.verdict_name()).collect()
    }

    #[test]
    fn merging_is_judged_by_the_papers_definition_and_by_ours_apart() {
        let mut findings = findings();
        for row in &mut findings.exact.rows {
            // One figure of the four: 5.82% with exchangeable colours, 11.64% without.
            (row.sets, row.classes) = (1_000_000, 116_400);
        }
        assert_eq!(verdicts(&findings, "Merging"), ["not reproduced"]);
        assert_eq!(verdicts(&findings, "The four percentages"), ["does not hold"]);
        let evidence = |i: usize| {
            let claims = claims::all(&findings);
            let of_it = claims.iter().filter(|c| c.paper().starts_with("5.82"));
            of_it.map(|c| c.evidence().to_string()).nth(i).unwrap_or_default()
        };
        assert!(
            evidence(0).contains("0 of the 4 figures") && evidence(0).contains("11.64%"),
            "{}",
            evidence(0)
        );
        assert!(
            evidence(1).contains("1 of the 4 figures") && evidence(1).contains("5.82%"),
            "{}",
            evidence(1)
        );
    }

    #[test]
    fn a_part_of_the_27_hours_decides_nothing() {
        let findings = findings();
        assert_eq!(verdicts(&findings, "Stepwise matching takes"), ["undecided"]);
        let report = report(&findings, "");
        let claim = report.claims.iter().find(|c| c.text().contains("27.17")).unwrap();
        assert!(claim.share_text().contains("of 8,497,176 sets"), "{}", claim.share_text());
        assert!(claim.evidence().contains("for 3 to 8 pieces"), "{}", claim.evidence());
    }

    #[test]
    fn figure_8_needs_every_number_of_pieces_on_spark() {
        let mut findings = findings();
        let text = "On Spark, permuting";
        assert_eq!(verdicts(&findings, text), ["not tested here"]);
        let point = |method: &str, pieces, job_seconds| SparkPoint {
            method: method.into(),
            pieces,
            times: SparkTimes { start_seconds: 4.0, job_seconds, longest_shard_seconds: 0.1 },
            agrees: true,
        };
        for pieces in FIGURE_8 {
            let ties = if pieces == 3 { 1.6 } else { 1.0 };
            findings.figure_on_spark.push(point(FIGURE_8_METHODS[0], pieces, 1.5));
            findings.figure_on_spark.push(point(FIGURE_8_METHODS[1], pieces, ties));
        }
        assert_eq!(verdicts(&findings, text), ["direction only"], "not with 3 pieces");
        assert!(report(&findings, "").text().contains("less in 6 of 7 numbers of pieces"));
        findings.figure_on_spark[1].times.job_seconds = 1.0;
        assert_eq!(verdicts(&findings, text), ["reproduced"]);
        findings.figure_on_spark.pop();
        assert_eq!(verdicts(&findings, text), ["undecided"]);
        assert!(report(&findings, "").text().contains("Figure 8 on Spark"));
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
