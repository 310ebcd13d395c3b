//! The score of a match as it grows, and as tables.

use crate::crosstable::Crosstable;
use crate::matchlog::{GameRecord, GameResult, Header};
use crate::stats::{GameScore, PairBook, Tally, Wdl};
use agon_protocol::Player;
use agon_protocol::hash::mix;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is counted about one engine.
#[derive(Clone, Debug, Default)]
pub struct Row {
    tally: Tally,
    pairs: PairBook,
    /// Games lost by a fault, by the fault's name.
    faults: BTreeMap<&'static str, u64>,
    /// Moves, and the microseconds they took.
    moves: u64,
    us: u64,
    /// Sum and number of reported depths and nodes.
    depth: [u64; 2],
    nodes: [u64; 2],
}

/// The counts of all engines of a match; games may come in any order.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    rows: Vec<Row>,
    cross: Crosstable,
    games: u64,
    /// Fingerprints of games, and how many games had one that was there already.
    seen: Seen,
    repeats: u64,
}

/// Fingerprints in bounded memory: a place holds the last one that fell on it, so that of more
/// games than there are places some repetitions go unnoticed.
#[derive(Clone, Debug, Default)]
struct Seen(Vec<u64>);

impl Seen {
    /// Half a megabyte.
    const PLACES: usize = 1 << 16;

    /// Notes a fingerprint; whether it is known to have been there.
    fn insert(&mut self, print: u64) -> bool {
        if self.0.is_empty() {
            self.0 = vec![0; Seen::PLACES];
        }
        // 0 is what an empty place holds; as a fingerprint it is one in 2^64.
        std::mem::replace(&mut self.0[print as usize % Seen::PLACES], print) == print
    }
}

impl Row {
    /// Results by side, and complete pairs.
    pub fn tally(&self) -> Tally {
        Tally { pairs: self.pairs.complete(), ..self.tally }
    }

    /// Mean time of a move in milliseconds; `None` without moves.
    pub fn mean_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.us as f64 / self.moves as f64 / 1000.0)
    }

    fn mean(sum: [u64; 2]) -> Option<f64> {
        (sum[1] > 0).then(|| sum[0] as f64 / sum[1] as f64)
    }
}

impl Standings {
    /// Before the first game.
    pub fn new(header: &Header) -> Standings {
        Standings {
            names: header.engines.iter().map(|e| e.name.clone()).collect(),
            rows: vec![Row::default(); header.engines.len()],
            games: 0,
            cross: Crosstable::new(header.engines.len()),
            seen: Seen::default(),
            repeats: 0,
        }
    }

