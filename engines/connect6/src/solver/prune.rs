//! Which double threats a dependency-based search tries (sections 3.5 and 3.6): those that depend
//! on the turn before, that may combine with it later, that stop an inversion of the past or one
//! of the future; and no senseless pairs of single threats.

use super::attacks::{Attack, PointSet, Type};
use super::{Dependency, Solver};
use crate::board::pattern::window;
use arrayvec::ArrayVec;

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
    /// Where the next stones may combine with this turn's.
    star: PointSet,
}

/// A turn's threats: one, or two that are independent of each other.
type Parts = ArrayVec<(ArrayVec<u16, 2>, ArrayVec<u16, 8>), 2>;

impl Solver<'_> {
    /// Whether the turn on the board, which makes exactly two threats, is to be searched.
    pub(super) fn wanted(&mut self, stones: [u16; 2]) -> bool {
        let Some(dependency) = self.settings.dependency else { return true };
        let kind = self.type_of(stones);
        let parts = self.parts(stones, kind);
        if !self.frames.is_empty() && !self.belongs(&parts, dependency) {
            return false;
        }
        !dependency.pairs || kind != Type::Independent || self.sensible(stones, &parts)
    }

    /// The threats of the turn on the board, with their defences.
    fn parts(&self, [p, q]: [u16; 2], kind: Type) -> Parts {
        let mut parts = Parts::new();
        let points = |threats: crate::board::Threats| threats.covers().points();
        if kind == Type::Independent {
            for x in [p, q] {
                let defence = points(self.board.threats_at(self.attacker, x));
                parts.push((ArrayVec::from_iter([x]), defence));
            }
        } else {
            let defence = points(self.board.threats(self.attacker));
            parts.push((ArrayVec::from([p, q]), defence));
        }
        parts
    }

    /// The turns before the next one that it may go back to: the last, and those before it as long
    /// as each caused an inversion, which left no choice (3.5.3's `I_pre`).
    fn before(&self) -> impl Iterator<Item = &Frame> {
        let mut frames = self.frames.iter().rev();
        let last = frames.next();
        last.into_iter().chain(frames.take_while(|f| f.inversion))
    }

    /// Dependency, combination, post-block and pre-block.
    fn belongs(&self, parts: &Parts, allowed: Dependency) -> bool {
        let Some(last) = self.frames.last() else { return true };
        // Turns that were forced from the root on chose no region: this one does.
        if self.root_inversion
            && self.frames[1..].iter().zip(&self.frames).all(|(_, f)| f.inversion)
        {
            return true;
        }
        // Every turn generated after an inversion stops it.
        if last.inversion && allowed.post_block {
            return true;
        }
        if last.related.iter().any(|&p| self.board.four_contains(self.attacker, p)) {
            return true;
        }
        parts.iter().any(|(stones, defence)| {
            let edge = self.graph.find(stones, defence);
            let combines = || {
                self.before().any(|f| match edge {
                    Some(id) => self.graph.future(id).meets(&f.star),
                    None => stones.iter().any(|p| f.star.has(*p)),
                })
            };
            let blocks = || {
                edge.is_some_and(|id| {
                    let zone = self.graph.block(id);
                    self.before().any(|f| f.stones.iter().any(|p| zone.has(*p)))
                })
            };
            allowed.combination && combines() || allowed.pre_block && blocks()
        })
    }

    /// Whether a pair of independent single threats is worth trying: one of its threes has not
    /// been tried yet at this node, or the two may meet in the future, or a stone does more than
    /// its threat (3.6.5).
    fn sensible(&mut self, stones: [u16; 2], parts: &Parts) -> bool {
        let mut new = false;
        for p in stones {
            let marks = &mut self.marks;
            self.board.visit_fours_at(self.attacker, p, |line, start, own| {
                let three = (line as u8, own & window(start) & !bit_of(line, p));
                if !marks.contains(&three) {
                    marks.push(three);
                    new = true;
                }
            });
        }
        if new || stones.iter().any(|p| self.does_more(*p)) {
            return true;
        }
        let mut futures = [PointSet::default(); 2];
        let mut stars = [PointSet::default(); 2];
        for (i, (part, defence)) in parts.iter().enumerate() {
            part.iter().for_each(|p| {
                futures[i].insert(*p);
                self.board.visit_star(self.attacker, *p, |s| {
                    stars[i].insert(s);
                });
            });
            if let Some(id) = self.graph.find(part, defence) {
                futures[i].unite(self.graph.future(id));
            }
        }
        futures[0].meets(&futures[1]) || futures[0].meets(&stars[1]) || futures[1].meets(&stars[0])
    }

    /// Whether a stone on the board also makes a three or a live two.
    fn does_more(&self, point: u16) -> bool {
        self.board.threes_at(self.attacker, point) > 0
            || self.board.has_live_two_at(self.attacker, point)
    }

    /// Enters a turn, which is on the board without its defence, into the path and the hypergraph.
    pub(super) fn enter(&mut self, attack: &Attack) {
        let kind = self.type_of(attack.stones);
        let parts = self.parts(attack.stones, kind);
        let mut edges = ArrayVec::new();
        for (stones, defence) in parts {
            let parents: Vec<u32> = self
                .frames
                .iter()
                .flat_map(|f| &f.edges)
                .filter(|(_, earlier)| {
                    let uses =
                        |a: &u16, b: &u16| self.board.four_contains_both(self.attacker, *a, *b);
                    stones.iter().any(|a| earlier.iter().any(|b| uses(a, b)))
                })
                .map(|(id, _)| *id)
                .collect();
            edges.push((self.graph.add(&stones, &defence, &parents), stones));
        }
        let related = self.related(attack.stones, kind);
        let star = PointSet::default();
        self.frames.push(Frame { stones: attack.stones, related, edges, inversion: false, star });
    }

    /// The stones of a turn that count for dependency: of two independent threats only those that
    /// depend on the turn before, if any does (3.3.2).
    fn related(&self, stones: [u16; 2], kind: Type) -> ArrayVec<u16, 2> {
        if let (Type::Independent, Some(last)) = (kind, self.frames.last()) {
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

    /// The defence of the last turn is on the board: notes an inversion and the star zone.
    pub(super) fn defended(&mut self) {
        let inversion = self.board.has_four(self.defender());
        let mut star = PointSet::default();
        let Some(stones) = self.frames.last().map(|f| f.stones) else { return };
        for p in stones {
            self.board.visit_star(self.attacker, p, |s| {
                star.insert(s);
            });
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.inversion, frame.star) = (inversion, star);
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

/// The bit of a point on a line that it lies on.
fn bit_of(line: usize, point: u16) -> u32 {
    crate::board::geometry::PLACES[usize::from(point)]
        .iter()
        .find(|p| usize::from(p.line) == line)
        .map_or(0, |p| 1 << p.bit)
}
