//! Victory by continuous single threats (VCST) and turns without a threat (VCNT, sections 2.1 and
//! 3.1): turns that leave the defender free stones. Single threats are collected during the search
//! of double threats, and the most promising is tried first. Its win is proved by
//! relevance-zone-oriented proof search (Wu and Lin 2010): first the defender omits the free stone
//! (a semi-null move, or a null move if both stones are free), then it places the stone on every
//! point of the zone of that win.
//!
//! The relevance zone of a win (RZone, section 2.1) has the points where an additional stone of the
//! defender could matter to it: every point that the win uses (the attacker's stones, the empty points
//! of its threats) and every point from which the defender could make a threat that the win does not
//! consider: with `free` stones of its choice the defender turns any open window with `4 - free`
//! stones into a threat. A stone anywhere else does not affect the win, so it need not be tried.

use super::double_threat::ThreatPoints;
use super::settings::SolverLimits;
use super::solution::VcdtResult;
use super::state::{ThreatCandidate, ThreatSolver};
use crate::board::geometry::point_of;
use crate::board::pattern::Bits;
use crate::board::{Defences, PointSet};
use crate::params;
use crate::proof::{Answer, Step};
use agon_games::hash::FastSet;
use std::sync::Arc;

/// Turns with their scores, and the pairs of points already tried.
#[derive(Default)]
struct ScoredTurns {
    scored: Vec<(i32, [u16; 2])>,
    seen: FastSet<[u16; 2]>,
}

impl ScoredTurns {
    /// The `most` turns with the largest scores, best first; sets `limited` if there are more.
    fn best(self, most: usize, limited: &mut bool) -> Vec<(i32, [u16; 2])> {
        let mut turns = self.scored;
        turns.sort_unstable_by_key(|(score, stones)| (-score, *stones));
        *limited |= turns.len() > most;
        turns.truncate(most);
        turns
    }
}

/// The free stones that a proof considers.
#[derive(Clone, Copy)]
struct FreeStones {
    /// Those to be placed after this turn.
    remaining: usize,
    /// All those of this turn and of the previous single threats.
    total: usize,
}

