//! The machines that played a match, compared with each other by their results: as a table, sentences and JSON.

use super::plot::{Align, TextTable};
use agon_base::counted;
use agon_matchlog::MatchHeader;
use agon_stats::{Comparison, Elo, FALSE_ALARMS, Pentanomial, Residual, WorkerRow, Workers};

/// What is said of a log of several machines that names none.
pub const UNKNOWN: &str =
    "the log does not say which machine played which game: the machines are not compared";

/// What to do about a worker that differs.
const ADVICE: &str = "No game was left out and no verdict changed. If the machine is at fault, `referee merge --without \
                      NAME` leaves its games out, and the command of the match plays them again; `referee audit` \
                      plays games at fixed nodes again.";

/// What the probabilities mean.
const MEANING: &str = "p is the probability that any of as many equal workers differs as much. It is for one look: of \
                       equal workers, 5% of the matches name one.";

/// The machines of a match for the terminal; empty if only one played, as far as the log says.
pub fn text(header: &MatchHeader, workers: &Workers) -> String {
    if !workers.are_known() {
        let machines = header.origin.as_ref().map_or(0, |origin| origin.machines.len());
        return if machines > 1 { format!("{UNKNOWN}\n") } else { String::new() };
    }
    let comparison = workers.compare();
    let mut text = String::new();
    if comparison.rows.len() > 1 {
        text.push_str(&table(header, &comparison).to_string());
        text.push('\n');
    }
    for sentence in sentences(&comparison) {
        text.push_str(&sentence);
        text.push('\n');
    }
    text
}

/// A row for each worker; the Elo difference of a match between two engines.
pub fn table(header: &MatchHeader, comparison: &Comparison) -> TextTable {
    let two = header.engines.len() == 2;
    let elo: &[&str] = if two { &["Elo, 95%", "Elo of the others"] } else { &[] };
    let compared = if comparison.singles { "games compared" } else { "pairs compared" };
    let mut table = TextTable::new(&[
        (Align::Left, &["worker"]),
        (Align::Right, &["games", "lost by faults", compared]),
        (Align::Right, elo),
        (Align::Right, &["chi-square", "degrees of freedom", "p"]),
    ]);
    for row in &comparison.rows {
        let count = |n: u64| n.to_string();
        let mut cells = vec![row.name.clone(), count(row.games), count(row.faults)];
        cells.push(count(row.results.pairs()));
        let shown = |elo: Option<Elo>| elo.map_or("-".into(), |elo| elo.to_string());
        if two {
            cells.extend(elos(comparison, row).map(shown));
        }
        cells.extend(match row.residual {
            Some(r) => [format!("{:.1}", r.chi_square), degrees(r), probability(r)],
            None => ["-"; 3].map(String::from),
        });
        table.row(cells);
    }
    table
}

/// The difference of the engines in the results of a worker and in those of the others.
fn elos(comparison: &Comparison, row: &WorkerRow) -> [Option<Elo>; 2] {
    comparison.spreads(row).map(|spread| spread.map(|s| s.elo()))
}

fn degrees(residual: Residual) -> String {
    let text = format!("{:.1}", residual.degrees);
    text.strip_suffix(".0").map_or(text.clone(), String::from)
}

fn probability(residual: Residual) -> String {
    format!("{:.4}", residual.p)
}

/// What the comparison finds, what it means, and what it leaves out.
pub fn sentences(comparison: &Comparison) -> Vec<String> {
    let mut all = match comparison.rows.as_slice() {
        [row] => vec![format!("all games that name a worker were played by {}.", row.name)],
        _ => findings(comparison),
    };
    let together = |which: &str, r: Residual| {
        let (x, degrees, p) = (r.chi_square, degrees(r), probability(r));
        format!("{which} together: chi-square {x:.1}, degrees of freedom {degrees}, p = {p}.")
    };
    all.extend(comparison.together.map(|r| together("all", r)));
    all.extend(comparison.rest.map(|r| together("the others", r)));
    if comparison.together.is_some() {
        all.push(MEANING.into());
    }
    let Comparison { outside, unnamed, .. } = comparison;
    if *outside > 0 {
        all.push(format!(
            "not compared: {outside} that belong to no pair of one worker.",
            outside = counted(outside, "game")
        ));
    }
    if *unnamed > 0 {
        all.push(format!(
            "not compared: {unnamed} without the name of a worker.",
            unnamed = counted(unnamed, "game")
        ));
    }
    all
}

/// The workers that differ, and what to do about it.
fn findings(comparison: &Comparison) -> Vec<String> {
    let name = |i: usize| comparison.rows.get(i).map_or("?", |row| row.name.as_str());
    let p = |i: usize| {
        let residual = comparison.rows.get(i).and_then(|row| row.residual);
        residual.map_or("?".into(), probability)
    };
    let mut all: Vec<String> = Vec::new();
    for &i in &comparison.differ {
        all.push(format!(
            "worker {} differs from the others (p = {}): its machine may be slower, overloaded or broken, its \
             programs other ones, or its games invented.",
            name(i),
            p(i)
        ));
    }
    if let Some([a, b]) = comparison.undecided {
        all.push(format!(
            "workers {} and {} differ from each other (p = {}); the results do not tell which of them is wrong.",
            name(a),
            name(b),
            p(a)
        ));
    }
    if let Some(vague) = comparison.vague() {
        let which = if comparison.differ.is_empty() { "the" } else { "the other" };
        let p = probability(vague);
        all.push(format!("{which} workers differ (p = {p}), but none of them stands out."));
    }
    let results: Pentanomial = comparison.rows.iter().map(|row| row.results).sum();
    let kinds = results.counts.iter().filter(|n| **n > 0).count();
    all.push(if !all.is_empty() {
        ADVICE.into()
    } else if kinds == 1 {
        "no worker differs from the others: all results are the same.".into()
    } else if comparison.rows.iter().all(|row| row.residual.is_none()) {
        "no worker has enough results to be compared.".into()
    } else {
        "no worker differs from the others.".into()
    });
    all
}

