//! Generation of double threats: the entry point, and what the plain and the dependency-based search share.
//!
//! Double threats come about in three ways (section 3.3.1): two independent single threats (a stone in each of two
//! windows with three), two that share stones (a window with three and one with two), or one of two stones (a stone
//! that makes two threats alone, or two stones on a line with a live two).

use super::double_threat::{DoubleThreat, Points};
use super::state::Solver;
use crate::board::PointSet;
use arrayvec::ArrayVec;

/// Pairs of stones on a line.
pub(super) type LinePairs = ArrayVec<[u16; 2], 512>;

impl Solver<'_> {
    /// Fills `list` with the attacker's double threats that also stop the defender's threats. A turn that leaves no
    /// defence ends the generation; it is returned.
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

    /// Adds the empty points of the attacker's windows with three stones that are not in `set` yet.
    pub(super) fn three_points(&self, set: &mut PointSet, points: &mut Points) {
        self.board.visit_three_points(self.attacker, |p| {
            if set.insert(p) {
                points.push(p);
            }
        });
    }

    /// Adds the pairs of points, neither in `singles`, that make two threats on a line they share.
    pub(super) fn line_pairs(&self, singles: &PointSet, pairs: &mut LinePairs) {
        self.board.visit_line_doubles(self.attacker, |p, q| {
            if !singles.has(p) && !singles.has(q) {
                let _ = pairs.try_push([p, q]);
            }
        });
    }

    /// Second stones for one on the board that makes two threats alone: of the points in windows with two stones that
    /// are wanted and not in `seen` yet, those with the greatest deltas. If there is none and `any` is set, any point.
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
