//! Computes the threats of a turn from the lines before it is played, so that the solver can reject
//! most turns without placing their stones.

use super::geometry::{LINE_BITS, LineBit, point_of};
use super::incremental::{WINDOW_VALUES, WindowBoard};
use super::pattern::{Bits, common, containing, cover, window};
use super::threats::Threats;
use arrayvec::ArrayVec;

/// The windows with four or more stones that one or two stones on empty points would make, for a
/// colour that has no such window yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreatPreview {
    /// The stones.
    pub stones: ArrayVec<u16, 2>,
    /// Only lines with such windows, in ascending order.
    lines: ArrayVec<PreviewLine, 8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PreviewLine {
    line: u8,
    /// The direction of the line, 0 to 3.
    direction: u8,
    /// The colour's stones, the new ones included.
    own: u32,
    /// The windows with four or more stones.
    four: u32,
    /// The windows that contain the first stone, and those that contain the second.
    of: [u32; 2],
}

impl ThreatPreview {
    /// Adds the windows to `threats`.
    #[inline]
    pub fn threats(&self, threats: &mut Threats) {
        self.collect(|l| l.four, threats);
    }

    /// Adds only the windows that contain the first stone (0) or the second (1).
    #[inline]
    pub fn threats_at(&self, stone: usize, threats: &mut Threats) {
        self.collect(|l| l.four & l.of[stone], threats);
    }

    #[inline]
    fn collect(&self, windows: impl Fn(&PreviewLine) -> u32, threats: &mut Threats) {
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

    /// Whether one of the windows does not contain the first stone (0) or the second (1).
    #[inline]
    pub fn has_without(&self, stone: usize) -> bool {
        self.lines.iter().any(|l| l.four & !l.of[stone] != 0)
    }

    /// Whether some window contains `point` and a selected new stone (the first, the second).
    #[inline]
    pub fn uses(&self, [first, second]: [bool; 2], point: u16) -> bool {
        let places = &LINE_BITS[usize::from(point)];
        self.lines.iter().any(|l| {
            let place = places[usize::from(l.direction)];
            let of = if first { l.of[0] } else { 0 } | if second { l.of[1] } else { 0 };
            place.line == l.line && l.four & of & containing(u32::from(place.bit)) != 0
        })
    }

    /// The line on which a window contains both stones, and the colour's existing stones there.
    pub fn line_with_both(&self) -> Option<(u8, u32)> {
        let both = self.lines.iter().find(|l| l.four & l.of[0] & l.of[1] != 0)?;
        let new = self
            .stones
            .iter()
            .map(|p| 1 << LINE_BITS[usize::from(*p)][usize::from(both.direction)].bit);
        Some((both.line, both.own & !new.fold(0, |set: u32, bit: u32| set | bit)))
    }
}

impl WindowBoard {
    /// Previews a stone on an empty point; the colour has no window with four.
    #[inline]
    pub fn preview_stone(&self, colour: usize, p: u16) -> ThreatPreview {
        let mut lines = ArrayVec::new();
        for (direction, place) in LINE_BITS[usize::from(p)].iter().enumerate() {
            let line = &self.lines[usize::from(place.line)];
            let of = containing(u32::from(place.bit));
            let four = line.patterns[colour].three() & of;
            if four != 0 {
                let own = line.own[colour] | 1 << place.bit;
                lines.push(PreviewLine {
                    line: place.line,
                    direction: direction as u8,
                    own,
                    four,
                    of: [of, 0],
                });
            }
        }
        ThreatPreview { stones: ArrayVec::from_iter([p]), lines }
    }

