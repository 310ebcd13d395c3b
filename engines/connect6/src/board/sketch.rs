//! A turn before it is played: what its stones would make is read off the lines, so that most turns
//! need not be put on the board to be left out.

use super::geometry::{PLACES, Place, point_of};
use super::pattern::{Bits, common, containing, cover, several, window};
use super::{Board, LineSet, Threats, WORTH, lines_of};
use arrayvec::ArrayVec;

/// The windows with four stones or more that one stone or two on empty points would make, for a
/// colour that has none yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// The stones.
    pub stones: ArrayVec<u16, 2>,
    /// By rising number; only lines with such windows.
    lines: ArrayVec<SketchLine, 8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SketchLine {
    line: u8,
    /// The place of such lines among a point's.
    slot: u8,
    /// The colour's stones, the new ones included.
    own: u32,
    /// The windows with four or more.
    four: u32,
    /// The windows that contain the first stone, and the second.
    of: [u32; 2],
}

impl Sketch {
    /// Adds the windows, by what is still empty in them.
    #[inline]
    pub fn threats(&self, threats: &mut Threats) {
        self.collect(|l| l.four, threats);
    }

    /// The same for those that contain the first stone (0) or the second (1).
    #[inline]
    pub fn threats_at(&self, stone: usize, threats: &mut Threats) {
        self.collect(|l| l.four & l.of[stone], threats);
    }

    #[inline]
    fn collect(&self, windows: impl Fn(&SketchLine) -> u32, threats: &mut Threats) {
        for l in &self.lines {
            for start in Bits(windows(l)) {
                threats.push(usize::from(l.line), window(start) & !l.own);
            }
        }
    }

    /// Whether one of the windows contains both stones.
    #[inline]
    pub fn has_both(&self) -> bool {
        self.lines.iter().any(|l| l.four & l.of[0] & l.of[1] != 0)
    }

    /// Whether one of the windows does not contain that stone.
    #[inline]
    pub fn has_without(&self, stone: usize) -> bool {
        self.lines.iter().any(|l| l.four & !l.of[stone] != 0)
    }

    /// Whether one of the windows contains the point and one of the new stones: the first, the
    /// second.
    #[inline]
    pub fn uses(&self, [first, second]: [bool; 2], point: u16) -> bool {
        let places = &PLACES[usize::from(point)];
        self.lines.iter().any(|l| {
            let place = places[usize::from(l.slot)];
            let of = if first { l.of[0] } else { 0 } | if second { l.of[1] } else { 0 };
            place.line == l.line && l.four & of & containing(u32::from(place.bit)) != 0
        })
    }

    /// The line on which a window contains both stones, and the colour's other stones there.
    pub fn line_with_both(&self) -> Option<(u8, u32)> {
        let both = self.lines.iter().find(|l| l.four & l.of[0] & l.of[1] != 0)?;
        let new =
            self.stones.iter().map(|p| 1 << PLACES[usize::from(*p)][usize::from(both.slot)].bit);
        Some((both.line, both.own & !new.fold(0, |set: u32, bit: u32| set | bit)))
    }
}

impl Board {
    /// What a stone on an empty point would make; the colour has no window with four.
    #[inline]
    pub fn sketch_one(&self, colour: usize, p: u16) -> Sketch {
        let mut lines = ArrayVec::new();
        for (slot, place) in PLACES[usize::from(p)].iter().enumerate() {
            let line = &self.lines[usize::from(place.line)];
            let of = containing(u32::from(place.bit));
            let four = line.patterns[colour].three & of;
            if four != 0 {
                let own = line.own[colour] | 1 << place.bit;
                lines.push(SketchLine {
                    line: place.line,
                    slot: slot as u8,
                    own,
                    four,
                    of: [of, 0],
                });
            }
        }
        Sketch { stones: ArrayVec::from_iter([p]), lines }
    }

    /// What stones on two empty points would make together; the colour has no window with four.
    /// `None` where that is seen at once to be less than two threats.
    #[inline]
    pub fn sketch(&self, colour: usize, [p, q]: [u16; 2]) -> Option<Sketch> {
        debug_assert!(self.totals.four[colour] == 0);
        let (at_p, at_q) = (&PLACES[usize::from(p)], &PLACES[usize::from(q)]);
        let mut lines: ArrayVec<SketchLine, 8> = ArrayVec::new();
        for slot in 0..4 {
            let (x, y) = (at_p[slot], at_q[slot]);
            let (of_p, of_q) = (containing(u32::from(x.bit)), containing(u32::from(y.bit)));
            let mut note = |place: Place, new: u32, four: u32, of: [u32; 2]| {
                if four != 0 {
                    let own = self.lines[usize::from(place.line)].own[colour] | new;
                    lines.push(SketchLine { line: place.line, slot: slot as u8, own, four, of });
                }
            };
            let on_p = &self.lines[usize::from(x.line)].patterns[colour];
            if x.line == y.line {
                let four = on_p.three & (of_p | of_q) | on_p.two & of_p & of_q;
                note(x, 1 << x.bit | 1 << y.bit, four, [of_p, of_q]);
                continue;
            }
            let on_q = &self.lines[usize::from(y.line)].patterns[colour];
            let (four_p, four_q) = (on_p.three & of_p, on_q.three & of_q);
            if x.line < y.line {
                note(x, 1 << x.bit, four_p, [of_p, 0]);
                note(y, 1 << y.bit, four_q, [0, of_q]);
            } else {
                note(y, 1 << y.bit, four_q, [0, of_q]);
                note(x, 1 << x.bit, four_p, [of_p, 0]);
            }
        }
        match lines.as_slice() {
            [] => return None,
            // One stone stops them all.
            [l] if common(l.four) & !l.own != 0 => return None,
            _ => {}
        }
        Some(Sketch { stones: ArrayVec::from([p, q]), lines })
    }