/// The machines of a match as JSON; null if the log names none.
pub fn json(workers: &Workers) -> serde_json::Value {
    if !workers.are_known() {
        return serde_json::Value::Null;
    }
    let comparison = workers.compare();
    let residual = |r: Residual| {
        serde_json::json!({
            "chi_square": r.chi_square, "degrees_of_freedom": r.degrees, "p": r.p,
        })
    };
    let row = |(i, row): (usize, &WorkerRow)| {
        let pair = comparison.undecided.is_some_and(|pair| pair.contains(&i));
        serde_json::json!({
            "worker": row.name,
            "games": row.games,
            "lost_by_faults": row.faults,
            "pentanomial": row.results.counts,
            "others": row.others.counts,
            "residual": row.residual.map(residual),
            "differs": pair || comparison.differ.contains(&i),
        })
    };
    serde_json::json!({
        "workers": comparison.rows.iter().enumerate().map(row).collect::<Vec<_>>(),
        "together": comparison.together.map(residual),
        "without_those_that_differ": comparison.rest.map(residual),
        "undecided": comparison.undecided.is_some(),
        "level": FALSE_ALARMS,
        "games_not_compared": comparison.outside + comparison.unnamed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::{GameRecord, GameResult, Machine, Origin, Reason, now};

    /// A match of two engines in which each worker has pairs with these points of the first engine, some lost on time.
    fn played(workers: &[(&str, [u64; 5])], faults: u64) -> Workers {
        use GameResult::{Draw, First, Second};
        let games =
            [[Second, First], [Second, Draw], [First, First], [First, Draw], [First, Second]];
        let (mut all, mut pair) = (Workers::new(false), 0);
        for (name, counts) in workers {
            for (results, &n) in games.iter().zip(counts) {
                for _ in 0..n {
                    for (players, result) in [[0, 1], [1, 0]].into_iter().zip(results) {
                        let mut game = GameRecord::bare(players, *result);
                        (game.pair, game.worker) = (pair, Some(name.to_string()));
                        game.reason = if pair < faults { Reason::Time } else { Reason::Rules };
                        all.push(game.of_worker());
                    }
                    pair += 1;
                }
            }
        }
        all
    }

    fn header() -> MatchHeader {
        MatchHeader::example()
    }

    #[test]
    fn a_worker_that_differs_is_named_with_its_elo_and_what_to_do() {
        let good = [5, 22, 46, 22, 5];
        let workers = played(&[("cellar", [60, 30, 10, 0, 0]), ("a", good), ("b", good)], 60);
        let text = text(&header(), &workers);
        let row = text.lines().find(|line| line.starts_with("cellar")).unwrap();
        for part in [" 200 ", " 120 ", " 100 ", "-", "0.0005"] {
            assert!(row.contains(part), "{part}: {text}");
        }
        assert!(text.contains("worker cellar differs from the others (p = 0.0005)"), "{text}");
        assert!(!text.contains("worker a ") && text.contains("merge --without"), "{text}");
        let json = json(&workers);
        let differs: Vec<_> = (0..3).map(|i| json["workers"][i]["differs"].as_bool()).collect();
        assert_eq!(differs, [false, false, true].map(Some), "{json}");
        assert_eq!(json["workers"][2]["pentanomial"], serde_json::json!([60, 30, 10, 0, 0]));
        assert_eq!(json["workers"][2]["lost_by_faults"], 120);
    }

    #[test]
    fn equal_workers_are_not_named() {
        let good = [5, 22, 46, 22, 5];
        let text = text(&header(), &played(&[("a", good), ("b", good), ("c", good)], 0));
        assert!(text.contains("no worker differs from the others"), "{text}");
        assert!(
            !text.contains("--without") && text.contains("5% of the matches name one"),
            "{text}"
        );
    }

    #[test]
    fn two_that_differ_are_both_named_and_few_results_say_so() {
        let two = played(&[("a", [5, 22, 46, 22, 5]), ("b", [60, 30, 10, 0, 0])], 0);
        assert!(text(&header(), &two).contains("workers a and b differ from each other (p = 0."));
        let same = played(&[("a", [0, 0, 9, 0, 0]), ("b", [0, 0, 9, 0, 0])], 0);
        assert!(text(&header(), &same).contains("all results are the same"), "same");
        let few = played(&[("a", [0, 0, 1, 0, 0]), ("b", [0, 1, 0, 0, 0])], 0);
        assert!(text(&header(), &few).contains("no worker has enough results"), "few");
        let one = text(&header(), &played(&[("a", [0, 0, 1, 0, 0])], 0));
        assert_eq!(one, "all games that name a worker were played by a.\n");
    }

    #[test]
    fn a_log_of_several_machines_that_names_none_says_so() {
        let mut header = header();
        assert_eq!(text(&header, &Workers::new(false)), "");
        let machine = |os: &str| Machine { os: os.into(), ..Machine::default() };
        header.origin = Some(Origin { started: now(), machines: vec![machine("x"), machine("y")] });
        assert!(text(&header, &Workers::new(false)).contains("does not say which machine"));
        assert!(json(&Workers::new(false)).is_null());
    }
}
