//! The report on a log of the experiment: the three readings side by side, the paper's table beside
//! ours, its figures redrawn, and its claims judged in each reading.

use super::branching::{self, Branching};
use super::claims::{self, ENOUGH_GAMES, LEAVES};
use super::findings::{ALGORITHMS, ReadingResult};
use super::{
    FittingDepth, PAPER_GAMES, PAPER_MOVE_MS, PAPER_WINS, Reading, fitting_of, pseudo_code,
};
use crate::fits::{FitPlot, FitSeries};
use agon_claims::report::{Claim, ClaimVerdict, PaperReport, PaperTable, WinRate};
use agon_matchlog::MatchHeader;
use agon_report::plot::{Align, Chart, DataPoint, Mark, Scale, TextTable};
use agon_report::report::aggregate::{Aggregate, REASONS};
use agon_stats::{FitError, Wdl, Wilson};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::Path;

/// Makes the report on the log at `path`. `command` is the command line that reproduces it.
///
/// # Errors
///
/// If the log is of another experiment, or names an unknown reading.
pub fn report(
    path: &Path,
    header: &MatchHeader,
    log: &Aggregate,
    command: &str,
) -> Result<PaperReport> {
    let all = ReadingResult::of_log(header, log).with_context(|| path.display().to_string())?;
    let claims: Vec<[Claim; 6]> = all.iter().map(claims::all).collect();
    let fitting = fitting_of(header);
    let mut tables = vec![table_one(&all), effort_table(&all, log), verdicts(&all, &claims)];
    tables.push(fits_table(&all));
    let branching = Branching::of_log(path).with_context(|| path.display().to_string())?;
    let pseudo_code = pseudo_code::versions();
    tables.extend([branching.table(), pseudo_code::table(&pseudo_code)]);
    let mut figures = vec![(rates_chart(&all), RATES_CAPTION.to_string())];
    figures.extend(all.iter().map(|f| (both_chart(f), "Means on a logarithmic scale.".into())));
    for (i, number) in [(0, 2), (1, 3)] {
        let caption = format!("Figure {number} of the paper. Dots: means with 95% intervals.");
        figures.extend(all.iter().map(|f| (fit_chart(f, i, number), caption.clone())));
    }
    Ok(PaperReport {
        title: "Amazons: PVS against alpha-beta".into(),
        paper:
            "Li Zhuoxuan, Li Yuan, Ran Guanyang, Wang Jingwen: Amazons game system based on PVS \
                search algorithm (2018), sections 2.1 and 2.2"
                .into(),
        chinese: [
            "亚马逊棋：PVS 与 alpha-beta".into(),
            "李卓轩、李媛、冉冠阳、王静文：基于 PVS 搜索算法的亚马逊棋博弈系统的设计（2018），第 2.1、2.2 节".into(),
        ],
        summary: summary(&all, &claims, fitting.as_ref()),
        conditions: conditions(header, log, &all, fitting.as_ref()),
        warnings: warnings(header, log, &all),
        tables,
        figures,
        rows: all.iter().map(|f| row(f, fitting.as_ref())).collect(),
        claims: claims
            .into_iter()
            .flatten()
            .chain(branching::claims(&branching))
            .chain(pseudo_code::claims(&pseudo_code))
            .collect(),
        command: command.into(),
    })
}

const RATES_CAPTION: &str = "Bars: 95% Wilson intervals. `deepening` is the fair reading: both \
                             algorithms have the same time.";

