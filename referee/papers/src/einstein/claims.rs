//! The paper's claims (section 4.2 and figure 10), decided by our games.

use super::PAPER_CEILING;
use super::pairing_scores::PairingScore;
use super::plan::RunSize;
use crate::engine::cores;
use agon_claims::report::{Claim, Finding, Share, Statement, Unit};
use agon_claims::verdict::GAMES_FOR_A_RATE;

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
        best_factor(factors, budget, true).in_our_reading(format!("at {budget}")),
        threads(timed).published("flat from 8 threads on, on 8 logical cores"),
    ]
}

/// The games of these cells, of as many cells with the paper's number of games. A test needs so many
/// games of each that no interval is wide.
fn share<'a>(cells: impl Iterator<Item = &'a &'a PairingScore>, whole: usize) -> Share {
    let games = cells.map(|cell| cell.tally.wdl().games()).sum();
    let [whole, needed] = [RunSize::FULL.games, GAMES_FOR_A_RATE].map(|n| n * whole as u64);
    Share::of_sample(games, whole, needed, Unit::Games)
}

/// The number of cells of figure 16.
const GRID: usize = RunSize::FULL.iterations.len() * RunSize::FULL.simulations.len();

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
    let statement = Statement::paper(
        "4.2, figure 16",
        "however many iterations and playouts, MCTS wins about 75% against random at most",
        "无论迭代与模拟次数多少，MCTS 对随机走子的胜率上限约为 75%",
    );
    let share = share(grid.iter(), GRID);
    let (Some(top), Some(any)) = (best(grid.iter()), best(grid.iter().chain(others))) else {
        return statement.judged(share, Finding::Unclear, "no games");
    };
    let over = top.rate().is_some_and(|w| w.low > PAPER_CEILING);
    let finding = if over { Finding::Fails } else { Finding::Unclear };
    let evidence = format!(
        "the same search at its best {}; any program at its best {}. About 95% is what luck leaves",
        describe(top),
        describe(any)
    );
    statement.judged(share, finding, evidence)
}

/// Our explanation of the ceiling: the budgets that give a rate of 75%.
fn where_75(grid: &[&PairingScore], others: &[&PairingScore]) -> Claim {
    let statement = Statement::ours(
        "4.2, figure 16",
        "75% is the rate of some budget",
        "75% 只是某一预算下的胜率",
    );
    let all = || grid.iter().chain(others);
    let share = share(all(), GRID + others.len());
    let at: Vec<String> = all()
        .filter(|c| c.rate().is_some_and(|w| w.contains(PAPER_CEILING)))
        .map(|c| describe(c))
        .collect();
    if at.is_empty() {
        let mut near: Vec<&&PairingScore> = all().collect();
        near.sort_by(|a, b| {
            let off = |c: &PairingScore| c.rate().map_or(1.0, |w| (w.rate - PAPER_CEILING).abs());
            off(a).total_cmp(&off(b))
        });
        let nearest = near.first().map_or("no games".into(), |c| describe(c));
        let evidence = format!("no interval holds 75%; nearest: {nearest}");
        return statement.judged(share, Finding::Unclear, evidence);
    }
    statement.judged(share, Finding::Holds, at.join("; "))
}

/// "With more playouts the win rate rises slightly, but not for ever."
fn simulations(grid: &[&PairingScore]) -> Claim {
    let statement = Statement::paper(
        "4.2, figure 16",
        "more playouts of each new node raise the win rate slightly",
        "每个新节点的模拟次数越多，胜率略有上升",
    );
    let share = share(grid.iter(), GRID);
    let mut playouts: Vec<f64> = grid.iter().filter_map(|c| c.number("k")).collect();
    playouts.sort_by(f64::total_cmp);
    playouts.dedup();
    let rate = |k: f64| {
        let cells = grid.iter().filter(|c| c.number("k") == Some(k));
        let (wins, games) = cells.fold((0, 0), |(wins, games), c| {
            (wins + c.tally.wdl().wins, games + c.tally.wdl().games())
        });
        agon_stats::Wilson::new(wins, games)
    };
    let ends = playouts.first().zip(playouts.last());
    let rates = ends.and_then(|(&few, &many)| Some((few, many, rate(few)?, rate(many)?)));
    let Some((few, many, a, b)) = rates else {
        return statement.judged(share, Finding::Unclear, "no games");
    };
    let evidence = format!(
        "all iterations together: k = {few} wins {:.1}%, k = {many} wins {:.1}%",
        100.0 * a.rate,
        100.0 * b.rate
    );
    statement.judged(share, greater(b, a), evidence)
}

