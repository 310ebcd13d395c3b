//! The turns of a dependency-based search where nothing is forced. Most of them are pairs of single
//! threats that have nothing to do with each other: what each is worth is looked at once, and two
//! are put together without being played. All other turns are tried on the board.

use super::attacks::{Attack, PointSet};
use super::pairs::Role;
use super::prune::Parts;
use super::{Found, Solver};
use crate::board::Covers;
use arrayvec::ArrayVec;

/// A stone that makes a single threat alone.
#[derive(Clone, Debug)]
pub struct Half {
    point: u16,
    /// Two threats or more: it needs no other.
    double: bool,
    /// It belongs to the path.
    belongs: bool,
    /// It does more than its threat.
    builds: bool,
    /// What it adds to the evaluation.
    gain: i32,
    /// The points that stop it.
    stops: ArrayVec<u16, 8>,
    /// The points its windows need.
    needs: PointSet,
}

impl Solver<'_> {
    /// The attacker's double threats; the defender has none.
    pub(super) fn dependent_attacks(&mut self, list: &mut Vec<Attack>) -> Option<Found> {
        let mut halves = self.halves.pop().unwrap_or_default();
        let mut singles = PointSet::default();
        self.fill_halves(&mut singles, &mut halves);
        let mut found = None;
        for (i, half) in halves.iter().enumerate() {
            found = self.beside(half, &halves[i + 1..], &singles, list);
            if found.is_some() || self.expired() {
                break;
            }
        }
        self.halves.push(halves);
        if self.stopped {
            return found;
        }
        found.or_else(|| self.line_doubles(&singles, list))
    }

    fn fill_halves(&mut self, singles: &mut PointSet, halves: &mut Vec<Half>) {
        halves.clear();
        for point in self.three_points(singles) {
            let gain = self.board.gain(self.attacker, point);
            self.place(self.attacker, point);
            let threats = self.board.threats_at(self.attacker, point);
            let covers = threats.covers();
            let double = covers.number > 1;
            let mut needs = PointSet::default();
            for threat in threats.edges() {
                needs.insert(threat.a);
                needs.insert(threat.b);
            }
            let stops = covers.points();
            let belongs = !double && self.half_belongs(point, &stops);
            let builds = self.board.builds_beside_fours(self.attacker, point);
            halves.push(Half { point, double, belongs, builds, gain, stops, needs });
            self.board.remove();
        }
    }

    /// The turns with this stone and one of the halves after it, or another stone beside it.
    fn beside(
        &mut self,
        half: &Half,
        others: &[Half],
        singles: &PointSet,
        list: &mut Vec<Attack>,
    ) -> Option<Found> {
        let p = half.point;
        let base = self.board.score(self.attacker);
        self.place(self.attacker, p);
        let mut found = None;
        for other in others {
            let apart = !half.double
                && !other.double
                && !half.needs.meets(&other.needs)
                && !self.board.windows_share(self.attacker, p, other.point);
            if !apart {
                found = self.try_pair(p, other.point, list);
            } else if half.belongs || other.belongs {
                list.push(pair(half, other, base));
            } else {
                self.counters.pruned += 1;
            }
            if found.is_some() {
                break;
            }
        }
        if found.is_none() {
            // What `p` makes possible: windows that had two stones.
            let mut seen = *singles;
            let mut built: ArrayVec<u16, 64> = ArrayVec::new();
            self.board.visit_three_points_with(self.attacker, p, |q| {
                if seen.insert(q) {
                    let _ = built.try_push(q);
                }
            });
            found = built.iter().find_map(|&q| self.try_pair(p, q, list));
            if found.is_none() && half.double {
                found = self.free_partners(p, &mut seen, |_| true, list);
            }
        }
        self.board.remove();
        found
    }
}

/// Two single threats that have nothing to do with each other.
fn pair(a: &Half, b: &Half, base: i32) -> Attack {
    let mut covers = Covers { number: 2, ..Covers::default() };
    for &x in &a.stops {
        for &y in &b.stops {
            let _ = covers.pairs.try_push([x.min(y), x.max(y)]);
        }
    }
    let mut parts = Parts::new();
    for half in [a, b] {
        parts.push((ArrayVec::from_iter([half.point]), half.stops.clone()));
    }
    let defence = covers.points();
    let role = Role::Pair { belongs: [a.belongs, b.belongs], builds: [a.builds, b.builds] };
    let order = base + a.gain + b.gain;
    Attack { stones: [a.point, b.point], covers, defence, order, parts, role }
}
