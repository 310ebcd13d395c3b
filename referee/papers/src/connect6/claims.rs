//! The claims of the thesis, decided by our figures.

use super::tables::{Sum, differences, overhead, ratio, sums};
use super::{EXPERIMENTS, SolvedProblems};
use crate::report::{Claim, Finding, Share, Statement, Unit};

/// The speed-ups of the thesis's table 5 and its overhead, in percent.
const PAPER_MOVES: f64 = 6.35;
const PAPER_TIME: f64 = 4.30;
const PAPER_OVERHEAD: f64 = 22.58;
/// "Some positions" are sped up by at least this factor.
const PAPER_GREATEST: f64 = 50.0;

/// The claims of chapters 4 and 5.
pub fn claims(findings: &SolvedProblems) -> Vec<Claim> {
    let all = EXPERIMENTS.map(|experiment| sums(findings, &experiment));
    let [original, adjusted, unlimited] = all;
    let share = share(findings);
    vec![
        at_default_limits(share, original),
        with_adjusted_limits(share, adjusted),
        without_losses(findings),
        faster(share, unlimited),
        some_positions(findings),
        small_overhead(share, &all),
        Statement::paper(
            "chapter 4",
            "The figures hold on the thesis's own 260 positions.",
            "这些数值在论文自己的 260 个局面上成立。",
        )
        .untested("the positions were never published; ours are from self-play"),
    ]
}

/// Every claim is about the whole set.
fn share(findings: &SolvedProblems) -> Share {
    Share::of_set(findings.numbers().count() as u64, findings.wanted as u64, Unit::Positions)
}

fn at_default_limits(share: Share, [plain, db]: [Sum; 2]) -> Claim {
    let (moves, time) =
        (ratio(plain.moves as f64, db.moves as f64), ratio(plain.seconds, db.seconds));
    Statement::paper(
        "4.2, table 3",
        "With the original limits the dependency-based search solves more positions in less time \
         (199 against 180; 1.25 times as fast).",
        "在原来的限制下，依赖式搜索用更少的时间解出更多的局面（199 对 180；快 1.25 倍）。",
    )
    .judged(
        share,
        Finding::exact(db.solved > plain.solved && time > 1.0),
        format!(
            "{} against {}; {moves:.2} times fewer moves, {time:.2} times less time",
            db.solved, plain.solved
        ),
    )
    .published("199 against 180 solved; 1.37 times fewer moves, 1.25 times less time")
}

fn with_adjusted_limits(share: Share, [plain, db]: [Sum; 2]) -> Claim {
    let (moves, time) =
        (ratio(plain.moves as f64, db.moves as f64), ratio(plain.seconds, db.seconds));
    Statement::paper(
        "4.3, table 4",
        "With limits adjusted so that about as many positions are solved it is 1.78 times as fast.",
        "调整限制使解出的局面数大致相同时，它快 1.78 倍。",
    )
    .judged(
        share,
        Finding::exact(db.solved >= plain.solved && time >= 1.78),
        format!(
            "{} against {} solved; {moves:.2} times fewer moves, {time:.2} times less time",
            db.solved, plain.solved
        ),
    )
    .published("181 against 180 solved; 2.10 times fewer moves, 1.78 times less time")
}

fn without_losses(findings: &SolvedProblems) -> Claim {
    let changed = differences(findings, &EXPERIMENTS[2]);
    let lost = changed.iter().filter(|(_, lost, _)| *lost).count();
    Statement::paper(
        "table 5, figure 44",
        "In unlimited time both solve the same positions: the inversions and pairs of single \
         threats that the search leaves out lose no win.",
        "不限时间时两者解出同样的局面：搜索略去的倒置与单威胁对不会丢失胜局。",
    )
    .judged(
        share(findings),
        Finding::exact(changed.is_empty()),
        format!("{lost} lost, {} gained", changed.len() - lost),
    )
    .published("72 solved by both")
}

fn faster(share: Share, [plain, db]: [Sum; 2]) -> Claim {
    let (moves, time) =
        (ratio(plain.moves as f64, db.moves as f64), ratio(plain.seconds, db.seconds));
    Statement::paper(
        "table 5, figure 44",
        "In unlimited time VCDT needs 6.35 times fewer moves and 4.30 times less time.",
        "不限时间时，VCDT 所需着法少 6.35 倍，时间少 4.30 倍。",
    )
    .judged(
        share,
        Finding::exact(moves >= PAPER_MOVES && time >= PAPER_TIME),
        format!("{moves:.2} times fewer moves, {time:.2} times less time"),
    )
    .published("6.35 times fewer moves, 4.30 times less time")
}

fn some_positions(findings: &SolvedProblems) -> Claim {
    let mut each: Vec<(f64, usize)> = findings
        .pairs(EXPERIMENTS[2].searches)
        .map(|(n, [plain, db])| (ratio(plain.cpu_seconds, db.cpu_seconds), n))
        .filter(|(times, _)| times.is_finite())
        .collect();
    each.sort_by(|a, b| b.0.total_cmp(&a.0));
    let greatest: Vec<String> =
        each.iter().take(3).map(|(times, n)| format!("{times:.1} times (number {n})")).collect();
    let reached = each.iter().filter(|(times, _)| *times >= PAPER_GREATEST).count();
    Statement::paper(
        "table 5, figure 44",
        "Some positions are solved more than 50 times as fast.",
        "有些局面的求解快 50 倍以上。",
    )
    .judged(
        share(findings),
        Finding::exact(reached > 0),
        format!("{reached} of {}; the greatest: {}", each.len(), greatest.join(", ")),
    )
    .published("more than 50 times")
}

fn small_overhead(share: Share, all: &[[Sum; 2]; 3]) -> Claim {
    let total = |i: usize| {
        let moves: u64 = all.iter().map(|pair| pair[i].moves).sum();
        let seconds: f64 = all.iter().map(|pair| pair[i].seconds).sum();
        (moves as f64, seconds)
    };
    let percent = 100.0 * overhead([total(0), total(1)]);
    Statement::paper(
        "chapter 4",
        "A move of the dependency-based search takes 22.58% more time, over all three experiments.",
        "三个实验合计，依赖式搜索每着多用 22.58% 的时间。",
    )
    .judged(share, Finding::exact(percent <= PAPER_OVERHEAD), format!("{percent:+.1}%"))
    .published("22.58%")
}
