//! The baseline `alphabeta`: iterative deepening over steps and flips in generation order, with
//! fixed piece values and no table. The value of a flip is the average over a few random outcomes.

use crate::evaluation::{STATIC_LIMIT, UNIT};
use crate::piece_values::remaining;
use crate::search::params;
use agon_games::darkchess::{COUNTS, Colour, DarkChess, DarkMove};
use agon_games::game::{Game, Turn, chance_outcomes};
use agon_games::{Player, rng};
use agon_search::clock::{Clock, NodeCounter, Stopped};
use agon_search::evaluator::collect_moves;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::Scale;
use agon_search::searcher::Searcher;

/// The `alphabeta` searcher.
#[derive(Clone, Debug)]
pub struct SampledAlphaBeta {
    /// The number of random outcomes searched for each flip.
    pub samples: u32,
    /// The seed of the samples and of the root move order.
    pub seed: u64,
}

/// The maximum depth of iterative deepening.
const MAX_DEPTH: u32 = 64;
/// Usual piece values of dark chess programs: king, guard, minister, rook, knight, cannon, pawn.
pub const VALUES: [i32; 7] = [60, 27, 9, 6, 3, 18, 1];

impl Searcher<DarkChess> for SampledAlphaBeta {
    fn run(
        &mut self,
        position: &Root<DarkChess>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<DarkMove>),
    ) -> SearchResult<DarkMove> {
        let mut root = position.allowed_moves();
        let game = position.game();
        let mut stream = rng::stream(self.seed, game.hash(), "alphabeta order");
        rng::shuffle(&mut stream, &mut root);
        let mut search = BaselineSearch { settings: self, counter: NodeCounter::new(clock) };
        let mut best = SearchResult::unknown(root[0]);
        for depth in clock.first_depth()..=clock.depth().min(MAX_DEPTH) {
            let finished = search.iterate(game, depth, &mut root, &mut best).is_ok();
            best.nodes = search.counter.nodes();
            if !finished {
                break;
            }
            (best.depth, best.seldepth) = (depth, depth);
            report(&best);
            if best.value.abs() == UNIT
                || root.len() == 1
                || clock.past_soft_limit(params::time_percent())
            {
                break;
            }
        }
        best
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }
}

struct BaselineSearch<'a> {
    settings: &'a SampledAlphaBeta,
    counter: NodeCounter<'a>,
}

impl BaselineSearch<'_> {
    fn iterate(
        &mut self,
        game: &DarkChess,
        depth: u32,
        root: &mut [DarkMove],
        best: &mut SearchResult<DarkMove>,
    ) -> Result<(), Stopped> {
        self.counter.visit()?;
        let mut alpha = -UNIT - 1;
        for i in 0..root.len() {
            let value = self.child(game, root[i], depth, alpha, UNIT + 1)?;
            if value > alpha {
                alpha = value;
                root[..=i].rotate_right(1);
                (best.moves[0], best.value) = (root[0], value);
            }
        }
        Ok(())
    }

    /// The value of a move for the player who makes it.
    fn child(
        &mut self,
        game: &DarkChess,
        m: DarkMove,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let mut next = *game;
        next.play(m);
        if next.turn() != Turn::Chance {
            return self.node(&next, depth - 1, -beta, -alpha).map(|v| -v);
        }
        let outcomes = chance_outcomes(&next);
        let seed = self.settings.seed;
        let mut stream = rng::stream(seed, next.hash(), "alphabeta sample");
        let mut sum = 0;
        for _ in 0..self.settings.samples {
            let drawn = rng::weighted_index(&mut stream, outcomes.iter().map(|o| o.1));
            let mut shown = next;
            shown.play(outcomes[drawn.unwrap_or(0)].0);
            sum += -self.node(&shown, depth - 1, -UNIT - 1, UNIT + 1)?;
        }
        Ok(sum / self.settings.samples.max(1) as i32)
    }

    /// The value for the side to move.
    fn node(
        &mut self,
        game: &DarkChess,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.counter.visit()?;
        if let Turn::Over(outcome) = game.turn() {
            return Ok(outcome.sign_for(game.mover()) * UNIT);
        }
        if depth == 0 {
            return Ok(material(game, game.mover()));
        }
        let mut moves = Vec::new();
        collect_moves(game, &mut moves);
        let mut best = -UNIT - 1;
        for m in moves {
            best = best.max(self.child(game, m, depth, alpha.max(best), beta)?);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }
}

/// The material of `player` minus the opponent's, as an expected outcome.
fn material(game: &DarkChess, player: Player) -> i32 {
    let Some(own) = game.colour_of(player) else { return 0 };
    let side = |colour: Colour| -> i32 {
        remaining(game, colour).iter().zip(VALUES).map(|(n, value)| n * value).sum()
    };
    let full_side: i32 = VALUES.iter().zip(COUNTS).map(|(v, n)| v * i32::from(n)).sum();
    (side(own) - side(own.other())) * STATIC_LIMIT / full_side
}
