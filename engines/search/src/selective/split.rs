//! Parallel search by the young brothers wait concept (Feldmann 1993): a node whose first move has been
//! searched without a cutoff is shared with threads that have nothing to do. The thread that shares
//! it searches moves too and, when it can take none, helps below the node until the others are done.
//! While a thread searches a move again with an open window, no thread takes another: as with the
//! first move, the others need the alpha that it gives.

use super::state::{Candidate, MoveLoop, Node, OnDrop, SplitPoint, SplitProgress, lock};
use super::worker::Worker;
use crate::clock::Stopped;
use crate::evaluator::StagedMoves;
use crate::ordering::ScoredMove;
use agon_games::{Game, Player};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

impl<G: Game, E: StagedMoves<G>> Worker<'_, G, E> {
    /// Helps at shared nodes until the search is over.
    pub fn help(mut self) {
        while let Some(split) = self.pool.wait() {
            self.help_at(&split);
        }
    }

    /// Whether a shared node above no longer needs this search.
    pub fn is_cut_off(&self) -> bool {
        self.splits.iter().any(|split| split.is_over())
    }

    /// Searches moves with the threads that have nothing to do.
    pub fn split(
        &mut self,
        mover: Player,
        node: Node,
        moves: &mut MoveLoop<G::Move>,
        list: &[ScoredMove<Candidate<G::Move>>],
    ) -> Result<(), Stopped> {
        let left = list.iter().map(|scored| scored.m).filter(|c| !moves.early.contains(&Some(c.m)));
        let split = Arc::new(SplitPoint {
            game: self.game.clone(),
            mover,
            node,
            tried: moves.tried,
            moves: left.collect(),
            above: self.splits.clone(),
            is_over: AtomicBool::new(false),
            progress: Mutex::new(SplitProgress {
                moves: moves.clone(),
                taken: 0,
                helpers: 0,
                line: Vec::new(),
                seldepth: 0,
                has_open_window: false,
                stopped: false,
            }),
        });
        self.pool.change(|state| state.open.push(Arc::clone(&split)));
        self.splits.push(Arc::clone(&split));
        while !split.is_finished() {
            self.share(&split);
            let is_done = |s: &SplitPoint<G>| s.has_moves() || s.is_finished();
            while let Some(below) = self.pool.wait_below(&split, is_done) {
                self.help_at(&below);
            }
        }
        self.pool.change(|state| state.open.retain(|other| !Arc::ptr_eq(other, &split)));
        self.splits.pop();
        let progress = lock(&split.progress);
        self.seldepth = self.seldepth.max(progress.seldepth);
        // Also of a search that was stopped: a better move at the root counts.
        if !progress.line.is_empty() {
            self.variations.set_line(node.ply, &progress.line);
        }
        if progress.stopped || self.is_cut_off() {
            return Err(Stopped);
        }
        *moves = progress.moves.clone();
        Ok(())
    }

    /// Searches, with an open window, a move that a null window found better than `alpha`. At a shared
    /// node one thread at a time does so; if alpha has risen, a null window at the new alpha comes first.
    pub fn search_open_window(
        &mut self,
        node: Node,
        alpha: i32,
        mut search: impl FnMut(&mut Self, i32, i32) -> Result<i32, Stopped>,
    ) -> Result<i32, Stopped> {
        let split = self.splits.last().filter(|split| split.node.ply == node.ply);
        let Some(split) = split.cloned() else {
            return search(self, alpha, node.beta);
        };
        let raised = self.open_window(&split)?;
        let pool = self.pool;
        let _end = OnDrop(|| {
            lock(&split.progress).has_open_window = false;
            pool.change(|_| ());
        });
        if raised > alpha {
            let value = search(self, raised, raised + 1)?;
            if value <= raised || value >= node.beta {
                return Ok(value);
            }
        }
        search(self, raised, node.beta)
    }

    /// Waits until no other thread searches a move of the node with an open window, and helps below.
    /// Returns the node's alpha.
    fn open_window(&mut self, split: &Arc<SplitPoint<G>>) -> Result<i32, Stopped> {
        loop {
            let mut progress = lock(&split.progress);
            if self.is_cut_off() {
                return Err(Stopped);
            }
            if !progress.has_open_window {
                progress.has_open_window = true;
                return Ok(progress.moves.alpha);
            }
            drop(progress);
            let is_done = |s: &SplitPoint<G>| !lock(&s.progress).has_open_window;
            while let Some(below) = self.pool.wait_below(split, is_done) {
                self.help_at(&below);
            }
        }
    }

    /// Searches moves of a node that another thread owns.
    fn help_at(&mut self, split: &Arc<SplitPoint<G>>) {
        let pool = self.pool;
        let _end = OnDrop(|| {
            let mut progress = lock(&split.progress);
            progress.helpers -= 1;
            progress.stopped |= std::thread::panicking();
            drop(progress);
            pool.change(|_| ());
        });
        let splits = split.above.iter().chain([split]).cloned().collect();
        let splits = std::mem::replace(&mut self.splits, splits);
        let game = std::mem::replace(&mut self.game, split.game.clone());
        self.share(split);
        self.counter.flush();
        (self.splits, self.game) = (splits, game);
    }

    /// Takes moves of a shared node and searches them, until none is left or one reaches beta.
    fn share(&mut self, split: &SplitPoint<G>) {
        let SplitPoint { node, mover, .. } = *split;
        let mut progress = lock(&split.progress);
        while !split.is_over()
            && !progress.has_open_window
            && let Some(&Candidate { m, value }) = split.moves.get(progress.taken)
        {
            let index = split.tried + progress.taken;
            progress.taken += 1;
            let alpha = progress.moves.alpha;
            drop(progress);
            let value = self.move_value(m, value, mover, node, alpha, index);
            progress = lock(&split.progress);
            progress.seldepth = progress.seldepth.max(self.seldepth);
            let Ok(value) = value else {
                progress.stopped |= !split.is_over();
                split.is_over.store(true, Ordering::Relaxed);
                return;
            };
            if split.is_over() {
                return;
            }
            let alpha = progress.moves.alpha;
            if self.record_value(m, value, node, &mut progress.moves) {
                split.is_over.store(true, Ordering::Relaxed);
            }
            if progress.moves.alpha > alpha {
                progress.line = self.variations.line(node.ply).to_vec();
            }
        }
    }
}
