//! The report on a log of the experiment.

use super::budget::PAPER_GAMES;
use super::loss::Losses;
use super::loss::summary_file;
use super::pairing_scores::{PairingScore, pairing_scores};
use super::{CHINESE_PAPER, PAPER, PAPER_CEILING, budget, budget_log, claims, threads_log};
use crate::engine::cores;
use agon_claims::report::{PaperReport, PaperTable, WinRate};
use agon_matchlog::MatchHeader;
use agon_report::plot::{Align, Chart, DataPoint, Mark, Scale, TextTable};
use agon_report::report::aggregate::{Aggregate, SizeLimits};
use agon_report::report::scan;
use anyhow::Result;
use std::path::Path;

/// Makes the report on the main log at `path` and, if present, the log of the threads, the log of the
/// paper's budget and the exact losses beside it.
pub fn report(
    path: &Path,
    header: &MatchHeader,
    log: &Aggregate,
    command: &str,
) -> Result<PaperReport> {
    let cells = pairing_scores(header, log);
    let threads = optional_log(&threads_log(path))?;
    let timed = threads.map(|(header, log)| pairing_scores(&header, &log)).unwrap_or_default();
    let factor_budget = budget_of(header, |name| name.starts_with("c="));
    let grid: Vec<&PairingScore> = cells.iter().filter(|c| c.number("k").is_some()).collect();
    let factors: Vec<&PairingScore> = cells.iter().filter(|c| c.number("c").is_some()).collect();
    let others: Vec<&PairingScore> = cells
        .iter()
        .filter(|c| c.against == "random" && c.number("k").is_none() && c.number("c").is_none())
        .collect();
    let duels: Vec<&PairingScore> = cells.iter().filter(|c| c.against == "plain").collect();
    let mut figures = vec![figure_16(&grid), figure_17(&factors)];
    let mut tables = vec![
        against_random("Figure 16: won against random", &grid),
        against_random(
            &format!("Figure 17: won against random with the factor c of UCB1, at {factor_budget}"),
            &factors,
        ),
        against_random("The ceiling: programs that look at the dice, against random", &others),
        head_to_head(&duels, &budget_of(header, |name| name == "plain")),
    ];
    if !timed.is_empty() {
        figures.push(figure_10(&timed));
        tables.push(threads_table(&timed));
    }
    let mut claims = claims::all(&grid, &factors, &others, &timed, &factor_budget);
    let at_budget = optional_log(&budget_log(path))?;
    match at_budget.map(|(header, log)| budget::section(&header, &log)) {
        Some(section) => {
            tables.insert(2, section.table);
            figures.insert(2, section.figure);
            claims.extend(section.claims);
        }
        None => claims.extend(budget::untested()),
    }
    let mut conditions = conditions(header, log);
    let losses = Losses::read(&summary_file(path))?;
    if let Some(losses) = &losses {
        tables.push(losses.table());
        figures.push(losses.figure());
        conditions.extend(losses.conditions());
    }
    Ok(PaperReport {
        title: "EinStein wuerfelt nicht: Monte Carlo tree search".into(),
        paper: PAPER.into(),
        chinese: ["爱恩斯坦棋：蒙特卡洛树搜索".into(), CHINESE_PAPER.into()],
        summary: losses.as_ref().map_or(String::new(), Losses::summary),
        conditions,
        warnings: warnings(header, log),
        tables,
        figures,
        claims,
        rows: losses.map_or(Vec::new(), |losses| losses.json_rows()),
        command: command.into(),
    })
}

fn conditions(header: &MatchHeader, log: &Aggregate) -> Vec<(String, String)> {
    let fact = |name: &str, text: String| (name.to_string(), text);
    vec![
        fact("games", format!("{} of {}", log.games(), header.scheduled_games())),
        fact(
            "openings",
            "random layouts; both games of a pair share layout and dice, sides swapped".into(),
        ),
        fact("ties", "a random one of the root moves with the best winning rate".into()),
        fact(
            "reading",
            "W is the wins of the player to move in each node; `W to the letter` takes the \
             engine's everywhere"
                .into(),
        ),
        fact("chance", header.chance_source()),
    ]
}

fn warnings(header: &MatchHeader, log: &Aggregate) -> Vec<String> {
    let mut list = Vec::new();
    if log.games() < header.scheduled_games() {
        list.push("games are missing: run the same command to play them".into());
    }
    let pairings = &header.schedule.pairings;
    let first_cell = pairings.iter().filter(|p| p.engines == pairings[0].engines);
    if first_cell.map(|p| p.games[0] + p.games[1]).sum::<u64>() < PAPER_GAMES {
        list.push("fewer games a cell than the paper's 2,000, and smaller budgets".into());
    }
    list
}

fn against_random(caption: &str, cells: &[&PairingScore]) -> PaperTable {
    let rows: Vec<WinRate> = cells
        .iter()
        .map(|cell| {
            let wdl = cell.tally.wdl();
            let ms = cell.ms.map_or(String::new(), |ms| format!(", {ms:.1} ms/move"));
            WinRate {
                label: format!("{}{ms}", cell.name),
                wins: wdl.wins,
                games: wdl.games(),
                paper: None,
            }
        })
        .collect();
    let mut table = PaperTable::win_rates(caption, &rows);
    table.notes.push(
        "The paper shows its figures as images only; its text gives a ceiling of about 75% and the \
         square root of two as the best c."
            .into(),
    );
    table
}

