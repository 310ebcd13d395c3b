//! The turns of a dependency-based search where nothing is forced. Most of them are pairs of single
//! threats that have nothing to do with each other: what each is worth is looked at once, and two
//! are put together without being played. All other turns are tried on the board.

use super::attacks::{Attack, Doubles, PointSet, Points};
use super::hypergraph::{Hypergraph, Name};
use super::pairs::Role;
use super::prune::{Defence, Part, Parts};
use super::{Found, Solver};
use crate::board::{Board, Covers, Sketch, Threats};
use agon_protocol::connect6::POINTS;
use arrayvec::ArrayVec;

/// A stone that makes a single threat alone, and whether it belongs to the path.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    point: u16,
    belongs: bool,
    /// The place of what the stones around it make of it.
    known: u16,
    /// What it adds to the evaluation.
    gain: i32,
}

/// What a stone on an empty point makes, as long as the stones on its lines stay the same.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    /// The stones on its lines.
    around: [[u32; 2]; 4],
    sketch: Sketch,
    part: Part,
    /// Two threats or more: it needs no other.
    double: bool,
    /// It does more than its threat.
    builds: bool,
    /// The points that stop it.
    stops: Defence,
    /// The points its windows need.
    needs: PointSet,
}

/// What is known of the points where stones made threats. Most lines are the same at the next
/// position, and most such stones make there what they made before.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Counted from 1; 0: nothing is known.
    places: Vec<u16>,
    known: Vec<Known>,
}

