//! The turns of a dependency-based search where nothing is forced. Most of them are pairs of single
//! threats that have nothing to do with each other: what each is worth is looked at once, and two
//! are put together without being played. All other turns are tried on the board.

use super::attacks::{Attack, PointSet, Points};
use super::pairs::Role;
use super::prune::Parts;
use super::{Found, Solver};
use crate::board::{Covers, Threats};
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
        found.or_else(|| {
            let doubles = self.doubles(&singles);
            doubles.into_iter().find_map(|turn| self.consider_both(turn, list))
        })
    }

    /// The attacker's double threats that stop the defender's.
    pub(super) fn forced_dependent(
        &mut self,
        forced: &Covers,
        list: &mut Vec<Attack>,
    ) -> Option<Found> {
        if let Some(found) = forced.pairs.iter().find_map(|turn| self.consider_both(*turn, list)) {
            return Some(found);
        }
        for (i, &p) in forced.single.iter().enumerate() {
            let earlier = &forced.single[..i];
            self.counters.stones += 1;
            let mut seen = PointSet::default();
            let mut seconds = Points::new();
            self.board.visit_three_points_after(self.attacker, p, |q| {
                if seen.insert(q) && !earlier.contains(&q) {
                    seconds.push(q);
                }
            });
            if let Some(found) = seconds.iter().find_map(|&q| self.consider([p, q], list)) {
                return Some(found);
            }
            let mut alone = Threats::default();
            self.board.sketch_one(self.attacker, p).threats(&mut alone);
            if alone.number() > 1
                && let Some(found) =
                    self.beside_double(p, &mut seen, |q| !earlier.contains(&q), list)
            {
                return Some(found);
            }
            if self.expired() {
                return None;
            }
        }
        None
    }

    /// Second stones beside one that makes two threats alone.
    fn beside_double(
        &mut self,
        p: u16,
        seen: &mut PointSet,
        wanted: impl Fn(u16) -> bool,
        list: &mut Vec<Attack>,
    ) -> Option<Found> {
        self.board.place(self.attacker, p);
        let free = self.free_stones(seen, wanted, list.is_empty());
        self.board.remove();
        free.into_iter().find_map(|q| self.consider([p, q], list))
    }

    /// [`Solver::consider`] for a turn whose first stone has not been counted.
    pub(super) fn consider_both(
        &mut self,
        stones: [u16; 2],
        list: &mut Vec<Attack>,
    ) -> Option<Found> {
        self.counters.stones += 1;
        self.consider(stones, list)
    }

    /// Adds a turn, which stops what the defender threatens, if it makes two threats and is not
    /// to be left out.
    #[inline]
    fn consider(&mut self, stones: [u16; 2], list: &mut Vec<Attack>) -> Option<Found> {
        self.counters.stones += 1;
        let turn = self.board.sketch(self.attacker, stones)?;
        let mut threats = Threats::default();
        turn.threats(&mut threats);
        match threats.number() {
            0 | 1 => None,
            2 => {
                let covers = threats.covers();
                let defence = covers.points();
                if let Some((parts, role)) = self.judge(&turn, &defence) {
                    let gain = self.board.gain_of(self.attacker, stones);
                    let order = self.board.score(self.attacker) + gain;
                    list.push(Attack { stones, covers, defence, order, parts, role });
                } else {
                    self.counters.pruned += 1;
                }
                None
            }
            _ => {
                self.counters.moves += 1;
                Some(Found::win(stones.to_vec()))
            }
        }
    }

    fn fill_halves(&mut self, singles: &mut PointSet, halves: &mut Vec<Half>) {
        halves.clear();
        for point in self.three_points(singles) {
            let gain = self.board.gain(self.attacker, point);
            self.counters.stones += 1;
            let sketch = self.board.sketch_one(self.attacker, point);
            let mut threats = Threats::default();
            sketch.threats(&mut threats);
            let covers = threats.covers();
            let double = covers.number > 1;
            let mut needs = PointSet::default();
            for threat in threats.edges() {
                needs.insert(threat.a);
                needs.insert(threat.b);
            }
            let stops = covers.points();
            let belongs = !double && self.half_belongs(&sketch, &stops);
            let builds = self.board.would_build(self.attacker, point, point);
            halves.push(Half { point, double, belongs, builds, gain, stops, needs });
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
        self.counters.stones += 1;
        for other in others {
            let apart = !half.double
                && !other.double
                && !half.needs.meets(&other.needs)
                && !self.board.would_share(self.attacker, p, other.point);
            if !apart {
                if let Some(found) = self.consider([p, other.point], list) {
                    return Some(found);
                }
            } else if half.belongs || other.belongs {
                list.push(pair(half, other, base));
            } else {
                self.counters.pruned += 1;
            }
        }
        // What `p` makes possible: windows that had two stones.
        let mut seen = *singles;
        let mut built: ArrayVec<u16, 64> = ArrayVec::new();
        self.board.visit_new_three_points(self.attacker, p, |q| {
            if seen.insert(q) {
                let _ = built.try_push(q);
            }
        });
        if let Some(found) = built.iter().find_map(|&q| self.consider([p, q], list)) {
            return Some(found);
        }
        if half.double { self.beside_double(p, &mut seen, |_| true, list) } else { None }
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
