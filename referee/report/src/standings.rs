//! The score of a match as tables, as one line, and as JSON.

use super::bracket::Bracket;
use super::crosstable;
use super::headline;
use super::width::{self, TerminalSize};
use agon_base::counted;
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ByResults as _;
use agon_matches::standings::{Standing, Standings};
use agon_matchlog::MatchHeader;
use agon_stats::{Elo, Sequential, TestMethod, Wdl};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The figures of an engine that hold for the way in which its match ends.
#[derive(Default)]
struct Figures {
    elo: Option<Elo>,
    normalised: Option<Elo>,
    los: Option<f64>,
    /// How the Elo difference was computed, as a key of JSON.
    method: Option<&'static str>,
}

/// The figures of all engines. After a test that stops early or a continuation, an interval for a number of games fixed
/// in advance would be too short: the test's own estimate takes its place, and the others are left out.
fn figures(progress: &MatchProgress) -> Vec<Figures> {
    let estimate = progress.of_any_length().map(Sequential::estimate);
    let of = |(i, row): (usize, &Standing)| match (&estimate, row.tally().spread()) {
        (Some(Some(estimate)), _) => Figures {
            elo: Some(if i == 0 { estimate.elo } else { estimate.elo.mirrored() }),
            method: Some(estimate.method.key()),
            ..Figures::default()
        },
        (None, Some(spread)) => Figures {
            elo: Some(spread.elo()),
            normalised: spread.normalised_elo(),
            los: Some(spread.los()),
            method: Some(TestMethod::FixedSample.key()),
        },
        _ => Figures::default(),
    };
    progress.standings.rows.iter().enumerate().map(of).collect()
}

/// The verdict, and below it the tables: the score of every engine and, for more than two engines, the crosstable. A wide
/// table is broken into blocks that fit the terminal.
pub fn tables(header: &MatchHeader, progress: &MatchProgress) -> String {
    let width = width::of_output().map(|size| size.width);
    let standings = &progress.standings;
    let mut text = headline::text(header, progress);
    text.push_str(&table(progress, width));
    if !header.schedule.swaps_sides() {
        text.push_str(
            "sides were not swapped: scores and Elo contain the advantage of moving first\n",
        );
    }
    if header.engines.len() > 2 {
        let byes = header.schedule.byes(&progress.results);
        let cross = crosstable::table(&standings.cross, &standings.names, &byes);
        let _ = writeln!(text, "\n{}{}", cross.wrapped(2, width), crosstable::LEGEND);
    }
    if let Some(rounds) = header.schedule.bracket(&progress.results) {
        let bracket = Bracket { rounds: &rounds, names: &standings.names };
        let _ = write!(text, "\n{}", bracket.text());
    }
    text
}

/// The score for a live display that fits a terminal: one line for two engines, broken if it is
/// narrow; otherwise the leaders by rank, as many as there is room for.
pub fn brief(header: &MatchHeader, progress: &MatchProgress, size: TerminalSize) -> String {
    let standings = &progress.standings;
    let mut lines = match standings.rows.as_slice() {
        [] => Vec::new(),
        [row] | [row, _] => vec![width::wrap(&duel(progress, row), size.width)],
        _ => leaders(header, progress, size),
    };
    let faults: u64 = standings.rows.iter().flat_map(|r| r.faults.values()).sum();
    if faults > 0 {
        lines.push(width::fit(
            &format!("{faults} lost by faults", faults = counted(faults, "game")),
            size.width,
        ));
    }
    lines.join("\n")
}

/// The score of the first of two engines. The lines of a sequential test follow with its figures.
fn duel(progress: &MatchProgress, row: &Standing) -> String {
    let names = &progress.standings.names;
    let tally = row.tally();
    let mut text = format!("{} {}", names[0], crosstable::wdl(tally.wdl()));
    if let [_, other] = names.as_slice() {
        let _ = write!(text, " against {other}");
    }
    if let Some(score) = tally.wdl().score() {
        let _ = write!(text, ", {:.1}%", 100.0 * score);
    }
    if let Some(spread) = tally.spread().filter(|_| progress.of_any_length().is_none()) {
        let (elo, los) = (spread.elo(), 100.0 * spread.los());
        let _ = write!(text, ", Elo {elo}, LOS {los:.1}%");
    }
    text
}