/// Which reading gives the paper's table, and why that is no evidence for PVS as such.
fn summary(all: &[ReadingResult], claims: &[[Claim; 6]], fitting: Option<&FittingDepth>) -> String {
    if all.iter().all(|f| f.wdl().games() == 0) {
        return "No game is finished yet.".into();
    }
    let names = |holds: &dyn Fn(usize) -> bool| -> Vec<String> {
        let kept = all.iter().enumerate().filter(|(i, _)| holds(*i));
        kept.map(|(_, f)| format!("`{}`", f.reading.name())).collect()
    };
    let agrees = |verdict| matches!(verdict, ClaimVerdict::Reproduced | ClaimVerdict::Direction);
    let table = |i: usize| all[i].gives_table_one() && agrees(claims[i][0].verdict());
    let leaves = |verdict| move |i: usize| table(i) && claims[i][LEAVES].verdict() == verdict;
    let with_leaves = names(&leaves(ClaimVerdict::Reproduced));
    let told = names(&leaves(ClaimVerdict::Open)).is_empty();
    let games = all.iter().map(|f| f.wdl().games()).min().unwrap_or(0);
    let whole = (0..all.len())
        .filter(|&i| table(i))
        .all(|i| claims[i][0].verdict() == ClaimVerdict::Reproduced);
    let mut text = beginning((games >= ENOUGH_GAMES, whole), &names(&table), &with_leaves, told);
    let reasons: Vec<String> =
        (0..all.len()).filter(|&i| table(i)).filter_map(|i| handicap(&all[i], fitting)).collect();
    if !reasons.is_empty() {
        text +=
            &format!("; this is no evidence for PVS as such, because {}", reasons.join(", and "));
    }
    if let Some(fair) = all.iter().find(|f| f.reading == Reading::Deepening)
        && let Some(w) = fair.rate()
    {
        text += &format!(
            "; in the fair reading, `deepening`, with the same time for both, PVS wins {} of {} \
             ({:.1} to {:.1}%)",
            fair.wdl().wins,
            fair.wdl().games(),
            100.0 * w.low,
            100.0 * w.high
        );
        if let Some(ratio) = fair.ratio(|e| e.total.leaves) {
            text += &format!(" and visits {:.2} times alpha-beta's leaves", ratio.value);
        }
    }
    text + "."
}

/// The readings that agree with the paper's table, and those that also give its far more leaves.
/// `enough`: whether there are enough games to say that none does; `whole`: whether the table's claim
/// is reproduced in all of these readings, and not only its direction; `told`: whether the others
/// certainly do not give its leaves.
fn beginning(
    (enough, whole): (bool, bool),
    table: &[String],
    leaves: &[String],
    told: bool,
) -> String {
    if table.is_empty() {
        return match enough {
            false => "There are too few games to tell which reading gives the paper's table".into(),
            true => "No reading gives the paper's table here".into(),
        };
    }
    let mut text = match whole {
        true => format!("The paper's table is reproduced in {}", table.join(" and ")),
        false => format!("The games agree with the paper's table in {}", table.join(" and ")),
    };
    match (leaves.is_empty(), told) {
        (true, true) => text += ", but not with its far more leaves",
        (true, false) => {}
        (false, _) => {
            let only = if told && leaves != table { "only " } else { "" };
            text += &format!(", with its far more leaves {only}in {}", leaves.join(" and "));
        }
    }
    text
}

/// The handicap of alpha-beta in a reading; `None` in the fair one.
fn handicap(f: &ReadingResult, fitting: Option<&FittingDepth>) -> Option<String> {
    match f.reading {
        Reading::Deepening => None,
        Reading::Literal => Some(format!(
            "in `literal` alpha-beta finishes no iteration in {:.0}% of its moves",
            100.0 * f.unfinished()?
        )),
        Reading::Fitting => Some(format!(
            "in `fitting` alpha-beta stops at depth {} after {:.0} ms of its {} ms",
            fitting?.depth,
            f.effort[1].total.us.mean()? / 1000.0,
            f.move_ms?
        )),
    }
}

fn table_one(all: &[ReadingResult]) -> PaperTable {
    let rows = all.iter().flat_map(|f| {
        [("first", f.tally.as_first, 0), ("second", f.tally.as_second, 1)].map(
            |(side, wdl, i): (&str, Wdl, usize)| WinRate {
                label: format!("{}: PVS {side}", f.reading.name()),
                wins: wdl.wins,
                games: wdl.games(),
                paper: Some((PAPER_WINS[i], PAPER_GAMES[i])),
            },
        )
    });
    let caption = "Table 1: games won by PVS against alpha-beta, by reading of the paper";
    PaperTable::win_rates(caption, &rows.collect::<Vec<_>>())
}

/// Time, depth, nodes and leaves of both algorithms.
fn effort_table(all: &[ReadingResult], log: &Aggregate) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &[""]),
        (Align::Right, &["moves", "ms/move", "depth", "unfinished", "nodes/move"]),
        (Align::Right, &["leaves/move", "nodes/s"]),
        (Align::Left, &["faults"]),
    ]);
    let show = |x: Option<f64>, digits: usize| x.map_or("-".into(), |x| format!("{x:.digits$}"));
    for (i, f) in all.iter().enumerate() {
        for (k, name) in ALGORITHMS.iter().enumerate() {
            let effort = f.effort[k].total;
            let moves = effort.us.count;
            let unfinished = 100.0 * effort.unfinished as f64 / moves.max(1) as f64;
            table.row([
                format!("{}: {name}", f.reading.name()),
                moves.to_string(),
                show(effort.us.mean().map(|us| us / 1000.0), 1),
                show(effort.depth.mean(), 2),
                show((moves > 0).then_some(unfinished), 1) + "%",
                show(effort.nodes.mean(), 0),
                show(effort.leaves.mean(), 0),
                show(effort.nodes_per_second(), 0),
                faults(log, 2 * i + k),
            ]);
        }
    }
    let notes = vec![
        "Unfinished: moves without a finished iteration. Faults: games lost by them. A leaf is a \
         node with a static evaluation or a finished game; PVS's table answers some nodes without \
         visiting a leaf below them."
            .into(),
    ];
    PaperTable { caption: "Time, depth, nodes and leaves".into(), table, notes }
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

