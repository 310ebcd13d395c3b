//! Which double threats a dependency-based search tries (sections 3.5 and 3.6): those that depend
//! on the turn before, that may combine with it later, that stop an inversion of the past or one
//! of the future. Of the pairs of single threats among them [`super::pairs`] keeps the sensible ones.

use super::attacks::{Attack, PointSet};
use super::hypergraph::{Hypergraph, Name};
use super::pairs::Role;
use super::{Dependency, Solver};
use crate::board::{Company, Lifted, Sketch, Threats};
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
    edges: ArrayVec<u32, 2>,
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
    /// Its edge, once it is known to have one.
    pub edge: Option<u32>,
}

impl Part {
    /// The threat of these stones, which those points stop.
    #[inline]
    pub fn new(stones: &[u16], stops: &[u16]) -> Part {
        let name = Name::of(stones, stops);
        Part { stones: stones.iter().copied().collect(), name, edge: None }
    }

    /// Its edge, if it has been entered.
    #[inline]
    pub fn edge(&mut self, graph: &Hypergraph) -> Option<u32> {
        if self.edge.is_none() {
            self.edge = graph.find(self.name);
        }
        self.edge
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
    /// The last turn's star zone has been noted for this position.
    noted: bool,
    /// `star` and `stoppers` have been worked out, which few positions need.
    complete: bool,
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
        self.past.horizon = allowed.horizon && self.at_horizon(depth);
        self.past.open = self.chooses(allowed);
        self.past.noted = false;
        self.past.complete = false;
    }

    /// Works out where the turns before reach, and which of their stones hold the defender back.
    fn complete_past(&mut self) {
        if self.past.complete {
            return;
        }
        self.note_star();
        let past = &mut self.past;
        past.complete = true;
        past.star = PointSet::default();
        past.stoppers.clear();
        for frame in before(&self.frames) {
            past.star.unite(&frame.star);
            past.stoppers.extend(frame.stones.iter().map(|p| (*p, None)));
        }
    }

    /// Before turns are played: the turns after them may go back to the last one if it caused an
    /// inversion, and its star zone is that of this position.
    pub(super) fn leave_behind(&mut self) {
        if self.frames.last().is_some_and(|f| f.inversion) {
            self.note_star();
        }
    }

