//! The claims of the thesis, decided by our figures.

use super::limits::{LimitSearch, StoneLimits, adjusted, experiments, limit_search};
use super::tables::{Sum, differences, overhead, ratio, sums};
use super::{EXPERIMENTS, PAPER_POSITIONS, SolvedProblems};
use agon_claims::report::{Claim, Finding, Share, Statement, Unit, grouped};

/// "Some positions" are sped up by more than this factor.
const GREATEST: f64 = 50.0;
/// Those that take the original search more than 10 s, by more than this factor.
const HARD: f64 = 5.0;
/// 10 s in stones placed: the thesis counts 100,000 as one second (section 4.1).
const TEN_SECONDS: u64 = 1_000_000;
/// Why claims about adjusted limits are open.
pub(super) const UNFINISHED: &str = "the search for the adjusted limits is not finished";

/// The claims of the abstract and of chapters 4 and 5.
pub fn claims(findings: &SolvedProblems) -> Vec<Claim> {
    // A set smaller than the thesis's decides nothing, even if it was run whole.
    let whole = findings.wanted.max(PAPER_POSITIONS) as u64;
    let share = Share::of_set(findings.numbers().count() as u64, whole, Unit::Positions);
    let [original, constants, unlimited] = EXPERIMENTS.map(|e| sums(findings, &e));
    let adjusted = adjusted(findings).map(|e| sums(findings, &e));
    let tables = adjusted.map(|adjusted| [original, adjusted, unlimited]);
    vec![
        more_solved(share, original),
        original_limits(share, original),
        adjusted_limits(share, findings, adjusted),
        thesis_limits(share, constants),
        equally_many(share, findings, unlimited),
        without_losses(share, findings),
        unlimited_time(share, unlimited),
        some_positions(share, findings),
        hard_positions(share, findings),
        on_average(share, tables),
        small_overhead(share, tables),
        Statement::paper(
            "chapter 5",
            "With adjusted limits it is 1.7 times as fast and solves about 20 more positions.",
            "调整参数之后，速度为 1.7 倍，并多解出约 20 题。",
        )
        .untested(
            "no table of the thesis has both: 1.78 times and 1 more (table 4), 1.25 times and 19 \
             more (table 3)",
        ),
        Statement::paper(
            "chapter 4",
            "The figures hold on the thesis's own 260 positions.",
            "这些数值在论文自己的 260 个局面上成立。",
        )
        .untested("the positions were never published; ours are from self-play"),
    ]
}

/// How many times fewer moves and less time the dependency-based search takes.
fn gains([plain, db]: [Sum; 2]) -> [f64; 2] {
    [ratio(plain.moves as f64, db.moves as f64), ratio(plain.seconds, db.seconds)]
}

fn gains_text(sums: [Sum; 2]) -> String {
    let [moves, time] = gains(sums);
    format!("{moves:.2} times fewer moves, {time:.2} times less time")
}

/// Both gains against the thesis's.
fn gains_finding(paper: [f64; 2], sums: [Sum; 2]) -> Finding {
    let [moves, time] = gains(sums);
    Finding::of_factor(paper[0], moves).and(Finding::of_factor(paper[1], time))
}

fn more_solved(share: Share, [plain, db]: [Sum; 2]) -> Claim {
    let ours = ratio(db.solved as f64, plain.solved as f64);
    Statement::paper(
        "4.2, table 3",
        "With the original limits the dependency-based search solves more positions, 199 against 180.",
        "用原始参数时，DB-Search 解出更多局面：199 对 180。",
    )
    .judged(
        share,
        Finding::of_factor(199.0 / 180.0, ours),
        format!("{} against {}", db.solved, plain.solved),
    )
    .published("199 against 180")
}

fn original_limits(share: Share, sums: [Sum; 2]) -> Claim {
    Statement::paper(
        "4.2, table 3",
        "With the original limits it makes 1.37 times fewer moves and is 1.25 times as fast.",
        "用原始参数时，着法数减为 1/1.37，速度为 1.25 倍。",
    )
    .judged(share, gains_finding([1.37, 1.25], sums), gains_text(sums))
    .published("1.37 times fewer moves, 1.25 times less time")
}