/// The verdicts side by side.
fn verdicts(all: &[ReadingResult], claims: &[[Claim; 6]]) -> PaperTable {
    let names: Vec<&str> = all.iter().map(|f| f.reading.name()).collect();
    let mut table = TextTable::new(&[(Align::Left, &["claim"]), (Align::Left, &names)]);
    let texts = claims.first().map_or(&[][..], |c| c);
    for (i, claim) in texts.iter().enumerate() {
        let verdicts = claims.iter().map(|c| c[i].verdict_name().to_string());
        table.row(std::iter::once(claim.text().to_string()).chain(verdicts));
    }
    PaperTable { caption: "The paper's claims by reading".into(), table, notes: Vec::new() }
}

fn fits_table(all: &[ReadingResult]) -> PaperTable {
    let named = |f: &ReadingResult, i: usize| FitSeries {
        name: format!("{}: {}", f.reading.name(), ALGORITHMS[i]),
        ..f.series[i].clone()
    };
    let series = all.iter().flat_map(|f| [named(f, 0), named(f, 1)]).collect();
    node_plot("Figures 2 and 3: visited nodes by move number".into(), Scale::Linear, series).table()
}

fn node_plot(title: String, y_scale: Scale, series: Vec<FitSeries>) -> FitPlot {
    let (x_label, y_label) = ("move number".into(), "visited nodes per move".into());
    FitPlot { title, x_label, y_label, y_scale, series }
}

/// One figure of the paper in one reading.
fn fit_chart(f: &ReadingResult, i: usize, number: u32) -> Chart {
    let title = format!("Figure {number}, {}: {}", f.reading.name(), ALGORITHMS[i]);
    let chart = node_plot(title, Scale::Linear, vec![f.series[i].clone()]).chart();
    Chart { width: Chart::NARROWEST, ..chart }
}

/// Both algorithms in one chart, without fits: a polynomial may go below 0.
fn both_chart(f: &ReadingResult) -> Chart {
    let bare = |s: &FitSeries| FitSeries {
        fit: Err(FitError::TooFewPoints { degree: 0, distinct: 0 }),
        intervals: Vec::new(),
        ..s.clone()
    };
    let title = format!("{}: nodes of both", f.reading.name());
    let chart = node_plot(title, Scale::Log, f.series.iter().map(bare).collect()).chart();
    Chart { width: Chart::NARROWEST, ..chart }
}

/// PVS's rates in all readings, beside the paper's.
fn rates_chart(all: &[ReadingResult]) -> Chart {
    let mut chart = Chart::new("Games won by PVS", "reading of the paper", "won");
    chart.x_names = all.iter().map(|f| f.reading.name().to_string()).collect();
    chart.percent = true;
    chart.y_range = Some((0.0, 1.0));
    type Side = fn(&ReadingResult) -> Wdl;
    let sides: [(&str, Side, f64); 2] = [
        ("as first player", |f| f.tally.as_first, -0.08),
        ("as second player", |f| f.tally.as_second, 0.08),
    ];
    for (name, side, aside) in sides {
        let point = |(i, f): (usize, &ReadingResult)| {
            let w = Wilson::new(side(f).wins, side(f).games())?;
            Some(DataPoint::with_interval((i + 1) as f64 + aside, w.rate, w.low, w.high))
        };
        chart.add(name, Mark::Dots, all.iter().enumerate().filter_map(point).collect());
    }
    let [wins, games] = [PAPER_WINS, PAPER_GAMES].map(|n| (n[0] + n[1]) as f64);
    let ends = [0.5, all.len() as f64 + 0.5];
    let line = ends.map(|x| DataPoint::new(x, wins / games)).to_vec();
    chart.add("the paper", Mark::Dashed, line);
    chart
}

