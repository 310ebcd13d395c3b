//! The report on a log of the experiment: the paper's table beside ours, its figures redrawn, and
//! its claims with verdicts.

use super::{PAPER_GAMES, PAPER_MOVE_MS, PAPER_WINS, Reading, claims};
use crate::matchlog::Header;
use crate::output::plot::{Align, Scale, TextTable};
use crate::output::report::aggregate::{Aggregate, REASONS};
use crate::output::report::effort::EngineEffort;
use crate::papers::report::{FitPlot, FitSeries, PaperReport, PaperTable, WinRate};
use crate::stats::{Point, Tally};

/// Degree of the paper's fits.
const DEGREE: usize = 6;
/// The fits exclude move numbers that fewer than one game in this many reaches: these would bend
/// the polynomial although they have little weight.
const RARE: u64 = 10;

/// Makes the report. `command` is the command line that reproduces it.
pub fn report(header: &Header, log: &Aggregate, command: &str) -> PaperReport {
    let tally = log.meetings.get(&[0, 1]).map_or(Tally::default(), |m| m.tally());
    let games = tally.wdl().games();
    let offset = opening_moves(log);
    let series = [0, 1].map(|i| node_series(header, log, i, offset));
    let means = [0, 1].map(|i| log.effort.get(i).and_then(|e| e.total.nodes.mean()));
    let figures = [("Figure 2", 0), ("Figure 3", 1)].map(|(figure, i)| plot(figure, &series[i]));
    let mut tables = vec![table_one(&tally), effort_table(header, log)];
    tables.extend(figures.iter().map(FitPlot::table));
    let claims = vec![
        claims::strength(tally.wdl().wins, games),
        claims::far_more_nodes(games, means, &series),
        claims::rise_then_late_fall(games, &series[0]),
        claims::fall_from_the_middle_game(games, &series[1]),
    ];
    let caption = format!(
        "Dots: means over all games with their 95% intervals. Move numbers that fewer than one \
         game in {RARE} reaches are left out. The first {offset} moves are the opening's."
    );
    let both = both_in_one(&series);
    let mut figures: Vec<_> = figures.iter().map(|f| (f.chart(), caption.clone())).collect();
    figures.push((both.chart(), "Both on a logarithmic scale.".into()));
    PaperReport {
        title: "Amazons: PVS against alpha-beta".into(),
        paper:
            "Li Zhuoxuan, Li Yuan, Ran Guanyang, Wang Jingwen: Amazons game system based on PVS \
                search algorithm (2018), sections 2.1 and 2.2"
                .into(),
        conditions: conditions(header, games),
        warnings: warnings(header, log, games),
        tables,
        figures,
        claims,
        command: command.into(),
    }
}

/// Opening moves of each player, taken from the first game.
fn opening_moves(log: &Aggregate) -> usize {
    let opening = log.sample.values().next().map_or("", |game| game.opening.as_str());
    opening.split_once(" moves ").map_or(0, |(_, moves)| moves.split_whitespace().count()) / 2
}

fn table_one(tally: &Tally) -> PaperTable {
    let row = |label: &str, wdl: crate::stats::Wdl, i: usize| WinRate {
        label: label.into(),
        wins: wdl.wins,
        games: wdl.games(),
        paper: Some((PAPER_WINS[i], PAPER_GAMES[i])),
    };
    PaperTable::win_rates(
        "Table 1: games won by PVS against alpha-beta",
        &[row("PVS first", tally.as_first, 0), row("PVS second", tally.as_second, 1)],
    )
}

/// Time, depth and nodes per move of both algorithms.
fn effort_table(header: &Header, log: &Aggregate) -> PaperTable {
    let mut table = TextTable::new(&[
        ("", Align::Left),
        ("moves", Align::Right),
        ("ms/move", Align::Right),
        ("depth", Align::Right),
        ("nodes/move", Align::Right),
        ("nodes/s", Align::Right),
        ("games lost by faults", Align::Left),
    ]);
    let show = |x: Option<f64>, digits: usize| x.map_or("-".into(), |x| format!("{x:.digits$}"));
    for (i, engine) in header.engines.iter().enumerate() {
        let Some(effort) = log.effort.get(i).map(|e| e.total) else { continue };
        table.row([
            engine.name.clone(),
            effort.us.count.to_string(),
            show(effort.us.mean().map(|us| us / 1000.0), 1),
            show(effort.depth.mean(), 2),
            show(effort.nodes.mean(), 0),
            show(effort.nodes_a_second(), 0),
            faults(log, i),
        ]);
    }
    PaperTable { caption: "Time, depth and nodes".into(), table, notes: Vec::new() }
}

