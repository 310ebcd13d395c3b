//! What a board counts for each colour: the windows open to it, by the number of its stones in them, and
//! the sets of lines where it has windows with two, three, and four or more stones. The counts are
//! separate from the window values, so that players can use different values.

use super::geometry::{FIRST_LINES, LineBit};
use super::pattern::{FOUR, WindowPattern};

/// The numbers of open windows, and the sum of the stones' distances from the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WindowCounts {
    /// The windows with one, two, three and four or more stones (at most 924), in lanes of 16 bits.
    windows: u64,
    /// The distances (at most 9 for each of 361 stones).
    edge_distance: u32,
}

impl WindowCounts {
    /// Adds a stone at this distance from the edge. On its four lines it is in these open `windows`,
    /// which had stones of its colour as `before`.
    #[inline]
    pub(super) fn add_stone(
        &mut self,
        windows: [u32; 4],
        before: [WindowPattern; 4],
        edge_distance: usize,
    ) {
        let sizes = WindowPattern::sizes(before);
        let none: u32 = (0..4).map(|i| (windows[i] & !before[i].any()).count_ones()).sum();
        // Windows with four or more stay so.
        let growing = sizes & !FOUR;
        self.windows += (growing << 16) + u64::from(none) - growing;
        self.edge_distance += edge_distance as u32;
    }

    /// Removes windows on the four lines of a point that the opponent has closed.
    #[inline]
    pub(super) fn close(&mut self, windows: [WindowPattern; 4]) {
        self.windows -= WindowPattern::sizes(windows);
    }

    /// The numbers of windows with one, two, three and four or more stones.
    #[inline]
    pub fn windows(self) -> [i32; 4] {
        [0, 16, 32, 48].map(|lane| (self.windows >> lane & 0xffff) as i32)
    }

    /// The sum of the stones' distances, in rows or columns, from the nearest edge.
    #[inline]
    pub fn edge_distance(self) -> i32 {
        self.edge_distance as i32
    }
}

/// A set of lines: a word for each direction, in which the first line of the direction is bit 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct LineSet([u64; 4]);

impl LineSet {
    /// Whether it has no line.
    #[inline]
    pub fn is_empty(self) -> bool {
        self == LineSet::default()
    }

    /// The lines of either set.
    #[inline]
    pub fn or(self, other: LineSet) -> LineSet {
        LineSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The lines in ascending order.
    #[inline]
    pub fn lines(self) -> impl Iterator<Item = usize> {
        let mut direction = 0;
        let mut word = self.0[0];
        std::iter::from_fn(move || {
            while word == 0 {
                direction += 1;
                word = *self.0.get(direction)?;
            }
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            Some(FIRST_LINES[direction] + bit)
        })
    }
}

/// The lines that have windows with two, three, and four or more stones of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct LinesByStones {
    pub two: LineSet,
    pub three: LineSet,
    pub four: LineSet,
}

impl LinesByStones {
    /// Changes the windows on the lines of a point.
    #[inline(always)]
    pub fn set(&mut self, on: &[LineBit; 4], windows: [WindowPattern; 4]) {
        for direction in 0..4 {
            let bit = usize::from(on[direction].line) - FIRST_LINES[direction];
            let has = windows[direction].present();
            for (lane, set) in
                [&mut self.two, &mut self.three, &mut self.four].into_iter().enumerate()
            {
                let word = &mut set.0[direction];
                *word = *word & !(1 << bit) | (has >> (16 * (lane + 1)) & 1) << bit;
            }
        }
    }
}
