//! Exact values of positions of more stones than the tablebase holds: expectimax down to the
//! tablebase, with Star1 and Star2 (as in `agon_search::expectimax`) and bounds on every position's
//! value, which hold at any depth because the search has none.

use agon_einstein::evaluation::ordering_score;
use agon_einstein::pairs::PairNetwork;
use agon_einstein::playout_board::PlayoutBoard;
use agon_einstein::tablebase::{EinSteinTablebase, position_key};
use agon_games::einstein::{EinStein, EinSteinMove, movable_stones};
use agon_games::game::{Game, Player, Turn, legal_moves};
use agon_games::hash::FastMap;

/// Half of the first window around the engine's estimate; a value outside it is searched again.
const WINDOW: f64 = 0.04;
/// Values that differ by less are equal: sums of doubles are not exact. Far below the precision of
/// the tablebase, even if every level of a search adds one.
const ROUNDING: f64 = 1e-9;

/// The search gave up: more positions than allowed, or the tablebase failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsolved;

/// Solves positions; keeps what it has found.
pub struct ExactSolver<'t> {
    table: &'t EinSteinTablebase,
    /// Bounds on the winning probability of the side to roll, by position.
    known: FastMap<u64, (f64, f64)>,
    /// The maximum number of positions.
    limit: usize,
}

/// The dice that allow the same stones to move, and bounds on the value after them.
#[derive(Clone, Copy)]
struct Outcome {
    die: u8,
    stones: u8,
    weight: f64,
    low: f64,
    high: f64,
}