impl ThreatSolver<'_> {
    /// Collects the single threats of the position on the board, unless it is too far from the root
    /// or already seen.
    pub(super) fn collect_single_threats(&mut self) {
        let here = self.board.hash();
        if !self.queue.collecting {
            return;
        }
        if self.queue.path.len() > params::vcst_turns() {
            self.limited = true;
            return;
        }
        if !self.queue.seen.insert(here) {
            return;
        }
        let path = self.queue.path.clone();
        let mut turns = self.turns_with_threats(1, params::vcst_per_position());
        turns.extend(self.line_pairs_with_a_threat());
        let candidates = turns.into_iter().map(|(score, stones)| {
            let score = score - params::vcst_path_penalty() * path.len() as i32;
            ThreatCandidate { score, path: path.clone(), stones }
        });
        self.queue.candidates.extend(candidates);
    }

    /// The `most` turns with exactly `number` threats (0 or 1) and the largest scores, best first.
    /// If the defender has threats, the turns must stop all of them.
    pub(super) fn turns_with_threats(
        &mut self,
        number: usize,
        most: usize,
    ) -> Vec<(i32, [u16; 2])> {
        let mut turns = ScoredTurns::default();
        if let Some(threats) = self.inversion() {
            self.stopping_turns(&threats.defences(), number, &mut turns);
        } else {
            let mut firsts = PointSet::default();
            let insert = |p| _ = firsts.insert(p);
            match number {
                1 => self.board.visit_three_points(self.attacker, insert),
                _ => self.board.visit_two_points(self.attacker, insert),
            }
            for p in firsts.iter().collect::<Vec<_>>() {
                self.place(self.attacker, p);
                for q in self.second_stones() {
                    self.score_turn([p, q], number, &mut turns);
                }
                self.board.remove();
            }
        }
        turns.best(most, &mut self.limited)
    }

    /// The single threats of two stones on a line with two that have the largest scores. They are
    /// ranked apart, as they score less than turns that use a window with three stones.
    pub(super) fn line_pairs_with_a_threat(&mut self) -> Vec<(i32, [u16; 2])> {
        let mut pairs = Vec::new();
        if self.settings.line_pairs && self.inversion().is_none() {
            self.board.visit_line_fours(self.attacker, |p, q| pairs.push([p, q]));
        }
        let mut turns = ScoredTurns::default();
        for [p, q] in pairs {
            self.place(self.attacker, p);
            self.score_turn([p, q], 1, &mut turns);
            self.board.remove();
        }
        turns.best(params::vcst_line_pairs(), &mut self.limited)
    }

    /// The turns that stop the defender's threats and make `number` threats: both stones block, or
    /// one blocks alone and the other is free.
    fn stopping_turns(&mut self, forced: &Defences, number: usize, turns: &mut ScoredTurns) {
        for &[p, q] in &forced.pairs {
            self.place(self.attacker, p);
            self.score_turn([p, q], number, turns);
            self.board.remove();
        }
        for &p in &forced.single {
            self.place(self.attacker, p);
            let mut seconds = PointSet::default();
            if number > 0 {
                self.board.visit_three_points(self.attacker, |q| _ = seconds.insert(q));
            }
            self.second_stones().into_iter().for_each(|q| _ = seconds.insert(q));
            for q in seconds.iter() {
                self.score_turn([p, q], number, turns);
            }
            self.board.remove();
        }
    }

    /// Adds a turn, whose first stone is on the board, if it makes `number` threats.
    fn score_turn(&mut self, [p, q]: [u16; 2], number: usize, turns: &mut ScoredTurns) {
        if !turns.seen.insert([p.min(q), p.max(q)]) {
            return;
        }
        let attacker = self.attacker;
        self.place(attacker, q);
        if self.board.threats(attacker).count() == number {
            let mut points = PointSet::default();
            self.board.visit_three_points(attacker, |p| _ = points.insert(p));
            let bonus = params::vcst_three_point() * points.iter().count() as i32;
            turns.scored.push((self.board.score(attacker) + bonus, [p, q]));
        }
        self.board.remove();
    }

    /// The second stones with the largest deltas.
    fn second_stones(&mut self) -> Vec<u16> {
        let mut set = PointSet::default();
        let mut points = ThreatPoints::new();
        let mut note = |q| {
            if set.insert(q) {
                points.push(q);
            }
        };
        self.board.visit_two_points(self.attacker, &mut note);
        self.board.visit_three_points(self.attacker, &mut note);
        let mut all: Vec<_> = points.iter().map(|&q| (-self.delta(q), q)).collect();
        all.sort_unstable();
        self.limited |= all.len() > params::vcst_seconds();
        all.truncate(params::vcst_seconds());
        all.into_iter().map(|(_, q)| q).collect()
    }

    /// Tries the collected single threats, best first, until a win or a limit; then by proof numbers.
    pub(super) fn search_single_threats(&mut self) -> Option<Arc<Step>> {
        self.queue.collecting = false;
        let mut candidates = std::mem::take(&mut self.queue.candidates);
        candidates.sort_by_key(|c| (-c.score, c.path.len(), c.stones));
        for candidate in &candidates {
            if self.expired() {
                self.limited = true;
                return None;
            }
            let from = self.board.placed();
            for (stones, defence) in &candidate.path {
                stones.iter().for_each(|p| self.place(self.attacker, *p));
                defence.iter().for_each(|p| self.place(self.defender(), *p));
            }
            let step = self.prove(candidate.stones, 1, self.settings.single_threats);
            self.board.rewind(from);
            if let Some(step) = step {
                return Some(Arc::new(candidate.after_path(step)));
            }
        }
        if self.settings.proof_numbers { self.search_by_proof_numbers(candidates) } else { None }
    }

    /// Tries the most promising turns without a threat.
    pub(super) fn search_quiet_moves(&mut self) -> Option<Arc<Step>> {
        let turns = self.turns_with_threats(0, params::vcnt_turns());
        turns.into_iter().find_map(|(_, stones)| {
            if self.expired() {
                self.limited = true;
                return None;
            }
            self.prove(stones, 2, self.settings.single_threats).map(Arc::new)
        })
    }

    /// The proof that a turn wins although it leaves the defender free stones. `total` counts those
    /// on the path, including this turn's; at most `levels` such turns may follow one another.
    fn prove(&mut self, stones: [u16; 2], total: usize, levels: u32) -> Option<Step> {
        let from = self.board.placed();
        stones.iter().for_each(|p| self.place(self.attacker, *p));
        let defences = self.board.threats(self.attacker).defences();
        let mut answers = Vec::new();
        let free = |remaining| FreeStones { remaining, total };
        let won = match defences.threats {
            0 => self.prove_defence(&[], free(2), levels, &mut answers),
            1 => {
                let single = defences.single.iter().all(|&u| {
                    self.with(u, |s| s.prove_defence(&[u], free(1), levels, &mut answers))
                });
                single
                    && defences.pairs.iter().all(|&[a, b]| {
                        self.with(a, |s| {
                            s.with(b, |s| s.prove_defence(&[a, b], free(0), levels, &mut answers))
                        })
                    })
            }
            _ => false,
        };
        self.board.rewind(from);
        won.then(|| Step { stones: stones.to_vec(), answers })
    }

    /// Runs `act` with a stone of the defender placed on the board.
    fn with(&mut self, point: u16, act: impl FnOnce(&mut Self) -> bool) -> bool {
        self.place(self.defender(), point);
        let result = act(self);
        self.board.remove();
        result
    }

    /// Whether the attacker wins against the defence `to`, which is on the board, wherever the
    /// defender places the remaining free stones. Adds the answers.
    fn prove_defence(
        &mut self,
        to: &[u16],
        free: FreeStones,
        levels: u32,
        answers: &mut Vec<Answer>,
    ) -> bool {
        let Some(step) = self.win_here(free.total, levels) else { return false };
        let zone = self.defences_in_zone(&step, free.total);
        answers.push(Answer { to: to.to_vec(), step });
        if free.remaining == 0 {
            return true;
        }
        let less = FreeStones { remaining: free.remaining - 1, ..free };
        zone.into_iter().all(|v| {
            let mut key = to.to_vec();
            key.push(v);
            key.sort_unstable();
            answers.iter().any(|a| a.to == key)
                || self.with(v, |s| s.prove_defence(&key, less, levels, answers))
        })
    }

    /// The empty points of the zone of a win, strongest defences first, so that a failing turn fails
    /// early.
    pub(super) fn defences_in_zone(&mut self, win: &Step, free: usize) -> Vec<u16> {
        let zone = self.zone(win, free);
        let value =
            |p: u16| self.board.delta(self.attacker, p) + self.board.delta(self.defender(), p);
        let mut points: Vec<(i32, u16)> =
            zone.iter().filter(|p| self.board.is_empty(*p)).map(|p| (-value(p), p)).collect();
        points.sort_unstable();
        points.into_iter().map(|(_, p)| p).collect()
    }

    /// A win from the position on the board within the limits of a proof search.
    fn win_here(&mut self, free: usize, levels: u32) -> Option<Arc<Step>> {
        if self.expired() {
            self.limited = true;
            return None;
        }
        let win = self.double_threats_here(params::vcst_iteration(), params::vcst_total());
        if win.is_some() || levels <= 1 {
            // Another single threat may win here.
            self.limited |= win.is_none();
            return win;
        }
        let turns = self.turns_with_threats(1, params::vcst_nested());
        turns
            .into_iter()
            .find_map(|(_, stones)| self.prove(stones, free + 1, levels - 1))
            .map(Arc::new)
    }

    /// A win by double threats from the position on the board within these limits.
    pub(super) fn double_threats_here(&mut self, iteration: u64, total: u64) -> Option<Arc<Step>> {
        debug_assert!(self.path.is_empty(), "the path is not empty");
        let (limits, budget) = (self.settings.limits, self.stone_budget);
        let depth = limits.depth.min(params::vcst_depth());
        self.settings.limits = SolverLimits { depth, iteration, total: 0 };
        self.stone_budget = budget.min(self.counters.stones + total);
        let result = self.deepen().0;
        self.settings.limits = limits;
        self.stone_budget = budget;
        // The limit of this proof does not end the search; the stop function does.
        (self.stopped, self.next_poll) = (false, 0);
        match result {
            VcdtResult::Win(step) => return Some(step),
            VcdtResult::NoWin { complete: true } => {}
            _ => self.limited = true,
        }
        None
    }
}

