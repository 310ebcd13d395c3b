//! Exact values of positions of more stones than the tablebase holds: expectimax that visits every
//! position once and ends in the tablebase.

use crate::tablebase::{EinSteinTablebase, position_key};
use agon_protocol::einstein::{EinStein, Move, movable_stones};
use agon_protocol::game::{Game, Player, Turn, legal_moves};
use agon_protocol::hash::FastMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The search gave up: more positions than allowed, or the tablebase failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsolved;

/// Solves positions; keeps what it has found.
pub struct ExactSolver {
    tablebase: Arc<EinSteinTablebase>,
    /// The winning probability of the side to roll, by position.
    known: FastMap<u64, f64>,
    /// The maximum number of positions.
    limit: usize,
}

impl ExactSolver {
    /// A solver that keeps at most `limit` positions, 24 bytes or so each.
    pub fn new(tablebase: Arc<EinSteinTablebase>, limit: usize) -> ExactSolver {
        ExactSolver { tablebase, known: FastMap::default(), limit }
    }

    /// Drops all results.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// The number of positions visited beyond the tablebase.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// The probability that the side to roll wins under best play. Its error is at most that of
    /// the tablebase ([`crate::tablebase::MAX_ERROR`]), since averages and maxima do not amplify it.
    ///
    /// # Errors
    ///
    /// [`Unsolved`].
    pub fn value(&mut self, state: &EinStein) -> Result<f64, Unsolved> {
        let stones: u32 = Player::BOTH.into_iter().map(|p| state.alive(p).count_ones()).sum();
        if stones as usize <= self.tablebase.indexer().stones() {
            return self.tablebase.probe(state).map(|v| v.probability()).ok_or(Unsolved);
        }
        let key = position_key(state);
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        if self.known.len() >= self.limit {
            return Err(Unsolved);
        }
        let mut sum = 0.0;
        // Dice that allow the same stones to move share their value.
        let mut before: Vec<(u8, f64)> = Vec::with_capacity(6);
        for die in 1..=6 {
            let stones = movable_stones(state.missing_die(), state.alive(state.player()), die);
            let known = before.iter().find(|(set, _)| *set == stones).map(|(_, value)| *value);
            let value = match known {
                Some(value) => value,
                None => {
                    let mut rolled = *state;
                    rolled.play(Move::Roll(die));
                    let value = self.best(&rolled)?;
                    before.push((stones, value));
                    value
                }
            };
            sum += value;
        }
        self.known.insert(key, sum / 6.0);
        Ok(sum / 6.0)
    }

    /// The value of the best move after a roll.
    fn best(&mut self, rolled: &EinStein) -> Result<f64, Unsolved> {
        let mut best: f64 = 0.0;
        let failed = rolled.visit_moves(&mut |m| match self.after(rolled, m) {
            Ok(value) => {
                best = best.max(value);
                // A certain win cannot be bettered.
                if best >= 1.0 { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
            }
            Err(error) => ControlFlow::Break(Some(error)),
        });
        match failed {
            ControlFlow::Break(Some(error)) => Err(error),
            _ => Ok(best),
        }
    }

    /// The mover's winning probability after a move.
    fn after(&mut self, rolled: &EinStein, m: Move) -> Result<f64, Unsolved> {
        let mover = rolled.player();
        let mut next = *rolled;
        next.play(m);
        match next.turn() {
            Turn::Over(outcome) => Ok(f64::from((outcome.sign_for(mover) + 1) / 2)),
            _ => Ok(1.0 - self.value(&next)?),
        }
    }

    /// Every legal move with the mover's winning probability after it.
    ///
    /// # Errors
    ///
    /// [`Unsolved`].
    pub fn moves(&mut self, rolled: &EinStein) -> Result<Vec<(Move, f64)>, Unsolved> {
        legal_moves(rolled).into_iter().map(|m| Ok((m, self.after(rolled, m)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::{
        EinSteinIndexer, EinSteinSolver, Expectimax, MAX_ERROR, random_position,
    };
    use agon_protocol::einstein::MissingDie;
    use agon_protocol::rng;
    use agon_tablebase::{Monitor, build};

    #[test]
    fn positions_beyond_the_tablebase_get_the_values_of_plain_expectimax() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.table");
        let indexer = EinSteinIndexer::new(3, MissingDie::Next).unwrap();
        build(&path, &indexer, &EinSteinSolver, 1, &Monitor::hidden()).unwrap();
        let tablebase = Arc::new(EinSteinTablebase::open(&path).unwrap());
        let mut solver = ExactSolver::new(Arc::clone(&tablebase), 1_000_000);
        let mut plain = Expectimax::default();
        let mut stream = rng::stream(1, 0, "exact test");
        for stones in [[2, 2], [1, 3], [3, 1], [2, 3]] {
            for _ in 0..2 {
                let position = random_position(&mut stream, stones, MissingDie::Next).unwrap();
                let (found, expected) = (solver.value(&position).unwrap(), plain.value(&position));
                assert!((found - expected).abs() <= MAX_ERROR, "{}", position.fen());
                let mut rolled = position;
                rolled.play(Move::Roll(3));
                let moves = solver.moves(&rolled).unwrap();
                let best = moves.iter().map(|m| m.1).fold(0.0, f64::max);
                assert_eq!(solver.best(&rolled), Ok(best));
                assert!(solver.positions() > 0);
            }
        }
        let position = random_position(&mut stream, [3, 3], MissingDie::Next).unwrap();
        assert_eq!(ExactSolver::new(tablebase, 10).value(&position), Err(Unsolved));
    }
}
