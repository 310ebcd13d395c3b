//! The expectation of a position in which chance decides: each outcome is analysed by itself.

use agon_games::arbiter::Arbiter;
use agon_games::{Outcome, Player, Turn};
use agon_report::shown::{self, ShownPly};
use agon_web::SearchLines;
use serde_json::{Value, json};
use std::time::Duration;

/// Milliseconds that an outcome may take.
pub const TIME: std::ops::RangeInclusive<u64> = 50..=60_000;

/// An outcome.
struct Row {
    shown: ShownPly,
    weight: u32,
    after: Box<dyn Arbiter>,
    /// What is known of the position after it, as a line of an engine.
    line: Value,
}

/// All outcomes of a position.
pub struct Outcomes {
    /// The number of the position.
    pub at: usize,
    /// The time for each.
    pub time: Duration,
    rows: Vec<Row>,
    /// The row that is analysed next.
    next: usize,
}

impl Outcomes {
    /// The outcomes of a position; none if it is not chance's turn.
    pub fn new(at: usize, board: &dyn Arbiter, time: Duration) -> Option<Outcomes> {
        if board.turn() != Turn::Chance {
            return None;
        }
        let row = |(token, weight): (String, u32)| {
            let shown = shown::line(board, std::slice::from_ref(&token)).pop()?;
            let mut after = board.boxed_clone();
            after.push(&token).ok()?;
            Some(Row { shown, weight, after, line: Value::Null })
        };
        let rows = board.chance_tokens().into_iter().filter_map(row).collect();
        Some(Outcomes { at, time, rows, next: 0 })
    }

    /// The position to analyse now, with its player; finished games need no engine.
    pub fn due(&mut self) -> Option<(&dyn Arbiter, Player)> {
        while let Some(row) = self.rows.get_mut(self.next) {
            match row.after.turn() {
                Turn::Over(outcome) => {
                    let (score, expected) = match outcome {
                        Outcome::Draw => (json!({ "cp": 0 }), 500),
                        Outcome::Win(winner) => {
                            let score = json!({ "mate": 0, "winner": winner.index() });
                            (score, if winner == Player::First { 1000 } else { 0 })
                        }
                    };
                    row.line = json!({ "score": score, "expected": expected });
                }
                Turn::Player(_) => break,
                Turn::Chance => {}
            }
            self.next += 1;
        }
        let row = self.rows.get(self.next)?;
        Some((&*row.after, row.after.turn().player()?))
    }

    /// Takes the engine's best line for the position that was due.
    pub fn take(&mut self, lines: &SearchLines, is_done: bool) {
        if let Some(row) = self.rows.get_mut(self.next) {
            row.line = lines.best().unwrap_or(Value::Null);
        }
        self.next += usize::from(is_done);
    }

    /// Whether all are analysed.
    pub fn is_done(&self) -> bool {
        self.next >= self.rows.len()
    }

    /// For the page: the rows, and the mean if every row has a value of the same kind.
    pub fn event(&self) -> Value {
        let total: u32 = self.rows.iter().map(|row| row.weight).sum();
        let share = |row: &Row| f64::from(row.weight) / f64::from(total.max(1));
        let mean = |value: &dyn Fn(&Value) -> Option<f64>| -> Option<f64> {
            let parts = self.rows.iter().map(|row| Some(share(row) * value(&row.line)?));
            parts.sum::<Option<f64>>().filter(|_| !self.rows.is_empty())
        };
        let expected = mean(&|line| line["expected"].as_f64());
        let cp = mean(&|line| line["score"]["cp"].as_f64());
        let rows = self.rows.iter().map(|row| {
            json!({ "shown": row.shown, "weight": row.weight, "share": share(row), "line": row.line })
        });
        json!({
            "at": self.at,
            "rows": rows.collect::<Vec<_>>(),
            "expected": expected,
            "cp": cp,
            "done": self.is_done(),
        })
    }
}
