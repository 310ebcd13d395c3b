//! The score of a match as tables, as one line, and as JSON.

use crate::matches::crosstable::Crosstable;
use crate::matches::progress::Progress;
use crate::matches::standings::{Row, Standings};
use crate::matchlog::Header;
use crate::stats::Wdl;
use std::fmt::Write;

/// The tables: the score of every engine and, for more than two engines, the crosstable.
pub fn tables(header: &Header, progress: &Progress) -> String {
    let mut text = table(&progress.standings);
    if !header.schedule.swaps_sides() {
        text.push_str(
            "sides were not swapped: scores and Elo contain the advantage of moving first\n",
        );
    }
    if header.engines.len() > 2 {
        let byes = header.schedule.byes(&progress.results);
        text.push_str(&crosstable(&progress.standings.cross, &progress.standings.names, &byes));
    }
    if let Some(winner) = header.schedule.winner(&progress.results) {
        text.push_str(&format!("winner: {}\n", progress.standings.name(winner)));
    }
    text
}

/// The score in two lines, for a live display.
pub fn brief(standings: &Standings) -> String {
    let Some(row) = standings.rows.first() else { return String::new() };
    let tally = row.tally();
    let Wdl { wins, draws, losses } = tally.wdl();
    let mut text = format!("{} {wins}-{draws}-{losses}", standings.names[0]);
    if let [_, other] = standings.names.as_slice() {
        let _ = write!(text, " against {other}");
    }
    if let Some(score) = tally.wdl().score() {
        let _ = write!(text, ", {:.1}%", 100.0 * score);
    }
    if let Some(spread) = tally.spread() {
        let (elo, los) = (spread.elo(), 100.0 * spread.los());
        let _ = write!(text, ", Elo {elo}, LOS {los:.1}%");
    }
    let faults: u64 = standings.rows.iter().flat_map(|r| r.faults.values()).sum();
    if faults > 0 {
        let _ = write!(text, ", {faults} lost by faults");
    }
    text
}

/// The counts as one line of JSON.
pub fn json(standings: &Standings) -> serde_json::Value {
    let finite = |x: f64| x.is_finite().then_some(x);
    let engines: Vec<serde_json::Value> = standings
        .names
        .iter()
        .zip(&standings.rows)
        .map(|(name, row)| {
            let tally = row.tally();
            let Wdl { wins, draws, losses } = tally.wdl();
            let spread = tally.spread();
            let elo = spread.map(|s| s.elo());
            let normalised = spread.and_then(|s| s.normalised_elo());
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
                "los": spread.map(|s| s.los()),
                "faults": row.faults,
                "ms_a_move": row.mean_ms(),
                "depth": Row::mean(row.depth),
                "nodes": Row::mean(row.nodes),
            })
        })
        .collect();
    serde_json::json!({"event": "result", "games": standings.games, "repeats": standings.repeats, "engines": engines})
}

/// The table of all engines, followed by details.
fn table(standings: &Standings) -> String {
    let width = standings.names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:<width$} {:>6} {:>5} {:>5} {:>5} {:>7}  {:<26} {:>6}\n",
        "Engine", "Games", "Won", "Drawn", "Lost", "Score", "Elo [95%]", "LOS"
    );
    for (name, row) in standings.names.iter().zip(&standings.rows) {
        let tally = row.tally();
        let Wdl { wins, draws, losses } = tally.wdl();
        let score = tally.wdl().score().map_or("-".into(), |s| format!("{:.2}%", 100.0 * s));
        let spread = tally.spread();
        let elo = spread.map_or("-".into(), |s| s.elo().to_string());
        let los = spread.map_or("-".into(), |s| format!("{:.1}%", 100.0 * s.los()));
        let games = tally.wdl().games();
        let _ = writeln!(
            text,
            "{name:<width$} {games:>6} {wins:>5} {draws:>5} {losses:>5} {score:>7}  {elo:<26} {los:>6}"
        );
    }
    details(standings, &mut text, width);
    text
}

