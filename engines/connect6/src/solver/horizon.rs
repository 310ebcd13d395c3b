//! The last turn of the depth in a dependency-based search. Only a turn that leaves no defence
//! counts there, and it uses a stone of the turn before (see [`Solver::at_horizon`]); how many
//! threats two stones make at most is read off their lines, so that few turns need to be tried.

use super::attacks::{Attack, PointSet, Points};
use super::{Found, Solver};
use crate::board::geometry::{PLACES, point_of};
use crate::board::pattern::{Bits, containing, cover};
use agon_protocol::connect6::POINTS;

impl Solver<'_> {
    /// A turn that leaves no defence and uses a stone of the turn before.
    pub(super) fn last_turn(&mut self, list: &mut Vec<Attack>) -> Option<Found> {
        let attacker = self.attacker;
        let last = self.last_stones()?;
        let mut singles = PointSet::default();
        let mut points = Points::new();
        self.three_points(&mut singles, &mut points);
        let mut fresh = PointSet::default();
        for stone in last {
            self.board.visit_three_points_with(attacker, stone, |p| {
                fresh.insert(p);
            });
        }
        // The threats that each stone makes alone, line by line.
        let mut made = std::mem::take(&mut self.made);
        made.resize(POINTS, [0; 4]);
        for &p in &points {
            made[usize::from(p)] = self.board.threats_by_line(attacker, p);
        }
        let sum = |m: [u8; 4]| m.iter().map(|n| u32::from(*n)).sum::<u32>();
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
            self.on_one_line(p, last, fresh.has(p), &made, &mut candidates);
        }
        for &p in &points {
            made[usize::from(p)] = [0; 4];
        }
        self.made = made;
        let mut found = None;
        for &[p, q] in &candidates {
            found = self.consider_both([p, q], list);
            if found.is_some() || self.expired() {
                break;
            }
        }
        self.last_pairs = candidates;
        found
    }

    /// Second stones on a line with `p` that make threats with it there; if `p` makes none with
    /// the turn before, windows with a stone of that turn.
    fn on_one_line(
        &self,
        p: u16,
        last: [u16; 2],
        is_fresh: bool,
        made: &[[u8; 4]],
        candidates: &mut Vec<[u16; 2]>,
    ) {
        let made_p = made[usize::from(p)];
        let sum = |m: [u8; 4]| m.iter().map(|n| u32::from(*n)).sum::<u32>();
        for (slot, place) in PLACES[usize::from(p)].iter().enumerate() {
            let mut around = containing(u32::from(place.bit));
            if !is_fresh {
                let on_line = last.iter().map(|f| PLACES[usize::from(*f)][slot]);
                let near = on_line
                    .filter(|f| f.line == place.line)
                    .fold(0, |set, f| set | containing(u32::from(f.bit)));
                around &= near;
            }
            let windows = self.board.building(self.attacker, place.line, around);
            let others = sum(made_p) - u32::from(made_p[slot]);
            for bit in Bits(cover(windows) & self.board.empties_on(place.line)) {
                let q = point_of(usize::from(place.line), bit);
                if q == p {
                    continue;
                }
                let made_q = made[usize::from(q)];
                let rest = others + sum(made_q) - u32::from(made_q[slot]);
                let here =
                    || self.board.threats_with(self.attacker, place.line, [place.bit, bit as u8]);
                if rest > 0 && rest + here() >= 3 {
                    candidates.push([p, q]);
                }
            }
        }
    }
}