impl ThreatSolver<'_> {
    /// The zone of a win of the attacker, who is to move on the board, while the defender may still
    /// place `free` stones anywhere.
    pub(super) fn zone(&mut self, step: &Step, free: usize) -> PointSet {
        let mut zone = PointSet::default();
        self.extend_zone(step, free, &mut zone);
        zone
    }

    fn extend_zone(&mut self, step: &Step, free: usize, zone: &mut PointSet) {
        let from = self.board.placed();
        for &p in &step.stones {
            zone.insert(p);
            if !self.board.is_empty(p) {
                return self.board.rewind(from);
            }
            self.place(self.attacker, p);
        }
        let threats = self.board.threats(self.attacker);
        for window in threats.windows() {
            zone.insert(window.a);
            zone.insert(window.b);
        }
        if !threats.is_six() {
            self.board.visit_windows(self.defender(), 4usize.saturating_sub(free), |line, bits| {
                for bit in Bits(bits) {
                    zone.insert(point_of(line, bit));
                }
            });
            let conservative = threats.defences().conservative();
            for answer in &step.answers {
                let before = self.board.placed();
                let together = answer.to.is_empty() && threats.count() >= 2;
                let defence: &[u16] = if together { &conservative } else { &answer.to };
                if defence.iter().all(|p| self.board.is_empty(*p)) {
                    for &p in defence {
                        zone.insert(p);
                        self.place(self.defender(), p);
                    }
                    self.extend_zone(&answer.step, free, zone);
                }
                self.board.rewind(before);
            }
        }
        self.board.rewind(from);
    }
}