fn details(standings: &Standings, text: &mut String, width: usize) {
    for (name, row) in standings.names.iter().zip(&standings.rows) {
        let Some(ms) = row.mean_ms() else { continue };
        let mut parts = vec![format!("{ms:.1} ms")];
        parts.extend(Row::mean(row.depth).map(|d| format!("depth {d:.1}")));
        parts.extend(Row::mean(row.nodes).map(|n| format!("{n:.0} nodes")));
        let _ = writeln!(text, "{name:<width$} per move: {}", parts.join(", "));
    }
    if let Some(first) = standings.rows.first() {
        let tally = first.tally();
        let counts = tally.pairs.counts;
        let alone = tally.outside_pairs();
        let _ = write!(text, "Ptnml(0-2) of {}: {counts:?}", standings.names[0]);
        let _ = writeln!(text, ", games outside complete pairs: {alone}");
        let normalised = tally.spread().and_then(|s| s.normalised_elo());
        if let (Some(elo), Some(draws)) = (normalised, tally.wdl().draw_rate()) {
            let _ = write!(text, "normalised Elo of {}: {elo} (95%)", standings.names[0]);
            let _ = writeln!(text, ", {:.2}% of its games drawn", 100.0 * draws);
        }
    }
    if standings.repeats > 0 {
        let _ = writeln!(
            text,
            "at least {} games repeat an earlier game move for move: use more openings or other seeds of \
             the engines",
            standings.repeats
        );
    }
    for (name, row) in standings.names.iter().zip(&standings.rows) {
        let faults: Vec<String> = row.faults.iter().map(|(f, n)| format!("{n} by {f}")).collect();
        if !faults.is_empty() {
            let _ = writeln!(text, "{name} lost {}", faults.join(", "));
        }
    }
}

/// The table for a terminal.
fn crosstable(cross: &Crosstable, names: &[String], byes: &[u64]) -> String {
    let ranking = cross.ranking(byes);
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
    let mut text =
        format!("{:>3} {:<width$} {:>8} {:>6} {:>9}", "", "Engine", "Points", "Games", "S-B");
    for rank in 1..=ranking.len() {
        let _ = write!(text, " {rank:>9}");
    }
    text.push('\n');
    for (rank, line) in ranking.iter().enumerate() {
        let name = names.get(line.engine).map_or("?", String::as_str);
        let _ = write!(
            text,
            "{:>3} {name:<width$} {:>8.1} {:>6} {:>9.2}",
            rank + 1,
            line.half_points as f64 / 2.0,
            line.games,
            line.sonneborn_berger as f64 / 4.0
        );
        for other in &ranking {
            let met = cross.meeting(line.engine, other.engine);
            let cell = match (line.engine == other.engine, met.games()) {
                (true, _) => "x".into(),
                (false, 0) => ".".into(),
                (false, n) => format!("{}/{n}", met.half_points() as f64 / 2.0),
            };
            let _ = write!(text, " {cell:>9}");
        }
        let end = text.trim_end().len();
        text.truncate(end);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matchlog::{GameRecord, GameResult, PlyStats, Reason};

    fn game(players: [usize; 2], result: GameResult) -> GameRecord {
        GameRecord {
            game: 0,
            pair: 0,
            players,
            opening: String::new(),
            moves: String::new(),
            by: String::new(),
            result,
            reason: Reason::Rules,
            ending: None,
            detail: None,
            fen: String::new(),
            start: None,
            end: None,
            stats: PlyStats::default(),
            stderr: None,
            stdout: None,
        }
    }

    #[test]
    fn the_table_shows_what_each_scored_against_each() {
        let mut table = Crosstable::new(3);
        table.push(&game([0, 1], GameResult::Draw));
        table.push(&game([1, 0], GameResult::Second));
        let names = ["alpha", "beta", "gamma"].map(String::from);
        let text = crosstable(&table, &names, &[]);
        let line = text.lines().find(|l| l.contains("alpha")).unwrap();
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>(),
            ["1", "alpha", "1.5", "2", "0.75", "x", "1.5/2", "."]
        );
    }
}