/// A reading as a row of JSON output.
fn row(f: &ReadingResult, fitting: Option<&FittingDepth>) -> Value {
    let side = |wdl: Wdl| {
        let w = Wilson::new(wdl.wins, wdl.games());
        json!({"games": wdl.games(), "wins": wdl.wins, "wilson95": w.map(|w| [w.low, w.high])})
    };
    let effort = |i: usize| {
        let total = f.effort[i].total;
        json!({
            "moves": total.us.count,
            "ms": total.us.mean().map(|us| us / 1000.0),
            "depth": total.depth.mean(),
            "moves_without_iteration": total.unfinished,
            "nodes": total.nodes.mean(),
            "leaves": total.leaves.mean(),
        })
    };
    let fitting = fitting.filter(|_| f.reading == Reading::Fitting);
    json!({
        "table": "reading",
        "reading": f.reading.name(),
        "fixed_depth": fitting.map(|d| d.depth),
        "first": side(f.tally.as_first),
        "second": side(f.tally.as_second),
        "pvs": effort(0),
        "alphabeta": effort(1),
    })
}

fn conditions(
    header: &MatchHeader,
    log: &Aggregate,
    all: &[ReadingResult],
    fitting: Option<&FittingDepth>,
) -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_string(), value);
    let limit = header.engines.first().map_or_else(String::new, |e| e.limit.to_string());
    let games = format!("{} of {} scheduled", log.games(), header.scheduled_games());
    let mut list = vec![pair("games played", games), pair("time per move", limit)];
    for f in all {
        list.push(pair(&format!("reading `{}`", f.reading.name()), f.reading.words().into()));
    }
    if let Some(FittingDepth { depth, evidence }) = fitting {
        list.push(pair("depth that fits", format!("{depth}; {evidence}")));
    }
    let fit = all.iter().find(|f| f.reading == Reading::Fitting);
    if let Some(first) = fit.and_then(|f| f.effort[1].by_move.first()) {
        let done = first.us.count - first.unfinished;
        let text = format!("finished in {done} of {} first moves of the match", first.us.count);
        list.push(pair("the same depth in the match", text));
    }
    if let Some(openings) = &header.openings {
        let text = format!(
            "{} ({} positions, a different one for each pair); all readings have the same",
            openings.file, openings.count
        );
        list.push(pair("openings", text));
    }
    for engine in header.engines.iter() {
        let options: Vec<String> =
            engine.options.iter().map(|o| format!("{}={}", o.name, o.value)).collect();
        list.push(pair(&engine.name, options.join(", ")));
    }
    if let Some(engine) = header.engines.first() {
        list.push(pair("SHA-256 of the program", engine.sha256.clone()));
        for file in &engine.files {
            list.push(pair(&format!("SHA-256 of {}", file.name), file.value.clone()));
        }
    }
    list.push(pair("chance", header.chance_source()));
    list.push(pair("referee", header.referee.clone()));
    list
}

fn warnings(header: &MatchHeader, log: &Aggregate, all: &[ReadingResult]) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(ms) = all.first().and_then(|f| f.move_ms).filter(|&ms| ms != PAPER_MOVE_MS) {
        warnings.push(format!(
            "The paper has {PAPER_MOVE_MS} ms per move; these games have {ms} ms and count as none of its games."
        ));
    }
    let paper: u64 = PAPER_GAMES.iter().sum();
    let least = all.iter().map(|f| f.wdl().games()).min().unwrap_or(0);
    if least < paper {
        warnings.push(format!("The paper has {paper} games; a reading here has {least}."));
    }
    let missing = header.scheduled_games().saturating_sub(log.games());
    if missing > 0 {
        warnings.push(format!("{missing} games are missing: the same command plays them."));
    }
    let faulty: u64 = log.games() - log.reasons.first().copied().unwrap_or(0);
    if faulty > 0 {
        warnings.push(format!("{faulty} games did not end by the rules."));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_says_no_more_than_the_games_tell() {
        let [a, b] = ["`literal`", "`fitting`"].map(String::from);
        let both = [a, b.clone()];
        let direction = beginning((true, false), &both, &[b], true);
        assert_eq!(
            direction,
            "The games agree with the paper's table in `literal` and `fitting`, with its far more \
             leaves only in `fitting`"
        );
        let whole = beginning((true, true), &both, &both[1..], false);
        assert!(whole.starts_with("The paper's table is reproduced in"), "{whole}");
        assert!(
            whole.ends_with("with its far more leaves in `fitting`"),
            "the other is open: {whole}"
        );
        let few = (false, false);
        assert!(beginning(few, &both, &[], true).ends_with(", but not with its far more leaves"));
        assert!(beginning(few, &both, &[], false).ends_with("`fitting`"));
        assert!(beginning((true, true), &[], &[], true).starts_with("No reading"));
        assert!(beginning(few, &[], &[], true).contains("too few games"));
    }
}
