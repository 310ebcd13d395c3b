//! Tactical suites: positions in which one move wins and all others are worth much less.
//!
//! A file has one position per line, `FEN; bm MOVE; ce VALUE; second VALUE`: the best move, its
//! value, and the value of the best other move, in centipawns for the side to move. `#` starts a
//! comment.

use agon_games::Game;
use agon_games::xiangqi::{Xiangqi, XiangqiMove, XiangqiRules};
use anyhow::{Context, Result, ensure};

/// A value from which a position counts as won, in centipawns.
pub const WINNING: i32 = 300;
/// The value written for a forced win; other values are clamped to it.
pub const FORCED: i32 = 10_000;

/// A position with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position.
    pub fen: String,
    /// The only winning move.
    pub best: XiangqiMove,
    /// Its value in centipawns, at least [`WINNING`] and at most [`FORCED`].
    pub value: i32,
    /// The value of the best other move.
    pub second: i32,
}

impl Puzzle {
    /// The line of a file.
    ///
    /// # Errors
    /// The FEN is illegal.
    pub fn line(&self, rules: &XiangqiRules) -> Result<String> {
        let best = Xiangqi::parse_fen(&self.fen, rules)?.move_token(self.best);
        Ok(format!("{}; bm {best}; ce {}; second {}", self.fen, self.value, self.second))
    }

    /// Parses a line.
    fn parse(line: &str, rules: &XiangqiRules) -> Result<Puzzle> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [fen, best, value, second] = fields[..] else {
            anyhow::bail!("expected `FEN; bm MOVE; ce VALUE; second VALUE`");
        };
        let operand = |field: &str, code: &str| -> Result<String> {
            let operand = field.strip_prefix(code).and_then(|rest| rest.strip_prefix(' '));
            Ok(operand.with_context(|| format!("`{field}`: expected `{code} ...`"))?.into())
        };
        let number = |field: &str, code: &str| -> Result<i32> {
            let text = operand(field, code)?;
            text.parse().with_context(|| format!("`{field}`: expected a number of centipawns"))
        };
        let game = Xiangqi::parse_fen(fen, rules).context("the FEN")?;
        let best = game.parse_move(&operand(best, "bm")?).context("the best move")?;
        ensure!(game.is_legal(best), "the best move {best} is not legal");
        let (value, second) = (number(value, "ce")?, number(second, "second")?);
        Ok(Puzzle { fen: fen.into(), best, value, second })
    }
}

/// Parses a file.
///
/// # Errors
/// A wrong line, or no position at all.
pub fn parse(text: &str, rules: &XiangqiRules) -> Result<Vec<Puzzle>> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let puzzles: Vec<Puzzle> = lines
        .map(|(i, line)| Puzzle::parse(line, rules).with_context(|| format!("line {i}")))
        .collect::<Result<_>>()?;
    ensure!(!puzzles.is_empty(), "no positions");
    Ok(puzzles)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE: &str = "3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1; bm b1d1; ce 10000; second 700";

    #[test]
    fn lines_are_read_as_they_were_written() {
        let rules = XiangqiRules::default();
        let puzzles = parse(&format!("# head\n\n{MATE}\n"), &rules).unwrap();
        assert_eq!(puzzles.len(), 1);
        assert_eq!((puzzles[0].value, puzzles[0].second), (FORCED, 700));
        assert_eq!(puzzles[0].line(&rules).unwrap(), MATE);
    }

    #[test]
    fn a_wrong_line_is_named_with_its_fault() {
        let rules = XiangqiRules::default();
        for (text, fault) in [
            (MATE.replace("b1d1", "b1d2"), "line 1: the best move"),
            (MATE.replace("bm", "am"), "line 1: `am b1d1`: expected `bm ...`"),
            (MATE.replace("700", "much"), "line 1: `second much`: expected a number"),
            (MATE.replace("3k5", "3k6"), "line 1: the FEN"),
            (format!("# head\n{}", &MATE[..40]), "line 2: expected `FEN; bm"),
            ("# head\n".into(), "no positions"),
        ] {
            let error = format!("{:#}", parse(&text, &rules).unwrap_err());
            assert!(error.starts_with(fault), "{error}");
        }
    }
}
