//! Results: score tables, crosstable, pairs, first-player advantage and reasons of game ends, as
//! tables for the page and the terminal.

use super::aggregate::{Aggregate, REASONS};
use crate::crosstable::{self, points};
use crate::plot::{Align, TextTable, compact};
use agon_base::counted;
use agon_matches::crosstable::Crosstable;
use agon_matches::schedule::ByResults as _;
use agon_matchlog::{MatchHeader, Reason};
use agon_stats::{Spread, Tally, Wilson, elo_from_score};

/// An engine's games against all others.
pub fn total_of(all: &Aggregate, engine: usize) -> Tally {
    let mut total = Tally::default();
    for (&[a, b], meeting) in &all.meetings {
        if a == engine {
            total += meeting.tally();
        } else if b == engine {
            total += meeting.tally().flipped();
        }
    }
    total
}

/// The games of engine `a` against engine `b`.
pub fn meeting_of(all: &Aggregate, a: usize, b: usize) -> Tally {
    let found = all.meetings.get(&[a.min(b), a.max(b)]).map(|m| m.tally()).unwrap_or_default();
    if a < b { found } else { found.flipped() }
}

/// The engines, best score first; ties in the header's order.
pub fn ranking(all: &Aggregate) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.searches.len()).collect();
    let score = |e: usize| total_of(all, e).wdl().score().unwrap_or(-1.0);
    order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
    order
}

pub(super) fn percent(x: Option<f64>) -> String {
    x.map_or("-".into(), |x| format!("{:.2}%", 100.0 * x))
}

/// Score, sides and Wilson interval of the win rate of every engine.
pub fn standings(header: &MatchHeader, all: &Aggregate) -> TextTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["engine"]),
        (Align::Right, &["games", "won", "drawn", "lost", "points", "score"]),
        (Align::Right, &["wins, 95% Wilson", "moving first (w-d-l)", "moving second"]),
    ]);
    for e in ranking(all) {
        let tally = total_of(all, e);
        let wdl = tally.wdl();
        let wilson = Wilson::new(wdl.wins, wdl.games());
        table.row([
            header.engines[e].name.clone(),
            wdl.games().to_string(),
            wdl.wins.to_string(),
            wdl.draws.to_string(),
            wdl.losses.to_string(),
            points(wdl.half_points()),
            percent(wdl.score()),
            wilson
                .map_or("-".into(), |w| format!("{:.2} to {:.2}%", 100.0 * w.low, 100.0 * w.high)),
            crosstable::wdl(tally.as_first),
            crosstable::wdl(tally.as_second),
        ]);
    }
    table
}

/// Elo, normalised Elo and LOS of each meeting, from the better engine's side.
pub fn meetings(header: &MatchHeader, all: &Aggregate) -> TextTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["engine", "against"]),
        (Align::Right, &["w-d-l", "Elo, 95%", "normalised Elo, 95%", "LOS"]),
        (Align::Left, &["computed from"]),
    ]);
    let order = ranking(all);
    for (i, &a) in order.iter().enumerate() {
        for &b in &order[i + 1..] {
            let tally = meeting_of(all, a, b);
            let Some(spread) = tally.spread() else { continue };
            table.row([
                header.engines[a].name.clone(),
                header.engines[b].name.clone(),
                crosstable::wdl(tally.wdl()),
                spread.elo().to_string(),
                spread.normalised_elo().map_or("undefined".into(), |e| e.to_string()),
                format!("{:.2}%", 100.0 * spread.los()),
                basis(&tally, &spread),
            ]);
        }
    }
    table
}

/// The basis of an estimate and its exclusions.
fn basis(tally: &Tally, spread: &Spread) -> String {
    let unit = if spread.games_per_sample == 2 { "complete pairs" } else { "single games" };
    let mut text = format!("{} {unit}", spread.samples);
    if spread.games_per_sample == 2 && tally.outside_pairs() > 0 {
        text.push_str(&format!(
            ", {} outside pairs left out",
            counted(tally.outside_pairs(), "game")
        ));
    }
    if spread.elo().regularised {
        text.push_str("; all equal, so the interval is the exact one for equal scores");
    }
    text
}

