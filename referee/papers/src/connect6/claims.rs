//! The claims of the thesis, decided by our figures.

use super::tables::{Sum, differences, overhead, ratio, sums};
use super::{EXPERIMENTS, SolvedProblems};
use crate::report::Claim;

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
    vec![
        at_default_limits(original),
        with_adjusted_limits(adjusted),
        without_losses(findings),
        faster(unlimited),
        some_positions(findings),
        small_overhead(&all),
        Claim::untested(
            "The figures hold on the thesis's own 260 positions.",
            "the positions were never published; ours are from self-play",
        ),
    ]
}

fn at_default_limits([plain, db]: [Sum; 2]) -> Claim {
    let (moves, time) =
        (ratio(plain.moves as f64, db.moves as f64), ratio(plain.seconds, db.seconds));
    Claim::new(
        "With the original limits the dependency-based search solves more positions in less time \
         (199 against 180; 1.25 times as fast).",
        db.solved > plain.solved && time > 1.0,
        format!(
            "{} against {}; {moves:.2} times fewer moves, {time:.2} times less time",
            db.solved, plain.solved
        ),
    )
    .published("199 against 180 solved; 1.37 times fewer moves, 1.25 times less time")
}

fn with_adjusted_limits([plain, db]: [Sum; 2]) -> Claim {
    let (moves, time) =
        (ratio(plain.moves as f64, db.moves as f64), ratio(plain.seconds, db.seconds));
    Claim::new(
        "With limits adjusted so that about as many positions are solved it is 1.78 times as fast.",
        db.solved >= plain.solved && time >= 1.78,
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
    Claim::new(
        "In unlimited time both solve the same positions: the inversions and pairs of single \
         threats that the search leaves out lose no win.",
        changed.is_empty(),
        format!("{lost} lost, {} gained", changed.len() - lost),
    )
    .published("72 solved by both")
}

fn faster([plain, db]: [Sum; 2]) -> Claim {
    let (moves, time) =
        (ratio(plain.moves as f64, db.moves as f64), ratio(plain.seconds, db.seconds));
    Claim::new(
        "In unlimited time VCDT needs 6.35 times fewer moves and 4.30 times less time.",
        moves >= PAPER_MOVES && time >= PAPER_TIME,
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
    Claim::new(
        "Some positions are solved more than 50 times as fast.",
        reached > 0,
        format!("{reached} of {}; the greatest: {}", each.len(), greatest.join(", ")),
    )
    .published("more than 50 times")
}

fn small_overhead(all: &[[Sum; 2]; 3]) -> Claim {
    let total = |i: usize| {
        let moves: u64 = all.iter().map(|pair| pair[i].moves).sum();
        let seconds: f64 = all.iter().map(|pair| pair[i].seconds).sum();
        (moves as f64, seconds)
    };
    let percent = 100.0 * overhead([total(0), total(1)]);
    Claim::new(
        "A move of the dependency-based search takes 22.58% more time, over all three experiments.",
        percent <= PAPER_OVERHEAD,
        format!("{percent:+.1}%"),
    )
    .published("22.58%")
}
