//! The attacker's double threats (section 3.3.1): two stones after which the defender needs two or
//! more. They come about in three ways: two independent single threats (a stone in each of two
//! windows with three), two that share stones (a window with three and one with two), or one move
//! that makes both (a stone that makes two alone, or two on a line with a live two).

use super::pairs::Role;
use super::prune::Parts;
use super::{Found, Solver};
use crate::board::Covers;
use agon_protocol::connect6::POINTS;
use arrayvec::ArrayVec;

/// The turns of a position.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// All, as they were found.
    pub all: Vec<Attack>,
    /// Those to be tried, the best first.
    pub order: Vec<u32>,
}

/// A double threat.
#[derive(Clone, Debug)]
pub struct Attack {
    /// The stones.
    pub stones: [u16; 2],
    /// The ways to stop it.
    pub covers: Covers,
    /// All points of those ways.
    pub defence: ArrayVec<u16, 8>,
    /// Greater is tried earlier.
    pub order: i32,
    /// Its threats, one by one where they are independent; empty where nobody has asked.
    pub parts: Parts,
    /// What speaks for it in a dependency-based search.
    pub role: Role,
    /// Two stones that have nothing to do with each other, by the places of what is known of them:
    /// `covers`, `defence` and `parts` are worked out once it is to be tried.
    pub halves: Option<[u16; 2]>,
}

/// A set of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PointSet([u64; POINTS.div_ceil(64)]);

impl PointSet {
    /// Adds a point; false if it was there.
    #[inline]
    pub fn insert(&mut self, point: u16) -> bool {
        let (word, bit) = (usize::from(point) / 64, 1u64 << (point % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Whether a point is in it.
    #[inline]
    pub fn has(&self, point: u16) -> bool {
        self.0[usize::from(point) / 64] >> (point % 64) & 1 != 0
    }

    /// Whether the sets share a point.
    #[inline]
    pub fn meets(&self, other: &PointSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Adds a set's points; false if they were all there.
    pub fn unite(&mut self, other: &PointSet) -> bool {
        let mut grown = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grown |= *b & !*a != 0;
            *a |= b;
        }
        grown
    }

    /// The points, rising.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    (i * 64) as u16 + bit as u16
                })
            })
        })
    }
}

/// The points where a stone makes a threat.
pub(super) type Points = ArrayVec<u16, POINTS>;

/// Pairs of stones on a line.
pub(super) type Doubles = ArrayVec<[u16; 2], 512>;

