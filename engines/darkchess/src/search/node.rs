//! Decision nodes: principal variation search with late-move reductions and futility pruning; and the
//! quiescence search below them, of captures only.

use super::ordering::{mvv_lva, victim_and_attacker};
use super::params;
use super::score::{DECISIVE, WIN, value_from_tt, value_to_tt};
use super::worker::{DarkChessWorker, MAX_PLY, SearchMode};
use crate::evaluation::{expected, expected_now};
use crate::evaluator::pack;
use crate::piece_values::piece_values;
use agon_games::darkchess::{DarkChess, DarkMove};
use agon_games::game::Game;
use agon_search::clock::Stopped;
use agon_search::result::SearchResult;
use agon_search::transposition::{Entry, EntryBound};
use std::ops::ControlFlow;

/// Late-move reduction in plies of the quiet move with this index, from 0.
fn late_move_reduction(depth: i32, number: usize) -> i32 {
    if depth < params::lmr_depth() || number <= params::lmr_moves() {
        0
    } else if depth < params::lmr_depth_two() || number < params::lmr_moves_two() {
        1
    } else if depth < params::lmr_depth_three() || number < params::lmr_moves_three() {
        2
    } else {
        3
    }
}

/// Whether a move is neither a capture nor a flip.
fn is_quiet(game: &DarkChess, m: DarkMove) -> bool {
    matches!(m, DarkMove::Step { to, .. } if game.piece_at(to).is_none())
}

