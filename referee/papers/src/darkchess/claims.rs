//! The claims of the paper of Hsiao et al. and of the one of 2015 that it quotes, decided by our counts and times.

use super::{
    ClassCounts, ClassRow, Classes, FIGURE_8, FIGURE_8_METHODS, METHODS, PAPER_HOURS,
    PAPER_NUMBERS, PAPER_PIECES, PAPER_SECONDS, PAPER_SETS, PUBLISHED, ms,
};
use agon_claims::report::{Claim, Finding, Share, Statement, Unit, grouped};
use agon_claims::verdict::GREATEST_FACTOR;

/// The claims of both papers.
pub(super) fn all(findings: &ClassCounts) -> Vec<Claim> {
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
            Finding::of_factor(PAPER_SECONDS[0] / PAPER_SECONDS[1], matching / pattern),
            format!(
                "{pattern:.0} against {matching:.0} ms on one core, {:.1} times as fast; {:.1} times with \
                 pieces of a kind kept together; canonical forms: {ours:.1} ms, {:.0} times",
                matching / pattern,
                matching / kinds,
                matching / ours
            ),
        );
        claims
            .push(patterns.published("0.045 s on Spark against 11.1 s of 2015: 247 times as fast"));
    }
    claims.push(forty_five_milliseconds(findings));
    claims.push(figure_8_on_spark(findings));
    claims.push(hours_of_matching(findings));
    claims.push(numbers_of_sets(&findings.exact));
    let paper = Statement::paper(
        "abstract",
        "Merging equivalent sets leaves 5.82, 28.93, 5.98 and 42.52% of them (2015).",
        "合并等价的子力组合后，剩下 5.82%、28.93%、5.98% 和 42.52%（2015 年）。",
    );
    claims.push(merging(paper, &findings.exact, ClassRow::of_the_paper));
    let ours = Statement::ours(
        "abstract",
        "The four percentages of 2015 come out if red and black may be exchanged.",
        "若允许红黑互换，2015 年的四个百分比全部得到。",
    );
    claims.push(merging(ours, &findings.exact, ClassRow::exchangeable));
    claims
}

/// How much the merging leaves: the four percentages that both papers build on, with the classes of a definition.
fn merging(statement: Statement, exact: &Classes, classes: fn(&ClassRow) -> u64) -> Claim {
    let (mut present, mut met, mut ours) = (0, 0, Vec::new());
    for (hidden, least, most, percent) in PUBLISHED {
        let Some(sum) = exact.sum("exact", hidden, [least, most]) else { continue };
        let found = sum.percent(classes(&sum));
        present += 1;
        met += u64::from((found - percent).abs() < 0.005);
        ours.push(format!("{found:.2}%"));
    }
    let whole = PUBLISHED.len() as u64;
    statement
    .judged(
        Share::of_set(present, whole, Unit::Figures),
        Finding::exact(met == whole),
        format!("{met} of the {whole} figures come out: {}", ours.join(", ")),
    )
    .published(
        "5.82, 28.93, 5.98 and 42.52% (abstract of 2015); equivalent pieces have the same colour",
    )
}

/// The sets that the introduction counts.
fn numbers_of_sets(exact: &Classes) -> Claim {
    let found: Vec<u64> = PAPER_NUMBERS
        .iter()
        .filter_map(|(hidden, _)| exact.sum("exact", *hidden, [3, 32]).map(|sum| sum.sets))
        .collect();
    let same = found == PAPER_NUMBERS.map(|(_, sets)| sets);
    Statement::paper(
        "introduction",
        "There are 8,497,176 sets without hidden pieces and 239,980,775,397 with at least one.",
        "没有暗子的子力组合有 8,497,176 组，至少含一个暗子的有 239,980,775,397 组。",
    )
    .judged(
        Share::of_set(found.len() as u64, PAPER_NUMBERS.len() as u64, Unit::Figures),
        Finding::exact(same),
        found.iter().map(grouped).collect::<Vec<_>>().join(" and "),
    )
    .published("8,497,176 and 239,980,775,397, quoted from 2015")
}