    /// Whether the stone on `p`, once it and the one on `q` are placed (`p` itself: no other), makes
    /// a three or a live two (three windows or more with two stones) on a line on which it lies in
    /// no window with four. The colour has no window with four yet.
    pub fn would_build(&self, colour: usize, p: u16, q: u16) -> bool {
        let at_q = &PLACES[usize::from(q)];
        PLACES[usize::from(p)].iter().zip(at_q).any(|(x, y)| {
            let number = usize::from(x.line);
            let windows = &self.lines[number].patterns[colour];
            let of_p = containing(u32::from(x.bit));
            let near = if x.line == y.line && p != q { containing(u32::from(y.bit)) } else { 0 };
            let (both, one) = (of_p & near, of_p & !near);
            if windows.three & of_p | windows.two & both != 0 {
                return false;
            }
            if windows.two & one | windows.one & both != 0 {
                return true;
            }
            let none = if both == 0 {
                0
            } else {
                self.open_windows(number, colour) & !(windows.one | windows.two | windows.three)
            };
            (windows.one & one | none & both).count_ones() >= 3
        })
    }

    /// What stones on two empty points would add to the worth of the colour's windows, which has
    /// none with four yet, besides what each would add alone.
    #[inline]
    pub fn bend(&self, colour: usize, [p, q]: [u16; 2]) -> i32 {
        let mut bend = 0;
        for (x, y) in PLACES[usize::from(p)].iter().zip(&PLACES[usize::from(q)]) {
            let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
            if x.line != y.line || both == 0 {
                continue;
            }
            let w = &self.lines[usize::from(x.line)].patterns[colour];
            let open = self.open_windows(usize::from(x.line), colour);
            // A window of both is worth two steps, not the first step twice.
            let worth = |stones: usize| if stones == 0 { 0 } else { WORTH[stones.min(4) - 1] };
            for (stones, set) in
                [open & !(w.one | w.two | w.three), w.one, w.two, w.three].into_iter().enumerate()
            {
                let one = worth(stones + 2) - 2 * worth(stones + 1) + worth(stones);
                bend += one * (set & both).count_ones() as i32;
            }
        }
        bend
    }

    /// Calls `visit` with the empty points of the windows that have three stones of a colour once
    /// there is one on `p`, possibly more than once, and whether a stone there may make more than one
    /// threat on that line, be it with `p`'s.
    #[inline]
    pub fn visit_three_points_after(
        &self,
        colour: usize,
        p: u16,
        mut visit: impl FnMut(u16, bool),
    ) {
        let places = &PLACES[usize::from(p)];
        let mut set: LineSet = self.totals.three[colour];
        for place in places {
            set |= 1 << place.line;
        }
        for number in lines_of(set) {
            let l = &self.lines[number];
            let (three, own) = (l.patterns[colour].three, l.own[colour]);
            if let Some(place) = places.iter().find(|place| usize::from(place.line) == number) {
                let three = self.three_after(colour, number, u32::from(place.bit));
                for bit in Bits(cover(three) & !(own | 1 << place.bit)) {
                    visit(point_of(number, bit), true);
                }
                continue;
            }
            for bit in Bits(cover(three) & !own) {
                let four = three & containing(bit);
                let more = several(four) && common(four) & !(own | 1 << bit) == 0;
                visit(point_of(number, bit), more);
            }
        }
    }

    /// The same for those of the windows that contain `p`.
    #[inline]
    pub fn visit_new_three_points(&self, colour: usize, p: u16, mut visit: impl FnMut(u16)) {
        for place in &PLACES[usize::from(p)] {
            let (number, bit) = (usize::from(place.line), u32::from(place.bit));
            let line = &self.lines[number];
            let three = line.patterns[colour].two & containing(bit);
            for b in Bits(cover(three) & !(line.own[colour] | 1 << bit)) {
                visit(point_of(number, b));
            }
        }
    }

    /// The windows of a line with three stones once there is one on that bit.
    #[inline]
    fn three_after(&self, colour: usize, line: usize, bit: u32) -> u32 {
        let windows = &self.lines[line].patterns[colour];
        let around = containing(bit);
        windows.three & !around | windows.two & around
    }
}