impl DarkChessWorker<'_> {
    /// One iteration: searches every root move to `depth`; `root` keeps the best move first.
    pub(super) fn iterate(
        &mut self,
        game: &mut DarkChess,
        depth: u32,
        root: &mut [DarkMove],
        best: &mut SearchResult<DarkMove>,
    ) -> Result<(), Stopped> {
        self.counter.visit()?;
        let mut alpha = -WIN - 1;
        for i in 0..root.len() {
            let m = root[i];
            let value = self.search_move(game, m, (depth as i32, i, 0), alpha, WIN + 1)?;
            if value > alpha {
                alpha = value;
                root[..=i].rotate_right(1);
                // The previous best move came first, so a better one is valid even on timeout.
                best.moves = vec![m];
                best.value = value;
            }
        }
        Ok(())
    }

    /// The value, for its mover, of the move with this index at a node of this depth and ply.
    fn search_move(
        &mut self,
        game: &mut DarkChess,
        m: DarkMove,
        (depth, number, ply): (i32, usize, u32),
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let reducible = self.mode == SearchMode::Play && is_quiet(game, m);
        let undo = game.play(m);
        let value = if let DarkMove::Flip(_) = m {
            self.chance(game, depth, alpha, beta, ply + 1)
        } else {
            self.path.push(game.hash());
            let reduction = if reducible { late_move_reduction(depth, number) } else { 0 };
            let value =
                self.search_step(game, depth - 1, (number, reduction), alpha, beta, ply + 1);
            self.path.pop();
            value
        };
        game.undo(m, undo);
        value
    }

    /// The value after a step, for the side that made it. The first move gets the full window. The
    /// others get a null window and a reduced depth first, and a re-search if they fail high.
    fn search_step(
        &mut self,
        game: &mut DarkChess,
        depth: i32,
        (number, reduction): (usize, i32),
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, Stopped> {
        if number == 0 {
            return self.node(game, depth, -beta, -alpha, ply).map(|v| -v);
        }
        let mut value = -self.node(game, depth - reduction, -alpha - 1, -alpha, ply)?;
        if value > alpha && reduction > 0 {
            value = -self.node(game, depth, -alpha - 1, -alpha, ply)?;
        }
        if value > alpha && value < beta {
            value = -self.node(game, depth, -beta, -alpha, ply)?;
        }
        Ok(value)
    }

    /// The value of a decision node for the side to move.
    pub(super) fn node(
        &mut self,
        game: &mut DarkChess,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, Stopped> {
        self.counter.visit()?;
        self.seldepth = self.seldepth.max(ply);
        if let Some(value) = self.exact_value(game, ply) {
            return Ok(value);
        }
        if self.is_repetition(game) {
            return Ok(self.draw_value(game));
        }
        if let Some(value) = self.fortress_cutoff(game, alpha, beta) {
            return Ok(value);
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(game, alpha, beta, ply, params::qs_plies());
        }
        let hash = game.hash();
        let entry = self.tt.probe(hash);
        if let Some(value) = entry.and_then(|e| self.tt_cutoff(game, &e, depth, (alpha, beta), ply))
        {
            return Ok(value);
        }
        let tt_move = entry.and_then(|e| e.packed);
        let begin = self.moves.len();
        self.generate_moves(game, depth, ply, tt_move);
        let searched = self.search_moves(game, begin, (depth, ply), alpha, beta);
        self.moves.truncate(begin);
        let (value, m) = searched?;
        let bound = EntryBound::of(value, alpha, beta);
        let packed = (value > alpha).then_some(m).flatten().map(pack);
        let value_at_node = value_to_tt(value, ply);
        self.tt.store(hash, Entry { value: value_at_node, bound, depth: depth as u32, packed });
        Ok(value)
    }

    /// Searches the moves from `begin` on the stack; returns the best value and its move.
    fn search_moves(
        &mut self,
        game: &mut DarkChess,
        begin: usize,
        (depth, ply): (i32, u32),
        alpha: i32,
        beta: i32,
    ) -> Result<(i32, Option<DarkMove>), Stopped> {
        // Flips are not searched at depth 1: the static evaluation replaces them.
        let flip_instead = depth == 1 && game.hidden() != 0 && self.mode == SearchMode::Play;
        let mut best = (if flip_instead { self.evaluator.evaluate(game) } else { -WIN - 1 }, None);
        let futility = self.futility_value(game, depth, alpha);
        for at in begin..self.moves.len() {
            if best.0 >= beta {
                break;
            }
            let (_, m) = self.select_best(at);
            if let Some(upper) = futility
                && at > begin
                && is_quiet(game, m)
            {
                best.0 = best.0.max(upper);
                continue;
            }
            let window = alpha.max(best.0);
            let value = self.search_move(game, m, (depth, at - begin, ply), window, beta)?;
            if value > best.0 {
                best = (value, Some(m));
                if value >= beta {
                    self.update_quiet_history(game, m, depth, ply);
                }
            }
        }
        Ok(best)
    }

    /// Futility pruning: an optimistic bound for quiet moves near the horizon, if it does not
    /// exceed alpha.
    fn futility_value(&mut self, game: &DarkChess, depth: i32, alpha: i32) -> Option<i32> {
        let margin = match depth {
            1 => params::futility_one(),
            2 => params::futility_two(),
            _ => return None,
        };
        if self.mode == SearchMode::Proof || alpha.abs() >= DECISIVE {
            return None;
        }
        Some(expected(self.evaluator.advantage(game) + margin)).filter(|&upper| upper <= alpha)
    }

    /// The value of a table entry that is deep enough and causes a cutoff in this window.
    pub(super) fn tt_cutoff(
        &self,
        game: &DarkChess,
        entry: &Entry,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Option<i32> {
        let value = value_from_tt(entry.value, ply);
        let cuts_off = entry.bound.cuts_off(value, alpha, beta);
        // Near the draw limit, a value found with another count of quiet plies is not valid.
        let limit = i32::from(game.draw_plies());
        let near_limit =
            limit > 0 && i32::from(game.quiet_plies()) + depth + params::draw_distance() >= limit;
        let enough = match self.mode {
            SearchMode::Play => entry.depth as i32 >= depth,
            SearchMode::Proof => entry.depth as i32 == depth,
        };
        (cuts_off && enough && !near_limit).then_some(value)
    }
}

impl DarkChessWorker<'_> {
    /// The value for the side to move, which may also stand pat; at most `left` captures deep.
    pub(super) fn quiesce(
        &mut self,
        game: &mut DarkChess,
        alpha: i32,
        beta: i32,
        ply: u32,
        left: u32,
    ) -> Result<i32, Stopped> {
        if self.mode == SearchMode::Proof {
            return Ok(0);
        }
        let ahead = self.evaluator.advantage(game);
        let stand_pat = expected_now(game, ahead);
        if stand_pat >= beta || left == 0 {
            return Ok(stand_pat);
        }
        let begin = self.moves.len();
        self.generate_captures(game);
        let mut best = stand_pat;
        for at in begin..self.moves.len() {
            let (score, m) = self.select_best(at);
            // Futility pruning. The score is approximately the victim's value times its weight.
            if expected(ahead + score / params::order_victim() + params::qs_margin()) <= alpha {
                continue;
            }
            let undo = game.play(m);
            let value = self.after_capture(game, -beta, -alpha.max(best), ply + 1, left - 1);
            game.undo(m, undo);
            best = best.max(value?);
            if best >= beta {
                break;
            }
        }
        self.moves.truncate(begin);
        Ok(best)
    }

    /// The value after a capture for the side that made it.
    fn after_capture(
        &mut self,
        game: &mut DarkChess,
        alpha: i32,
        beta: i32,
        ply: u32,
        left: u32,
    ) -> Result<i32, Stopped> {
        self.counter.visit()?;
        self.seldepth = self.seldepth.max(ply);
        if let Some(value) = self.exact_value(game, ply) {
            return Ok(-value);
        }
        self.quiesce(game, alpha.max(-WIN), beta.min(WIN), ply, left).map(|v| -v)
    }

    /// Pushes the captures with their scores.
    fn generate_captures(&mut self, game: &DarkChess) {
        let Some(own) = game.colour_to_move() else { return };
        let values = piece_values(game);
        let enemies = game.side_pieces(own.other());
        let moves = &mut self.moves;
        let _ = game.visit_steps::<()>(own, &mut |from, to| {
            let m = DarkMove::Step { from, to };
            if enemies >> to & 1 != 0
                && let Some((victim, attacker)) = victim_and_attacker(game, m, &values)
            {
                moves.push((mvv_lva(victim, attacker), m));
            }
            ControlFlow::Continue(())
        });
    }
}
