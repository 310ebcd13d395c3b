//! The tables: the thesis's figures beside ours, and the positions lost or gained.

use super::{EXPERIMENTS, PAPER_POSITIONS, SolveLine, SolvedProblems, ThesisTable};
use agon_claims::report::PaperTable;
use agon_claims::report::grouped;
use agon_report::plot::{Align, TextTable};

/// The total effort of a search over all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Attacking turns.
    pub moves: u64,
    /// Processor time of the searches.
    pub seconds: f64,
    /// Processor time of the verifier.
    pub verifying: f64,
    /// Number of positions won.
    pub solved: u64,
}

impl Sum {
    fn add(&mut self, answer: &SolveLine) {
        self.moves += answer.moves;
        self.seconds += answer.cpu_seconds;
        self.verifying += answer.verify_seconds;
        self.solved += u64::from(answer.solved());
    }

    /// Time per move, in microseconds.
    pub fn micros_per_move(&self) -> f64 {
        1e6 * self.seconds / self.moves.max(1) as f64
    }
}

/// The ratio of `a` to `b`; `NaN` if `b` is not positive.
pub fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { f64::NAN }
}

/// The totals of the two searches of an experiment.
pub fn sums(findings: &SolvedProblems, experiment: &ThesisTable) -> [Sum; 2] {
    let [plain, db] = &experiment.searches;
    [sum(findings, plain), sum(findings, db)]
}

/// The total of a search.
pub fn sum(findings: &SolvedProblems, search: &str) -> Sum {
    let mut sum = Sum::default();
    findings.numbers().filter_map(|n| findings.answer(n, search)).for_each(|a| sum.add(a));
    sum
}

/// The overhead per move of the dependency-based search as a share of the plain search's time per
/// move, from the moves and seconds of both.
pub fn overhead([plain, db]: [(f64, f64); 2]) -> f64 {
    ratio(ratio(db.1, plain.1), ratio(db.0, plain.0)) - 1.0
}

/// Table 3, 4 or 5.
pub fn compared(findings: &SolvedProblems, experiment: &ThesisTable) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Search"]),
        (Align::Right, &["Moves", "Time (s)", "us a move", "Solved", "Verifier (s)"]),
        (Align::Right, &["Thesis: moves", "Time (s)", "us a move", "Solved"]),
    ]);
    let [plain, db] = sums(findings, experiment);
    let [paper, paper_db] = experiment.paper;
    for (name, ours, theirs) in [("original", plain, paper), ("dependency-based", db, paper_db)] {
        let (moves, seconds, solved) = theirs;
        table.row([
            name.to_string(),
            grouped(ours.moves),
            format!("{:.1}", ours.seconds),
            format!("{:.2}", ours.micros_per_move()),
            ours.solved.to_string(),
            format!("{:.2}", ours.verifying),
            grouped(moves),
            format!("{seconds:.0}"),
            format!("{:.1}", 1e6 * seconds / moves as f64),
            solved.to_string(),
        ]);
    }
    let times = |a: f64, b: f64| format!("{:.2}", ratio(a, b));
    let printed = |a: f64, b: f64| format!("{:.2}", (100.0 * ratio(a, b)).floor() / 100.0);
    let percent = |x: f64| format!("{:+.1}%", 100.0 * x);
    let both = |s: &Sum| (s.moves as f64, s.seconds);
    let theirs = |p: (u64, f64, u64)| (p.0 as f64, p.1);
    table.row([
        "speed-up".to_string(),
        times(plain.moves as f64, db.moves as f64),
        times(plain.seconds, db.seconds),
        percent(overhead([both(&plain), both(&db)])),
        format!("{:+}", db.solved as i64 - plain.solved as i64),
        String::new(),
        printed(paper.0 as f64, paper_db.0 as f64),
        printed(paper.1, paper_db.1),
        percent(overhead([theirs(paper), theirs(paper_db)])),
        format!("{:+}", paper_db.2 as i64 - paper.2 as i64),
    ]);
    PaperTable {
        caption: format!("Table {}: {}", experiment.label, experiment.words),
        table,
        notes: vec![format!(
            "Ours: {} positions; the thesis's: {PAPER_POSITIONS}, which were never published. The time \
             is the search's; what the verifier takes to replay the wins stands apart. Our \
             speed-ups are rounded, the thesis's cut off as it prints them. Under `us a move` stands the overhead: a turn that \
             is left out takes its time too, but does not count as a move.",
            findings.numbers().count()
        )],
    }
}

/// Solved positions by known result.
pub fn by_result(findings: &SolvedProblems) -> PaperTable {
    let names = ["plain", "db", "db-adjusted", "plain-vcdt", "db-vcdt"];
    let mut table = TextTable::new(&[
        (Align::Left, &["Known result"]),
        (Align::Right, &["Positions"]),
        (Align::Right, &names),
    ]);
    for known in ["VCDT", "VCST", "unknown"] {
        let own: Vec<usize> = findings.numbers().filter(|n| findings.known(*n) == known).collect();
        let solved = names.map(|name| {
            let won = |n: &&usize| findings.answer(**n, name).is_some_and(SolveLine::solved);
            own.iter().filter(won).count().to_string()
        });
        table.row([known.to_string(), own.len().to_string()].into_iter().chain(solved));
    }
    PaperTable {
        caption: "Solved, by what the problem set says".into(),
        table,
        notes: vec![
            "The set names the best that was known when it was made, by a plain search or a \
             dependency-based one; every win here and there has passed the verifier."
                .into(),
        ],
    }
}

