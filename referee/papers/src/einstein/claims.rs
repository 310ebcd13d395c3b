//! The paper's claims (section 4.2 and figure 10), decided by our games.

use super::PAPER_CEILING;
use super::pairing_scores::PairingScore;
use crate::engine::cores;
use crate::report::Claim;

/// `budget` is that of the cells `factors`.
pub(super) fn all(
    grid: &[&PairingScore],
    factors: &[&PairingScore],
    others: &[&PairingScore],
    timed: &[PairingScore],
    budget: &str,
) -> Vec<Claim> {
    vec![
        ceiling(grid, others).published("about 75%"),
        where_75(grid, others).published("about 75%"),
        simulations(grid).published("slightly, up to about 75%"),
        best_factor(factors, budget).published("1.41, at i=5000 k=5000"),
        threads(timed).published("flat from 8 threads on, on 8 logical cores"),
    ]
}

fn describe(cell: &PairingScore) -> String {
    cell.rate().map_or(cell.name.clone(), |w| {
        format!(
            "{}: {:.1}% ({:.1} to {:.1}%)",
            cell.name,
            100.0 * w.rate,
            100.0 * w.low,
            100.0 * w.high
        )
    })
}

fn best<'a>(cells: impl Iterator<Item = &'a &'a PairingScore>) -> Option<&'a PairingScore> {
    cells
        .copied()
        .filter_map(|c| c.rate().map(|w| (w.rate, c)))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

/// "Its upper limit is about 75%."
fn ceiling(grid: &[&PairingScore], others: &[&PairingScore]) -> Claim {
    let text = "however many iterations and playouts, MCTS wins about 75% against random at most";
    let (Some(top), Some(any)) = (best(grid.iter()), best(grid.iter().chain(others))) else {
        return Claim::open(text, "no games");
    };
    let over = top.rate().is_some_and(|w| w.low > PAPER_CEILING);
    let evidence = format!(
        "the same search at its best {}; any program at its best {}. About 95% is what luck leaves",
        describe(top),
        describe(any)
    );
    if over { Claim::new(text, false, evidence) } else { Claim::open(text, evidence) }
}

/// Not a claim of the paper but our explanation of it: the budgets that give a rate of 75%.
fn where_75(grid: &[&PairingScore], others: &[&PairingScore]) -> Claim {
    let text = "75% is the rate of some budget";
    let at: Vec<String> = grid
        .iter()
        .chain(others)
        .filter(|c| c.rate().is_some_and(|w| w.contains(PAPER_CEILING)))
        .map(|c| describe(c))
        .collect();
    if at.is_empty() {
        let mut near: Vec<&&PairingScore> = grid.iter().chain(others).collect();
        near.sort_by(|a, b| {
            let off = |c: &PairingScore| c.rate().map_or(1.0, |w| (w.rate - PAPER_CEILING).abs());
            off(a).total_cmp(&off(b))
        });
        let nearest = near.first().map_or("no games".into(), |c| describe(c));
        return Claim::open(text, format!("no interval holds 75%; nearest: {nearest}"));
    }
    Claim::new(text, true, at.join("; "))
}

/// "With more playouts the win rate rises slightly, but not for ever."
fn simulations(grid: &[&PairingScore]) -> Claim {
    let text = "more playouts of each new node raise the win rate slightly";
    let mut playouts: Vec<f64> = grid.iter().filter_map(|c| c.number("k")).collect();
    playouts.sort_by(f64::total_cmp);
    playouts.dedup();
    let (Some(&few), Some(&many)) = (playouts.first(), playouts.last()) else {
        return Claim::open(text, "no games");
    };
    let share = |k: f64| {
        let cells = grid.iter().filter(|c| c.number("k") == Some(k));
        let (wins, games) = cells.fold((0, 0), |(wins, games), c| {
            (wins + c.tally.wdl().wins, games + c.tally.wdl().games())
        });
        agon_stats::Wilson::new(wins, games)
    };
    let (Some(a), Some(b)) = (share(few), share(many)) else {
        return Claim::open(text, "no games");
    };
    let evidence = format!(
        "all iterations together: k = {few} wins {:.1}%, k = {many} wins {:.1}%",
        100.0 * a.rate,
        100.0 * b.rate
    );
    // Decided if neither interval contains the other's rate.
    if a.contains(b.rate) || b.contains(a.rate) {
        return Claim::open(text, evidence);
    }
    Claim::new(text, b.rate > a.rate, evidence)
}

/// Whether a cell has c equal to the square root of two, within the precision of its digits.
fn is_root(cell: &PairingScore) -> bool {
    cell.number("c").is_some_and(|c| (c - std::f64::consts::SQRT_2).abs() < 1e-3)
}

/// "c is clearly best at the square root of two."
fn best_factor(cells: &[&PairingScore], budget: &str) -> Claim {
    let text = "c = 1.41 is clearly the best";
    let root = cells.iter().find(|c| is_root(c));
    let rival = best(cells.iter().filter(|c| !is_root(c)));
    let (Some(root), Some(rival)) = (root, rival) else { return Claim::open(text, "no games") };
    let (Some(a), Some(b)) = (root.rate(), rival.rate()) else {
        return Claim::open(text, "no games");
    };
    let (root, rival) = (describe(root), describe(rival));
    let evidence = format!("at {budget}, {root}; the best of the others {rival}");
    if a.contains(b.rate) || b.contains(a.rate) {
        return Claim::open(text, format!("{evidence}: too near to tell apart"));
    }
    Claim::new(text, a.rate > b.rate, evidence)
}

/// Figure 10.
fn threads(timed: &[PairingScore]) -> Claim {
    let text = "the time falls with the threads up to the machine's cores and then no more";
    let times: Vec<(f64, f64)> =
        timed.iter().filter_map(|c| Some((c.number("threads")?, c.ms?))).collect();
    let cores = cores() as f64;
    let Some(&(_, one)) = times.first() else { return Claim::open(text, "no games") };
    let least = |part: &dyn Fn(f64) -> bool| {
        times.iter().filter(|t| part(t.0)).map(|t| t.1).fold(f64::INFINITY, f64::min)
    };
    let (within, beyond) = (least(&|t| t > 1.0 && t <= cores), least(&|t| t > cores));
    if within.is_infinite() || beyond.is_infinite() {
        return Claim::open(text, format!("one thread: {one:.1} ms/move"));
    }
    let evidence = format!(
        "{one:.1} ms/move with one thread, {within:.1} with up to {cores}, {beyond:.1} with more"
    );
    Claim::new(text, within < 0.8 * one && beyond > 0.8 * within, evidence)
}
