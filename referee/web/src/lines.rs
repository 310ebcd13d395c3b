//! The lines that an engine reports while it thinks, for the evaluation bar and the arrows.

use agon_games::Player;
use agon_games::arbiter::Arbiter;
use agon_report::plot::BoardPicture;
use agon_report::report::replay::expected_score;
use agon_report::shown;
use agon_wire::message::{Bound, Info, Score};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Maximum number of lines of an analysis: as many as our engines report.
pub const MAX_LINES: u32 = 500;

/// Maximum number of moves of a variation.
const MAX_PV: usize = 24;

/// The lines of one search by rank, from 1.
#[derive(Default)]
pub struct SearchLines {
    lines: BTreeMap<u32, Value>,
    /// The game and the position that is searched.
    root: Option<(&'static str, Box<dyn Arbiter>, Player)>,
    /// Whether something is new since [`SearchLines::take`].
    is_new: bool,
}

impl SearchLines {
    /// Begins a search of this position.
    pub fn begin(&mut self, game: &'static str, board: Box<dyn Arbiter>, mover: Player) {
        *self =
            SearchLines { root: Some((game, board, mover)), is_new: true, lines: BTreeMap::new() };
    }

    /// Removes all lines.
    pub fn clear(&mut self) {
        *self = SearchLines { is_new: true, ..SearchLines::default() };
    }

    /// Takes in a report. Reports without a score or a variation change nothing.
    pub fn add(&mut self, info: &Info) {
        let Some((game, board, mover)) = &self.root else { return };
        let rank = info.multipv.unwrap_or(1);
        if rank > MAX_LINES || info.score.is_none() && info.pv.is_empty() {
            return;
        }
        let mut line = line(game, &**board, *mover, info);
        if let (Some(old), Some(fields)) = (self.lines.get(&rank), line.as_object_mut()) {
            for (name, value) in fields.iter_mut().filter(|(_, value)| value.is_null()) {
                *value = old[name].clone();
            }
        }
        self.lines.insert(rank, line);
        self.is_new = true;
    }

    /// Whether something is new.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The line of the first rank.
    pub fn best(&self) -> Option<Value> {
        self.lines.values().next().cloned()
    }

    /// The lines as pages show them, and as texts for files.
    pub fn kept(&mut self) -> (Value, Vec<String>) {
        let game = self.root.as_ref().map_or("", |(game, ..)| game);
        let texts = self.lines.values().map(|line| text(game, line)).collect();
        (self.take()["lines"].clone(), texts)
    }