fn faults(log: &Aggregate, engine: usize) -> String {
    let counts = log.losses.get(engine).copied().unwrap_or_default();
    let parts: Vec<String> = REASONS
        .iter()
        .zip(counts)
        .filter(|(reason, n)| reason.is_fault() && *n > 0)
        .map(|(reason, n)| format!("{n} by {}", reason.name()))
        .collect();
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

/// Mean nodes by move number, with their fit.
fn node_series(header: &Header, log: &Aggregate, engine: usize, offset: usize) -> FitSeries {
    let name = header.engines.get(engine).map_or("?", |e| e.name.as_str());
    let none = EngineEffort::default();
    let by_move = &log.effort.get(engine).unwrap_or(&none).by_move;
    let enough = log.games().div_ceil(RARE).max(1);
    let kept: Vec<_> = by_move
        .iter()
        .map(|e| e.nodes)
        .enumerate()
        .filter(|(_, nodes)| nodes.count >= enough)
        .filter_map(|(i, nodes)| Some((i, nodes, nodes.mean()?)))
        .collect();
    let points = kept
        .iter()
        .map(|&(i, nodes, mean)| Point {
            x: (i + offset + 1) as f64,
            y: mean,
            weight: nodes.count as f64,
        })
        .collect();
    let within = kept.iter().map(|(_, nodes, _)| nodes.within()).sum();
    let mut series = FitSeries::new(name, points, within, DEGREE);
    series.intervals =
        kept.iter().map(|&(_, nodes, mean)| nodes.interval().unwrap_or((mean, mean))).collect();
    series
}

fn plot(figure: &str, series: &FitSeries) -> FitPlot {
    FitPlot {
        title: format!("{figure}: nodes visited by {}", series.name),
        x_label: "move number".into(),
        y_label: "visited nodes per move".into(),
        y_scale: Scale::Linear,
        series: vec![series.clone()],
    }
}

/// Both algorithms in one chart, without fits: a polynomial may go below 0.
fn both_in_one(series: &[FitSeries; 2]) -> FitPlot {
    let bare = |s: &FitSeries| FitSeries {
        fit: Err(crate::stats::FitError::TooFewPoints { degree: DEGREE, distinct: 0 }),
        intervals: Vec::new(),
        ..s.clone()
    };
    FitPlot {
        title: "Visited nodes of both".into(),
        x_label: "move number".into(),
        y_label: "visited nodes per move".into(),
        y_scale: Scale::Log,
        series: series.iter().map(bare).collect(),
    }
}

fn reading(header: &Header) -> &str {
    let settings = header.experiment.as_ref().map_or(&[][..], |e| &e.settings);
    settings.iter().find(|s| s.name == "reading").map_or("?", |s| s.value.as_str())
}

fn conditions(header: &Header, games: u64) -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_string(), value);
    let mut list = vec![
        pair("games played", format!("{games} of {} scheduled", header.scheduled_games())),
        pair("time a move", limits(header)),
        pair(
            "reading of the paper",
            format!("{}: {}", reading(header), Reading::words(reading(header))),
        ),
    ];
    if let Some(openings) = &header.openings {
        let text = format!(
            "{} ({} positions, a different one for each game pair); PVS and alpha-beta get the same",
            openings.file, openings.count
        );
        list.push(pair("openings", text));
    }
    for engine in &header.engines {
        let options: Vec<String> =
            engine.options.iter().map(|o| format!("{}={}", o.name, o.value)).collect();
        let hash = engine.sha256.get(..16).unwrap_or(&engine.sha256);
        list.push(pair(&engine.name, format!("{} (SHA-256 {hash}...)", options.join(", "))));
    }
    list.push(pair("chance", header.chance_source()));
    list.push(pair("referee", header.referee.clone()));
    list
}

fn limits(header: &Header) -> String {
    let each: Vec<String> = header.engines.iter().map(|e| e.limit.to_string()).collect();
    match each.as_slice() {
        [a, b] if a == b => a.clone(),
        _ => each.join(" against "),
    }
}

fn warnings(header: &Header, log: &Aggregate, games: u64) -> Vec<String> {
    let mut warnings = Vec::new();
    let reduced = |ms: u64| ms != PAPER_MOVE_MS;
    if let Some(ms) = header.engines.iter().filter_map(|e| e.limit.move_ms).find(|&ms| reduced(ms))
    {
        warnings
            .push(format!("The paper has {PAPER_MOVE_MS} ms a move; these games have {ms} ms."));
    }
    let paper: u64 = PAPER_GAMES.iter().sum();
    if games < paper {
        warnings.push(format!("The paper has {paper} games; these are {games}."));
    }
    let faulty: u64 = log.games() - log.reasons.first().copied().unwrap_or(0);
    if faulty > 0 {
        warnings.push(format!("{faulty} games did not end by the rules."));
    }
    warnings
}