fn adjusted_limits(share: Share, findings: &SolvedProblems, sums: Option<[Sum; 2]>) -> Claim {
    let (finding, evidence) = match (limit_search(findings), sums) {
        (LimitSearch::Found(limits, below), Some(sums)) => {
            let solved =
                |limits: StoneLimits| Some((limits, findings.solved(&limits.search().name)?));
            let below = below.and_then(solved);
            let below = below.map_or(String::new(), |(limits, n)| format!("; {n} with {limits}"));
            let [plain, db] = sums.map(|sum| sum.solved);
            let text = gains_text(sums);
            let text =
                format!("limits found: {limits}; {db} against {plain} solved{below}; {text}");
            (gains_finding([2.09, 1.78], sums), text)
        }
        (LimitSearch::TooFew, _) => {
            (Finding::Fails, "it solves fewer with the original limits, too".to_string())
        }
        _ => (Finding::Unclear, UNFINISHED.to_string()),
    };
    Statement::paper(
        "4.3, table 4",
        "With limits adjusted so that both solve about as many positions it makes 2.09 times fewer \
         moves and is 1.78 times as fast.",
        "调整参数使两者解题数量接近相同时，着法数减为 1/2.09，速度为 1.78 倍。",
    )
    .judged(share, finding, evidence)
    .published("181 against 180 solved; 2.09 times fewer moves, 1.78 times less time")
}

fn thesis_limits(share: Share, sums: [Sum; 2]) -> Claim {
    let [plain, db] = sums.map(|sum| sum.solved);
    let solved = Finding::of_factor(181.0 / 180.0, ratio(db as f64, plain as f64));
    Statement::ours(
        "4.3, table 4",
        "The same with the constants of the thesis: 70,000 stones an iteration and 3,800,000 in all.",
        "同上，直接采用论文的常数：单次迭代 70,000 子，总计 3,800,000 子。",
    )
    .judged(
        share,
        solved.and(gains_finding([2.09, 1.78], sums)),
        format!("{db} against {plain} solved; {}", gains_text(sums)),
    )
    .published("181 against 180 solved; 2.09 times fewer moves, 1.78 times less time")
}

fn equally_many(share: Share, findings: &SolvedProblems, [plain, db]: [Sum; 2]) -> Claim {
    let changed = differences(findings, &EXPERIMENTS[2]);
    let lost = changed.iter().filter(|(_, lost, _)| *lost).count();
    Statement::paper(
        "table 5",
        "In unlimited time both searches solve the same number of positions.",
        "不限时间时，两种搜索解出的题目数量相同。",
    )
    .judged(
        share,
        Finding::exact(plain.solved == db.solved),
        format!(
            "{} against {}: {lost} lost, {} gained",
            db.solved,
            plain.solved,
            changed.len() - lost
        ),
    )
    .published("72 solved by both")
}

fn without_losses(share: Share, findings: &SolvedProblems) -> Claim {
    let all = experiments(findings);
    let changed = all.iter().flat_map(|e| differences(findings, e));
    let holes = changed.filter(|(_, lost, why)| *lost && (why == "inversion" || why == "2ST pair"));
    let lost = holes.count();
    Statement::paper(
        "chapter 5",
        "The inversions and pairs of single threats that the rules leave out lose no position of the \
         set.",
        "规则尚未涵盖的反手与 2ST 搭配情形，对测试题目没有影响。",
    )
    .judged(share, Finding::exact(lost == 0), format!("{lost} lost by them in all experiments"))
    .published("no effect on 260 positions")
}

fn unlimited_time(share: Share, sums: [Sum; 2]) -> Claim {
    Statement::paper(
        "table 5, figure 44",
        "In unlimited time VCDT needs 6.35 times fewer moves and 4.30 times less time.",
        "不限时间时，VCDT 的着法数减为 1/6.35，时间减为 1/4.30。",
    )
    .judged(share, gains_finding([6.35, 4.30], sums), gains_text(sums))
    .published("6.35 times fewer moves, 4.30 times less time")
}

/// The speed-ups of the positions of table 5 that take the original search more than these stones,
/// greatest first, with the number of the position.
fn speed_ups(findings: &SolvedProblems, above: u64) -> Vec<(f64, usize)> {
    let mut each: Vec<(f64, usize)> = findings
        .pairs(&EXPERIMENTS[2])
        .filter(|(_, [plain, _])| plain.stones > above)
        .map(|(n, [plain, db])| (ratio(plain.cpu_seconds, db.cpu_seconds), n))
        .filter(|(times, _)| times.is_finite())
        .collect();
    each.sort_by(|a, b| b.0.total_cmp(&a.0));
    each
}

