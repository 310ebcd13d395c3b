//! Solving a tactical suite: the nodes that the search needs for each position.

use super::suite::{Puzzle, WINNING};
use agon_games::xiangqi::{Xiangqi, XiangqiRules};
use agon_games::{Game, Record};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_wire::message::Limits;
use agon_xiangqi::search::XiangqiSearch;
use anyhow::Result;

/// A position is solved once the solution has held for this many times the nodes that found it.
const HOLD: u64 = 2;

/// The nodes after which the search has solved a position: the first completed iteration from which
/// on its line begins with the best move and its value is at least [`WINNING`], until the limit or
/// [`HOLD`] times as many nodes. `None` if that takes more than `limit` nodes.
///
/// # Errors
/// The position's FEN is illegal.
pub fn nodes_to_solve(
    searcher: &mut XiangqiSearch,
    puzzle: &Puzzle,
    rules: &XiangqiRules,
    limit: u64,
) -> Result<Option<u64>> {
    searcher.new_game();
    let record = Record::new(Xiangqi::parse_fen(&puzzle.fen, rules)?);
    let clock = Clock::unmanaged(&Limits::with_nodes(limit));
    let (mut solved, mut held) = (None, false);
    let found = searcher.run(&Root::new(&record), &clock, &mut |result| {
        if result.bound.is_some() || held {
            return;
        }
        if result.best() != puzzle.best || result.value < WINNING {
            solved = None;
        } else if result.nodes >= HOLD * *solved.get_or_insert(result.nodes) {
            held = true;
            clock.halt();
        }
    });
    Ok(solved.filter(|_| held || found.best() == puzzle.best))
}

/// The result of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of positions.
    pub positions: usize,
    /// How many were solved.
    pub solved: usize,
    /// The median of the nodes to solve.
    pub median: u64,
    /// The sum of the nodes to solve.
    pub sum: u64,
    /// The geometric mean of the nodes to solve, rounded.
    pub mean: u64,
}

impl Summary {
    /// Summarises the nodes to solve; a position that is not solved counts as `limit`.
    pub fn new(nodes: &[Option<u64>], limit: u64) -> Summary {
        let mut capped: Vec<u64> = nodes.iter().map(|n| n.unwrap_or(limit)).collect();
        capped.sort_unstable();
        let logs: f64 = capped.iter().map(|&n| libm::log(n.max(1) as f64)).sum();
        Summary {
            positions: nodes.len(),
            solved: nodes.iter().flatten().count(),
            median: capped.get(capped.len() / 2).copied().unwrap_or(0),
            sum: capped.iter().sum(),
            mean: libm::exp(logs / nodes.len().max(1) as f64).round() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::suite;
    use super::*;
    use agon_xiangqi::search::SearchSettings;

    fn nodes(line: &str, limit: u64) -> Option<u64> {
        let rules = XiangqiRules::default();
        let puzzle = &suite::parse(line, &rules).unwrap()[0];
        let settings = SearchSettings { hash: 4, ..SearchSettings::default() };
        let mut searcher = XiangqiSearch::new(settings).unwrap();
        nodes_to_solve(&mut searcher, puzzle, &rules, limit).unwrap()
    }

    #[test]
    fn a_mate_is_solved_and_a_wrong_or_worthless_move_is_not() {
        let mate = "3k5/9/9/p8/9/9/9/R8/9/4K4 w - - 0 1; bm a2d2; ce 10000; second 900";
        let solved = nodes(mate, 20_000);
        let other = nodes(&mate.replace("a2d2", "e0e1"), 20_000);
        assert!(solved.is_some_and(|n| n < 10_000) && other.is_none(), "{solved:?} {other:?}");
        let level = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1; bm e0e1; ce 300; second 0";
        assert_eq!(nodes(level, 2_000), None);
    }

    #[test]
    fn an_unsolved_position_counts_as_the_limit() {
        let summary = Summary::new(&[Some(10), None, Some(1000)], 100_000);
        let expected = Summary { positions: 3, solved: 2, median: 1000, sum: 101_010, mean: 1000 };
        assert_eq!(summary, expected);
    }
}
