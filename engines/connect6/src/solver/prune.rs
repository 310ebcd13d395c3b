//! Which double threats a dependency-based search tries (sections 3.5 and 3.6): those that depend
//! on the turn before, that may combine with it later, that stop an inversion of the past or one
//! of the future. Of the pairs of single threats among them [`super::pairs`] keeps the sensible ones.

use super::attacks::{Attack, PointSet};
use super::hypergraph::Name;
use super::pairs::Role;
use super::{Dependency, Solver};
use crate::board::{Lifted, Sketch, Threats};
use arrayvec::ArrayVec;

/// How a double threat comes about (3.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Neither of the others (DT).
    Double,
    /// Two single threats without a common stone of this turn (ST_I).
    Independent,
    /// Two single threats with a common stone of this turn (ST_D).
    Dependent,
}

/// A turn on the path with its conservative defence.
#[derive(Clone, Debug)]
pub struct Frame {
    stones: [u16; 2],
    /// The stones that the next turn's threats must use to depend on this one (3.3.2).
    related: ArrayVec<u16, 2>,
    /// Its edges in the hypergraph.
    edges: ArrayVec<(u32, ArrayVec<u16, 2>), 2>,
    /// The defence made a threat of the defender's.
    inversion: bool,
    /// The empty points where later stones may combine with this turn's related ones.
    star: PointSet,
}

/// The points that stop threats.
pub type Defence = ArrayVec<u16, 8>;

/// A turn's threats: one, or two that are independent of each other.
pub type Parts = ArrayVec<Part, 2>;

/// A threat: the stones that make it, and its name in the hypergraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The stones.
    pub stones: ArrayVec<u16, 2>,
    /// The name, which the points that stop it go into too.
    pub name: Name,
}

impl Part {
    /// The threat of these stones, which those points stop.
    #[inline]
    pub fn new(stones: &[u16], stops: &[u16]) -> Part {
        Part { stones: stones.iter().copied().collect(), name: Name::of(stones, stops) }
    }
}

/// What the turns before a position allow there; the same for all turns that are generated.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The last turn of the depth, and only what uses the turn before can win: see
    /// [`Solver::at_horizon`].
    pub horizon: bool,
    /// Any turn may be tried: there is none before, or it left no choice.
    open: bool,
    /// Where a turn's future must reach to combine with the turns before.
    star: PointSet,
    /// The stones of those turns, and, once asked for, the lines on which each holds the defender
    /// back.
    stoppers: Vec<(u16, Option<ArrayVec<Lifted, 4>>)>,
}

