//! Sets of lines: where a colour has windows with two, three, and four or more stones.

use super::geometry::{FIRST_LINES, LineBit};
use super::pattern::Pattern;

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
    pub fn set(&mut self, on: &[LineBit; 4], windows: [Pattern; 4]) {
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
