//! Points and windows of the board that a search goes through.

use super::geometry::{FULL, PLACES, point_of};
use super::pattern::{Bits, common, containing, cover, several};
use super::{Board, lines_of};

impl Board {
    /// Calls `visit` with every empty point, possibly more than once, that lies in a window with
    /// exactly three stones of a colour: a stone there makes a threat.
    #[inline]
    pub fn visit_three_points(&self, colour: usize, mut visit: impl FnMut(u16)) {
        for line in lines_of(self.totals.three[colour]) {
            let l = &self.lines[line];
            for bit in Bits(cover(l.patterns[colour].three) & !l.own[colour]) {
                visit(point_of(line, bit));
            }
        }
    }

    /// The same for the windows that contain `stone`.
    #[inline]
    pub fn visit_three_points_with(&self, colour: usize, stone: u16, mut visit: impl FnMut(u16)) {
        for p in &PLACES[usize::from(stone)] {
            let (number, around) = (usize::from(p.line), containing(u32::from(p.bit)));
            let line = &self.lines[number];
            for bit in Bits(cover(line.patterns[colour].three & around) & !line.own[colour]) {
                visit(point_of(number, bit));
            }
        }
    }

    /// The same for windows with exactly two stones.
    #[inline]
    pub fn visit_two_points(&self, colour: usize, mut visit: impl FnMut(u16)) {
        for line in lines_of(self.totals.two[colour]) {
            let l = &self.lines[line];
            for bit in Bits(cover(l.patterns[colour].two) & !l.own[colour]) {
                visit(point_of(line, bit));
            }
        }
    }

    /// Calls `visit` with every pair of empty points of one line, each once, that lie in none of its
    /// windows with three stones and together make two threats there out of windows with two. The
    /// colour has no window with four.
    pub fn visit_line_doubles(&self, colour: usize, mut visit: impl FnMut(u16, u16)) {
        for line in lines_of(self.totals.two[colour]) {
            let l = &self.lines[line];
            let (own, two) = (l.own[colour], l.patterns[colour].two);
            if !several(two) {
                continue;
            }
            let taken = own | l.own[1 - colour] | cover(l.patterns[colour].three);
            let free = FULL & self.valid[line] & !taken;
            for a in Bits(cover(two) & free) {
                let with_a = two & containing(a);
                if !several(with_a) {
                    continue;
                }
                for b in Bits(cover(with_a) & free & !((2 << a) - 1)) {
                    let fours = with_a & containing(b);
                    // Two threats: no single empty point is in all windows.
                    if several(fours) && common(fours) & !(own | 1 << a | 1 << b) == 0 {
                        visit(point_of(line, a), point_of(line, b));
                    }
                }
            }
        }
    }

    /// Calls `visit` with the empty points, as bits of a line, of every window that has `least`
    /// stones of a colour or more (1 to 4) and none of the other.
    pub fn visit_windows(&self, colour: usize, least: usize, mut visit: impl FnMut(usize, u32)) {
        for (number, line) in self.lines.iter().enumerate() {
            let p = &line.patterns[colour];
            let sets = [p.one, p.two, p.three, p.four];
            let starts = sets.iter().skip(least.clamp(1, 4) - 1).fold(0, |all, set| all | set);
            if starts != 0 {
                visit(number, cover(starts) & !line.own[colour]);
            }
        }
    }

    /// The empty points that a stone on `point` may combine with: those of the eight directions, as far
    /// as five steps and up to the first stone of the other colour, along lines with room for six
    /// (section 3.6.2's star zone).
    pub fn visit_star(&self, colour: usize, point: u16, mut visit: impl FnMut(u16)) {
        for p in &PLACES[usize::from(point)] {
            let (number, bit) = (usize::from(p.line), u32::from(p.bit));
            let blocked = self.lines[number].own[1 - colour] | !self.valid[number];
            let pair = blocked | blocked >> 1;
            let open = !(pair | pair >> 2 | pair >> 4) & containing(bit);
            for b in Bits(cover(open) & !self.lines[number].own[colour]) {
                visit(point_of(number, b));
            }
        }
    }
}
