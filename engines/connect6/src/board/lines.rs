//! Queries about single lines: threats on them after adding or removing stones.

use super::geometry::{LINE_BITS, point_of};
use super::incremental::WindowBoard;
use super::pattern::{self, Bits, WindowPattern, common, containing, cover};
use arrayvec::ArrayVec;

/// A line through a stone as it would be without this stone.
#[derive(Clone, Copy, Debug)]
pub struct LineWithoutStone {
    direction: usize,
    line: u8,
    own: u32,
    blocked: u32,
    around: u32,
}

impl LineWithoutStone {
    /// Whether the stone prevents a window with four that stones on `new` would make.
    #[inline]
    pub fn stops_four(&self, new: &[u16]) -> bool {
        let own = self.own | bits_on(self.direction, self.line, new);
        own != self.own && WindowPattern::of(own, self.blocked).four() & self.around != 0
    }
}

/// The stones on one line that make a threat together with the stone on a point: those that share a
/// window with four or more stones with it (T in the thesis, section 3.3.2).
#[derive(Clone, Copy, Debug)]
pub struct ThreatStones {
    direction: u8,
    line: u8,
    stones: u32,
}

impl ThreatStones {
    /// The stones.
    #[inline]
    pub fn points(&self) -> impl Iterator<Item = u16> {
        let line = usize::from(self.line);
        Bits(self.stones).map(move |bit| point_of(line, bit))
    }

    /// Whether the stone on `point` is one of them.
    #[inline]
    pub fn has(&self, point: u16) -> bool {
        let place = LINE_BITS[usize::from(point)][usize::from(self.direction)];
        place.line == self.line && self.stones >> place.bit & 1 != 0
    }
}

/// The bits of the points that lie on a line of this direction (0 to 3).
#[inline]
fn bits_on(direction: usize, line: u8, points: &[u16]) -> u32 {
    points.iter().fold(0, |bits, p| {
        let place = LINE_BITS[usize::from(*p)][direction];
        if place.line == line { bits | 1 << place.bit } else { bits }
    })
}

impl WindowBoard {
    /// The stones of a colour in its windows with four or more stones that contain `point`, by
    /// line.
    #[inline]
    pub fn threat_stones(&self, colour: usize, point: u16) -> ArrayVec<ThreatStones, 4> {
        let mut lines = ArrayVec::new();
        for (direction, place) in LINE_BITS[usize::from(point)].iter().enumerate() {
            let line = &self.lines[usize::from(place.line)];
            let four = line.patterns[colour].four() & containing(u32::from(place.bit));
            if four != 0 {
                let stones = cover(four) & line.own[colour];
                lines.push(ThreatStones { direction: direction as u8, line: place.line, stones });
            }
        }
        lines
    }

    /// Whether stones of `colour` on the empty points `new` would make a window with four if the
    /// opponent had stones on `others`.
    pub fn makes_four(&self, colour: usize, new: &[u16], others: &[u16]) -> bool {
        new.iter().any(|p| {
            LINE_BITS[usize::from(*p)].iter().enumerate().any(|(direction, place)| {
                let number = usize::from(place.line);
                let line = &self.lines[number];
                let own = line.own[colour] | bits_on(direction, place.line, new);
                let others = bits_on(direction, place.line, others);
                let blocked = line.own[1 - colour] | others | !self.valid[number];
                WindowPattern::of(own, blocked).four() & containing(u32::from(place.bit)) != 0
            })
        })
    }

    /// The lines on which the stone on `point` may prevent a window with four of `colour`, its
    /// opponent: without the stone there would be windows through its point with two or more
    /// stones.
    pub fn lines_without_stone(&self, colour: usize, point: u16) -> ArrayVec<LineWithoutStone, 4> {
        let mut lines = ArrayVec::new();
        for (direction, place) in LINE_BITS[usize::from(point)].iter().enumerate() {
            let number = usize::from(place.line);
            let line = &self.lines[number];
            let blocked = (line.own[1 - colour] & !(1 << place.bit)) | !self.valid[number];
            let pattern = WindowPattern::of(line.own[colour], blocked);
            let around = containing(u32::from(place.bit));
            if (pattern.any() & !pattern.one()) & around != 0 {
                lines.push(LineWithoutStone {
                    direction,
                    line: place.line,
                    own: line.own[colour],
                    blocked,
                    around,
                });
            }
        }
        lines
    }

    /// Whether `colour` would have a window with four or more stones without the opponent's stone on
    /// `point`.
    pub fn stops_four(&self, colour: usize, point: u16) -> bool {
        let lines = self.lines_without_stone(colour, point);
        lines.iter().any(|l| WindowPattern::of(l.own, l.blocked).four() & l.around != 0)
    }

    /// The number of threats that a single stone on an empty point would make on each of its four
    /// lines.
    pub fn threats_by_line(&self, colour: usize, point: u16) -> [u8; 4] {
        LINE_BITS[usize::from(point)].map(|p| {
            let three = self.lines[usize::from(p.line)].patterns[colour].three();
            match three & containing(u32::from(p.bit)) {
                0 => 0,
                _ => self.threats_with(colour, p.line, [p.bit; 2]) as u8,
            }
        })
    }

    /// The number of threats on a line after adding stones on two of its points; two equal bits are
    /// one stone.
    pub fn threats_with(&self, colour: usize, line: u8, bits: [u8; 2]) -> u32 {
        let l = &self.lines[usize::from(line)];
        let own = l.own[colour] | 1 << bits[0] | 1 << bits[1];
        let fours = if bits[0] == bits[1] {
            let windows = &l.patterns[colour];
            windows.four() | windows.three() & containing(u32::from(bits[0]))
        } else {
            l.patterns[colour].four_with(u32::from(bits[0]), u32::from(bits[1]))
        };
        let open = |starts: u32| starts == 0 || common(starts) & !own != 0;
        if fours == 0 {
            return 0;
        }
        if open(fours) {
            return 1;
        }
        // A stone in the first window leaves the windows that do not contain it; a second stone may
        // stop all of these.
        let first = pattern::window(fours.trailing_zeros()) & !own;
        let two = Bits(first).any(|b| open(fours & !containing(b)));
        if two { 2 } else { 3 }
    }

    /// The windows of a line that start in `starts` and have exactly two or three stones.
    pub fn growing_windows(&self, colour: usize, line: u8, starts: u32) -> u32 {
        let windows = &self.lines[usize::from(line)].patterns[colour];
        (windows.two() | windows.three()) & starts
    }

    /// The empty points of a line, as bits.
    pub fn empties_on(&self, line: u8) -> u32 {
        let l = &self.lines[usize::from(line)];
        self.valid[usize::from(line)] & !(l.own[0] | l.own[1])
    }

    /// The stones of both colours on the four lines of a point.
    #[inline]
    pub fn stones_around(&self, point: u16) -> [[u32; 2]; 4] {
        LINE_BITS[usize::from(point)].map(|p| self.lines[usize::from(p.line)].own)
    }

    /// Whether some window contains both points and has three or more stones of a colour after a
    /// stone on the empty point `a`.
    pub fn would_share_window(&self, colour: usize, a: u16, b: u16) -> bool {
        LINE_BITS[usize::from(a)].iter().zip(&LINE_BITS[usize::from(b)]).any(|(x, y)| {
            let windows = &self.lines[usize::from(x.line)].patterns[colour];
            let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
            x.line == y.line && windows.any() & !windows.one() & both != 0
        })
    }
}