    /// The event for the page.
    pub fn take(&mut self) -> Value {
        self.is_new = false;
        let ply = self.root.as_ref().map(|(_, board, _)| board.tokens().len());
        let lines: Vec<Value> = self
            .lines
            .iter()
            .map(|(rank, line)| {
                let mut line = line.clone();
                line["rank"] = json!(rank);
                line
            })
            .collect();
        json!({ "ply": ply, "lines": lines })
    }
}

/// One line: score and expected score of the first player, depth, effort, and the variation with the
/// squares of its first move.
fn line(game: &str, board: &dyn Arbiter, mover: Player, info: &Info) -> Value {
    let sign = if mover == Player::First { 1 } else { -1 };
    let score = info.score.map(|score| match score {
        Score::Cp(cp) => json!({ "cp": sign * cp }),
        // A mate in 0 has lost: the sign is the opponent's.
        Score::Mate(0) => json!({ "mate": 0, "winner": mover.opponent().index() }),
        Score::Mate(n) => {
            let winner = if n > 0 { mover } else { mover.opponent() };
            json!({ "mate": n.unsigned_abs(), "winner": winner.index() })
        }
    });
    let bound = info.bound.map(|bound| {
        let is_least = (bound == Bound::Lower) == (mover == Player::First);
        if is_least { "lower" } else { "upper" }
    });
    let pv = &info.pv[..info.pv.len().min(MAX_PV)];
    // None if the engine sent none: that of the report before stays.
    let shown = (!pv.is_empty()).then(|| shown::line(board, pv));
    let first = shown.as_ref().and_then(|shown| Some(&shown.first()?.texts.token));
    let squares = first.and_then(|token| move_squares(game, board, token));
    json!({
        "score": score,
        "expected": expected_score(info.expected_score(), info.score, mover),
        "bound": bound,
        "depth": info.depth,
        "nodes": info.nodes,
        "nps": info.nps,
        "ms": info.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        "shown": shown,
        "squares": squares,
    })
}

/// A line as text, `+0.35/12 h2-e2 h9-g7`, from the first player's side: who wins, or the expected score in percent
/// where players do not read units.
fn text(game: &str, line: &Value) -> String {
    let score = &line["score"];
    let units = ["amazons", "xiangqi"].contains(&game);
    let mut out = match (score["mate"].as_u64(), line["expected"].as_f64(), score["cp"].as_f64()) {
        (Some(plies), ..) => {
            let sign = if score["winner"] == 0 { '+' } else { '-' };
            format!("{sign}M{plies}")
        }
        (None, Some(permille), _) if !units => format!("{:.1}%", permille / 10.0),
        (None, _, Some(cp)) => format!("{:+.2}", cp / 100.0),
        _ => String::new(),
    };
    if let Some(depth) = line["depth"].as_u64() {
        out.push_str(&format!("/{depth}"));
    }
    for ply in line["shown"].as_array().into_iter().flatten() {
        out.push(' ');
        out.push_str(ply["text"].as_str().unwrap_or_default());
    }
    out
}

/// The squares of a move in the order of its clicks, for an arrow.
pub fn move_squares(game: &str, board: &dyn Arbiter, token: &str) -> Option<Vec<String>> {
    let board = BoardPicture::parse(game, &board.fen()).ok()?;
    let mut squares = board.squares_of(token);
    squares.dedup();
    Some(squares.into_iter().map(|square| board.name(square)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter;

    fn info(score: Score, pv: &[&str], rank: Option<u32>) -> Info {
        let pv = pv.iter().map(|t| t.to_string()).collect();
        Info { score: Some(score), pv, multipv: rank, ..Info::default() }
    }

    #[test]
    fn a_bar_shows_the_engines_own_chances_and_none_without_them() {
        let event = |mover, info: Info| {
            let board = arbiter::game("einstein").unwrap().open_text("startpos", &[]).unwrap();
            let mut lines = SearchLines::default();
            lines.begin("einstein", board, mover);
            lines.add(&info);
            lines.take()["lines"][0].clone()
        };
        let won = Info { wdl: Some([1000, 0, 0]), ..info(Score::Cp(100), &[], None) };
        assert_eq!(event(Player::First, won.clone())["expected"], 1000);
        assert_eq!(event(Player::Second, won)["expected"], 0);
        let odd = Info { wdl: Some([60, 20, 20]), ..info(Score::Cp(5), &[], None) };
        assert_eq!(event(Player::First, odd)["expected"], 700);
        let none = Info { wdl: Some([0, 0, 0]), ..info(Score::Cp(100), &[], None) };
        assert_eq!(event(Player::First, none)["expected"], Value::Null);
        let least = Info { bound: Some(Bound::Lower), ..info(Score::Cp(100), &[], None) };
        assert_eq!(event(Player::First, least.clone())["bound"], "lower");
        assert_eq!(event(Player::Second, least)["bound"], "upper");
    }

    #[test]
    fn scores_are_the_first_players_and_variations_end_before_the_first_illegal_move() {
        let board =
            arbiter::game("xiangqi").unwrap().open_text("startpos moves h2e2", &[]).unwrap();
        let mut lines = SearchLines::default();
        lines.begin("xiangqi", board, Player::Second);
        lines.add(&info(Score::Cp(120), &["h9g7", "h0g2", "z9z9", "a0a1"], Some(1)));
        lines.add(&info(Score::Mate(-3), &["b9c7"], Some(2)));
        lines.add(&Info { multipv: Some(1), score: Some(Score::Cp(130)), ..Info::default() });
        assert!(lines.is_new());
        let event = lines.take();
        assert_eq!(event["ply"], 1);
        let [first, second] = [&event["lines"][0], &event["lines"][1]];
        assert_eq!(first["score"], json!({ "cp": -130 }));
        let shown = first["shown"].as_array().unwrap();
        let texts: Vec<&str> = shown
            .iter()
            .flat_map(|ply| ["token", "wxf"].map(|name| ply[name].as_str().unwrap()))
            .collect();
        assert_eq!(texts, ["h9g7", "H8+7", "h0g2", "H2+3"]);
        assert_eq!(first["squares"], json!(["h9", "g7"]));
        assert_eq!(second["score"], json!({ "mate": 3, "winner": 0 }));
        assert_eq!((&second["expected"], &second["rank"]), (&json!(1000), &json!(2)));
        assert!(!lines.is_new());
    }
}
