//! Figure 17 at the paper's own budget, 5,000 iterations of 5,000 playouts of each new node: three
//! minutes of one core per game, so a sample, or the whole over many machines. It has a log of its
//! own.

use super::PAPER_CEILING;
use super::claims::best_factor;
use super::pairing_scores::{PairingScore, pairing_scores};
use super::plan::{BudgetStudy, ORDER_SEED};
use agon_claims::report::{
    Claim, Finding, PaperReport, PaperTable, Share, Statement, Unit, WinRate,
};
use agon_matchlog::{Experiment, MatchHeader, Setting};
use agon_report::plot::{Chart, Mark};
use agon_report::report::aggregate::Aggregate;
use agon_stats::Wilson;
use anyhow::{Result, ensure};
use std::path::Path;

/// The paper's budget in figure 17 (section 4.2).
pub const PAPER_BUDGET: BudgetStudy = BudgetStudy { iterations: 5000, playouts: 5000 };
/// The paper's number of games per value of c.
pub const PAPER_GAMES: u64 = 2000;
/// The number of values of c.
const PAPER_FACTORS: u64 = 6;
/// The setting of the log header that holds the budget.
const SETTING: &str = "budget";
/// The setting that says in which order the pairs are played. Logs of the former order, ten pairs of one c after the
/// other, lack it.
const ORDER: &str = "order";

/// The experiment's entry in the log header.
pub fn experiment(budget: BudgetStudy) -> Experiment {
    let order = format!("rounds of one pair of each c, shuffled with seed {ORDER_SEED}");
    let settings = [(SETTING, budget.to_string()), (ORDER, order)];
    let settings = settings.map(|(name, value)| Setting { name: name.into(), value }).into();
    Experiment { name: super::BUDGET_NAME.into(), settings }
}

/// Refuses to go on with a log whose pairs of one c come after those of another.
///
/// # Errors
///
/// The log is of the former order. What else is wrong with it, the match says.
pub(super) fn refuse_former_order(log: &Path) -> Result<()> {
    let Ok((header, _)) = agon_matchlog::open(log) else { return Ok(()) };
    let name = header.experiment.as_ref().map_or("", |e| e.name.as_str());
    ensure!(
        name != super::BUDGET_NAME || is_sample(&header),
        "{}: {FORMER_ORDER}; begin another one with --log (`referee report` still reads this one)",
        log.display()
    );
    Ok(())
}

const FORMER_ORDER: &str = "the games of this log are in the former order, one c after the other, so a part of \
                            them is no sample over all c";

/// What the log shows, for its own report and for the main one.
pub(super) struct BudgetFindings {
    pub table: PaperTable,
    pub figure: (Chart, String),
    pub claims: Vec<Claim>,
}

/// The claims without any data.
pub(super) fn untested() -> [Claim; 2] {
    [no_games(), best_factor(&[], &PAPER_BUDGET.to_string(), false)]
}

fn no_games() -> Claim {
    let reason = "no games: `referee reproduce einstein --paper-budget` plays them";
    statement().untested(reason).published(PAPER)
}

fn statement() -> Statement {
    Statement::paper(
        "4.2, figure 17",
        "with 5,000 iterations of 5,000 playouts MCTS wins at most about 75% against random",
        "迭代 5,000 次、每次模拟 5,000 局时，MCTS 对随机走子的胜率最多约 75%",
    )
}

/// Number of games that the test of the claim needs.
const ENOUGH_GAMES: u64 = 20;
const PAPER: &str = "about 75%; 2,000 games per value of c (figure 17, an image)";

/// Why the intervals are those of a random sample.
const SAMPLE: &str = "Every c has as many pairs as the others, or one less; every pair has a random layout and dice of its \
                      own, and its two games swap sides. The intervals are Wilson's over games.";

/// Reads the cells of the log.
pub(super) fn section(header: &MatchHeader, log: &Aggregate) -> BudgetFindings {
    let cells = pairing_scores(header, log);
    let budget = budget(header);
    let counts = cells.iter().map(|c| c.tally.wdl());
    let (wins, games) = counts.fold((0, 0), |(w, g), wdl| (w + wdl.wins, g + wdl.games()));
    let row = |label: String, wins, games| WinRate { label, wins, games, paper: None };
    let mut rows: Vec<WinRate> = cells
        .iter()
        .map(|cell| {
            let seconds =
                cell.ms.map_or(String::new(), |ms| format!(", {:.1} s/move", ms / 1000.0));
            let wdl = cell.tally.wdl();
            row(format!("{}{seconds}", cell.name), wdl.wins, wdl.games())
        })
        .collect();
    rows.push(row("all".into(), wins, games));
    let caption = format!("Figure 17 at {budget}: won against random with the factor c of UCB1");
    let mut table = PaperTable::win_rates(&caption, &rows);
    let all = PAPER_GAMES * PAPER_FACTORS;
    if !is_sample(header) {
        table.notes.push(format!("No sample: {FORMER_ORDER}."));
    } else if games < all {
        table.notes.push(format!("A sample: {games} of the paper's {all} games. {SAMPLE}"));
    }
    let ceiling = match is_sample(header) {
        true => ceiling(&budget, wins, games),
        false => statement().judged(share(0), Finding::Unclear, FORMER_ORDER).published(PAPER),
    };
    let factors: Vec<&PairingScore> = cells.iter().collect();
    let best = best_factor(&factors, &budget, budget == PAPER_BUDGET.to_string());
    BudgetFindings { table, figure: figure(&cells, &budget), claims: vec![ceiling, best] }
}