/// Lines that the progress line, a test's line and the cursor need besides the leaders.
const OTHER_LINES: usize = 5;
/// Maximum number of engines in the live display.
const LEADERS: usize = 8;

/// The engines by rank with points, games, wins, draws and losses.
fn leaders(header: &MatchHeader, progress: &MatchProgress, size: TerminalSize) -> Vec<String> {
    let standings = &progress.standings;
    let ranking = standings.cross.ranking(&header.schedule.byes(&progress.results));
    let room = size.height.saturating_sub(OTHER_LINES).clamp(1, LEADERS);
    let shown = if ranking.len() <= room { ranking.len() } else { room.saturating_sub(1).max(1) };
    let numbers: Vec<String> = ranking[..shown]
        .iter()
        .map(|row| {
            let wdl = standings.rows.get(row.engine).map_or(Wdl::default(), |r| r.tally().wdl());
            let score = wdl.score().map_or("-".into(), |s| format!("{:.1}%", 100.0 * s));
            let points = format!("{}/{}", crosstable::points(row.half_points), row.games);
            format!("{points:>8}  {:>10}  {score:>6}", crosstable::wdl(wdl))
        })
        .collect();
    // The numbers matter more than the ends of long names.
    let wide = numbers.iter().map(|n| n.width()).max().unwrap_or(0);
    let room = size.width.saturating_sub(wide + 6).max(4);
    let names: Vec<String> =
        ranking[..shown].iter().map(|row| width::fit(standings.name(row.engine), room)).collect();
    let column = names.iter().map(|n| n.width()).max().unwrap_or(0);
    let mut lines: Vec<String> = names
        .iter()
        .zip(&numbers)
        .enumerate()
        .map(|(i, (name, numbers))| {
            let pad = " ".repeat(column - name.width());
            width::fit(&format!("{:>2}. {name}{pad}  {numbers}", i + 1), size.width)
        })
        .collect();
    if shown < ranking.len() {
        let more = format!("    and {} more engines", ranking.len() - shown);
        lines.push(width::fit(&more, size.width));
    }
    lines
}

/// The counts as one line of JSON, with the crosstable if there are more than two engines.
pub fn json(header: &MatchHeader, progress: &MatchProgress) -> serde_json::Value {
    let standings = &progress.standings;
    let finite = |x: f64| x.is_finite().then_some(x);
    let engines: Vec<serde_json::Value> = standings
        .names
        .iter()
        .zip(&standings.rows)
        .zip(figures(progress))
        .map(|((name, row), figures)| {
            let tally = row.tally();
            let Wdl { wins, draws, losses } = tally.wdl();
            let Figures { elo, normalised, los, method } = figures;
            serde_json::json!({
                "name": name,
                "wins": wins,
                "draws": draws,
                "losses": losses,
                "pentanomial": tally.pairs.counts,
                "elo": elo.and_then(|e| finite(e.value)),
                "elo_low": elo.and_then(|e| finite(e.low)),
                "elo_high": elo.and_then(|e| finite(e.high)),
                "normalised_elo": normalised.map(|e| e.value),
                "normalised_elo_low": normalised.map(|e| e.low),
                "normalised_elo_high": normalised.map(|e| e.high),
                "elo_method": method,
                "los": los,
                "faults": row.faults,
                "ms_per_move": row.mean_ms(),
                "depth": Standing::mean(row.depth),
                "nodes": Standing::mean(row.nodes),
            })
        })
        .collect();
    let mut result = serde_json::json!({
        "event": "result",
        "games": standings.games,
        "repeats": standings.repeats,
        "engines": engines,
    });
    if let (Some(object), true) = (result.as_object_mut(), standings.names.len() > 2) {
        let byes = header.schedule.byes(&progress.results);
        let cross = crosstable::json(&standings.cross, &standings.names, &byes);
        object.insert("crosstable".into(), cross);
    }
    if let (Some(object), Some(rounds)) =
        (result.as_object_mut(), header.schedule.bracket(&progress.results))
    {
        let bracket = Bracket { rounds: &rounds, names: &standings.names };
        object.insert("bracket".into(), bracket.json());
        let winner = header.schedule.winner(&progress.results).map(|w| standings.name(w));
        object.insert("winner".into(), winner.into());
    }
    result
}

