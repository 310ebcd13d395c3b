//! The inner node.

use super::history::corrected;
use super::learn::bonus;
use super::oracle::Known;
use super::params;
use super::picker::{Picker, Which};
use super::prune::far_above;
use super::reduce::{self, PLY};
use super::score::{INFINITE, MATE, MOST_PLIES, WON, is_decided, known_win, mated};
use super::table::Entry;
use super::worker::Worker;
use crate::position::{CheckInfo, Move, MoveList};
use agon_protocol::Outcome;
use agon_search::clock::Stopped;
use agon_search::transposition::Bound;

/// What a node is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    /// A refutation is expected here.
    pub cut: bool,
}

/// What is known about a node before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub entry: Option<Entry>,
    pub table_move: Move,
    pub in_check: bool,
    /// The corrected static value; the mover's worst in check.
    pub estimate: i32,
    pub improving: bool,
    pub excluded: Move,
    pub principal: bool,
}

/// The static value of a node out of check.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// Before correction.
    raw: i32,
    estimate: i32,
    /// Whether it has risen since the side's last move.
    improving: bool,
}

/// A move whose turn it is.
#[derive(Clone, Copy, Debug)]
struct Tried {
    m: Move,
    capture: bool,
    check: bool,
    /// What the histories say of it; nothing of the first one, about which nobody asks.
    history: i32,
}

/// What the moves searched so far have shown.
pub(super) struct Progress {
    pub best: i32,
    pub best_move: Move,
    pub alpha: i32,
    /// Legal moves so far, pruned ones included.
    pub count: usize,
    pub quiets: MoveList,
    pub captures: MoveList,
}

