//! What engines reported of their searches: time, depth, nodes and leaves. The sums are exact, so the parts of a
//! log give the same figures in any order.

use agon_stats::Z95;
use std::ops::AddAssign;

/// Count, sum and sum of squares of integers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moments {
    /// Number of observations.
    pub count: u64,
    /// Their sum.
    pub sum: u128,
    /// The sum of squares; saturates beyond any real log.
    pub squares: u128,
    /// The maximum.
    pub most: u64,
}

impl Moments {
    /// Adds an observation.
    pub fn push(&mut self, x: u64) {
        self.count += 1;
        self.sum += u128::from(x);
        self.squares = self.squares.saturating_add(u128::from(x) * u128::from(x));
        self.most = self.most.max(x);
    }

    /// The mean; `None` without observations.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The sum of squared deviations from the mean.
    pub fn within(&self) -> f64 {
        let Some(mean) = self.mean() else { return 0.0 };
        (self.squares as f64 - mean * self.sum as f64).max(0.0)
    }

    /// The 95% interval of the mean (normal approximation, cut off at 0); `None` for fewer than two
    /// observations.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let mean = self.mean()?;
        if self.count < 2 {
            return None;
        }
        let n = self.count as f64;
        let half = Z95 * (self.within() / (n - 1.0) / n).sqrt();
        Some(((mean - half).max(0.0), mean + half))
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares = self.squares.saturating_add(other.squares);
        self.most = self.most.max(other.most);
    }
}

/// The figures of one move in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveEffort {
    /// Microseconds on the referee's clock.
    pub us: u64,
    /// Depth in plies, if the engine reported it.
    pub depth: Option<u32>,
    /// Visited nodes, if the engine reported them.
    pub nodes: Option<u64>,
    /// Visited leaves, if the engine reported them.
    pub leaves: Option<u64>,
}

/// Sums over decisions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchTotals {
    /// Microseconds.
    pub us: Moments,
    /// Plies.
    pub depth: Moments,
    /// Decisions without a finished iteration: of depth 0.
    pub unfinished: u64,
    /// Nodes.
    pub nodes: Moments,
    /// Leaves.
    pub leaves: Moments,
    /// Microseconds of the decisions with a known node count.
    pub us_with_nodes: u128,
}

impl SearchTotals {
    /// Adds a decision.
    pub fn push(&mut self, decision: MoveEffort) {
        self.us.push(decision.us);
        if let Some(depth) = decision.depth {
            self.depth.push(depth.into());
            self.unfinished += u64::from(depth == 0);
        }
        if let Some(leaves) = decision.leaves {
            self.leaves.push(leaves);
        }
        if let Some(nodes) = decision.nodes {
            self.nodes.push(nodes);
            self.us_with_nodes += u128::from(decision.us);
        }
    }

    /// Nodes per second over all decisions with a known node count.
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.us_with_nodes > 0).then(|| self.nodes.sum as f64 / self.us_with_nodes as f64 * 1e6)
    }
}

impl AddAssign for SearchTotals {
    fn add_assign(&mut self, other: SearchTotals) {
        self.us += other.us;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.unfinished += other.unfinished;
        self.us_with_nodes += other.us_with_nodes;
    }
}

/// The searches of an engine in all its games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineSearchTotals {
    /// Over all decisions.
    pub total: SearchTotals,
    /// By the engine's own move number in the game; index 0 is its first decision.
    pub by_move: Vec<SearchTotals>,
}

/// Maximum number of decisions per game that are counted by move number; later ones count in the
/// total only. This bounds memory; no real game reaches it.
const MOST_MOVES: usize = 2000;

impl EngineSearchTotals {
    /// Adds the engine's decision number `index` (from 0) of a game.
    pub fn push(&mut self, index: usize, decision: MoveEffort) {
        self.total.push(decision);
        if index >= MOST_MOVES {
            return;
        }
        if self.by_move.len() <= index {
            self.by_move.resize(index + 1, SearchTotals::default());
        }
        self.by_move[index].push(decision);
    }
}

impl AddAssign<&EngineSearchTotals> for EngineSearchTotals {
    fn add_assign(&mut self, other: &EngineSearchTotals) {
        self.total += other.total;
        if self.by_move.len() < other.by_move.len() {
            self.by_move.resize(other.by_move.len(), SearchTotals::default());
        }
        for (mine, theirs) in self.by_move.iter_mut().zip(&other.by_move) {
            *mine += *theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_give_mean_and_deviation() {
        let mut s = Moments::default();
        for x in [2, 4, 4, 4, 5, 5, 7, 9] {
            s.push(x);
        }
        assert_eq!(s.mean(), Some(5.0));
        assert!((s.within() - 32.0).abs() < 1e-12);
        let (low, high) = s.interval().unwrap();
        assert!((high - low - 2.0 * Z95 * (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert_eq!(s.most, 9);
        assert_eq!(Moments::default().mean(), None);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let decision = |i: u64| MoveEffort {
            us: 100 + i * i,
            depth: i.is_multiple_of(2).then_some(i as u32),
            nodes: (!i.is_multiple_of(3)).then_some(i * 1000),
            leaves: i.is_multiple_of(5).then_some(i * 900),
        };
        let (mut whole, mut left, mut right) =
            <(EngineSearchTotals, EngineSearchTotals, EngineSearchTotals)>::default();
        for i in 0..50 {
            whole.push(i as usize % 17, decision(i));
            if i < 20 { &mut left } else { &mut right }.push(i as usize % 17, decision(i));
        }
        left += &right;
        assert_eq!(left, whole);
        assert_eq!(whole.total.us.count, 50);
        assert_eq!(whole.by_move.len(), 17);
        assert_eq!((whole.total.unfinished, whole.total.leaves.count), (1, 10));
    }
}