/// Columns of the table beside the names.
const NUMBERS: usize = 71;

/// The table of all engines, followed by details. If it is too wide, the strength stands below the counts.
fn table(progress: &MatchProgress, most: Option<usize>) -> String {
    let standings = &progress.standings;
    let width = standings.names.iter().map(|n| n.width()).max().unwrap_or(0).max(6);
    let counts = |cells: [&str; 5]| {
        let [games, wins, draws, losses, score] = cells;
        format!(" {games:>6} {wins:>5} {draws:>5} {losses:>5} {score:>7}")
    };
    let strength = |elo: &str, los: &str| format!("  {elo:<26} {los:>6}");
    let mut rows = vec![(
        "Engine".to_string(),
        counts(["Games", "Won", "Drawn", "Lost", "Score"]),
        strength("Elo [95%]", "LOS"),
    )];
    let figures = figures(progress);
    for ((name, row), figures) in standings.names.iter().zip(&standings.rows).zip(&figures) {
        let wdl = row.tally().wdl();
        let score = wdl.score().map_or("-".into(), |s| format!("{:.2}%", 100.0 * s));
        let elo = figures.elo.map_or("-".into(), |elo| elo.to_string());
        let los = figures.los.map_or("-".into(), |los| format!("{:.1}%", 100.0 * los));
        let [games, wins, draws, losses] =
            [wdl.games(), wdl.wins, wdl.draws, wdl.losses].map(|n| n.to_string());
        rows.push((
            name.clone(),
            counts([&games, &wins, &draws, &losses, &score]),
            strength(&elo, &los),
        ));
    }
    let line = |name: &str, cells: &str| format!("{}{cells}\n", width::padded(name, width));
    let mut text: String = if most.is_some_and(|most| width + NUMBERS > most) {
        let counts = rows.iter().map(|(name, counts, _)| line(name, counts));
        counts.chain(rows.iter().map(|(name, _, strength)| line(name, strength))).collect()
    } else {
        rows.iter()
            .map(|(name, counts, strength)| line(name, &format!("{counts}{strength}")))
            .collect()
    };
    let normalised = figures.first().and_then(|first| first.normalised);
    details(standings, normalised, &mut text, width);
    text
}

