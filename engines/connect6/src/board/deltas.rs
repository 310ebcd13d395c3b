//! [`Board::delta_by`] of all points at once: line by line instead of point by point.

use super::geometry::point_of;
use super::incremental::Board;
use super::pattern::open;
use agon_protocol::connect6::POINTS;

/// The number of points of a window.
const WINDOW: usize = 6;
/// At least the number of windows of a line (14), as a multiple of a vector's lanes.
const STARTS: usize = 16;
/// At least the number of points of a line (19), as a multiple of a vector's lanes.
const BITS: usize = 24;

impl Board {
    /// The sum of both colours' gains by a stone on each empty point ([`Board::delta_by`] with
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