fn some_positions(share: Share, findings: &SolvedProblems) -> Claim {
    let each = speed_ups(findings, 0);
    let greatest: Vec<String> =
        each.iter().take(3).map(|(times, n)| format!("{times:.1} times (number {n})")).collect();
    let reached = each.iter().filter(|(times, _)| *times > GREATEST).count();
    Statement::paper(
        "abstract, table 5, figure 44",
        "Some positions are solved more than 50 times as fast.",
        "有些盘面的加速达到 50 倍以上。",
    )
    .judged(
        share,
        Finding::exact(reached > 0),
        format!("{reached} of {}; the greatest: {}", each.len(), greatest.join(", ")),
    )
    .published("more than 50 times")
}

fn hard_positions(share: Share, findings: &SolvedProblems) -> Claim {
    let each = speed_ups(findings, TEN_SECONDS);
    let (mut plain_time, mut db_time) = (0.0, 0.0);
    for (_, [plain, db]) in findings.pairs(&EXPERIMENTS[2]) {
        if plain.stones > TEN_SECONDS {
            plain_time += plain.cpu_seconds;
            db_time += db.cpu_seconds;
        }
    }
    let together = ratio(plain_time, db_time);
    let finding = if each.is_empty() {
        Finding::Unclear
    } else if together > HARD {
        Finding::Holds
    } else if together > 1.0 {
        Finding::Direction
    } else {
        Finding::Fails
    };
    let reached = each.iter().filter(|(times, _)| *times > HARD).count();
    Statement::paper(
        "chapter 5",
        "Where the original search takes more than 10 s, it is more than 5 times as fast.",
        "原本需 10 秒以上搜索时间的盘面，加速超过 5 倍。",
    )
    .judged(
        share,
        finding,
        format!(
            "where the original search places more than {} stones, of which the thesis counts \
             100,000 as a second: {together:.2} times less time together, more than 5 times in \
             {reached} of {}",
            grouped(TEN_SECONDS),
            each.len()
        ),
    )
    .published("more than 5 times")
}

/// A claim about tables 3 to 5 together, judged once the adjusted limits are found.
fn over_tables(
    statement: Statement,
    share: Share,
    tables: Option<[[Sum; 2]; 3]>,
    judge: impl Fn([[Sum; 2]; 3]) -> (Finding, String),
) -> Claim {
    let (finding, evidence) = tables.map_or((Finding::Unclear, UNFINISHED.into()), judge);
    statement.judged(share, finding, evidence)
}

fn on_average(share: Share, tables: Option<[[Sum; 2]; 3]>) -> Claim {
    let statement = Statement::paper(
        "abstract",
        "It is about 3 times as fast on average.",
        "迫着空间搜索的速度平均提升约 3 倍。",
    );
    let judge = |tables: [[Sum; 2]; 3]| {
        let [first, second, third] = tables.map(|sums| gains(sums)[1]);
        let mean = (second + third) / 2.0;
        let seconds = |i: usize| tables.iter().map(|pair| pair[i].seconds).sum::<f64>();
        let words = format!(
            "{mean:.2}, the mean of tables 4 and 5 (the thesis's: 3.04; it does not say what 3 is \
             the mean of); {:.2}, that of tables 3 to 5 (2.44); {:.2} in the sum of all times (1.69)",
            (first + second + third) / 3.0,
            ratio(seconds(0), seconds(1))
        );
        (Finding::of_factor(3.0, mean), words)
    };
    over_tables(statement, share, tables, judge).published("3")
}

fn small_overhead(share: Share, tables: Option<[[Sum; 2]; 3]>) -> Claim {
    let statement = Statement::paper(
        "chapter 4",
        "A move of the dependency-based search takes 22.58% more time, over all three experiments.",
        "三项实验合计，DB-Search 每着的 overhead 约为 22.58%。",
    );
    let judge = |tables: [[Sum; 2]; 3]| {
        let total = |i: usize| {
            let moves: u64 = tables.iter().map(|pair| pair[i].moves).sum();
            (moves as f64, tables.iter().map(|pair| pair[i].seconds).sum())
        };
        let ours = overhead([total(0), total(1)]);
        (Finding::of_factor(1.2258, 1.0 + ours), format!("{:+.1}% a move", 100.0 * ours))
    };
    over_tables(statement, share, tables, judge).published("+22.58%")
}