impl Solver<'_> {
    /// The attacker's double threats; the defender has none.
    pub(super) fn dependent_attacks(&mut self, list: &mut Vec<Attack>) -> Option<Found> {
        let mut halves = self.halves.pop().unwrap_or_default();
        let mut singles = PointSet::default();
        self.fill_halves(&mut singles, &mut halves);
        let mut found = None;
        let memory = std::mem::take(&mut self.memory);
        for (i, half) in halves.iter().enumerate() {
            found = self.beside(*half, &halves[i + 1..], &memory, &singles, list);
            if found.is_some() || self.expired() {
                break;
            }
        }
        self.memory = memory;
        self.halves.push(halves);
        if self.stopped {
            return found;
        }
        found.or_else(|| {
            let mut doubles = Doubles::new();
            self.doubles(&singles, &mut doubles);
            doubles.iter().find_map(|turn| self.consider_both(*turn, list))
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
            let mut alone = Threats::default();
            self.board.sketch_one(self.attacker, p).threats(&mut alone);
            let mut seen = PointSet::default();
            // Where a stone makes more than one threat, alone or with `p`.
            let mut several = PointSet::default();
            let mut seconds = Points::new();
            self.board.visit_three_points_after(self.attacker, p, |q, more| {
                let again = !seen.insert(q);
                if more || again {
                    several.insert(q);
                }
                if !again && !earlier.contains(&q) {
                    seconds.push(q);
                }
            });
            for &q in &seconds {
                if alone.is_empty() && !several.has(q) {
                    self.counters.stones += 1;
                } else if let Some(found) = self.consider([p, q], list) {
                    return Some(found);
                }
            }
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
                    let alone = stones.map(|p| self.gain(p));
                    let gain = alone[0] + alone[1] + self.board.bend(self.attacker, stones);
                    let order = self.board.score(self.attacker) + gain;
                    let halves = None;
                    list.push(Attack { stones, covers, defence, order, parts, role, halves });
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

    /// What an attacking stone on an empty point would add to the evaluation.
    #[inline]
    pub(super) fn gain(&mut self, point: u16) -> i32 {
        self.gains.of(&self.board, self.attacker, point)
    }

    fn fill_halves(&mut self, singles: &mut PointSet, halves: &mut Vec<Half>) {
        halves.clear();
        let mut memory = std::mem::take(&mut self.memory);
        let mut points = Points::new();
        self.three_points(singles, &mut points);
        for &point in &points {
            self.counters.stones += 1;
            let known = memory.look(&self.board, self.attacker, point);
            let Known { sketch, part, stops, double, .. } = &mut memory.known[usize::from(known)];
            let belongs = !*double && self.half_belongs(sketch, part, stops);
            let gain = self.gain(point);
            halves.push(Half { point, belongs, known, gain });
        }
        self.memory = memory;
    }

    /// The turns with this stone and one of the halves after it, or another stone beside it.
    fn beside(
        &mut self,
        half: Half,
        others: &[Half],
        memory: &Memory,
        singles: &PointSet,
        list: &mut Vec<Attack>,
    ) -> Option<Found> {
        let p = half.point;
        let base = self.board.score(self.attacker);
        self.counters.stones += 1;
        let known = memory.of(half);
        for other in others {
            let second = memory.of(*other);
            let apart = !known.double
                && !second.double
                && !known.needs.meets(&second.needs)
                && !self.board.would_share(self.attacker, p, other.point);
            if !apart {
                if let Some(found) = self.consider([p, other.point], list) {
                    return Some(found);
                }
            } else if half.belongs || other.belongs {
                list.push(Attack {
                    stones: [p, other.point],
                    covers: Covers::default(),
                    defence: Defence::new(),
                    order: base + half.gain + other.gain,
                    parts: Parts::new(),
                    role: Role::Pair {
                        belongs: [half.belongs, other.belongs],
                        builds: [known.builds, second.builds],
                    },
                    halves: Some([half.known, other.known]),
                });
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
        if known.double { self.beside_double(p, &mut seen, |_| true, list) } else { None }
    }
}

impl Memory {
    /// The place of what a stone on this empty point makes; the colour has no window with four.
    fn look(&mut self, board: &Board, colour: usize, point: u16) -> u16 {
        let around = board.stones_around(point);
        self.places.resize(POINTS, 0);
        let place = &mut self.places[usize::from(point)];
        if *place == 0 {
            self.known.push(Known::of(board, colour, point, around));
            *place = self.known.len() as u16;
        } else {
            let known = &mut self.known[usize::from(*place - 1)];
            if known.around != around {
                *known = Known::of(board, colour, point, around);
            }
        }
        *place - 1
    }

    #[inline]
    fn of(&self, half: Half) -> &Known {
        &self.known[usize::from(half.known)]
    }

    /// The name of one of the two threats of a turn of this position, which is a pair of single ones,
    /// and its edge.
    #[inline]
    pub fn edge(&mut self, attack: &Attack, i: usize, graph: &Hypergraph) -> (Name, Option<u32>) {
        match (attack.halves, attack.parts.get(i)) {
            (Some(halves), _) => {
                let part = &mut self.known[usize::from(halves[i])].part;
                (part.name, part.edge(graph))
            }
            (None, Some(part)) => (part.name, part.edge.or_else(|| graph.find(part.name))),
            (None, None) => (Name::default(), None),
        }
    }

    /// Works out what has been put off of a turn of this position.
    pub fn complete(&self, attack: &mut Attack) {
        let Some(halves) = attack.halves.take() else { return };
        let [first, second] = halves.map(|known| &self.known[usize::from(known)]);
        let covers = &mut attack.covers;
        covers.number = 2;
        for &x in &first.stops {
            for &y in &second.stops {
                let _ = covers.pairs.try_push([x.min(y), x.max(y)]);
            }
        }
        attack.defence = covers.points();
        attack.parts = Parts::from([first.part.clone(), second.part.clone()]);
    }
}

impl Known {
    fn of(board: &Board, colour: usize, point: u16, around: [[u32; 2]; 4]) -> Known {
        let sketch = board.sketch_one(colour, point);
        let mut threats = Threats::default();
        sketch.threats(&mut threats);
        let covers = threats.covers();
        let stops = covers.points();
        let mut needs = PointSet::default();
        for threat in threats.edges() {
            needs.insert(threat.a);
            needs.insert(threat.b);
        }
        Known {
            around,
            part: Part::new(&[point], &stops),
            sketch,
            double: covers.number > 1,
            builds: board.would_build(colour, point, point),
            stops,
            needs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random_step;
    use agon_protocol::rng;

    #[test]
    fn what_is_remembered_of_a_stone_is_what_it_makes_now() {
        let mut memory = Memory::default();
        let mut stream = rng::stream(1, 0, "memory");
        let mut board = Board::new(19);
        let (mut looked, mut remembered) = (0, 0);
        for _ in 0..4000 {
            random_step(&mut board, &mut stream);
            if board.has_four(0) {
                board.remove();
                continue;
            }
            let mut points = Vec::new();
            board.visit_three_points(0, |p| points.push(p));
            for p in points {
                let around = board.stones_around(p);
                let place = memory.places.get(usize::from(p)).map_or(0, |n| usize::from(*n));
                let same = place > 0 && memory.known[place - 1].around == around;
                let known = memory.look(&board, 0, p);
                let anew = Known::of(&board, 0, p, around);
                assert_eq!(memory.known[usize::from(known)], anew, "{p}");
                looked += 1;
                remembered += u32::from(same);
            }
        }
        assert!(remembered > 100 && looked - remembered > 100, "{remembered} of {looked}");
    }
}