impl Solver<'_> {
    /// Fills `list` with the attacker's double threats that also stop the defender's; a turn that
    /// leaves no defence ends the search at once.
    pub(super) fn attacks(&mut self, list: &mut Vec<Attack>) -> Option<Found> {
        let dependency = self.settings.dependency.is_some();
        if !self.board.has_four(self.defender()) {
            return match dependency {
                true if self.past.horizon => self.last_turn(list),
                true => self.dependent_attacks(list),
                false => self.free_attacks(list),
            };
        }
        let forced = self.board.threats(self.defender()).covers();
        match forced.number {
            1 | 2 if dependency => self.forced_dependent(&forced, list),
            1 | 2 => self.forced_attacks(&forced, list),
            _ => None,
        }
    }

    /// Adds the points of the attacker's windows with three stones that are not yet in `set`.
    pub(super) fn three_points(&self, set: &mut PointSet, points: &mut Points) {
        self.board.visit_three_points(self.attacker, |p| {
            if set.insert(p) {
                points.push(p);
            }
        });
    }

    fn free_attacks(&mut self, list: &mut Vec<Attack>) -> Option<Found> {
        let mut singles = PointSet::default();
        let mut firsts = Points::new();
        self.three_points(&mut singles, &mut firsts);
        for &p in &firsts {
            self.place(self.attacker, p);
            let found = self.partners(p, |q| q > p || !singles.has(q), list);
            self.board.remove();
            if found.is_some() || self.expired() {
                return found;
            }
        }
        self.line_doubles(&singles, list)
    }

    /// Both stones in windows with two: they share a line, so what they make is seen there.
    fn line_doubles(&mut self, singles: &PointSet, list: &mut Vec<Attack>) -> Option<Found> {
        let mut doubles = Doubles::new();
        self.doubles(singles, &mut doubles);
        for &[p, q] in &doubles {
            self.place(self.attacker, p);
            let found = self.try_pair(p, q, list);
            self.board.remove();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Adds the pairs of points, neither in `singles`, that make two threats on a line they share.
    pub(super) fn doubles(&self, singles: &PointSet, doubles: &mut Doubles) {
        self.board.visit_line_doubles(self.attacker, |p, q| {
            if !singles.has(p) && !singles.has(q) {
                let _ = doubles.try_push([p, q]);
            }
        });
    }

    /// The defender threatens: only turns that stop it.
    fn forced_attacks(&mut self, forced: &Covers, list: &mut Vec<Attack>) -> Option<Found> {
        for &[p, q] in &forced.pairs {
            self.place(self.attacker, p);
            let found = self.try_pair(p, q, list);
            self.board.remove();
            if found.is_some() {
                return found;
            }
        }
        for (i, &p) in forced.single.iter().enumerate() {
            let earlier = &forced.single[..i];
            self.place(self.attacker, p);
            let found = self.partners(p, |q| !earlier.contains(&q), list);
            self.board.remove();
            if found.is_some() || self.expired() {
                return found;
            }
        }
        None
    }

    /// Second stones beside `p`, which stands already.
    fn partners(
        &mut self,
        p: u16,
        wanted: impl Fn(u16) -> bool,
        list: &mut Vec<Attack>,
    ) -> Option<Found> {
        let mut seen = PointSet::default();
        let mut seconds = Points::new();
        self.three_points(&mut seen, &mut seconds);
        for &q in &seconds {
            if wanted(q)
                && let Some(found) = self.try_pair(p, q, list)
            {
                return Some(found);
            }
        }
        self.free_partners(p, &mut seen, wanted, list)
    }

    /// Second stones beside `p`, which stands already, where it makes two threats alone: the most
    /// useful few of those not yet in `seen`.
    fn free_partners(
        &mut self,
        p: u16,
        seen: &mut PointSet,
        wanted: impl Fn(u16) -> bool,
        list: &mut Vec<Attack>,
    ) -> Option<Found> {
        let free = self.free_stones(seen, wanted, list.is_empty());
        free.into_iter().find_map(|q| self.try_pair(p, q, list))
    }

    /// The stones for [`Solver::free_partners`]; `any`: if there is none, then some other.
    pub(super) fn free_stones(
        &self,
        seen: &mut PointSet,
        wanted: impl Fn(u16) -> bool,
        any: bool,
    ) -> Vec<u16> {
        if self.board.threats(self.attacker).number() < 2 {
            return Vec::new();
        }
        let mut free: Vec<(i32, u16)> = Vec::new();
        let board = &self.board;
        board.visit_two_points(self.attacker, |q| {
            if seen.insert(q) && wanted(q) {
                free.push((-board.gain(self.attacker, q), q));
            }
        });
        free.sort_unstable();
        free.truncate(self.settings.free_stones);
        if free.is_empty() && any {
            free.extend(board.empties().next().map(|q| (0, q)));
        }
        free.into_iter().map(|(_, q)| q).collect()
    }

    /// Adds the turn `p`, `q` if it makes two threats and stops the defender's; `p` stands already.
    /// For the plain search.
    #[inline]
    fn try_pair(&mut self, p: u16, q: u16, list: &mut Vec<Attack>) -> Option<Found> {
        self.place(self.attacker, q);
        let threats = self.board.threats(self.attacker);
        let number = threats.number();
        let mut found = None;
        if number >= 2 && !self.board.has_four(self.defender()) {
            if number >= 3 {
                self.counters.moves += 1;
                found = Some(Found::win(vec![p, q]));
            } else {
                let covers = threats.covers();
                let defence = covers.points();
                let order = self.board.score(self.attacker);
                let (parts, role) = (Parts::new(), Role::default());
                let stones = [p, q];
                list.push(Attack { stones, covers, defence, order, parts, role, halves: None });
            }
        }
        self.board.remove();
        found
    }
}
