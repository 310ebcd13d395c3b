//! Chance nodes: flips, with Star2 and Star1.

use super::params;
use super::score::{value_from_tt, value_to_tt};
use super::worker::{DarkChessWorker, SearchMode};
use crate::evaluator::pack;
use agon_games::darkchess::{DarkChess, DarkMove};
use agon_games::game::Game;
use agon_search::clock::Stopped;
use agon_search::expectimax::star::{
    ChanceNode, ChanceOutcome, ChanceSearch, ReplyBound, push_outcomes,
};
use agon_search::transposition::{Entry, EntryBound};

/// The search at a chance node; values are for the side that makes the flip.
struct AtFlip<'s, 'a> {
    worker: &'s mut DarkChessWorker<'a>,
    game: &'s mut DarkChess,
    depth: i32,
    ply: u32,
}

impl DarkChessWorker<'_> {
    /// The value of a flip, already made, at a node of this depth, for the side that made it.
    pub(super) fn chance(
        &mut self,
        game: &mut DarkChess,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, Stopped> {
        let reduction = if self.mode == SearchMode::Proof { 0 } else { params::flip_reduction() };
        let depth = (depth - 1 - reduction).max(0);
        let hash = game.hash();
        if let Some(entry) = self.tt.probe(hash)
            && let Some(value) = self.tt_cutoff(game, &entry, depth, (alpha, beta), ply)
        {
            return Ok(value);
        }
        let begin = self.outcomes.len();
        push_outcomes(game, &mut self.outcomes, pack);
        let node = ChanceNode::new(&self.outcomes, begin, (alpha, beta));
        let value = AtFlip { worker: self, game, depth, ply }.search(&node);
        self.outcomes.truncate(begin);
        let value = value?;
        let bound = EntryBound::of(value, alpha, beta);
        let value_in_tt = value_to_tt(value, ply);
        let entry = Entry { value: value_in_tt, bound, depth: depth as u32, packed: None };
        self.tt.store(hash, entry);
        Ok(value)
    }
}

impl AtFlip<'_, '_> {
    fn search(&mut self, node: &ChanceNode) -> Result<i32, Stopped> {
        if self.depth >= params::star2_depth()
            && let Some(value) = node.star2(self)?
        {
            return Ok(value);
        }
        node.star1(self)
    }

    /// A lower bound for the opponent: an exact or stored value, or the value of its first move.
    fn reply_value(&mut self, alpha: i32, beta: i32) -> Result<Option<i32>, Stopped> {
        let AtFlip { worker, game, depth, ply } = self;
        let (depth, ply) = (*depth, *ply + 1);
        if let Some(value) = worker.exact_value(game, ply) {
            return Ok(Some(value));
        }
        let entry = worker.tt.probe(game.hash());
        if let Some(entry) = entry
            && entry.depth as i32 == depth
            && entry.bound != EntryBound::Upper
        {
            return Ok(Some(value_from_tt(entry.value, ply)));
        }
        let begin = worker.moves.len();
        worker.generate_moves(game, depth, ply, entry.and_then(|e| e.packed));
        let (_, first) = worker.select_best(begin);
        worker.moves.truncate(begin);
        if let DarkMove::Flip(_) = first {
            return Ok(None);
        }
        let undo = game.play(first);
        worker.path.push(game.hash());
        let value = worker.node(game, depth - 1, -beta, -alpha, ply + 1);
        worker.path.pop();
        game.undo(first, undo);
        // A value at or below the window is only an upper bound.
        Ok(Some(-value?).filter(|&v| v > alpha))
    }
}

impl ChanceSearch for AtFlip<'_, '_> {
    type Move = DarkMove;

    fn outcomes(&mut self) -> &mut Vec<ChanceOutcome<DarkMove>> {
        &mut self.worker.outcomes
    }

    fn search_outcome(&mut self, m: DarkMove, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let undo = self.game.play(m);
        self.worker.path.push(self.game.hash());
        let value = self.worker.node(self.game, self.depth, -beta, -alpha, self.ply + 1);
        self.worker.path.pop();
        self.game.undo(m, undo);
        value.map(|v| -v)
    }

    fn search_reply(&mut self, m: DarkMove, alpha: i32, beta: i32) -> Result<ReplyBound, Stopped> {
        let undo = self.game.play(m);
        let value = self.reply_value(-beta, -alpha);
        self.game.undo(m, undo);
        Ok(value?.map_or(ReplyBound::Unknown, |v| ReplyBound::AtMost(-v)))
    }
}