fn setting<'a>(header: &'a MatchHeader, name: &str) -> Option<&'a str> {
    let settings = header.experiment.as_ref().map_or(&[][..], |e| &e.settings);
    settings.iter().find(|s| s.name == name).map(|s| s.value.as_str())
}

/// Whether every first part of the log's games is a sample over all c.
fn is_sample(header: &MatchHeader) -> bool {
    setting(header, ORDER).is_some()
}

fn budget(header: &MatchHeader) -> String {
    setting(header, SETTING).unwrap_or("?").into()
}

fn figure(cells: &[PairingScore], budget: &str) -> (Chart, String) {
    let mut chart = Chart::new(&format!("Figure 17 at {budget}"), "c", "won against random");
    chart.percent = true;
    chart.from_zero = false;
    let points = cells.iter().filter_map(|c| c.point(c.number("c")?)).collect();
    chart.add("ours", Mark::DottedLine, points);
    (chart, "Bars: 95% Wilson intervals.".into())
}

/// The share of the paper's games.
fn share(games: u64) -> Share {
    Share::of_sample(games, PAPER_FACTORS * PAPER_GAMES, ENOUGH_GAMES, Unit::Games)
}

/// All values of c together, because a sample has few games of each.
fn ceiling(budget: &str, wins: u64, games: u64) -> Claim {
    let Some(w) = Wilson::new(wins, games) else { return no_games() };
    let evidence = format!(
        "{budget}, all c together: {wins} of {games} won, {:.1}% ({:.1} to {:.1}%)",
        100.0 * w.rate,
        100.0 * w.low,
        100.0 * w.high
    );
    let finding = match (w.low > PAPER_CEILING, w.high < PAPER_CEILING) {
        (true, _) => Finding::Fails,
        (_, true) => Finding::Holds,
        _ => Finding::Unclear,
    };
    // Games with another budget are none of this experiment.
    let (counted, other) = match budget == PAPER_BUDGET.to_string() {
        true => (games, ""),
        false => (0, ": another budget than the paper's"),
    };
    statement().judged(share(counted), finding, evidence + other).published(PAPER)
}

/// The report on the log alone.
pub fn report(
    _: &Path,
    header: &MatchHeader,
    log: &Aggregate,
    command: &str,
) -> Result<PaperReport> {
    let BudgetFindings { table, figure, claims } = section(header, log);
    let fact = |name: &str, text: String| (name.to_string(), text);
    let mut warnings = Vec::new();
    if log.games() < header.scheduled_games() {
        warnings.push("games are missing: run the same command to play them".into());
    }
    Ok(PaperReport {
        title: "EinStein wuerfelt nicht: figure 17 at the paper's budget".into(),
        paper: super::PAPER.into(),
        chinese: ["爱恩斯坦棋：论文预算下的图 17".into(), super::CHINESE_PAPER.into()],
        conditions: vec![
            fact("games", format!("{} of {}", log.games(), header.scheduled_games())),
            fact("budget", budget(header)),
        ],
        warnings,
        tables: vec![table],
        figures: vec![figure],
        claims,
        command: command.into(),
        ..PaperReport::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_claims::claim::assert_bilingual;
    use agon_claims::report::ClaimVerdict;

    #[test]
    fn a_sample_is_judged_by_its_interval_and_only_at_the_papers_budget() {
        let paper = PAPER_BUDGET.to_string();
        assert_bilingual(&untested());
        assert_bilingual(&[ceiling(&paper, 24, 24)]);
        assert_eq!(ceiling(&paper, 0, 0).verdict(), ClaimVerdict::Untested);
        assert_eq!(ceiling(&paper, 5, 6).verdict(), ClaimVerdict::Open);
        assert_eq!(ceiling(&paper, 24, 24).verdict(), ClaimVerdict::No);
        assert_eq!(ceiling(&paper, 10, 24).verdict(), ClaimVerdict::Reproduced);
        let other = ceiling("i=5 k=5", 24, 24);
        assert_eq!(other.verdict(), ClaimVerdict::Open);
        assert!(other.evidence().contains("another budget"), "{}", other.evidence());
    }
}
