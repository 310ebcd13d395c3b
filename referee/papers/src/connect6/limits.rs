//! The adjusted limits of section 4.3. The thesis lowers the limits of the dependency-based search
//! until both searches solve about as many positions, with as little time as possible; its constants
//! (70,000 and 3,800,000 stones) are those of its own positions and program. Here both limits are
//! lowered together, and the least with which the search still solves as many positions as the original
//! search are found by bisection. Every step is a run over the whole set, as a search with larger limits
//! does not begin like one with smaller ones: it tries the single threats later.

use super::tables::sum;
use super::{EXPERIMENTS, SearchCall, SolvedProblems, ThesisTable};
use agon_claims::report::{PaperTable, grouped};
use agon_report::plot::{Align, TextTable};

/// The original limits: stones an iteration, and in all.
const ORIGINAL: [u64; 2] = [130_000, 7_200_000];

/// The original limits in steps of the scale: a step is 500 stones an iteration.
const WHOLE: u64 = 260;

/// Limits: a number of steps from 1 to [`WHOLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoneLimits(u64);

impl StoneLimits {
    /// The maximum number of stones an iteration and in all.
    fn stones(self) -> [u64; 2] {
        ORIGINAL.map(|limit| limit * self.0 / WHOLE)
    }

    /// The search with these limits.
    pub fn search(self) -> SearchCall {
        let [iteration, total] = self.stones().map(|stones| stones.to_string());
        let words = ["--depth", "20", "--iteration", &iteration, "--total", &total];
        SearchCall { name: self.name(), arguments: words.map(String::from).to_vec() }
    }

    /// The name of this search in rows.
    fn name(self) -> String {
        if self.0 == WHOLE { "db".into() } else { format!("db-{}", self.stones()[0]) }
    }
}

impl std::fmt::Display for StoneLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [iteration, total] = self.stones().map(grouped);
        write!(f, "{iteration} stones an iteration and {total} in all")
    }
}

/// How far the search for the limits has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitSearch {
    /// The searches with the original limits have not run on all positions.
    Waiting,
    /// These limits are to be tried next.
    Next(StoneLimits),
    /// The least limits that suffice, and the next smaller ones, which do not; `None`: these are the
    /// least of the scale.
    Found(StoneLimits, Option<StoneLimits>),
    /// With the original limits, too, the dependency-based search solves fewer positions.
    TooFew,
}

/// The state of the search for the limits.
pub fn limit_search(findings: &SolvedProblems) -> LimitSearch {
    let Some(target) = findings.solved("plain") else { return LimitSearch::Waiting };
    bisect(target, |limits| findings.solved(&limits.name()))
}

/// Bisects by the geometric mean, as the number solved grows with the logarithm of the limits.
fn bisect(target: u64, solved: impl Fn(StoneLimits) -> Option<u64>) -> LimitSearch {
    match solved(StoneLimits(WHOLE)) {
        None => return LimitSearch::Waiting,
        Some(n) if n < target => return LimitSearch::TooFew,
        Some(_) => {}
    }
    let (mut low, mut high) = (0, WHOLE);
    while high - low > 1 {
        let middle = (low.max(1) * high).isqrt().clamp(low + 1, high - 1);
        match solved(StoneLimits(middle)) {
            None => return LimitSearch::Next(StoneLimits(middle)),
            Some(n) if n >= target => high = middle,
            Some(_) => low = middle,
        }
    }
    LimitSearch::Found(StoneLimits(high), (low > 0).then_some(StoneLimits(low)))
}

/// Table 4 with the limits found, if they are.
pub fn adjusted(findings: &SolvedProblems) -> Option<ThesisTable> {
    let LimitSearch::Found(limits, _) = limit_search(findings) else { return None };
    Some(ThesisTable {
        label: "4",
        words: "VCDT and VCST, limits adjusted to these positions",
        searches: ["plain".into(), limits.name().into()],
        ..EXPERIMENTS[1].clone()
    })
}

/// The experiments, with both forms of table 4 once the limits are found.
pub fn experiments(findings: &SolvedProblems) -> Vec<ThesisTable> {
    let [original, constants, unlimited] = EXPERIMENTS;
    [Some(original), adjusted(findings), Some(constants), Some(unlimited)]
        .into_iter()
        .flatten()
        .collect()
}

/// The steps of the search for the limits: what each solved.
pub fn curve(findings: &SolvedProblems) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Search"]),
        (Align::Right, &["Stones an iteration", "In all", "Solved", "Moves", "Time (s)"]),
    ]);
    let steps = (1..=WHOLE).rev().map(StoneLimits);
    let db = steps.map(|limits| ("dependency-based", limits, limits.name()));
    let all = [("original", StoneLimits(WHOLE), "plain".to_string())].into_iter().chain(db);
    for (words, limits, name) in all {
        let Some(solved) = findings.solved(&name) else { continue };
        let [iteration, total] = limits.stones().map(grouped);
        let sum = sum(findings, &name);
        let cells = [grouped(sum.moves), format!("{:.1}", sum.seconds)];
        let [moves, seconds] = cells;
        table.row([words.into(), iteration, total, solved.to_string(), moves, seconds]);
    }
    PaperTable {
        caption: "The search for the adjusted limits".into(),
        table,
        notes: vec![
            "Wanted: the least limits with which the dependency-based search solves as many positions \
             as the original search with the original limits. Both limits are lowered in the same \
             ratio, in steps of 500 stones an iteration, by bisection."
                .into(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_least_limits_that_solve_as_many_are_found_in_few_steps() {
        for least in 1..=WHOLE {
            let mut known: BTreeMap<u64, u64> = BTreeMap::from([(WHOLE, 7)]);
            let found = loop {
                match bisect(5, |limits| known.get(&limits.0).copied()) {
                    LimitSearch::Next(limits) => {
                        known.insert(limits.0, if limits.0 >= least { 5 } else { 4 });
                    }
                    end => break end,
                }
            };
            let below = (least > 1).then(|| StoneLimits(least - 1));
            assert_eq!(found, LimitSearch::Found(StoneLimits(least), below));
            assert!(known.len() <= 15, "{least}: {known:?}");
        }
        assert_eq!(bisect(8, |_| Some(7)), LimitSearch::TooFew);
        assert_eq!(bisect(8, |_| None), LimitSearch::Waiting);
    }

    #[test]
    fn the_scale_ends_at_the_original_limits() {
        assert_eq!(StoneLimits(WHOLE).stones(), ORIGINAL);
        let search = StoneLimits(18).search();
        assert_eq!(search.name, "db-9000");
        assert_eq!(search.arguments[2..], ["--iteration", "9000", "--total", "498461"]);
    }
}
