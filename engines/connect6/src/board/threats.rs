//! Threats (section 2.1): a colour has `n` of them if the other needs `n` stones at least to keep it
//! from making six in its next turn, which is the least number of points that hit every window
//! with four of its stones or more. Such a window has at most two empty points, so the windows are
//! the edges of a graph and the answer is its smallest vertex cover.

use super::geometry::point_of;
use super::pattern::Bits;
use arrayvec::ArrayVec;

/// The empty points of one window with four stones or more: one, or two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Threat {
    /// One empty point.
    pub a: u16,
    /// The other; the same one where five stones stand already.
    pub b: u16,
}

impl Threat {
    /// Whether a stone on `point` stops it.
    #[inline]
    pub fn has(self, point: u16) -> bool {
        self.a == point || self.b == point
    }
}

/// So many different windows are looked at; no position of a game comes near, and a search that
/// met more would only think that there are fewer threats than there are.
const MOST: usize = 96;

/// All windows of a colour with four stones or more.
#[derive(Clone, Debug, Default)]
pub struct Threats {
    edges: ArrayVec<Threat, MOST>,
    /// A window is full: six stand already.
    six: bool,
}

/// The ways to stop all threats with two stones.
#[derive(Clone, Debug, Default)]
pub struct Covers {
    /// Points that stop everything alone.
    pub single: ArrayVec<u16, 2>,
    /// Pairs that stop everything together and not alone, each once.
    pub pairs: ArrayVec<[u16; 2], 4>,
    /// The number of threats; 3 stands for any greater one.
    pub number: usize,
}

impl Threats {
    pub(super) fn push(&mut self, line: usize, empty: u32) {
        let mut points = Bits(empty).map(|bit| point_of(line, bit));
        let Some(a) = points.next() else {
            self.six = true;
            return;
        };
        let threat = Threat { a, b: points.next().unwrap_or(a) };
        if self.edges.last() != Some(&threat) {
            let _ = self.edges.try_push(threat);
        }
    }

    /// The windows, by their empty points.
    pub fn edges(&self) -> &[Threat] {
        &self.edges
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty() && !self.six
    }

    /// Whether six stand already.
    pub fn is_six(&self) -> bool {
        self.six
    }

    /// The number of threats, 3 for any greater number.
    #[inline]
    pub fn number(&self) -> usize {
        if self.six {
            return 3;
        }
        let Some(first) = self.edges.first() else { return 0 };
        let mut number = 3;
        for x in [first.a, first.b] {
            let mut rest = self.edges.iter().filter(|e| !e.has(x));
            let Some(next) = rest.next() else { return 1 };
            let hits = |y: u16| rest.clone().all(|e| e.has(y));
            if hits(next.a) || hits(next.b) {
                number = 2;
            }
        }
        number
    }

    /// All ways to stop every threat with two stones.
    pub fn covers(&self) -> Covers {
        let mut covers = Covers::default();
        if self.six {
            covers.number = 3;
            return covers;
        }
        let Some(first) = self.edges.first() else { return covers };
        let ends = if first.a == first.b { &[first.a][..] } else { &[first.a, first.b][..] };
        for &x in ends {
            let mut rest = self.edges.iter().filter(|e| !e.has(x));
            let Some(next) = rest.next() else {
                covers.single.push(x);
                continue;
            };
            for y in [next.a, next.b] {
                let pair = [x.min(y), x.max(y)];
                if rest.clone().all(|e| e.has(y)) && !covers.pairs.contains(&pair) {
                    covers.pairs.push(pair);
                }
            }
        }
        // A pair with a single's help is no new way.
        let single = covers.single.clone();
        covers.pairs.retain(|p| !p.iter().any(|x| single.contains(x)));
        covers.number = match (covers.single.is_empty(), covers.pairs.is_empty()) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 3,
        };
        covers
    }
}

impl Covers {
    /// The points of all ways: the conservative defence (section 2.2) puts stones on all of them.
    pub fn points(&self) -> ArrayVec<u16, 8> {
        let mut points = ArrayVec::new();
        for &p in self.single.iter().chain(self.pairs.iter().flatten()) {
            if !points.contains(&p) {
                points.push(p);
            }
        }
        points
    }
}