fn details(standings: &Standings, normalised: Option<Elo>, text: &mut String, width: usize) {
    for (name, row) in standings.names.iter().zip(&standings.rows) {
        let Some(ms) = row.mean_ms() else { continue };
        let time = match ms {
            ms if ms < 0.001 => "below 1 us".into(),
            ms if ms < 1.0 => format!("{:.0} us", 1e3 * ms),
            ms => format!("{ms:.1} ms"),
        };
        let mut parts = vec![time];
        parts.extend(Standing::mean(row.depth).map(|d| format!("depth {d:.1}")));
        parts.extend(Standing::mean(row.nodes).map(|n| format!("{n:.0} nodes")));
        let _ = writeln!(text, "{name:<width$} per move: {}", parts.join(", "));
    }
    if let Some(first) = standings.rows.first() {
        let tally = first.tally();
        let counts = tally.pairs.counts;
        let alone = tally.outside_pairs();
        let _ = write!(text, "Ptnml(0-2) of {}: {counts:?}", standings.names[0]);
        let _ = writeln!(text, ", games outside complete pairs: {alone}");
        if let (Some(elo), Some(draws)) = (normalised, tally.wdl().draw_rate()) {
            let _ = write!(text, "normalised Elo of {}: {elo} (95%)", standings.names[0]);
            let _ = writeln!(text, ", {:.2}% of its games drawn", 100.0 * draws);
        }
    }
    if standings.repeats > 0 {
        let repeat = if standings.repeats == 1 { "repeats" } else { "repeat" };
        let _ = writeln!(
            text,
            "at least {} {repeat} an earlier game move for move: use more openings or other seeds of \
             the engines",
            counted(standings.repeats, "game")
        );
    }
    for (name, row) in standings.names.iter().zip(&standings.rows) {
        let faults: Vec<String> = row.faults.iter().map(|(f, n)| format!("{n} by {f}")).collect();
        if !faults.is_empty() {
            let _ = writeln!(text, "{name} lost {}", faults.join(", "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::GameResult::{Draw, First};
    use agon_matchlog::{EngineEntry, GameRecord, GameResult};

    /// A match of engines with these names and these games.
    fn played(names: &[&str], games: &[([usize; 2], GameResult)]) -> (MatchHeader, MatchProgress) {
        let mut header = MatchHeader::example();
        let entry = header.engines[0].clone();
        let engine = |name: &&str| EngineEntry { name: (*name).into(), ..entry.clone() };
        header.engines = names.iter().map(engine).collect();
        let mut progress = MatchProgress::new(&header).unwrap();
        for (i, &(players, result)) in (0..).zip(games) {
            progress.take(&GameRecord { game: i, pair: i, ..GameRecord::bare(players, result) });
        }
        (header, progress)
    }

    #[test]
    fn the_live_score_fits_any_terminal() {
        let long = "an engine with a very long name 亚马逊";
        let names = ["alpha", long, "gamma", "delta", "epsilon"];
        let games = [([0, 1], First), ([2, 1], Draw), ([3, 4], First), ([3, 0], First)];
        for count in [2, 5] {
            let (header, progress) = played(&names[..count], &games[..1.max(count - 1)]);
            for width in 10..100 {
                for height in 1..12 {
                    let text = brief(&header, &progress, TerminalSize { width, height });
                    assert!(text.lines().all(|l| l.width() <= width), "{width}: {text}");
                    assert!(count == 2 || text.lines().count() <= height.max(2), "{text}");
                }
            }
        }
    }

    /// A sequential test shows its own interval, and none for a fixed number of games.
    #[test]
    fn the_figures_of_a_test_hold_although_it_may_stop_at_any_time() {
        let games = [([0, 1], First), ([1, 0], Draw), ([0, 1], First), ([1, 0], First)];
        let (header, plain) = played(&["alpha", "beta"], &games);
        assert!(brief(&header, &plain, TerminalSize { width: 200, height: 24 }).contains("LOS"));
        assert_eq!(json(&header, &plain)["engines"][0]["elo_method"], "fixed_sample");
        let header = MatchHeader { until_width: Some(10.0), ..header };
        let mut progress = MatchProgress::new(&header).unwrap();
        for (i, &(players, result)) in (0..).zip(&games) {
            let game = GameRecord::bare(players, result);
            progress.take(&GameRecord { game: i, pair: i / 2, ..game });
        }
        let line = brief(&header, &progress, TerminalSize { width: 200, height: 24 });
        assert!(!line.contains("LOS") && !line.contains("Elo"), "{line}");
        let tables = tables(&header, &progress);
        assert!(!tables.contains("normalised") && tables.contains(" -\n"), "{tables}");
        let json = json(&header, &progress);
        let [first, second] = [0, 1].map(|i| &json["engines"][i]);
        assert_eq!(first["elo_method"], "confidence_sequence");
        assert!(first["los"].is_null() && first["normalised_elo"].is_null(), "{first}");
        assert_eq!(first["elo_low"].as_f64().map(|x| -x), second["elo_high"].as_f64());
    }

    #[test]
    fn more_than_two_engines_are_listed_by_rank() {
        let games = [([0, 1], First), ([2, 1], Draw), ([2, 0], First)];
        let (header, progress) = played(&["alpha", "beta", "gamma"], &games);
        let text = brief(&header, &progress, TerminalSize { width: 80, height: 24 });
        assert_eq!(
            text,
            " 1. gamma      1½/2       1-1-0   75.0%\n \
             2. alpha       1/2       1-0-1   50.0%\n \
             3. beta        ½/2       0-1-1   25.0%"
        );
        let text = brief(&header, &progress, TerminalSize { width: 80, height: 7 });
        assert!(text.ends_with("and 2 more engines"), "{text}");
        let table = tables(&header, &progress);
        assert!(table.contains("W-D-L") && table.contains("1-1-0"), "{table}");
    }
}
