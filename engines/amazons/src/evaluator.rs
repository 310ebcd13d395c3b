//! The search evaluator of Amazons: static evaluation, move encoding, and staged moves (first the
//! amazon's step, then the arrow).

use crate::eval::{self, Weights};
use crate::filling::Filler;
use crate::params;
use crate::territory::solve_with;
use agon_games::amazons::{Amazons, AmazonsMove, AmazonsSquare, Squares};
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves};
use agon_search::score::WIN;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Squares have bit numbers below this.
const SQUARES: usize = 128;

/// The evaluator of a search thread.
#[derive(Clone, Debug)]
pub struct AmazonsEvaluator {
    weights: Arc<Weights>,
    /// The solver of separated positions; `None` uses the evaluation for them.
    filler: Option<Filler>,
}

impl AmazonsEvaluator {
    /// An evaluator with these weights; `solves` enables the exact solver of separated positions.
    pub fn new(weights: Weights, solves: bool) -> AmazonsEvaluator {
        AmazonsEvaluator { weights: Arc::new(weights), filler: solves.then(Filler::default) }
    }
}

impl Evaluator<Amazons> for AmazonsEvaluator {
    #[inline]
    fn evaluate(&mut self, game: &Amazons) -> i32 {
        eval::evaluate(game, &self.weights)
    }

    fn solve(&mut self, game: &Amazons, depth: u32) -> Option<i32> {
        if depth == 0 {
            return None;
        }
        let solution = solve_with(self.filler.as_mut()?, game, params::filling_budget())?;
        let side = game.side_to_move();
        let winner = solution.winner(side)?;
        let loser = winner.opponent();
        // If only the winner is certain, use the maximum possible length.
        let moves = solution.moves[loser.index()].at_most as i32;
        Some(if winner == side { WIN - 2 * moves - 1 } else { 2 * moves - WIN })
    }
}

impl MoveEncoding<Amazons> for AmazonsEvaluator {
    const HISTORY_KEYS: [usize; 2] = [SQUARES * SQUARES, SQUARES];

    fn history_keys(m: AmazonsMove) -> [usize; 2] {
        [AmazonsEvaluator::partial_key((m.from, m.to)), m.arrow.index() & (SQUARES - 1)]
    }

    fn pack(m: AmazonsMove) -> u32 {
        (m.from.index() << 16 | m.to.index() << 8 | m.arrow.index()) as u32
    }

    fn unpack(bits: u32) -> Option<AmazonsMove> {
        let square = |shift: u32| {
            let bit = bits >> shift & 255;
            (bit < SQUARES as u32).then(|| AmazonsSquare::from_bit(bit))
        };
        Some(AmazonsMove { from: square(16)?, to: square(8)?, arrow: square(0)? })
    }
}

impl StagedMoves<Amazons> for AmazonsEvaluator {
    /// The origin and target square of an amazon.
    type PartialMove = (AmazonsSquare, AmazonsSquare);

    fn visit_partial_moves(
        &mut self,
        game: &Amazons,
        _depth: u32,
        visit: &mut impl FnMut((AmazonsSquare, AmazonsSquare), Option<i32>),
    ) {
        for from in Squares(game.amazons(game.side_to_move())) {
            for to in Squares(game.amazon_targets(from)) {
                let value = -eval::evaluate(&game.stepped(from, to), &self.weights);
                visit((from, to), Some(value));
            }
        }
    }

    fn visit_completions<B>(
        game: &Amazons,
        (from, to): (AmazonsSquare, AmazonsSquare),
        visit: &mut impl FnMut(AmazonsMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Squares(game.arrow_targets(from, to))
            .try_for_each(|arrow| visit(AmazonsMove { from, to, arrow }))
    }

    #[inline]
    fn partial_key((from, to): (AmazonsSquare, AmazonsSquare)) -> usize {
        (from.index() & (SQUARES - 1)) << 7 | to.index() & (SQUARES - 1)
    }
}
