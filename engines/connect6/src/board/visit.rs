//! Visitors for the points and windows that searches enumerate, and [`WindowBoard::delta_by`] of all points
//! at once: line by line instead of point by point.

use super::geometry::{FULL, LINE_BITS, point_of};
use super::incremental::WindowBoard;
use super::pattern::{Bits, common, containing, cover, open, several};
use agon_games::connect6::POINTS;

impl WindowBoard {
    /// Calls `visit` with every empty point, possibly repeated, of the windows with exactly three
    /// stones of a colour; a stone there makes a threat.
    #[inline]
    pub fn visit_three_points(&self, colour: usize, mut visit: impl FnMut(u16)) {
        for line in self.totals[colour].lines.three.lines() {
            let l = &self.lines[line];
            for bit in Bits(cover(l.patterns[colour].three()) & !l.own[colour]) {
                visit(point_of(line, bit));
            }
        }
    }

    /// [`WindowBoard::visit_three_points`], but only for the windows that contain `stone`.
    #[inline]
    pub fn visit_three_points_with(&self, colour: usize, stone: u16, mut visit: impl FnMut(u16)) {
        for p in &LINE_BITS[usize::from(stone)] {
            let (number, around) = (usize::from(p.line), containing(u32::from(p.bit)));
            let line = &self.lines[number];
            for bit in Bits(cover(line.patterns[colour].three() & around) & !line.own[colour]) {
                visit(point_of(number, bit));
            }
        }
    }

    /// Calls `visit` with every empty point, possibly repeated, of the windows with exactly two
    /// stones of a colour.
    #[inline]
    pub fn visit_two_points(&self, colour: usize, mut visit: impl FnMut(u16)) {
        for line in self.totals[colour].lines.two.lines() {
            let l = &self.lines[line];
            for bit in Bits(cover(l.patterns[colour].two()) & !l.own[colour]) {
                visit(point_of(line, bit));
            }
        }
    }

    /// Calls `visit` once with every pair of empty points on one line that are in none of its
    /// windows with three stones and together make two threats from windows with two stones. The
    /// colour has no window with four.
    pub fn visit_line_doubles(&self, colour: usize, mut visit: impl FnMut(u16, u16)) {
        for line in self.totals[colour].lines.two.lines() {
            let l = &self.lines[line];
            let (own, two) = (l.own[colour], l.patterns[colour].two());
            if !several(two) {
                continue;
            }
            let taken = own | l.own[1 - colour] | cover(l.patterns[colour].three());
            let free = FULL & self.valid[line] & !taken;
            for a in Bits(cover(two) & free) {
                let with_a = two & containing(a);
                if !several(with_a) {
                    continue;
                }
                for b in Bits(cover(with_a) & free & !((2 << a) - 1)) {
                    let fours = with_a & containing(b);
                    // Two threats: no empty point is common to all windows.
                    if several(fours) && common(fours) & !(own | 1 << a | 1 << b) == 0 {
                        visit(point_of(line, a), point_of(line, b));
                    }
                }
            }
        }
    }

    /// Calls `visit` once with every pair of empty points on one line that are in none of its
    /// windows with three stones and together make a threat from a window with two.
    pub fn visit_line_fours(&self, colour: usize, mut visit: impl FnMut(u16, u16)) {
        for line in self.totals[colour].lines.two.lines() {
            let l = &self.lines[line];
            let (two, taken) =
                (l.patterns[colour].two(), l.own[colour] | cover(l.patterns[colour].three()));
            for a in Bits(cover(two) & !taken) {
                for b in Bits(cover(two & containing(a)) & !taken & !((2 << a) - 1)) {
                    visit(point_of(line, a), point_of(line, b));
                }
            }
        }
    }

    /// Calls `visit` with every empty point, possibly repeated, that makes a threat together with a stone
    /// on the empty point `with`, from a window with two stones that contains both.
    pub fn visit_fours_with(&self, colour: usize, with: u16, mut visit: impl FnMut(u16)) {
        for p in &LINE_BITS[usize::from(with)] {
            let (number, bit) = (usize::from(p.line), u32::from(p.bit));
            let line = &self.lines[number];
            let two = line.patterns[colour].two() & containing(bit);
            for b in Bits(cover(two) & !line.own[colour] & !(1 << bit)) {
                visit(point_of(number, b));
            }
        }
    }

    /// Calls `visit` with every line and, as bits, the empty points of those of its windows that
    /// are open to a colour and have at least `least` (1 to 4) of its stones.
    pub fn visit_windows(&self, colour: usize, least: usize, mut visit: impl FnMut(usize, u32)) {
        for (number, line) in self.lines.iter().enumerate() {
            let p = &line.patterns[colour];
            let sets = [p.one(), p.two(), p.three(), p.four()];
            let starts = sets.iter().skip(least.clamp(1, 4) - 1).fold(0, |all, set| all | set);
            if starts != 0 {
                visit(number, cover(starts) & !line.own[colour]);
            }
        }
    }

    /// Visits the star zone of a stone on `point` (Mi in section 3.6.2): the empty points with
    /// which it may combine, up to five steps in all eight directions, up to the opponent's first
    /// stone, on lines with room for six.
    pub fn visit_star(&self, colour: usize, point: u16, mut visit: impl FnMut(u16)) {
        for p in &LINE_BITS[usize::from(point)] {
            let (number, bit) = (usize::from(p.line), u32::from(p.bit));
            let open = self.open_windows(number, colour) & containing(bit);
            for b in Bits(cover(open) & !self.lines[number].own[colour]) {
                visit(point_of(number, b));
            }
        }
    }
}

/// The number of points of a window.
const WINDOW: usize = 6;
/// At least the number of windows of a line (14), as a multiple of a vector's lanes.
const STARTS: usize = 16;
/// At least the number of points of a line (19), as a multiple of a vector's lanes.
const BITS: usize = 24;

impl WindowBoard {
    /// The sum of both colours' gains by a stone on each empty point ([`WindowBoard::delta_by`] with
    /// `steps`), multiplied by the colour's factor. The values of other points are not defined.
    pub fn deltas_by(&self, steps: &[i32; 4], factors: [i32; 2]) -> [i32; POINTS] {
        // As if all lines were empty, then the difference on those that are not.
        let empty = (factors[0] + factors[1]) * steps[0];
        let mut values = self.room.map(|windows| empty * i32::from(windows));
        for (line, &valid) in self.valid.iter().enumerate() {
            let l = &self.lines[line];
            let all = open(!valid);
            if all == 0 || l.own == [0, 0] {
                continue;
            }
            // The gain in each window, after as many zeros as a window has further points.
            let mut gains = [0; WINDOW - 1 + BITS];
            let mut add = |set: u32, gain: i32| {
                for (start, sum) in gains[WINDOW - 1..][..STARTS].iter_mut().enumerate() {
                    *sum += (set >> start & 1) as i32 * gain;
                }
            };
            add(all, -empty);
            for (colour, factor) in factors.into_iter().enumerate() {
                let p = l.patterns[colour];
                let none = self.open_windows(line, colour) & !p.any();
                for (set, step) in [none, p.one(), p.two(), p.three()].into_iter().zip(steps) {
                    add(set, factor * step);
                }
            }
            let sums: [i32; BITS] = std::array::from_fn(|bit| gains[bit..][..WINDOW].iter().sum());
            let (first, end) = (valid.trailing_zeros(), 32 - valid.leading_zeros());
            for bit in first..end {
                values[usize::from(point_of(line, bit))] += sums[bit as usize];
            }
        }
        values
    }
}