/// The crosstable of more than two engines.
pub fn crosstable(header: &MatchHeader, all: &Aggregate) -> TextTable {
    let mut cross = Crosstable::new(header.engines.len());
    for (&[a, b], meeting) in &all.meetings {
        cross.add(a, b, meeting.tally().wdl());
    }
    let names: Vec<String> = header.engines.iter().map(|e| e.name.clone()).collect();
    crosstable::table(&cross, &names, &header.schedule.byes(&all.totals.results))
}

/// Reasons of game ends, those by the rules divided further, and the losers.
pub fn reasons(header: &MatchHeader, all: &Aggregate) -> TextTable {
    let heads: Vec<String> = header.engines.iter().map(|e| format!("lost by {}", e.name)).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = TextTable::new(&[
        (Align::Left, &["end"]),
        (Align::Right, &["games", "share"]),
        (Align::Right, &heads),
    ]);
    fill_ends(&mut table, all);
    table
}

/// A row for each reason; the table drops the cells for which it has no columns.
fn fill_ends(table: &mut TextTable, all: &Aggregate) {
    for (i, reason) in REASONS.iter().enumerate() {
        let games = all.reasons[i];
        if games == 0 && *reason != Reason::Rules {
            continue;
        }
        let name = if *reason == Reason::Rules { "by the rules" } else { reason.name() };
        let share = games as f64 / all.games().max(1) as f64;
        let mut row = vec![name.to_string(), games.to_string(), percent(Some(share))];
        row.extend(all.losses.iter().map(|by| by[i].to_string()));
        table.row(row);
        if *reason == Reason::Rules {
            endings(table, all);
        }
    }
}

/// Reasons of game ends without the losers, who are too many for columns.
pub fn ends(all: &Aggregate) -> TextTable {
    let mut table = TextTable::new(&[(Align::Left, &["end"]), (Align::Right, &["games", "share"])]);
    fill_ends(&mut table, all);
    table
}

/// A row for each rule that ended games.
fn endings(table: &mut TextTable, all: &Aggregate) {
    for (ending, count) in &all.endings {
        let share = count.games as f64 / all.games().max(1) as f64;
        let name = format!("- {}", ending.name());
        let mut row = vec![name, count.games.to_string(), percent(Some(share))];
        let losses = (0..all.losses.len()).map(|i| count.losses.get(&i).unwrap_or(&0).to_string());
        row.extend(losses);
        table.row(row);
    }
}

/// Time, depth and nodes per move of every engine.
pub fn effort(header: &MatchHeader, all: &Aggregate) -> TextTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["engine", "limit"]),
        (Align::Right, &["moves", "mean time", "longest", "mean depth", "deepest", "nodes/move"]),
        (Align::Right, &["nodes/s"]),
    ]);
    let ms = |us: f64| {
        if us >= 1e6 { format!("{:.3} s", us / 1e6) } else { format!("{:.2} ms", us / 1e3) }
    };
    let or_dash = |x: Option<String>| x.unwrap_or_else(|| "-".into());
    for (entry, effort) in header.engines.iter().zip(&all.searches) {
        let t = &effort.total;
        table.row([
            entry.name.clone(),
            entry.limit.to_string(),
            t.us.count.to_string(),
            or_dash(t.us.mean().map(ms)),
            or_dash(t.us.mean().map(|_| ms(t.us.most as f64))),
            or_dash(t.depth.mean().map(|d| format!("{d:.2}"))),
            or_dash(t.depth.mean().map(|_| t.depth.most.to_string())),
            or_dash(t.nodes.mean().map(compact)),
            or_dash(t.nodes_per_second().map(compact)),
        ]);
    }
    table
}

/// The first-move advantage, in one sentence.
pub fn first_player(all: &Aggregate) -> String {
    let wdl = all.first_player;
    let (Some(wilson), Some(spread)) = (Wilson::new(wdl.wins, wdl.games()), Spread::of_games(wdl))
    else {
        return "No game has been played.".into();
    };
    let mut text = format!(
        "The first player won {} of {}, {wilson} by Wilson's interval",
        wdl.wins,
        counted(wdl.games(), "game")
    );
    if wdl.draws > 0 {
        text.push_str(&format!(", and drew {}", wdl.draws));
    }
    text.push_str(&format!("; moving first was worth {} Elo", spread.elo()));
    if elo_from_score(spread.mean).is_infinite() {
        text.push_str(" (no finite estimate)");
    }
    text.push('.');
    text
}