    /// Counts a game.
    pub fn push(&mut self, game: &GameRecord) {
        self.games += 1;
        self.repeats += u64::from(self.seen.insert(fingerprint(game)));
        self.cross.push(game);
        let outcome = score_of_first(game.result);
        for (seat, side) in Player::BOTH.into_iter().enumerate() {
            let Some(row) = self.rows.get_mut(game.players[seat]) else { continue };
            let score = if seat == 0 { outcome } else { outcome.flipped() };
            row.tally.push(score, side);
            row.pairs.push(game.pair, score);
            if game.reason.is_fault() && score == GameScore::Loss {
                *row.faults.entry(game.reason.name()).or_default() += 1;
            }
        }
        for (i, seat) in game.movers().enumerate() {
            let Some(row) = self.rows.get_mut(game.players[seat]) else { continue };
            row.moves += 1;
            row.us += game.stats.us.get(i).copied().unwrap_or(0);
            if let Some(Some(depth)) = game.stats.depth.get(i) {
                row.depth = [row.depth[0] + u64::from(*depth), row.depth[1] + 1];
            }
            if let Some(Some(nodes)) = game.stats.nodes.get(i) {
                row.nodes = [row.nodes[0].saturating_add(*nodes), row.nodes[1] + 1];
            }
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// One engine's counts.
    pub fn row(&self, engine: usize) -> Option<&Row> {
        self.rows.get(engine)
    }

    /// The crosstable; `byes` holds half points that were not played for, by engine.
    pub fn crosstable(&self, byes: &[u64]) -> String {
        self.cross.text(&self.names, byes)
    }

    /// The name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.names.get(engine).map_or("?", String::as_str)
    }

    /// The score in two lines, for a live display.
    pub fn brief(&self) -> String {
        let Some(row) = self.rows.first() else { return String::new() };
        let tally = row.tally();
        let Wdl { wins, draws, losses } = tally.wdl();
        let mut text = format!("{} {wins}-{draws}-{losses}", self.names[0]);
        if let [_, other] = self.names.as_slice() {
            let _ = write!(text, " against {other}");
        }
        if let Some(score) = tally.wdl().score() {
            let _ = write!(text, ", {:.1}%", 100.0 * score);
        }
        if let Some(spread) = tally.spread() {
            let (elo, los) = (spread.elo(), 100.0 * spread.los());
            let _ = write!(text, ", Elo {elo}, LOS {los:.1}%");
        }
        let faults: u64 = self.rows.iter().flat_map(|r| r.faults.values()).sum();
        if faults > 0 {
            let _ = write!(text, ", {faults} lost by faults");
        }
        text
    }

    /// The counts as one line of JSON, for programs.
    pub fn json(&self) -> serde_json::Value {
        let finite = |x: f64| x.is_finite().then_some(x);
        let engines: Vec<serde_json::Value> = self
            .names
            .iter()
            .zip(&self.rows)
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
        serde_json::json!({"event": "result", "games": self.games, "repeats": self.repeats, "engines": engines})
    }

    /// The table of all engines, and what else is worth saying.
    pub fn table(&self) -> String {
        let width = self.names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!(
            "{:<width$} {:>6} {:>5} {:>5} {:>5} {:>7}  {:<26} {:>6}\n",
            "Engine", "Games", "Won", "Drawn", "Lost", "Score", "Elo [95%]", "LOS"
        );
        for (name, row) in self.names.iter().zip(&self.rows) {
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
        self.details(&mut text, width);
        text
    }

    fn details(&self, text: &mut String, width: usize) {
        for (name, row) in self.names.iter().zip(&self.rows) {
            let Some(ms) = row.mean_ms() else { continue };
            let mut parts = vec![format!("{ms:.1} ms")];
            parts.extend(Row::mean(row.depth).map(|d| format!("depth {d:.1}")));
            parts.extend(Row::mean(row.nodes).map(|n| format!("{n:.0} nodes")));
            let _ = writeln!(text, "{name:<width$} a move: {}", parts.join(", "));
        }
        if let Some(first) = self.rows.first() {
            let tally = first.tally();
            let counts = tally.pairs.counts;
            let alone = tally.outside_pairs();
            let _ = write!(text, "pairs of {} by points 0 to 2: {counts:?}", self.names[0]);
            let _ = writeln!(text, ", games outside complete pairs: {alone}");
            let normalised = tally.spread().and_then(|s| s.normalised_elo());
            if let (Some(elo), Some(draws)) = (normalised, tally.wdl().draw_rate()) {
                let _ = write!(text, "normalised Elo of {}: {elo} (95%)", self.names[0]);
                let _ = writeln!(text, ", {:.2}% of its games drawn", 100.0 * draws);
            }
        }
        if self.repeats > 0 {
            let _ = writeln!(
                text,
                "At least {} games repeat an earlier one move for move and prove nothing new: give more \
                 openings, or engines another seed",
                self.repeats
            );
        }
        for (name, row) in self.names.iter().zip(&self.rows) {
            let faults: Vec<String> =
                row.faults.iter().map(|(f, n)| format!("{n} by {f}")).collect();
            if !faults.is_empty() {
                let _ = writeln!(text, "{name} lost {}", faults.join(", "));
            }
        }
    }
}

/// Equal for games of the same players with the same moves.
fn fingerprint(game: &GameRecord) -> u64 {
    let bytes = game.opening.bytes().chain([0]).chain(game.moves.bytes());
    let players = mix(mix(game.players[0] as u64) ^ game.players[1] as u64);
    bytes.fold(players, |h, b| mix(h ^ u64::from(b)))
}

/// The first player's score.
pub fn score_of_first(result: GameResult) -> GameScore {
    match result {
        GameResult::First => GameScore::Win,
        GameResult::Draw => GameScore::Draw,
        GameResult::Second => GameScore::Loss,
    }
}
