//! Chance positions: their outcomes, the transposition table, Star2 and Star1.

use super::ExpectimaxEvaluator;
use super::search::{Search, cut};
use super::star::{ChanceNode, ChanceOutcome, ChanceSearch, ReplyBound, push_outcomes};
use crate::clock::Stopped;
use agon_protocol::{Game, Player, Turn};

/// A chance position is valued for one player; these keys separate the two players' table entries.
const VIEWER_KEYS: [u64; 2] = [0x51ab_1e5f_0a0d_33c7, 0xc6a4_a793_5bd1_e995];

/// The search at a chance position.
struct AtChance<'s, 'a, G: Game, E> {
    search: &'s mut Search<'a, G, E>,
    game: &'s mut G,
    viewer: Player,
    depth: u32,
}

impl<G: Game, E: ExpectimaxEvaluator<G>> Search<'_, G, E> {
    /// The value of a chance position for `viewer`.
    pub(super) fn chance(
        &mut self,
        game: &mut G,
        viewer: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let hash = game.hash() ^ VIEWER_KEYS[viewer.index()];
        if let Some(value) = self.probe(hash).and_then(|e| cut(&e, depth, alpha, beta)) {
            return Ok(value);
        }
        let begin = self.outcomes.len();
        let evaluator = &*self.evaluator;
        push_outcomes(game, &mut self.outcomes, |m| evaluator.outcome_class(game, m));
        if self.is_reversed {
            self.outcomes[begin..].reverse();
        }
        let many = self.outcomes.len() > begin + 1;
        let node = ChanceNode::new(&self.outcomes, begin, (alpha, beta));
        let mut at = AtChance { search: self, game, viewer, depth };
        let decided = if depth > 1 && many { node.star2(&mut at)? } else { None };
        let value = match decided {
            Some(value) => value,
            None => node.star1(&mut at)?,
        };
        self.outcomes.truncate(begin);
        self.store(hash, value, (alpha, beta), depth, None);
        Ok(value)
    }
}

impl<G: Game, E: ExpectimaxEvaluator<G>> ChanceSearch for AtChance<'_, '_, G, E> {
    type Move = G::Move;

    fn outcomes(&mut self) -> &mut Vec<ChanceOutcome<G::Move>> {
        &mut self.search.outcomes
    }

    fn search_outcome(&mut self, m: G::Move, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let undo = self.game.play(m);
        let value = self.search.value(self.game, self.viewer, self.depth, alpha, beta);
        self.game.undo(m, undo);
        value
    }

    fn search_reply(&mut self, m: G::Move, alpha: i32, beta: i32) -> Result<ReplyBound, Stopped> {
        let undo = self.game.play(m);
        let bound = self.reply_bound(alpha, beta);
        self.game.undo(m, undo);
        bound
    }
}

impl<G: Game, E: ExpectimaxEvaluator<G>> AtChance<'_, '_, G, E> {
    /// The bound on the position's value from its best-ordered reply.
    fn reply_bound(&mut self, alpha: i32, beta: i32) -> Result<ReplyBound, Stopped> {
        let AtChance { search, game, viewer, depth } = self;
        let Turn::Player(mover) = game.turn() else { return Ok(ReplyBound::Unknown) };
        let packed = search.probe(game.hash()).and_then(|e| e.packed);
        let begin = search.moves.len();
        let mut list = std::mem::take(&mut search.moves);
        search.order(game, packed, &mut list);
        let first = list[begin].1;
        list.truncate(begin);
        search.moves = list;
        let own = mover == *viewer;
        let (low, high) = if own { (alpha, beta) } else { (-beta, -alpha) };
        let undo = game.play(first);
        let value = search.value(game, mover, *depth - 1, low, high);
        game.undo(first, undo);
        // At or below the window the value is itself only an upper bound, so it gives no bound.
        Ok(match value? {
            v if v <= low => ReplyBound::Unknown,
            v if own => ReplyBound::AtLeast(v),
            v => ReplyBound::AtMost(-v),
        })
    }
}