/// The time of the matching of 2015 for all open sets: ours ends at the time limit.
fn hours_of_matching(findings: &ClassCounts) -> Claim {
    let rows: Vec<&ClassRow> =
        findings.figure.rows.iter().filter(|r| r.method == "matching" && !r.hidden).collect();
    let seconds = |row: &ClassRow| row.cpu_microseconds.map(|us| us as f64 / 1e6);
    let all: f64 = rows.iter().filter_map(|row| seconds(row)).sum();
    let last = rows.last().map_or(0, |row| row.pieces);
    let growth = match rows.as_slice() {
        [.., before, last] => seconds(last).zip(seconds(before)).map(|(a, b)| a / b.max(1e-6)),
        _ => None,
    };
    let growth = growth.map_or(String::new(), |growth| {
        format!(", the last number of pieces {growth:.1} times as long as the one before")
    });
    let exact = findings.exact.time("exact").map_or(String::new(), |time| {
        format!("; the exact counts of all sets take {:.0} ms", ms(time.cpu_microseconds))
    });
    Statement::paper(
        "introduction",
        "Stepwise matching takes 27.17 hours for the sets without hidden pieces.",
        "逐步匹配法处理没有暗子的子力组合用时 27.17 小时。",
    )
    .judged(
        Share::of_set(rows.iter().map(|row| row.sets).sum(), PAPER_NUMBERS[0].1, Unit::Sets),
        Finding::exact((all / 3600.0 / PAPER_HOURS).ln().abs() <= GREATEST_FACTOR.ln()),
        format!("{all:.1} s of one core for 3 to {last} pieces{growth}{exact}"),
    )
    .published("27.17 hours, on the machine of 2015")
}

/// Figure 8: on Spark, permuting only the ties against permuting all pieces, by number of pieces.
fn figure_8_on_spark(findings: &ClassCounts) -> Claim {
    let statement = Statement::paper(
        "section 4, figure 8",
        "On Spark, permuting only what ties takes less time than permuting all pieces.",
        "在 Spark 上，只交换威胁值相同的棋子，比全部排列组合用时更少。",
    );
    if findings.figure_on_spark.is_empty() {
        let why = findings.without_spark.as_deref().unwrap_or("Spark was not run");
        return statement.untested(why).published(FIGURE_8_PAPER);
    }
    let seconds = |method: &str, pieces| {
        let mut points = findings.figure_on_spark.iter();
        let point = points.find(|p| p.method == method && p.pieces == pieces);
        point.map(|p| p.times.job_seconds)
    };
    let pairs: Vec<(u64, f64, f64)> = FIGURE_8
        .filter_map(|n| {
            Some((n, seconds(FIGURE_8_METHODS[0], n)?, seconds(FIGURE_8_METHODS[1], n)?))
        })
        .collect();
    let less = pairs.iter().filter(|(_, all, ties)| ties < all).count();
    let agree = findings.figure_on_spark.iter().all(|point| point.agrees);
    let (finding, ends) = match (pairs.first(), pairs.last()) {
        (Some(first), Some(last)) => {
            let finding = match last.2 < last.1 {
                _ if less == pairs.len() => Finding::Holds,
                true => Finding::Direction,
                false => Finding::Fails,
            };
            let words = [first, last]
                .map(|(n, all, ties)| format!("{n} pieces: {ties:.2} against {all:.2} s"));
            (finding, words.join(", "))
        }
        _ => (Finding::Unclear, "no times".into()),
    };
    statement
        .judged(
            Share::of_set(pairs.len() as u64, FIGURE_8.count() as u64, Unit::Figures),
            finding,
            format!(
                "less in {less} of {} numbers of pieces; {ends}, of which Spark alone takes most with few \
                 pieces; the classes {}",
                pairs.len(),
                if agree { "are the exact ones" } else { "DIFFER from the exact ones" }
            ),
        )
        .published(FIGURE_8_PAPER)
}

const FIGURE_8_PAPER: &str = "less time by the swapping sequence; figure 8 is an image";

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
        "section 3",
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
