//! Mean losses by number of stones and player, with intervals.

use super::decisions::Decision;
use serde::Serialize;
use std::fmt::Write as _;

/// Losses above this count as mistakes: a value of the tablebase may be off by 0.00001.
const MISTAKE: f64 = 0.0001;

/// The losses of a player in positions of one number of stones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossRow {
    /// The number of stones.
    pub stones: u32,
    /// The player's name.
    pub player: String,
    /// Solved decisions.
    pub decisions: u64,
    /// Decisions that were not solved: too many positions.
    pub unsolved: u64,
    /// Mean loss of winning probability per decision.
    pub mean: f64,
    /// Half of the 95% interval of the mean; `None` for fewer than two decisions.
    pub margin: Option<f64>,
    /// The share of decisions that are not the best within the precision of the tablebase.
    pub mistakes: f64,
}

/// The rows for the numbers of stones, from and to, and all players; `names` are the players' in the
/// order of [`Decision::losses`].
pub fn rows<'a>(
    decisions: impl Iterator<Item = &'a Decision> + Clone,
    [from, to]: [u32; 2],
    names: &[String],
) -> Vec<LossRow> {
    let mut all = Vec::new();
    for stones in from..=to {
        let here = decisions.clone().filter(move |d| d.stones == stones);
        let unsolved = here.clone().filter(|d| d.best.is_none()).count() as u64;
        for (i, name) in names.iter().enumerate() {
            let losses: Vec<f64> = here.clone().filter_map(|d| d.losses.get(i).copied()).collect();
            all.push(row(stones, name, unsolved, &losses));
        }
    }
    all
}

fn row(stones: u32, player: &str, unsolved: u64, losses: &[f64]) -> LossRow {
    let n = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / n.max(1.0);
    let squares: f64 = losses.iter().map(|l| (l - mean) * (l - mean)).sum();
    let margin = (losses.len() > 1).then(|| 1.96 * (squares / (n - 1.0) / n).sqrt());
    let mistakes = losses.iter().filter(|l| **l > MISTAKE).count() as f64 / n.max(1.0);
    let (player, decisions) = (player.to_string(), losses.len() as u64);
    LossRow { stones, player, decisions, unsolved, mean, margin, mistakes }
}

/// A table in percentage points of winning probability, one line per player.
pub fn table(rows: &[LossRow], names: &[String]) -> String {
    let mut text = format!("{:<16}", "player");
    for sizes in rows.chunks(names.len().max(1)) {
        let Some(LossRow { stones, decisions, .. }) = sizes.first() else { continue };
        let _ = write!(text, " {:>24}", format!("{stones} stones ({decisions})"));
    }
    for name in names {
        let _ = write!(text, "\n{name:<16}");
        for row in rows.iter().filter(|r| r.player == *name) {
            let margin = row.margin.map_or("-".into(), |m| format!("{:.3}", 100.0 * m));
            let (mean, mistakes) = (100.0 * row.mean, 100.0 * row.mistakes);
            let cell = format!("{mean:.3} +-{margin} ({mistakes:.1}%)");
            let _ = write!(text, " {cell:>24}");
        }
    }
    let mut unsolved: Vec<&LossRow> = rows.iter().filter(|r| r.unsolved > 0).collect();
    unsolved.dedup_by_key(|r| r.stones);
    for row in unsolved {
        let _ =
            write!(text, "\n{} positions of {} stones were not solved", row.unsolved, row.stones);
    }
    text + "\nmean loss per decision in percentage points of winning probability, 95% interval, and \
            the share of decisions that lose anything; the number of decisions in the heading"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_intervals_are_of_the_solved_decisions() {
        let decision = |stones, best, losses: &[f64]| {
            let losses = losses.to_vec();
            Decision { stones, fen: String::new(), best, losses }
        };
        let all = [
            decision(6, Some(0.5), &[0.2, 0.0]),
            decision(6, Some(0.5), &[0.0, 0.0]),
            decision(6, None, &[]),
            decision(7, Some(1.0), &[0.1, 0.00001]),
        ];
        let names = ["a".to_string(), "b".to_string()];
        let rows = rows(all.iter(), [4, 7], &names);
        let of = |stones, i: usize| rows.iter().filter(|r| r.stones == stones).nth(i).unwrap();
        let a = of(6, 0);
        assert_eq!((a.decisions, a.unsolved, a.mistakes), (2, 1, 0.5));
        assert!((a.mean - 0.1).abs() < 1e-12);
        // The standard error of 0.2 and 0 is 0.1.
        assert!((a.margin.unwrap() - 0.196).abs() < 1e-12);
        assert_eq!((of(6, 1).mean, of(6, 1).margin), (0.0, Some(0.0)));
        assert_eq!((of(7, 1).mistakes, of(7, 1).margin), (0.0, None));
        let text = table(&rows, &names);
        assert!(text.contains("10.000 +-19.600 (50.0%)"), "{text}");
        assert!(text.contains("1 positions of 6 stones were not solved"), "{text}");
    }
}