impl Solver<'_> {
    /// Looks back from the position on the board before its turns are generated.
    pub(super) fn look_back(&mut self, depth: u32) {
        let Some(allowed) = self.settings.dependency else { return };
        let mut past = std::mem::take(&mut self.past);
        past.horizon = allowed.horizon && self.at_horizon(depth);
        past.open = self.chooses(allowed);
        past.star = PointSet::default();
        past.stoppers.clear();
        if !past.horizon {
            self.note_star();
        }
        if !past.horizon && !past.open {
            for frame in self.before() {
                past.star.unite(&frame.star);
                past.stoppers.extend(frame.stones.iter().map(|p| (*p, None)));
            }
        }
        self.past = past;
        self.tried.clear();
    }

    /// Notes the star zone of the last turn, whose defence is on the board.
    fn note_star(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.star = PointSet::default();
        for &p in &frame.related {
            self.board.visit_star(self.attacker, p, |s| {
                frame.star.insert(s);
            });
        }
    }

    /// Whether turns without a stone of the last one's need not be looked at, as only a turn that
    /// leaves no defence counts: if the last turn was not forced, such a turn would have won in its
    /// place, and has been looked for there.
    pub(super) fn at_horizon(&self, depth: u32) -> bool {
        let forced_before = match self.frames.as_slice() {
            [] => return false,
            [_] => self.root_inversion,
            [.., before, _] => before.inversion,
        };
        depth == 1 && !forced_before && !self.board.has_four(self.defender())
    }

    /// Whether any turn may be tried, wherever it is.
    fn chooses(&self, allowed: Dependency) -> bool {
        let Some(last) = self.frames.last() else { return true };
        // Turns that were forced from the root on chose no region: this one does. And every turn
        // generated after an inversion stops it (post-block).
        last.inversion && allowed.post_block
            || self.root_inversion
                && self.frames[1..].iter().zip(&self.frames).all(|(_, f)| f.inversion)
    }

    /// The turns before the next one that it may go back to: the last, and those before it as long
    /// as each caused an inversion, which left no choice (3.5.3's `I_pre`).
    fn before(&self) -> impl Iterator<Item = &Frame> {
        let mut frames = self.frames.iter().rev();
        let last = frames.next();
        last.into_iter().chain(frames.take_while(|f| f.inversion))
    }

    /// The stones of the turn before.
    pub(super) fn last_stones(&self) -> Option<[u16; 2]> {
        self.frames.last().map(|f| f.stones)
    }

    /// What speaks for a turn that makes exactly two threats, which these points stop; `None` if it is
    /// to be left out.
    pub(super) fn judge(&mut self, turn: &Sketch, defence: &Defence) -> Option<(Parts, Role)> {
        let allowed = self.settings.dependency.unwrap_or_default();
        let (kind, stops) = stops(turn, defence);
        let parts: Parts = match kind {
            Type::Independent => {
                turn.stones.iter().zip(&stops).map(|(p, s)| Part::new(&[*p], s)).collect()
            }
            _ => Parts::from_iter([Part::new(&turn.stones, defence)]),
        };
        if self.past.horizon {
            return Some((parts, Role::default()));
        }
        let mut belongs = [false; 2];
        for ((belongs, part), stops) in belongs.iter_mut().zip(&parts).zip(&stops) {
            *belongs = self.threat_belongs(turn, part, stops, allowed);
        }
        if belongs == [false; 2] {
            return None;
        }
        let role = if allowed.pairs { self.role(turn, kind, belongs) } else { Role::default() };
        Some((parts, role))
    }

    /// Whether the threat of a stone that makes a single one, which these points stop, belongs to
    /// what the turns before have begun.
    pub(super) fn half_belongs(&mut self, half: &Sketch, part: &Part, stops: &[u16]) -> bool {
        let allowed = self.settings.dependency.unwrap_or_default();
        self.threat_belongs(half, part, stops, allowed)
    }

    /// Whether a threat of a turn belongs to what the turns before it have begun: by dependency,
    /// combination or pre-block; after an inversion (post-block) everything does. One that does not
    /// can only help another to a pair.
    fn threat_belongs(
        &mut self,
        turn: &Sketch,
        part: &Part,
        defence: &[u16],
        allowed: Dependency,
    ) -> bool {
        let Some(last) = self.frames.last().filter(|_| !self.past.open) else { return true };
        let stones = &part.stones;
        if last.related.iter().any(|p| turn.uses(stones, *p)) {
            return true;
        }
        let edge = self.graph.find(part.name);
        let star = &self.past.star;
        let combines = allowed.combination
            && match edge {
                Some(id) => self.graph.future(id).meets(star),
                None => stones.iter().any(|p| star.has(*p)),
            };
        if combines || allowed.pre_block && self.stopped_before(edge, turn, defence) {
            return true;
        }
        if allowed.combination {
            self.graph.deny(part.name, edge, &self.past.star);
        }
        false
    }

    /// Pre-block: whether a stone of the turns before stops an inversion that this threat's
    /// defence would make, or, where it makes one all the same, one that has been seen to follow.
    fn stopped_before(&mut self, edge: Option<u32>, turn: &Sketch, defence: &[u16]) -> bool {
        let (board, defender) = (&self.board, 1 - self.attacker);
        let zone = edge.map(|id| self.graph.block(id));
        let later = |p: u16| {
            zone.is_some_and(|z| z.has(p)) && board.makes_four(defender, defence, &turn.stones)
        };
        self.past.stoppers.iter_mut().any(|(p, lines)| {
            let lines = lines.get_or_insert_with(|| board.lifted(defender, *p));
            lines.iter().any(|l| l.stops_four(defence)) || later(*p)
        })
    }

    /// Enters a turn, which is on the board without its defence, into the path and the hypergraph.
    pub(super) fn enter(&mut self, attack: &Attack) {
        let parts = &attack.parts;
        let mut edges = ArrayVec::new();
        for Part { stones, name } in parts {
            let mut used = PointSet::default();
            for &p in stones {
                self.board.visit_stones_in_fours_at(self.attacker, p, |q| {
                    used.insert(q);
                });
            }
            let parents = self.frames.iter().flat_map(|f| &f.edges);
            let parents = parents.filter(|(_, earlier)| earlier.iter().any(|p| used.has(*p)));
            let id = self.graph.add(*name, stones, parents.map(|(id, _)| *id));
            edges.push((id, stones.clone()));
        }
        let related = self.related(attack.stones, parts.len() == 2);
        let star = PointSet::default();
        self.frames.push(Frame { stones: attack.stones, related, edges, inversion: false, star });
    }

    /// The stones of a turn that count for dependency: of two independent threats only those that
    /// depend on the turn before, if any does (3.3.2).
    fn related(&self, stones: [u16; 2], independent: bool) -> ArrayVec<u16, 2> {
        if let (true, Some(last)) = (independent, self.frames.last()) {
            let depends = |p: &u16| {
                last.related.iter().any(|r| self.board.four_contains_both(self.attacker, *p, *r))
            };
            let some: ArrayVec<u16, 2> = stones.into_iter().filter(depends).collect();
            if !some.is_empty() {
                return some;
            }
        }
        ArrayVec::from(stones)
    }

    /// The defence of the last turn is on the board: notes an inversion.
    pub(super) fn defended(&mut self) {
        let inversion = self.board.has_four(self.defender());
        if let Some(frame) = self.frames.last_mut() {
            frame.inversion = inversion;
        }
        if inversion {
            self.spread_block_zone();
        }
    }

    /// Where the inversion on the board could have been stopped, for this turn's edges and those
    /// of the turns before it whose inversions led here without a choice (figure 40).
    fn spread_block_zone(&mut self) {
        let mut zone = PointSet::default();
        for threat in self.board.threats(self.defender()).edges() {
            zone.insert(threat.a);
            zone.insert(threat.b);
        }
        let run = self.frames.iter().rev().take_while(|f| f.inversion);
        for (id, _) in run.flat_map(|f| &f.edges) {
            self.graph.grow_block(*id, &zone);
        }
    }
}

/// The type of a turn, and what stops its threats: both single ones, or all at once.
fn stops(turn: &Sketch, defence: &Defence) -> (Type, ArrayVec<Defence, 2>) {
    let mut at = [Threats::default(), Threats::default()];
    for (i, threats) in at.iter_mut().enumerate() {
        turn.threats_at(i, threats);
    }
    let numbers = [at[0].number(), at[1].number()];
    let kind = if turn.has_both() {
        // One threat of both stones and one of one of them; a live two has only the first.
        let shared = |i: usize| numbers[i] == 1 && turn.has_without(1 - i);
        if shared(0) || shared(1) { Type::Dependent } else { Type::Double }
    } else if numbers == [1, 1] {
        Type::Independent
    } else {
        Type::Double
    };
    let stops = match kind {
        Type::Independent => at.iter().map(|threats| threats.covers().points()).collect(),
        _ => ArrayVec::from_iter([defence.clone()]),
    };
    (kind, stops)
}