    /// Previews stones on two empty points; the colour has no window with four. `None` if they
    /// clearly make fewer than two threats.
    #[inline]
    pub fn preview(&self, colour: usize, [p, q]: [u16; 2]) -> Option<ThreatPreview> {
        debug_assert!(!self.has_four(colour));
        let (at_p, at_q) = (&LINE_BITS[usize::from(p)], &LINE_BITS[usize::from(q)]);
        let mut lines: ArrayVec<PreviewLine, 8> = ArrayVec::new();
        for direction in 0..4 {
            let (x, y) = (at_p[direction], at_q[direction]);
            let (of_p, of_q) = (containing(u32::from(x.bit)), containing(u32::from(y.bit)));
            let mut note = |place: LineBit, new: u32, four: u32, of: [u32; 2]| {
                if four != 0 {
                    let own = self.lines[usize::from(place.line)].own[colour] | new;
                    lines.push(PreviewLine {
                        line: place.line,
                        direction: direction as u8,
                        own,
                        four,
                        of,
                    });
                }
            };
            let on_p = &self.lines[usize::from(x.line)].patterns[colour];
            if x.line == y.line {
                let four = on_p.three() & (of_p | of_q) | on_p.two() & of_p & of_q;
                note(x, 1 << x.bit | 1 << y.bit, four, [of_p, of_q]);
                continue;
            }
            let on_q = &self.lines[usize::from(y.line)].patterns[colour];
            let (four_p, four_q) = (on_p.three() & of_p, on_q.three() & of_q);
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
            // A single stone stops all of them.
            [l] if common(l.four) & !l.own != 0 => return None,
            _ => {}
        }
        Some(ThreatPreview { stones: ArrayVec::from([p, q]), lines })
    }

    /// Whether a stone on `p`, together with one on `q` (`q == p`: alone), makes an attack line in
    /// addition to its threats: a three or a live two (at least three windows with two stones) on a
    /// line on which `p` is in no window with four. The colour has no window with four yet.
    pub fn creates_attack_line(&self, colour: usize, p: u16, q: u16) -> bool {
        let at_q = &LINE_BITS[usize::from(q)];
        LINE_BITS[usize::from(p)].iter().zip(at_q).any(|(x, y)| {
            let number = usize::from(x.line);
            let windows = &self.lines[number].patterns[colour];
            let of_p = containing(u32::from(x.bit));
            let near = if x.line == y.line && p != q { containing(u32::from(y.bit)) } else { 0 };
            let (both, one) = (of_p & near, of_p & !near);
            if windows.three() & of_p | windows.two() & both != 0 {
                return false;
            }
            if windows.two() & one | windows.one() & both != 0 {
                return true;
            }
            let none =
                if both == 0 { 0 } else { self.open_windows(number, colour) & !windows.any() };
            (windows.one() & one | none & both).count_ones() >= 3
        })
    }

    /// The gain in [`WindowBoard::score`] by stones on two empty points minus the sum of their separate
    /// gains. The colour has no window with four yet.
    #[inline]
    pub fn joint_delta(&self, colour: usize, [p, q]: [u16; 2]) -> i32 {
        let mut joint_delta = 0;
        for (x, y) in LINE_BITS[usize::from(p)].iter().zip(&LINE_BITS[usize::from(q)]) {
            let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
            if x.line != y.line || both == 0 {
                continue;
            }
            let w = &self.lines[usize::from(x.line)].patterns[colour];
            let open = self.open_windows(usize::from(x.line), colour);
            // A window that contains both gains two steps, not the first step twice.
            let value =
                |stones: usize| if stones == 0 { 0 } else { WINDOW_VALUES[stones.min(4) - 1] };
            for (stones, set) in
                [open & !w.any(), w.one(), w.two(), w.three()].into_iter().enumerate()
            {
                let one = value(stones + 2) - 2 * value(stones + 1) + value(stones);
                joint_delta += one * (set & both).count_ones() as i32;
            }
        }
        joint_delta
    }

    /// Calls `visit` with the empty points, possibly repeated, of the windows through `p` that have
    /// three stones of a colour after a stone on `p`.
    #[inline]
    pub fn visit_new_three_points(&self, colour: usize, p: u16, mut visit: impl FnMut(u16)) {
        for place in &LINE_BITS[usize::from(p)] {
            let (number, bit) = (usize::from(place.line), u32::from(place.bit));
            let line = &self.lines[number];
            let three = line.patterns[colour].two() & containing(bit);
            for b in Bits(cover(three) & !(line.own[colour] | 1 << bit)) {
                visit(point_of(number, b));
            }
        }
    }
}
