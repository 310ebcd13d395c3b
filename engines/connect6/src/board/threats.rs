//! Threats (Kang 2012, section 2.1): a colour has `n` threats if the opponent needs at least `n`
//! stones to prevent six in its next turn. This is the minimum number of points that hit every
//! window with four or more of its stones. Such a window has at most two empty points, so the
//! windows are the edges of a graph, and the number of threats is the size of its minimum vertex
//! cover.

use super::geometry::point_of;
use super::pattern::Bits;
use arrayvec::ArrayVec;

/// The one or two empty points of a window with four or more stones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FourWindow {
    /// One empty point.
    pub a: u16,
    /// The other one; the same point if the window has five stones.
    pub b: u16,
}

impl FourWindow {
    /// Whether a stone on `point` blocks the window.
    #[inline]
    pub fn has(self, point: u16) -> bool {
        self.a == point || self.b == point
    }
}

/// The maximum number of windows stored. No game position comes close to it; beyond it a search
/// would only miss some of the threats.
const MAX_WINDOWS: usize = 96;

/// All windows of a colour with four or more stones.
#[derive(Clone, Debug, Default)]
pub struct Threats {
    windows: ArrayVec<FourWindow, MAX_WINDOWS>,
    /// There are six stones in a row on the board.
    six: bool,
}

/// The defences: all ways to stop every threat with at most two stones.
#[derive(Clone, Debug, Default)]
pub struct Defences {
    /// Points that alone stop every threat.
    pub single: ArrayVec<u16, 2>,
    /// Pairs that stop every threat together but not alone, each listed once.
    pub pairs: ArrayVec<[u16; 2], 4>,
    /// The number of threats; 3 means three or more.
    pub threats: usize,
}

impl Threats {
    pub(super) fn push(&mut self, line: usize, empty: u32) {
        let mut points = Bits(empty).map(|bit| point_of(line, bit));
        let Some(a) = points.next() else {
            self.six = true;
            return;
        };
        let threat = FourWindow { a, b: points.next().unwrap_or(a) };
        if self.windows.last() != Some(&threat) {
            let _ = self.windows.try_push(threat);
        }
    }

    /// The windows.
    pub fn windows(&self) -> &[FourWindow] {
        &self.windows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty() && !self.six
    }

    /// Whether there are six stones in a row on the board.
    pub fn is_six(&self) -> bool {
        self.six
    }

    /// The number of threats; 3 means three or more.
    #[inline]
    pub fn count(&self) -> usize {
        if self.six {
            return 3;
        }
        let Some(first) = self.windows.first() else { return 0 };
        let mut count = 3;
        for x in [first.a, first.b] {
            let mut rest = self.windows.iter().filter(|e| !e.has(x));
            let Some(next) = rest.next() else { return 1 };
            let hits = |y: u16| rest.clone().all(|e| e.has(y));
            if hits(next.a) || hits(next.b) {
                count = 2;
            }
        }
        count
    }

    /// All ways to stop every threat with at most two stones.
    pub fn defences(&self) -> Defences {
        let mut defences = Defences::default();
        if self.six {
            defences.threats = 3;
            return defences;
        }
        let Some(first) = self.windows.first() else { return defences };
        let ends = if first.a == first.b { &[first.a][..] } else { &[first.a, first.b][..] };
        for &x in ends {
            let mut rest = self.windows.iter().filter(|e| !e.has(x));
            let Some(next) = rest.next() else {
                defences.single.push(x);
                continue;
            };
            for y in [next.a, next.b] {
                let pair = [x.min(y), x.max(y)];
                if rest.clone().all(|e| e.has(y)) && !defences.pairs.contains(&pair) {
                    defences.pairs.push(pair);
                }
            }
        }
        // A pair with a point that suffices alone is not a separate defence.
        let single = defences.single.clone();
        defences.pairs.retain(|p| !p.iter().any(|x| single.contains(x)));
        defences.threats = match (defences.single.is_empty(), defences.pairs.is_empty()) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 3,
        };
        defences
    }
}

impl Defences {
    /// The conservative defence (section 2.2): stones on the points of all defences at once.
    pub fn conservative(&self) -> ArrayVec<u16, 8> {
        let mut points = ArrayVec::new();
        for &p in self.single.iter().chain(self.pairs.iter().flatten()) {
            if !points.contains(&p) {
                points.push(p);
            }
        }
        points
    }
}
