//! Generation of double threats: the entry point, the parts shared by the plain and the
//! dependency-based search, and the plain search, which places the stones of every turn.
//!
//! A double threat has one of three forms (section 3.3.1): two independent single threats (one
//! stone in each of two windows with three stones), two single threats that share stones (a window
//! with three and one with two), or neither (a stone that alone makes two threats, or two stones on
//! a line with a live two).

use super::double_threat::{DoubleThreat, ThreatPoints};
use super::state::ThreatSolver;
use crate::board::{Defences, PointSet};
use arrayvec::ArrayVec;

/// Pairs of stones on a line.
pub(super) type LinePairs = ArrayVec<[u16; 2], 512>;

impl ThreatSolver<'_> {
    /// Fills `list` with the attacker's double threats that also stop the defender's threats. Stops
    /// at a turn that leaves no defence and returns it.
    pub(super) fn generate(&mut self, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        let dependency = self.settings.dependency.is_some();
        if !self.board.has_four(self.defender()) {
            return match dependency {
                true if self.context.horizon => self.last_turn(list),
                true => self.dependent_attacks(list),
                false => self.plain_attacks(list),
            };
        }
        let forced = self.board.threats(self.defender()).defences();
        match forced.threats {
            1 | 2 if dependency => self.forced_dependent_attacks(&forced, list),
            1 | 2 => self.forced_plain_attacks(&forced, list),
            _ => None,
        }
    }

    /// Adds the empty points of the attacker's windows with three stones that are not yet in `set`.
    pub(super) fn three_points(&self, set: &mut PointSet, points: &mut ThreatPoints) {
        self.board.visit_three_points(self.attacker, |p| {
            if set.insert(p) {
                points.push(p);
            }
        });
    }

    /// Adds the pairs of points, neither in `singles`, that make two threats on a line that they
    /// share.
    pub(super) fn line_pairs(&self, singles: &PointSet, pairs: &mut LinePairs) {
        self.board.visit_line_doubles(self.attacker, |p, q| {
            if !singles.has(p) && !singles.has(q) {
                let _ = pairs.try_push([p, q]);
            }
        });
    }

    /// Second stones for a stone on the board that alone makes two threats: of the wanted points in
    /// windows with two stones that are not yet in `seen`, those with the largest deltas. If there
    /// are none and `any` is set, any point.
    pub(super) fn free_stones(
        &mut self,
        seen: &mut PointSet,
        wanted: impl Fn(u16) -> bool,
        any: bool,
    ) -> Vec<u16> {
        if self.board.threats(self.attacker).count() < 2 {
            return Vec::new();
        }
        let mut free: Vec<(i32, u16)> = Vec::new();
        let board = &self.board;
        board.visit_two_points(self.attacker, |q| {
            if seen.insert(q) && wanted(q) {
                free.push((-board.delta(self.attacker, q), q));
            }
        });
        free.sort_unstable();
        self.limited |= free.len() > self.settings.free_stones;
        free.truncate(self.settings.free_stones);
        if free.is_empty() && any {
            free.extend(board.empties().next().map(|q| (0, q)));
        }
        free.into_iter().map(|(_, q)| q).collect()
    }
}

impl ThreatSolver<'_> {
    /// The attacker's double threats when the defender has no threat.
    pub(super) fn plain_attacks(&mut self, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        let mut singles = PointSet::default();
        let mut firsts = ThreatPoints::new();
        self.three_points(&mut singles, &mut firsts);
        for &p in &firsts {
            self.place(self.attacker, p);
            let win = self.try_seconds(p, |q| q > p || !singles.has(q), list);
            self.board.remove();
            if win.is_some() || self.expired() {
                return win;
            }
        }
        // Both stones in windows with two stones: they share a line.
        let mut pairs = LinePairs::new();
        self.line_pairs(&singles, &mut pairs);
        pairs.iter().find_map(|&pair| self.try_both(pair, list))
    }

    /// The attacker's double threats that stop the defender's threats.
    pub(super) fn forced_plain_attacks(
        &mut self,
        forced: &Defences,
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        if let Some(win) = forced.pairs.iter().find_map(|&pair| self.try_both(pair, list)) {
            return Some(win);
        }
        for (i, &p) in forced.single.iter().enumerate() {
            let earlier = &forced.single[..i];
            self.place(self.attacker, p);
            let win = self.try_seconds(p, |q| !earlier.contains(&q), list);
            self.board.remove();
            if win.is_some() || self.expired() {
                return win;
            }
        }
        None
    }

    /// Tries the possible second stones for `p`, which is on the board.
    fn try_seconds(
        &mut self,
        p: u16,
        wanted: impl Fn(u16) -> bool,
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        let mut seen = PointSet::default();
        let mut seconds = ThreatPoints::new();
        self.three_points(&mut seen, &mut seconds);
        let win = seconds.iter().filter(|q| wanted(**q)).find_map(|&q| self.try_pair(p, q, list));
        win.or_else(|| {
            let free = self.free_stones(&mut seen, &wanted, list.is_empty());
            free.into_iter().find_map(|q| self.try_pair(p, q, list))
        })
    }

    fn try_both(&mut self, [p, q]: [u16; 2], list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        self.place(self.attacker, p);
        let win = self.try_pair(p, q, list);
        self.board.remove();
        win
    }

    /// Adds the turn `p`, `q` if it makes two threats and stops the defender's; `p` is on the
    /// board. Returns the turn if it makes more.
    #[inline]
    fn try_pair(&mut self, p: u16, q: u16, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        self.place(self.attacker, q);
        let threats = self.board.threats(self.attacker);
        let mut win = None;
        match threats.count() {
            0 | 1 => {}
            _ if self.board.has_four(self.defender()) => {}
            2 => {
                let score = self.board.score(self.attacker);
                list.push(DoubleThreat::plain([p, q], &threats, score));
            }
            _ => {
                self.counters.moves += 1;
                win = Some([p, q]);
            }
        }
        self.board.remove();
        win
    }
}
