//! Decisions: the root and the nodes below it.

use super::{DECIDED, DEEPEST, Manner, PLY, WIN, Worker, params};
use crate::estimate::pack;
use crate::eval::{advantage, evaluate, expected};
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::game::{Game, Outcome, Turn};
use agon_search::clock::Stopped;
use agon_search::result::SearchResult;
use agon_search::transposition::{Bound, Entry};

/// A value counted from the root as one counted from the node, and back.
#[inline]
pub fn to_node(value: i32, ply: u32) -> i32 {
    match value {
        v if v >= DECIDED => v + ply as i32 * PLY,
        v if v <= -DECIDED => v - ply as i32 * PLY,
        v => v,
    }
}

/// The inverse of [`to_node`].
#[inline]
pub fn from_node(value: i32, ply: u32) -> i32 {
    match value {
        v if v >= DECIDED => v - ply as i32 * PLY,
        v if v <= -DECIDED => v + ply as i32 * PLY,
        v => v,
    }
}

/// Plies by which a late quiet move is searched less deep at first.
fn reduction(depth: i32, number: usize) -> i32 {
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

impl Worker<'_> {
    /// One deeper look at every root move; `root` keeps the best first.
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
            let value = self.child(game, m, (depth as i32, i, 0), alpha, WIN + 1)?;
            if value > alpha {
                alpha = value;
                root[..=i].rotate_right(1);
                // With the old best move done, a better one stands even if time runs out now.
                best.moves = vec![m];
                best.value = value;
            }
        }
        let entry = Entry { value: alpha, bound: Bound::Exact, depth, packed: Some(pack(root[0])) };
        self.trans.store(game.hash(), entry);
        Ok(())
    }

    /// The value of a move for its mover: the `number`-th tried at a node of this depth and ply.
    fn child(
        &mut self,
        game: &mut DarkChess,
        m: DarkMove,
        (depth, number, ply): (i32, usize, u32),
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let capture = matches!(m, DarkMove::Step { to, .. } if game.piece_at(to).is_some());
        let undo = game.play(m);
        let value = if let DarkMove::Flip(_) = m {
            self.chance(game, depth, alpha, beta, ply + 1)
        } else {
            self.path.push(game.hash());
            let late = !capture && self.manner == Manner::Play;
            let reduction = if late { reduction(depth, number) } else { 0 };
            let value = self.step(game, depth - 1, (number, reduction), alpha, beta, ply + 1);
            self.path.pop();
            value
        };
        game.undo(m, undo);
        value
    }

    /// The value after a step for the side that made it: late moves first with a null window and
    /// less depth, again where they turn out better.
    fn step(
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

    /// The value of a position for the side to move where it is known without a search.
    pub(super) fn known(&self, game: &DarkChess, ply: u32) -> Option<i32> {
        match game.turn() {
            Turn::Over(Outcome::Draw) => return Some(self.draw(game)),
            Turn::Over(outcome) => {
                return Some(outcome.sign_for(game.mover()) * (WIN - ply as i32 * PLY));
            }
            _ => {}
        }
        let value = self.endgames?.probe(game)?;
        let Some(distance) = value.plies() else {
            return Some(if self.manner == Manner::Exact {
                0
            } else {
                // There may be chances left.
                evaluate(game) / params::drawn_divisor()
            });
        };
        let limit = game.draw_plies();
        if limit > 0 && game.quiet_plies() + u16::from(distance) > limit {
            // Perhaps a capture on the way begins the count anew; nobody knows.
            return Some(if value.is_win() { WIN / 4 } else { -WIN / 4 });
        }
        let won = WIN - (ply as i32 + i32::from(distance)) * PLY;
        Some(if value.is_win() { won } else { -won })
    }

    /// What a draw is worth to the side to move.
    fn draw(&self, game: &DarkChess) -> i32 {
        match self.manner {
            Manner::Exact => 0,
            Manner::Play if game.mover() == self.root => -params::contempt(),
            Manner::Play => params::contempt(),
        }
    }

    /// Whether the position has come up before, in the game or on the way from its root.
    fn repeats(&self, game: &DarkChess) -> bool {
        let quiet = usize::from(game.quiet_plies());
        if quiet < 4 || self.manner == Manner::Exact {
            return false;
        }
        // The last of the path is this position itself.
        let earlier = self.path.iter().rev().skip(1).take(quiet);
        earlier.skip(1).step_by(2).any(|&hash| hash == game.hash())
    }

    /// The value of a decision for its mover.
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
        if let Some(value) = self.known(game, ply) {
            return Ok(value);
        }
        if self.repeats(game) {
            return Ok(self.draw(game));
        }
        if depth <= 0 || ply >= DEEPEST + 50 {
            return self.quiesce(game, alpha, beta, ply, params::qs_plies());
        }
        let hash = game.hash();
        let entry = self.trans.probe(hash);
        if let Some(value) = entry.and_then(|e| self.cut(game, &e, depth, (alpha, beta), ply)) {
            return Ok(value);
        }
        let known = entry.and_then(|e| e.packed);
        let begin = self.moves.len();
        self.generate(game, depth, ply, known);
        let searched = self.best_of(game, begin, (depth, ply), alpha, beta);
        self.moves.truncate(begin);
        let (value, m) = searched?;
        let bound = match value {
            v if v >= beta => Bound::Lower,
            v if v <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let packed = (value > alpha).then_some(m).flatten().map(pack);
        let value_at_node = to_node(value, ply);
        self.trans.store(hash, Entry { value: value_at_node, bound, depth: depth as u32, packed });
        Ok(value)
    }

    /// The best of the moves from `begin` on.
    fn best_of(
        &mut self,
        game: &mut DarkChess,
        begin: usize,
        (depth, ply): (i32, u32),
        alpha: i32,
        beta: i32,
    ) -> Result<(i32, Option<DarkMove>), Stopped> {
        // Near the horizon a flip is worth what it promises, without a search.
        let waits = depth == 1 && game.hidden() != 0 && self.manner == Manner::Play;
        let mut best = (if waits { evaluate(game) } else { -WIN - 1 }, None);
        let futile = self.futile(game, depth, alpha);
        for at in begin..self.moves.len() {
            if best.0 >= beta {
                break;
            }
            let (_, m) = self.pick(at);
            if let Some(most) = futile
                && at > begin
                && matches!(m, DarkMove::Step { to, .. } if game.piece_at(to).is_none())
            {
                best.0 = best.0.max(most);
                continue;
            }
            let window = alpha.max(best.0);
            let value = self.child(game, m, (depth, at - begin, ply), window, beta)?;
            if value > best.0 {
                best = (value, Some(m));
                if value >= beta {
                    self.reward(game, m, depth, ply);
                }
            }
        }
        Ok(best)
    }

    /// Near the horizon, where no quiet move is likely to reach the window: what one may be worth.
    fn futile(&self, game: &DarkChess, depth: i32, alpha: i32) -> Option<i32> {
        let margin = match depth {
            0 => 0,
            1 => params::futility_one(),
            2 => params::futility_two(),
            _ => return None,
        };
        if self.manner == Manner::Exact || alpha.abs() >= DECIDED {
            return None;
        }
        Some(expected(advantage(game) + margin)).filter(|&most| most <= alpha)
    }

    /// An entry's value, if it is deep enough and decides this window.
    pub(super) fn cut(
        &self,
        game: &DarkChess,
        entry: &Entry,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Option<i32> {
        let value = from_node(entry.value, ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        // Close to the draw by quiet plies, what was found elsewhere does not hold.
        let limit = i32::from(game.draw_plies());
        let near =
            limit > 0 && i32::from(game.quiet_plies()) + depth + params::draw_distance() >= limit;
        let enough = match self.manner {
            Manner::Play => entry.depth as i32 >= depth,
            Manner::Exact => entry.depth as i32 == depth,
        };
        (decides && enough && !near).then_some(value)
    }
}