impl<'t> ExactSolver<'t> {
    /// A solver that keeps at most `limit` positions, 32 bytes or so each.
    pub fn new(table: &'t EinSteinTablebase, limit: usize) -> ExactSolver<'t> {
        ExactSolver { table, known: FastMap::default(), limit }
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
    /// the tablebase, since averages and maxima do not amplify it.
    ///
    /// # Errors
    ///
    /// [`Unsolved`].
    pub fn value(&mut self, state: &EinStein) -> Result<f64, Unsolved> {
        let guess: f64 = PairNetwork::own().chance(&PlayoutBoard::new(state)).into();
        let (mut alpha, mut beta) = (guess - WINDOW, guess + WINDOW);
        loop {
            let value = self.search(state, alpha, beta)?;
            if value <= alpha + ROUNDING && alpha > 0.0 {
                alpha = if beta - alpha < 0.3 { value - 2.0 * WINDOW } else { -1.0 };
            } else if value >= beta - ROUNDING && beta < 1.0 {
                beta = if beta - alpha < 0.3 { value + 2.0 * WINDOW } else { 2.0 };
            } else {
                return Ok(value);
            }
        }
    }

    /// The fail-soft value before a roll: exact inside the window, a bound outside.
    fn search(&mut self, state: &EinStein, alpha: f64, beta: f64) -> Result<f64, Unsolved> {
        let stones: u32 = Player::BOTH.into_iter().map(|p| state.alive(p).count_ones()).sum();
        if stones as usize <= self.table.indexer().stones() {
            let value = self.table.probe(state).ok_or(Unsolved)?;
            return Ok(value.probability());
        }
        let key = position_key(state);
        let (low, high) = self.known.get(&key).copied().unwrap_or((0.0, 1.0));
        if low >= beta - ROUNDING || high - low <= ROUNDING {
            return Ok(low);
        }
        if high <= alpha + ROUNDING {
            return Ok(high);
        }
        let (found_low, found_high) = self.roll(state, alpha.max(low), beta.min(high))?;
        if self.known.len() >= self.limit {
            return Err(Unsolved);
        }
        let (low, high) = (low.max(found_low), high.min(found_high));
        self.known.insert(key, (low, high));
        Ok(if low >= beta - ROUNDING { low } else { high })
    }

    /// Bounds on the value before a roll; both are the value if it lies inside the window.
    fn roll(&mut self, state: &EinStein, alpha: f64, beta: f64) -> Result<(f64, f64), Unsolved> {
        let mut outcomes: arrayvec::ArrayVec<Outcome, 6> = arrayvec::ArrayVec::new();
        for die in 1..=6 {
            let stones = movable_stones(state.missing_die(), state.alive(state.player()), die);
            match outcomes.iter_mut().find(|o| o.stones == stones) {
                Some(outcome) => outcome.weight += 1.0 / 6.0,
                None => {
                    outcomes.push(Outcome { die, stones, weight: 1.0 / 6.0, low: 0.0, high: 1.0 });
                }
            }
        }
        let bounds = |outcomes: &[Outcome]| {
            let sums = outcomes.iter().map(|o| (o.weight * o.low, o.weight * o.high));
            sums.fold((0.0, 0.0), |sum, o| (sum.0 + o.0, sum.1 + o.1))
        };
        // First one move after each roll, then all.
        for moves in [1, usize::MAX] {
            for i in 0..outcomes.len() {
                let (low, high) = bounds(&outcomes);
                let Outcome { die, weight, low: own_low, high: own_high, .. } = outcomes[i];
                // Outside this window the average is outside its own.
                let from = own_high - (high - alpha) / weight;
                let to = own_low + (beta - low) / weight;
                let mut rolled = *state;
                rolled.play(EinSteinMove::Roll(die));
                let (value, all) = self.decide(&rolled, from, to, moves)?;
                let outcome = &mut outcomes[i];
                if value > from + ROUNDING {
                    outcome.low = outcome.low.max(value);
                }
                if all && value < to - ROUNDING {
                    outcome.high = outcome.high.min(value);
                }
                let (low, high) = bounds(&outcomes);
                if high <= alpha + ROUNDING || low >= beta - ROUNDING {
                    return Ok((low, high));
                }
            }
        }
        Ok(bounds(&outcomes))
    }

    /// The fail-soft value of the best of the first `moves` moves after a roll, and whether these
    /// decide: all moves were searched, or the window was exceeded.
    fn decide(
        &mut self,
        rolled: &EinStein,
        alpha: f64,
        beta: f64,
        moves: usize,
    ) -> Result<(f64, bool), Unsolved> {
        let mut list = legal_moves(rolled);
        list.sort_by_key(|&m| std::cmp::Reverse(ordering_score(rolled, m)));
        let mut best: f64 = 0.0;
        for &m in list.iter().take(moves) {
            best = best.max(self.after(rolled, m, alpha.max(best), beta)?);
            if best >= beta - ROUNDING || best >= 1.0 {
                return Ok((best, true));
            }
        }
        Ok((best, moves >= list.len()))
    }

    /// The mover's winning probability after a move: exact inside the window, a bound outside.
    fn after(
        &mut self,
        rolled: &EinStein,
        m: EinSteinMove,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Unsolved> {
        let mover = rolled.player();
        let mut next = *rolled;
        next.play(m);
        match next.turn() {
            Turn::Over(outcome) => Ok(f64::from((outcome.sign_for(mover) + 1) / 2)),
            _ => Ok(1.0 - self.search(&next, 1.0 - beta, 1.0 - alpha)?),
        }
    }

    /// The mover's winning probability after a move under best play.
    ///
    /// # Errors
    ///
    /// [`Unsolved`].
    pub fn value_after(&mut self, rolled: &EinStein, m: EinSteinMove) -> Result<f64, Unsolved> {
        let mover = rolled.player();
        let mut next = *rolled;
        next.play(m);
        match next.turn() {
            Turn::Over(outcome) => Ok(f64::from((outcome.sign_for(mover) + 1) / 2)),
            _ => Ok(1.0 - self.value(&next)?),
        }
    }

    /// The mover's winning probability after the best move, which is at least that after `first`.
    ///
    /// # Errors
    ///
    /// [`Unsolved`].
    pub fn best(&mut self, rolled: &EinStein, first: EinSteinMove) -> Result<f64, Unsolved> {
        let mut best = self.value_after(rolled, first)?;
        for m in legal_moves(rolled).into_iter().filter(|&m| m != first) {
            // Most moves are refuted against the best one alone.
            let beyond = best + 2.0 * ROUNDING;
            if best < 1.0 && self.after(rolled, m, best, best + WINDOW)? > beyond {
                best = best.max(self.value_after(rolled, m)?);
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_einstein::tablebase::{
        EinSteinIndexer, EinSteinSolver, Expectimax, MAX_ERROR, random_position,
    };
    use agon_games::einstein::MissingDie;
    use agon_games::rng;
    use agon_tablebase::{Monitor, build};

    #[test]
    fn positions_beyond_the_tablebase_get_the_values_of_plain_expectimax() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.table");
        let indexer = EinSteinIndexer::new(3, MissingDie::Next).unwrap();
        build(&path, &indexer, &EinSteinSolver::default(), 1, &Monitor::hidden()).unwrap();
        let table = EinSteinTablebase::open(&path).unwrap();
        let mut solver = ExactSolver::new(&table, 1_000_000);
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
        assert_eq!(ExactSolver::new(&table, 10).value(&position), Err(Unsolved));
    }
}