impl Worker<'_> {
    /// The value of the position for the side to move: exact inside the window, a bound outside.
    pub(super) fn node<const PV: bool>(&mut self, mut task: Task) -> Result<i32, Stopped> {
        if task.depth <= 0 {
            return self.quiesce(task.alpha, task.beta, task.ply, true);
        }
        self.counter.visit()?;
        if PV {
            self.variations.clear(task.ply as u32);
        }
        self.seldepth = self.seldepth.max(task.ply);
        if task.ply > 0 {
            if let Some(value) = self.settled(task.ply) {
                return Ok(value);
            }
            // A mate found elsewhere is shorter than any from here.
            task.alpha = task.alpha.max(mated(task.ply));
            task.beta = task.beta.min(MATE - task.ply as i32 - 1);
            if task.alpha >= task.beta {
                return Ok(task.alpha);
            }
        }
        let excluded = self.frame(task.ply).excluded;
        let key = self.position.key();
        // The static value first: often it is enough, and the table's memory is still on its way.
        let standing = (!self.position.in_check()).then(|| self.standing(task.ply));
        if !PV
            && excluded == Move::NONE
            && let Some(standing) = standing
            && let Some(value) = far_above(&task, standing.estimate, standing.improving)
        {
            return Ok(value);
        }
        let entry = if excluded == Move::NONE { self.table.probe(key, task.ply) } else { None };
        if !PV
            && let Some(entry) = entry
            && entry.depth >= task.depth
            && entry.answers(task.alpha, task.beta)
        {
            self.reward_table_move(&task, entry);
            return Ok(entry.value);
        }
        if let Some(entry) = entry {
            // Most likely the first move to be searched.
            self.prefetch(entry.best);
        }
        if task.ply > 0
            && let Some(value) = self.ask_oracle(task.ply)
        {
            return Ok(value);
        }
        let facts = self.facts::<PV>(&task, entry, excluded, standing);
        if !PV
            && !facts.in_check
            && let Some(value) = self.prune_node(&task, &facts)?
        {
            return Ok(value);
        }
        // Without a move from the table the node is worth less effort: a better order comes first.
        if (PV || task.cut) && task.depth >= params::iir_depth() && facts.table_move == Move::NONE {
            task.depth -= 1;
        }
        self.search_moves::<PV>(task, &facts)
    }

    /// The value of a position that the rules or the length of the line settle.
    #[inline]
    fn settled(&mut self, ply: usize) -> Option<i32> {
        if let Some(outcome) = self.position.repetition_outcome(ply) {
            let player = crate::position::attacks::player(self.position.side());
            return Some(match outcome {
                Outcome::Draw => self.draw(),
                won => won.sign_for(player) * (WON - ply as i32),
            });
        }
        if self.position.reached_move_limit() {
            let mate = self.position.legal_moves().is_empty();
            return Some(if mate { mated(ply) } else { self.draw() });
        }
        (ply >= MOST_PLIES).then(|| self.evaluate(ply))
    }

    #[inline]
    fn ask_oracle(&self, ply: usize) -> Option<i32> {
        let oracle = self.oracle?;
        if self.position.piece_count() > oracle.most_pieces() {
            return None;
        }
        Some(match oracle.probe(&self.position)? {
            Known::Win(plies) => known_win(plies, ply),
            Known::Draw => self.draw(),
            Known::Loss(plies) => -known_win(plies, ply),
        })
    }

    fn reward_table_move(&mut self, task: &Task, entry: Entry) {
        let m = entry.best;
        if entry.value >= task.beta
            && m != Move::NONE
            && self.position.is_pseudo_legal(m)
            && !self.position.is_capture(m)
        {
            let before = self.before(task.ply);
            self.histories.add_quiet(&self.position, m, before, bonus(task.depth));
        }
    }

    /// The static value of the position, which is not in check.
    #[inline]
    fn standing(&self, ply: usize) -> Standing {
        // Asked for first, so that it is there when the value is.
        let error = self.histories.error(&self.position);
        let raw = self.evaluate(ply);
        let estimate = corrected(raw, error);
        Standing { raw, estimate, improving: self.improving(ply, estimate) }
    }

    fn facts<const PV: bool>(
        &mut self,
        task: &Task,
        entry: Option<Entry>,
        excluded: Move,
        standing: Option<Standing>,
    ) -> Facts {
        let in_check = standing.is_none();
        let mut estimate = standing.map_or(-INFINITE, |s| s.estimate);
        let improving = standing.is_some_and(|s| s.improving);
        self.frame(task.ply).raw = standing.map(|s| s.raw);
        self.frame(task.ply).estimate = standing.map(|s| s.estimate);
        if !in_check
            && let Some(entry) = entry
            && !is_decided(entry.value)
            && entry.betters(estimate)
        {
            estimate = entry.value;
        }
        if task.ply + 2 < MOST_PLIES {
            self.frame(task.ply + 2).cutoffs = 0;
        }
        let mut table_move = entry.map_or(Move::NONE, |e| e.best);
        if task.ply == 0 {
            // The last iteration's move comes first, so that an iteration that is broken off can
            // only replace it by a better one.
            table_move = self.root_best.unwrap_or(table_move);
        }
        let principal = PV || entry.is_some_and(|e| e.principal);
        Facts { entry, table_move, in_check, estimate, improving, excluded, principal }
    }

    fn search_moves<const PV: bool>(&mut self, task: Task, facts: &Facts) -> Result<i32, Stopped> {
        let ply = task.ply;
        let before = self.before(ply);
        let [one, two] = self.frame(ply).killers;
        let specials = [one, two, self.histories.answer(before[0])];
        let mut picker =
            Picker::new(&self.position, Which::All, facts.table_move, specials, before);
        let mut progress = Progress {
            best: -INFINITE,
            best_move: Move::NONE,
            alpha: task.alpha,
            count: 0,
            quiets: MoveList::new(),
            captures: MoveList::new(),
        };
        let mut check_info = CheckInfo::default();
        while let Some(m) = picker.next(&self.position, self.histories, &mut check_info) {
            if m == facts.excluded {
                continue;
            }
            self.prefetch(m);
            let Some(check) = check_info.check(&self.position, m) else { continue };
            if ply == 0 && !self.root_moves.is_empty() && !self.root_moves.contains(&m) {
                continue;
            }
            progress.count += 1 + picker.take_dropped();
            let capture = self.position.is_capture(m);
            let history = match picker.history() {
                Some(history) => history,
                None if progress.count == 1 => 0,
                None if capture => self.histories.capture(&self.position, m),
                None => self.histories.quiet(&self.position, m, before),
            };
            let tried = Tried { m, capture, check, history };
            if ply > 0 && !is_decided(progress.best) && progress.best > -INFINITE {
                let place = progress.count as i32;
                if !capture && place > many(task.depth, facts.improving) {
                    // Checks stay: here mates are delivered by quiet moves.
                    picker.keep_only_checks(&self.position, &mut check_info);
                    if !check {
                        continue;
                    }
                }
                if self.skips(&task, facts, &progress, &tried, &picker) {
                    continue;
                }
            }
            let extension = match self.extend::<PV>(&task, facts, &tried)? {
                Extension::Plies(plies) => plies,
                Extension::Refuted(value) => return Ok(value),
            };
            let value = self.search_move::<PV>(&task, facts, &progress, &tried, extension)?;
            if value > progress.best {
                progress.best = value;
                if value > progress.alpha {
                    progress.best_move = m;
                    if PV {
                        self.variations.set(ply as u32, m);
                    }
                    if value >= task.beta {
                        break;
                    }
                    progress.alpha = value;
                }
            }
            let list = if capture { &mut progress.captures } else { &mut progress.quiets };
            let _ = list.try_push(m);
        }
        if progress.count == 0 {
            // Mated or without a move, which is the same; or the excluded move is the only one.
            return Ok(if facts.excluded == Move::NONE { mated(ply) } else { task.alpha });
        }
        self.learn(&task, facts, &progress);
        Ok(progress.best)
    }

    /// Whether a late move is left out.
    fn skips(
        &self,
        task: &Task,
        facts: &Facts,
        progress: &Progress,
        tried: &Tried,
        picker: &Picker,
    ) -> bool {
        let Tried { m, capture, check, history } = *tried;
        let depth = task.depth;
        let place = progress.count;
        if capture {
            let slope = if check { params::see_check_slope() } else { params::see_capture_slope() };
            let least = -slope * depth;
            return depth <= params::see_capture_depth()
                && picker.is_at_bad_captures()
                && !self.position.see_at_least(m, least);
        }
        let left = depth - reduce::base(depth, place) / PLY + history / params::pruning_history();
        let left = left.max(0);
        if !check
            && depth <= params::history_pruning_depth()
            && history < -params::history_pruning_slope() * depth
        {
            return true;
        }
        if !facts.in_check && !check && left <= params::futility_depth() {
            let margin = params::futility_base() + params::futility_slope() * left;
            let hope = facts.estimate + margin;
            if hope <= progress.alpha {
                return true;
            }
        }
        // A sacrifice that gives check is what breaks a palace open.
        let least = if check {
            -params::see_check_slope() * depth
        } else {
            -params::see_quiet_slope() * left * left - params::see_quiet_base()
        };
        left <= params::see_quiet_depth() && !self.position.see_at_least(m, least)
    }

    fn extend<const PV: bool>(
        &mut self,
        task: &Task,
        facts: &Facts,
        tried: &Tried,
    ) -> Result<Extension, Stopped> {
        let Tried { m, check, .. } = *tried;
        let Task { beta, depth, ply, .. } = *task;
        if ply == 0 || ply as i32 >= params::extension_limit() * self.root_depth {
            return Ok(Extension::Plies(0));
        }
        if let Some(entry) = facts.entry
            && m == facts.table_move
            && depth >= params::singular_depth()
            && entry.depth >= depth - params::singular_entry_plies()
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && !is_decided(entry.value)
        {
            let goal = entry.value - params::singular_slope() * depth;
            self.frame(ply).excluded = m;
            let result = self.node::<false>(Task {
                alpha: goal - 1,
                beta: goal,
                depth: (depth - 1) / 2,
                ply,
                cut: task.cut,
            });
            self.frame(ply).excluded = Move::NONE;
            let value = result?;
            return Ok(if value < goal {
                let doubles = self.frame(ply).doubles;
                if !PV && value < goal - params::double_margin() && doubles < params::double_limit()
                {
                    self.frame(ply + 1).doubles = doubles + 1;
                    Extension::Plies(2)
                } else {
                    Extension::Plies(1)
                }
            } else if goal >= beta {
                Extension::Refuted(goal)
            } else if entry.value >= beta {
                Extension::Plies(-1)
            } else {
                Extension::Plies(0)
            });
        }
        let forcing = PV && check && self.position.see_at_least(m, 0);
        Ok(Extension::Plies(i32::from(forcing)))
    }

    fn search_move<const PV: bool>(
        &mut self,
        task: &Task,
        facts: &Facts,
        progress: &Progress,
        tried: &Tried,
        extension: i32,
    ) -> Result<i32, Stopped> {
        let (alpha, beta, ply) = (progress.alpha, task.beta, task.ply);
        let depth = task.depth - 1 + extension;
        let unreduced = params::lmr_moves() + usize::from(task.ply == 0);
        let reduction = if task.depth >= params::lmr_depth() && progress.count > unreduced {
            self.reduction(task, facts, progress.count, tried)
        } else {
            0
        };
        if extension < 2 {
            let doubles = self.frame(ply).doubles;
            self.frame(ply + 1).doubles = doubles;
        }
        self.play(tried.m, ply, tried.check);
        let result = if PV && progress.count == 1 {
            self.child::<PV>(alpha, beta, depth, ply, false)
        } else {
            self.scout::<PV>(task, alpha, depth, reduction)
        };
        self.position.undo();
        result
    }

    /// A null window first, reduced; the whole depth, then the whole window, where that shows the
    /// move to be better than thought.
    fn scout<const PV: bool>(
        &mut self,
        task: &Task,
        alpha: i32,
        depth: i32,
        reduction: i32,
    ) -> Result<i32, Stopped> {
        let ply = task.ply;
        let reduced = (depth - reduction).clamp(1.min(depth), depth);
        let cut = reduced < depth || !task.cut;
        let mut value = self.child::<false>(alpha, alpha + 1, reduced, ply, cut)?;
        if value > alpha && reduced < depth {
            value = self.child::<false>(alpha, alpha + 1, depth, ply, !task.cut)?;
        }
        if PV && value > alpha && value < task.beta {
            value = self.child::<true>(alpha, task.beta, depth, ply, false)?;
        }
        Ok(value)
    }

    #[inline]
    fn child<const PV: bool>(
        &mut self,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<i32, Stopped> {
        if PV && depth <= 0 {
            self.variations.clear(ply as u32 + 1);
        }
        let task = Task { alpha: -beta, beta: -alpha, depth, ply: ply + 1, cut };
        Ok(-self.node::<PV>(task)?)
    }

    fn reduction(&self, task: &Task, facts: &Facts, place: usize, tried: &Tried) -> i32 {
        let Tried { capture, check, history, .. } = *tried;
        let mut r = reduce::base(task.depth, place);
        if capture {
            r = r / params::lmr_capture_divisor() - history * PLY / params::lmr_capture_history();
        } else {
            r -= history * PLY / params::lmr_history();
            r += params::lmr_not_improving() * i32::from(!facts.improving);
            let table_capture =
                facts.table_move != Move::NONE && self.position.is_capture(facts.table_move);
            r += params::lmr_table_capture() * i32::from(table_capture);
        }
        r += params::lmr_cut() * i32::from(task.cut);
        r -= params::lmr_check() * i32::from(check || facts.in_check);
        r -= params::lmr_pv() * i32::from(facts.principal);
        if self.frames_cutoffs(task.ply + 1) > params::lmr_cutoffs_limit() {
            r += params::lmr_cutoffs();
        }
        (r / PLY).max(0)
    }

    fn frames_cutoffs(&self, ply: usize) -> u8 {
        self.earlier(ply, 0).cutoffs
    }
}

/// After how many moves the quiet ones are left out.
#[inline]
fn many(depth: i32, improving: bool) -> i32 {
    (params::lmp_base() + depth * depth) / if improving { 1 } else { params::lmp_divisor() }
}

/// What comes of looking whether a move deserves more depth.
enum Extension {
    Plies(i32),
    /// The node need not be searched: several moves reach beta.
    Refuted(i32),
}