/// Maximum number of stones for the plain search in total, except in the experiment without a
/// limit.
const PLAIN_TOTAL: u64 = 7_200_000;

/// Positions that only one of the two searches of an experiment wins: the problem number, whether
/// the dependency-based search loses it, and the cause.
pub fn differences(
    findings: &SolvedProblems,
    experiment: &ThesisTable,
) -> Vec<(usize, bool, String)> {
    let mut all = Vec::new();
    for (number, [plain, db]) in findings.pairs(experiment) {
        if plain.solved() == db.solved() {
            continue;
        }
        let unlimited = experiment.table == 5;
        let cause = match (&db.lost_by, plain.result.as_str(), db.result.as_str()) {
            (Some(rule), ..) => rule.clone(),
            _ if unlimited && db.solved() => "the plain search's own cuts".into(),
            (None, _, "VCDT") => "a limit ends the plain search".into(),
            (None, _, "VCST") if plain.stones >= PLAIN_TOTAL => {
                "a limit ends the plain search".into()
            }
            (None, _, "VCST") | (None, "VCST", _) => "other single threats gathered".into(),
            _ => "the adjusted limits".into(),
        };
        all.push((number, plain.solved(), cause));
    }
    all
}

/// The positions lost and gained in these experiments.
pub fn lost_and_gained(findings: &SolvedProblems, experiments: &[ThesisTable]) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Table"]),
        (Align::Left, &["Dependency-based search", "Cause"]),
        (Align::Right, &["Positions"]),
        (Align::Left, &["Numbers"]),
    ]);
    for experiment in experiments {
        let mut causes: Vec<((bool, String), Vec<usize>)> = Vec::new();
        for (number, lost, cause) in differences(findings, experiment) {
            let key = (lost, cause);
            match causes.iter_mut().find(|(k, _)| *k == key) {
                Some((_, numbers)) => numbers.push(number),
                None => causes.push((key, vec![number])),
            }
        }
        causes.sort();
        for ((lost, cause), numbers) in causes {
            let list: Vec<String> = numbers.iter().map(usize::to_string).collect();
            table.row([
                experiment.label.to_string(),
                if lost { "loses" } else { "gains" }.to_string(),
                cause,
                numbers.len().to_string(),
                list.join(" "),
            ]);
        }
    }
    PaperTable {
        caption: "Positions that the dependency-based search loses or gains".into(),
        table,
        notes: vec![
            "Lost by: the rule that left out the first turn of the plain search's win that was left \
             out (`connect6 solve --missed-wins`); `limit` where none was. `inversion` and `2ST pair` are \
             the two holes that the thesis names (3.5.3, 3.5.4). The plain search's own cuts: depth \
             20, one split on a path, two extensions, eight stones beside one that threatens twice."
                .into(),
        ],
    }
}

/// The positions of the unlimited experiment by the speed-up of the dependency-based search.
pub fn speed_ups(findings: &SolvedProblems) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Moves of the original search"]),
        (Align::Right, &["Positions", "Original: moves", "Dependency-based"]),
        (Align::Right, &["Speed-up", "Least", "Median", "Greatest"]),
    ]);
    let classes: [(&str, u64, u64); 5] = [
        ("below 1,000", 0, 1_000),
        ("1,000 to 10,000", 1_000, 10_000),
        ("10,000 to 100,000", 10_000, 100_000),
        ("100,000 to 1,000,000", 100_000, 1_000_000),
        ("1,000,000 and more", 1_000_000, u64::MAX),
    ];
    for (words, least, most) in classes {
        let own: Vec<[u64; 2]> = findings
            .pairs(&EXPERIMENTS[2])
            .map(|(_, [plain, db])| [plain.moves, db.moves])
            .filter(|[moves, _]| (least..most).contains(moves))
            .collect();
        let mut each: Vec<f64> = own.iter().map(|[a, b]| *a as f64 / (*b).max(1) as f64).collect();
        each.sort_by(f64::total_cmp);
        let sum = |i: usize| own.iter().map(|m| m[i]).sum::<u64>();
        let show = |x: Option<&f64>| x.map_or("-".into(), |x| format!("{x:.2}"));
        table.row([
            words.to_string(),
            own.len().to_string(),
            grouped(sum(0)),
            grouped(sum(1)),
            if own.is_empty() {
                "-".into()
            } else {
                format!("{:.2}", ratio(sum(0) as f64, sum(1) as f64))
            },
            show(each.first()),
            show(each.get(each.len() / 2)),
            show(each.last()),
        ]);
    }
    PaperTable {
        caption: "Table 5 by effort: how many times fewer moves".into(),
        table,
        notes: Vec::new(),
    }
}
