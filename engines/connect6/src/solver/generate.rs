//! Generation of double threats: the entry point, and the parts shared by the plain and the
//! dependency-based search.
//!
//! A double threat has one of three forms (section 3.3.1): two independent single threats (one
//! stone in each of two windows with three stones), two single threats that share stones (a window
//! with three and one with two), or neither (a stone that alone makes two threats, or two stones on
//! a line with a live two).

use super::double_threat::{DoubleThreat, Points};
use super::state::Solver;
use crate::board::PointSet;
use arrayvec::ArrayVec;

/// Pairs of stones on a line.
pub(super) type LinePairs = ArrayVec<[u16; 2], 512>;

impl Solver<'_> {
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
    pub(super) fn three_points(&self, set: &mut PointSet, points: &mut Points) {
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
        &self,
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
        free.truncate(self.settings.free_stones);
        if free.is_empty() && any {
            free.extend(board.empties().next().map(|q| (0, q)));
        }
        free.into_iter().map(|(_, q)| q).collect()
    }
}