/// The data of a log beside the main one; `None` if there is no such file.
fn optional_log(path: &Path) -> Result<Option<(MatchHeader, Aggregate)>> {
    if !path.exists() {
        return Ok(None);
    }
    Ok(Some(scan(path, SizeLimits { first: 0, faults: 0 })?))
}

/// The paper's i and k of the first engine whose name is `of_it`.
fn budget_of(header: &MatchHeader, of_it: impl Fn(&str) -> bool) -> String {
    let Some(engine) = header.engines.iter().find(|e| of_it(&e.name)) else { return "?".into() };
    let option = |name: &str| {
        let option = engine.options.iter().find(|o| o.name == name);
        option.map_or("?", |o| o.value.as_str())
    };
    format!("i={} k={}", option("Iterations"), option("Simulations"))
}

/// The gain of each improvement, in pairs that share layout and dice.
fn head_to_head(cells: &[&PairingScore], budget: &str) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["against the plain search"]),
        (Align::Right, &["games", "score", "Elo", "95%", "ms/move"]),
    ]);
    for cell in cells {
        let wdl = cell.tally.wdl();
        let elo = cell.tally.spread().map(|s| s.elo());
        table.row([
            cell.name.clone(),
            wdl.games().to_string(),
            wdl.score().map_or("-".into(), |s| format!("{:.1}%", 100.0 * s)),
            elo.map_or("-".into(), |e| format!("{:+.0}", e.value)),
            elo.map_or("-".into(), |e| format!("{:+.0} to {:+.0}", e.low, e.high)),
            cell.ms.map_or("-".into(), |ms| format!("{ms:.1}")),
        ]);
    }
    PaperTable {
        caption: "Head to head: what n-tuples, progressive bias, prior knowledge and \
                  epsilon-greedy are worth"
            .into(),
        table,
        notes: vec![format!(
            "Both sides have the same iterations and playouts, {budget}, not the same time. The \
                 paper has no such table."
        )],
    }
}

/// The paper's ceiling as a line across the range of the points.
fn add_ceiling(chart: &mut Chart, xs: &[f64]) {
    let low = xs.iter().copied().fold(f64::INFINITY, f64::min);
    let high = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low < high {
        let line = [low, high].map(|x| DataPoint::new(x, PAPER_CEILING)).to_vec();
        chart.add("the paper's ceiling", Mark::Dashed, line);
    }
}

fn figure_16(cells: &[&PairingScore]) -> (Chart, String) {
    let mut chart =
        Chart::new("Figure 16: win rate against random", "iterations", "won against random");
    chart.x_scale = Scale::Log;
    chart.percent = true;
    chart.from_zero = false;
    let mut playouts: Vec<f64> = cells.iter().filter_map(|c| c.number("k")).collect();
    playouts.sort_by(f64::total_cmp);
    playouts.dedup();
    for k in playouts {
        let series = cells.iter().filter(|c| c.number("k") == Some(k));
        let points = series.filter_map(|c| c.point(c.number("i")?)).collect();
        chart.add(&format!("k = {k}"), Mark::DottedLine, points);
    }
    let xs: Vec<f64> = cells.iter().filter_map(|c| c.number("i")).collect();
    add_ceiling(&mut chart, &xs);
    (chart, "Bars: 95% Wilson intervals. k: playouts of each new node.".into())
}

fn figure_17(cells: &[&PairingScore]) -> (Chart, String) {
    let mut chart = Chart::new("Figure 17: win rate by c", "c", "won against random");
    chart.percent = true;
    chart.from_zero = false;
    let points = cells.iter().filter_map(|c| c.point(c.number("c")?)).collect();
    chart.add("ours", Mark::DottedLine, points);
    let xs: Vec<f64> = cells.iter().filter_map(|c| c.number("c")).collect();
    add_ceiling(&mut chart, &xs);
    (chart, "Bars: 95% Wilson intervals. The paper takes the square root of two, 1.41.".into())
}

fn figure_10(cells: &[PairingScore]) -> (Chart, String) {
    let mut chart = Chart::new("Figure 10: time by threads", "threads", "ms/move");
    chart.x_scale = Scale::Log;
    let points =
        cells.iter().filter_map(|c| Some(DataPoint::new(c.number("threads")?, c.ms?))).collect();
    chart.add("20 iterations of 100 playouts", Mark::DottedLine, points);
    (chart, format!("One game at a time, on {} cores.", cores()))
}

fn threads_table(cells: &[PairingScore]) -> PaperTable {
    let mut table =
        TextTable::new(&[(Align::Right, &["threads", "ms/move", "times as fast as one"])]);
    let one = cells.first().and_then(|c| c.ms);
    for cell in cells {
        let (Some(ms), Some(threads)) = (cell.ms, cell.number("threads")) else { continue };
        let ratio = one.map_or("-".into(), |one| format!("{:.2}", one / ms));
        table.row([format!("{threads}"), format!("{ms:.1}"), ratio]);
    }
    PaperTable {
        caption: format!("Figure 10: time against threads at i=20 k=100, on {} cores", cores()),
        table,
        notes: vec!["The paper's machine had 8 logical cores; its curve flattens there.".into()],
    }
}
