//! The last turn within the depth limit in dependency-based search. Here only a turn that leaves no
//! defence counts, and it uses a stone of the previous turn (see [`Solver::at_horizon`]). The lines
//! give the maximum number of threats that two stones make, so few turns need a preview.

use super::double_threat::{DoubleThreat, Points};
use super::state::Solver;
use crate::board::PointSet;
use crate::board::geometry::{LINE_BITS, point_of};
use crate::board::pattern::{Bits, containing, cover};
use agon_protocol::connect6::POINTS;

fn sum(threats: [u8; 4]) -> u32 {
    threats.iter().map(|n| u32::from(*n)).sum()
}

impl Solver<'_> {
    /// A turn that leaves no defence and uses a stone of the previous turn.
    pub(super) fn last_turn(&mut self, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        let last = self.last_stones()?;
        let mut points = Points::new();
        self.three_points(&mut PointSet::default(), &mut points);
        // The points in windows with three stones, at least one of them from the last turn.
        let mut fresh = PointSet::default();
        for stone in last {
            self.board.visit_three_points_with(self.attacker, stone, |p| {
                fresh.insert(p);
            });
        }
        let mut made = std::mem::take(&mut self.stone_threats);
        made.resize(POINTS, [0; 4]);
        for &p in &points {
            made[usize::from(p)] = self.board.threats_by_line(self.attacker, p);
        }
        let mut candidates: Vec<[u16; 2]> = std::mem::take(&mut self.last_pairs);
        candidates.clear();
        for &p in points.iter().filter(|p| sum(made[usize::from(**p)]) >= 2) {
            for &q in &points {
                let twice = q < p && sum(made[usize::from(q)]) >= 2;
                if q != p && !twice && (fresh.has(p) || fresh.has(q)) {
                    candidates.push([p, q]);
                }
            }
            if sum(made[usize::from(p)]) >= 3 && fresh.has(p) && points.len() == 1 {
                candidates.extend(self.board.empties().find(|q| *q != p).map(|q| [p, q]));
            }
        }
        for &p in &points {
            self.pairs_on_a_line(p, last, fresh.has(p), &made, &mut candidates);
        }
        for &p in &points {
            made[usize::from(p)] = [0; 4];
        }
        self.stone_threats = made;
        let mut win = None;
        for &turn in &candidates {
            win = self.consider_both(turn, list);
            if win.is_some() || self.expired() {
                break;
            }
        }
        self.last_pairs = candidates;
        win
    }

    /// Adds the turns of `p` with a second stone on a shared line that makes threats together with
    /// it. Unless `p` makes a threat with a stone of the previous turn (`is_fresh`), the windows
    /// must contain such a stone.
    fn pairs_on_a_line(
        &self,
        p: u16,
        last: [u16; 2],
        is_fresh: bool,
        made: &[[u8; 4]],
        candidates: &mut Vec<[u16; 2]>,
    ) {
        let made_p = made[usize::from(p)];
        for (direction, at) in LINE_BITS[usize::from(p)].iter().enumerate() {
            let mut around = containing(u32::from(at.bit));
            if !is_fresh {
                let on_line = last.iter().map(|f| LINE_BITS[usize::from(*f)][direction]);
                let near = on_line
                    .filter(|f| f.line == at.line)
                    .fold(0, |set, f| set | containing(u32::from(f.bit)));
                around &= near;
            }
            let windows = self.board.growing_windows(self.attacker, at.line, around);
            let others = sum(made_p) - u32::from(made_p[direction]);
            for bit in Bits(cover(windows) & self.board.empties_on(at.line)) {
                let q = point_of(usize::from(at.line), bit);
                if q == p {
                    continue;
                }
                let made_q = made[usize::from(q)];
                let rest = others + sum(made_q) - u32::from(made_q[direction]);
                let here = || self.board.threats_with(self.attacker, at.line, [at.bit, bit as u8]);
                if rest > 0 && rest + here() >= 3 {
                    candidates.push([p, q]);
                }
            }
        }
    }
}