/// Whether a rate is greater than another: decided if neither interval contains the other's rate.
fn greater(a: agon_stats::Wilson, b: agon_stats::Wilson) -> Finding {
    match a.contains(b.rate) || b.contains(a.rate) {
        true => Finding::Unclear,
        false => Finding::exact(a.rate > b.rate),
    }
}

/// Whether a cell has c equal to the square root of two, within the precision of its digits.
fn is_root(cell: &PairingScore) -> bool {
    cell.number("c").is_some_and(|c| (c - std::f64::consts::SQRT_2).abs() < 1e-3)
}

/// "c is clearly best at the square root of two." `counted`: whether the games are of the experiment.
pub(super) fn best_factor(cells: &[&PairingScore], budget: &str, counted: bool) -> Claim {
    let statement =
        Statement::paper("4.2, figure 17", "c = 1.41 is clearly the best", "c = 1.41 明显最好");
    let share = share(cells.iter().filter(|_| counted), RunSize::FULL.factors.len());
    let root = cells.iter().find(|c| is_root(c));
    let rival = best(cells.iter().filter(|c| !is_root(c)));
    let rates = root.zip(rival).and_then(|(root, rival)| {
        Some((root.rate()?, rival.rate()?, describe(root), describe(rival)))
    });
    let Some((a, b, root, rival)) = rates else {
        return statement.judged(share, Finding::Unclear, "no games").published(BEST_FACTOR);
    };
    let finding = greater(a, b);
    let near = if finding == Finding::Unclear { ": too near to tell apart" } else { "" };
    let evidence = format!("at {budget}, {root}; the best of the others {rival}{near}");
    statement.judged(share, finding, evidence).published(BEST_FACTOR)
}

const BEST_FACTOR: &str = "1.41, at i=5000 k=5000 (figure 17, an image)";

/// Figure 10.
fn threads(timed: &[PairingScore]) -> Claim {
    let statement = Statement::paper(
        "figure 10",
        "the time falls with the threads up to the machine's cores and then no more",
        "用时随线程数下降，直到线程数达到机器的核心数，此后不再下降",
    );
    let times: Vec<(f64, f64)> =
        timed.iter().filter_map(|c| Some((c.number("threads")?, c.ms?))).collect();
    let whole = RunSize::FULL.threads.len() as u64;
    let share = Share::of_set(times.len() as u64, whole, Unit::ThreadCounts);
    let cores = cores() as f64;
    let Some(&(_, one)) = times.first() else {
        return statement.judged(share, Finding::Unclear, "no games");
    };
    let least = |part: &dyn Fn(f64) -> bool| {
        times.iter().filter(|t| part(t.0)).map(|t| t.1).fold(f64::INFINITY, f64::min)
    };
    let (within, beyond) = (least(&|t| t > 1.0 && t <= cores), least(&|t| t > cores));
    if within.is_infinite() || beyond.is_infinite() {
        return statement.judged(share, Finding::Unclear, format!("one thread: {one:.1} ms/move"));
    }
    let evidence = format!(
        "{one:.1} ms/move with one thread, {within:.1} with up to {cores}, {beyond:.1} with more"
    );
    let holds = within < 0.8 * one && beyond > 0.8 * within;
    statement.judged(share, Finding::exact(holds), evidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_claims::claim::assert_bilingual;
    use agon_claims::report::ClaimVerdict;
    use agon_stats::{Tally, Wdl};

    fn cell(name: &str, wins: u64, games: u64) -> PairingScore {
        let tally = Tally { as_first: Wdl::new(wins, 0, games - wins), ..Tally::default() };
        PairingScore { name: name.into(), against: "random".into(), tally, ms: Some(1.0) }
    }

    fn verdicts(games: u64) -> Vec<ClaimVerdict> {
        let names = (0..GRID).map(|i| format!("i={i} k={}", 1 + i % 3));
        let grid: Vec<_> = names.map(|name| cell(&name, games * 9 / 10, games)).collect();
        let factors =
            RunSize::FULL.factors.iter().map(|c| cell(&format!("c={c}"), games / 2, games));
        let factors: Vec<_> = factors.collect();
        let claims = all(
            &grid.iter().collect::<Vec<_>>(),
            &factors.iter().collect::<Vec<_>>(),
            &[],
            &[cell("threads=1", 1, 2)],
            "i=1 k=1",
        );
        assert_bilingual(&claims);
        assert!(claims.iter().all(|c| c.share().is_some()));
        claims.iter().map(|c| c.verdict()).collect()
    }

    #[test]
    fn a_run_of_few_games_a_cell_decides_nothing() {
        assert_eq!(verdicts(RunSize::QUICK.games), [ClaimVerdict::Open; 5]);
        assert_eq!(verdicts(2000)[0], ClaimVerdict::No, "90% in each cell");
    }
}
