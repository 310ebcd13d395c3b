//! The first difference between a game of a log and the same game played again.

use agon_games::text::excerpt;
use agon_matchlog::{GameRecord, GameResult, PlyScore};
use agon_wire::message::Score;

/// The first difference between two records of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The ply, counted from 1 after the opening; one more than there are if only the ends differ.
    pub ply: usize,
    /// The engine that was to move, as an index into the header's list; `None` for chance and the end.
    pub engine: Option<usize>,
    /// What differs: `move`, `chance`, `nodes`, `depth`, `leaves`, `score` or `end`.
    pub what: &'static str,
    /// What the first record has.
    pub log: String,
    /// What the second record has.
    pub now: String,
}

/// The first difference of two records of one game in moves, chance outcomes, counts and scores, or else in
/// the end; times are not compared.
pub fn compare(log: &GameRecord, now: &GameRecord) -> Option<Difference> {
    let [mut a, mut b] = [log, now].map(|game| game.moves.split_whitespace().zip(game.by.bytes()));
    let mut decisions = 0;
    for ply in 1.. {
        let (x, y) = (a.next(), b.next());
        let by = x.or(y).map(|(_, by)| by);
        let engine = match by {
            Some(b'1') => Some(log.players[0]),
            Some(b'2') => Some(log.players[1]),
            _ => None,
        };
        let what = if by == Some(b'c') { "chance" } else { "move" };
        let differ = |what, log, now| Some(Difference { ply, engine, what, log, now });
        match (x, y) {
            (None, None) => return ends(log, now, ply),
            (Some(x), Some(y)) if x == y => {}
            (x, y) => {
                let side = |token: Option<(&str, u8)>, game| {
                    token.map_or_else(|| end(game), |(token, _)| excerpt(token))
                };
                return differ(what, side(x, log), side(y, now));
            }
        }
        if by != Some(b'c') {
            if let Some((what, log, now)) = counts(log, now, decisions) {
                return differ(what, log, now);
            }
            decisions += 1;
        }
    }
    None
}

/// The first count that differs at a decision.
fn counts(log: &GameRecord, now: &GameRecord, at: usize) -> Option<(&'static str, String, String)> {
    let (a, b) = (&log.stats, &now.stats);
    let number = |column: &[Option<u64>]| column.get(at).copied().flatten().map(|n| n.to_string());
    let depth = |column: &[Option<u32>]| column.get(at).copied().flatten().map(|n| n.to_string());
    let score = |game: &GameRecord| {
        let score = game.stats.score.get(at).copied().flatten();
        score.map(|PlyScore(score)| match score {
            Score::Cp(x) => x.to_string(),
            Score::Mate(n) => format!("#{n}"),
        })
    };
    let all = [
        ("nodes", number(&a.nodes), number(&b.nodes)),
        ("depth", depth(&a.depth), depth(&b.depth)),
        ("leaves", number(&a.leaves), number(&b.leaves)),
        ("score", score(log), score(now)),
    ];
    let (what, x, y) = all.into_iter().find(|(_, x, y)| x != y)?;
    let shown = |value: Option<String>| value.unwrap_or_else(|| "none".into());
    Some((what, shown(x), shown(y)))
}

/// The difference of two ends after the same moves.
fn ends(log: &GameRecord, now: &GameRecord, ply: usize) -> Option<Difference> {
    // Logs of older versions do not name the rule.
    let same_rule = log.ending.is_none() || log.ending == now.ending;
    let same = (log.result, log.reason) == (now.result, now.reason) && same_rule;
    if same && log.fen == now.fen {
        return None;
    }
    let side = |game: &GameRecord| if same { excerpt(&game.fen) } else { end(game) };
    Some(Difference { ply, engine: None, what: "end", log: side(log), now: side(now) })
}

/// The end of a game in a few words.
fn end(game: &GameRecord) -> String {
    let result = match game.result {
        GameResult::First => "the first player wins",
        GameResult::Second => "the second player wins",
        GameResult::Draw => "draw",
    };
    let rule = game.ending.map_or(String::new(), |rule| format!(", {}", rule.0.name()));
    format!("the end ({result}: {}{rule})", game.reason.name())
}

impl Difference {
    /// The place and what the two records have, given the engines' names and what the records are called.
    pub fn sentence(&self, names: &[&str], [log, now]: [&str; 2]) -> String {
        let Difference { ply, what, log: x, now: y, .. } = self;
        let name = self.engine.and_then(|engine| names.get(engine));
        let mover = match name {
            Some(name) => format!(" ({name})"),
            None if *what == "chance" => " (chance)".into(),
            None => String::new(),
        };
        let quoted =
            |text: &str| if text.contains(' ') { text.into() } else { format!("`{text}`") };
        match *what {
            "move" | "chance" => {
                format!("ply {ply}{mover}: {log} {}, {now} {}", quoted(x), quoted(y))
            }
            "end" => format!("after ply {}: {log} {x}, {now} {y}", ply - 1),
            what => format!("ply {ply}{mover}, {what}: {log} {x}, {now} {y}"),
        }
    }
}
