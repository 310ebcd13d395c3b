//! The engine as the subject of the study of exact losses ([`agon_einstein_studies::loss`]).

use crate::engine::EinSteinEngine;
use crate::evaluation::ordering_score;
use crate::pairs::PairNetwork;
use crate::playout_board::PlayoutBoard;
use crate::tablebase::{EinSteinTablebase, position_key};
use agon_einstein_studies::loss::Subject;
use agon_protocol::einstein::{EinStein, EinSteinMove, MissingDie};
use anyhow::Result;
use std::path::Path;

/// The engine with a tablebase.
pub struct LossSubject(EinSteinTablebase);

impl LossSubject {
    /// Opens the tablebase.
    ///
    /// # Errors
    ///
    /// It cannot be opened.
    pub fn open(path: &Path) -> Result<LossSubject> {
        Ok(LossSubject(EinSteinTablebase::open(path)?))
    }
}

impl Subject for LossSubject {
    type Engine = EinSteinEngine;

    fn engine() -> EinSteinEngine {
        EinSteinEngine::new()
    }

    fn key(state: &EinStein) -> u64 {
        position_key(state)
    }

    fn ordering_score(rolled: &EinStein, m: EinSteinMove) -> i32 {
        ordering_score(rolled, m)
    }

    fn estimate(&self, state: &EinStein) -> f64 {
        PairNetwork::own().chance(&PlayoutBoard::new(state)).into()
    }

    fn probe(&self, state: &EinStein) -> Option<f64> {
        self.0.probe(state).map(|value| value.probability())
    }

    fn stones(&self) -> usize {
        self.0.indexer().stones()
    }

    fn rule(&self) -> MissingDie {
        self.0.indexer().rule()
    }

    fn checksum(&self) -> u32 {
        self.0.file().header().checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::{
        EinSteinIndexer, EinSteinSolver, Expectimax, MAX_ERROR, random_position,
    };
    use agon_einstein_studies::loss::{ExactSolver, Unsolved};
    use agon_protocol::game::{Game, legal_moves};
    use agon_protocol::rng;
    use agon_tablebase::{Monitor, build};

    #[test]
    fn positions_beyond_the_tablebase_get_the_values_of_plain_expectimax() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.table");
        let indexer = EinSteinIndexer::new(3, MissingDie::Next).unwrap();
        build(&path, &indexer, &EinSteinSolver::default(), 1, &Monitor::hidden()).unwrap();
        let subject = LossSubject::open(&path).unwrap();
        let mut solver = ExactSolver::new(&subject, 1_000_000);
        let mut plain = Expectimax::default();
        let mut stream = rng::stream(1, 0, "exact test");
        for stones in [[2, 2], [1, 3], [3, 1], [2, 3]] {
            for _ in 0..2 {
                let position = random_position(&mut stream, stones, MissingDie::Next).unwrap();
                let (found, expected) = (solver.value(&position).unwrap(), plain.value(&position));
                assert!((found - expected).abs() <= MAX_ERROR, "{}", position.fen());
                let mut rolled = position;
                rolled.play(EinSteinMove::Roll(3));
                for m in legal_moves(&rolled) {
                    let mut next = rolled;
                    next.play(m);
                    let over = next
                        .turn()
                        .outcome()
                        .map(|o| f64::from((o.sign_for(rolled.player()) + 1) / 2));
                    let expected = over.unwrap_or_else(|| 1.0 - plain.value(&next));
                    let found = solver.value_after(&rolled, m).unwrap();
                    assert!((found - expected).abs() <= MAX_ERROR, "{}", rolled.fen());
                    let best = solver.best(&rolled, m).unwrap();
                    assert!(best >= found, "{}", rolled.fen());
                    let other = solver.best(&rolled, legal_moves(&rolled)[0]).unwrap();
                    assert!((best - other).abs() < 1e-9, "{}", rolled.fen());
                }
                assert!(solver.positions() > 0);
            }
        }
        let position = random_position(&mut stream, [3, 3], MissingDie::Next).unwrap();
        assert_eq!(ExactSolver::new(&subject, 10).value(&position), Err(Unsolved));
    }
}