    /// Notes the star zone of the last turn, whose defence is on the board.
    fn note_star(&mut self) {
        if std::mem::replace(&mut self.past.noted, true) {
            return;
        }
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

    /// The stones of the turn before.
    pub(super) fn last_stones(&self) -> Option<[u16; 2]> {
        self.frames.last().map(|f| f.stones)
    }

    /// What speaks for a turn that makes exactly two threats, which these points stop; `None` if it is
    /// to be left out.
    pub(super) fn judge(&mut self, turn: &Sketch, defence: &Defence) -> Option<(Parts, Role)> {
        let allowed = self.settings.dependency.unwrap_or_default();
        let (kind, apart) = kind_of(turn);
        let mut parts = Parts::new();
        match &apart {
            Some(stops) => {
                parts.extend(turn.stones.iter().zip(stops).map(|(p, s)| Part::new(&[*p], s)));
            }
            None => parts.push(Part::new(&turn.stones, defence)),
        }
        if self.past.horizon {
            return Some((parts, Role::default()));
        }
        let mut belongs = [false; 2];
        for (i, (belongs, part)) in belongs.iter_mut().zip(&mut parts).enumerate() {
            let stops = apart.as_ref().map_or(defence, |stops| &stops[i]);
            let of = if apart.is_some() { [i == 0, i == 1] } else { [true; 2] };
            *belongs = self.threat_belongs(turn, of, part, stops);
        }
        if belongs == [false; 2] {
            return None;
        }
        let role = if allowed.pairs { self.role(turn, kind, belongs) } else { Role::default() };
        Some((parts, role))
    }

    /// Whether the threat of a stone that makes a single one, which these points stop, belongs to
    /// what the turns before have begun.
    pub(super) fn half_belongs(&mut self, half: &Sketch, part: &mut Part, stops: &[u16]) -> bool {
        self.threat_belongs(half, [true, false], part, stops)
    }

    /// Whether a threat of a turn, made by its first stone, its second or both (`of`), belongs to
    /// what the turns before it have begun: by dependency, combination or pre-block; after an
    /// inversion (post-block) everything does. One that does not can only help another to a pair.
    fn threat_belongs(
        &mut self,
        turn: &Sketch,
        of: [bool; 2],
        part: &mut Part,
        defence: &[u16],
    ) -> bool {
        let Some(last) = self.frames.last().filter(|_| !self.past.open) else { return true };
        if last.related.iter().any(|p| turn.uses(of, *p)) {
            return true;
        }
        let allowed = self.settings.dependency.unwrap_or_default();
        self.complete_past();
        let edge = part.edge(&self.graph);
        let star = &self.past.star;
        let combines = allowed.combination
            && match edge {
                Some(id) => self.graph.future(id).meets(star),
                None => part.stones.iter().any(|p| star.has(*p)),
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
        let near = attack.stones.map(|p| self.board.company(self.attacker, p));
        let mut edges = ArrayVec::<u32, 2>::new();
        for part in &attack.parts {
            let id = self.graph.edge(part);
            let mine = attack.stones.iter().zip(&near).filter(|(p, _)| part.stones.contains(p));
            for p in mine.flat_map(|(_, company)| company).flat_map(Company::points) {
                // Counted from 1.
                if let Some(parent) = self.edge_of[usize::from(p)].checked_sub(1) {
                    self.graph.follow(id, parent);
                }
            }
            edges.push(id);
        }
        for (id, part) in edges.iter().zip(&attack.parts) {
            part.stones.iter().for_each(|p| self.edge_of[usize::from(*p)] = id + 1);
        }
        // Of two independent threats only those count for dependency that depend on the turn before,
        // if any does (3.3.2).
        let mut related = ArrayVec::from(attack.stones);
        if let (2, Some(last)) = (edges.len(), self.frames.last()) {
            let depends =
                |near: &[Company]| last.related.iter().any(|r| near.iter().any(|c| c.has(*r)));
            let depend = [depends(&near[0]), depends(&near[1])];
            if depend != [false; 2] {
                related.clear();
                related.extend(
                    attack.stones.into_iter().zip(depend).filter(|(_, d)| *d).map(|(p, _)| p),
                );
            }
        }
        let star = PointSet::default();
        self.frames.push(Frame { stones: attack.stones, related, edges, inversion: false, star });
    }

    /// Takes the last turn back out of the path.
    pub(super) fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        frame.stones.iter().for_each(|p| self.edge_of[usize::from(*p)] = 0);
    }

    /// The defence of the last turn is on the board; what it threatens, if it does: an inversion.
    pub(super) fn defended(&mut self, threats: Option<&Threats>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.inversion = threats.is_some();
        }
        if let Some(threats) = threats {
            self.spread_block_zone(threats);
        }
    }

    /// Where the inversion on the board could have been stopped, for this turn's edges and those
    /// of the turns before it whose inversions led here without a choice (figure 40).
    fn spread_block_zone(&mut self, threats: &Threats) {
        let mut zone = PointSet::default();
        for threat in threats.edges() {
            zone.insert(threat.a);
            zone.insert(threat.b);
        }
        let run = self.frames.iter().rev().take_while(|f| f.inversion);
        for id in run.flat_map(|f| &f.edges) {
            self.graph.grow_block(*id, &zone);
        }
    }
}

/// The turns before the next one that it may go back to: the last, and those before it as long
/// as each caused an inversion, which left no choice (3.5.3's `I_pre`).
fn before(frames: &[Frame]) -> impl Iterator<Item = &Frame> {
    let mut frames = frames.iter().rev();
    let last = frames.next();
    last.into_iter().chain(frames.take_while(|f| f.inversion))
}

/// The type of a turn, and what stops each of its threats where they are independent.
fn kind_of(turn: &Sketch) -> (Type, Option<[Defence; 2]>) {
    let at = |i: usize| {
        let mut threats = Threats::default();
        turn.threats_at(i, &mut threats);
        threats
    };
    if turn.has_both() {
        // One threat of both stones and one of one of them; a live two has only the first.
        let shared = |i: usize| turn.has_without(1 - i) && at(i).number() == 1;
        let kind = if shared(0) || shared(1) { Type::Dependent } else { Type::Double };
        return (kind, None);
    }
    let at = [at(0), at(1)];
    if at.iter().any(|threats| threats.number() != 1) {
        return (Type::Double, None);
    }
    (Type::Independent, Some(at.map(|threats| threats.covers().points())))
}
