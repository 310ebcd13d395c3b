//! The number of windows open to a colour, by the number of its stones in them. The counts are
//! separate from the window values, so that players can use different values.

use super::pattern::Pattern;

/// The numbers of open windows, and the sum of the stones' distances from the edge.
///
/// Packed into one word: 12 bits each for the windows with one, two, three and four or more stones
/// (at most 924), and above them the distances (at most 9 for each of 361 stones).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WindowCounts(u64);

const LANE: u32 = 12;
const DISTANCE: u32 = 4 * LANE;

impl WindowCounts {
    /// Counts the windows of a line.
    #[inline]
    pub(super) fn of(p: &Pattern) -> WindowCounts {
        let number = |set: u32| u64::from(set.count_ones());
        let (one, two, three, four) =
            (number(p.one), number(p.two), number(p.three), number(p.four));
        WindowCounts(one | two << LANE | three << (2 * LANE) | four << (3 * LANE))
    }

    /// Replaces the old counts of a line with the new ones.
    #[inline]
    pub(super) fn change(&mut self, old: WindowCounts, new: WindowCounts) {
        // Every lane ends up in range, so borrows and carries between lanes cancel.
        self.0 = self.0.wrapping_add(new.0).wrapping_sub(old.0);
    }

    /// Adds a stone at this distance from the edge.
    #[inline]
    pub(super) fn add_stone(&mut self, edge_distance: usize) {
        self.0 += (edge_distance as u64) << DISTANCE;
    }

    /// The numbers of windows with one, two, three and four or more stones.
    #[inline]
    pub fn windows(self) -> [i32; 4] {
        let n = self.0;
        [n, n >> LANE, n >> (2 * LANE), n >> (3 * LANE)].map(|n| (n & ((1 << LANE) - 1)) as i32)
    }

    /// The sum of the stones' distances, in rows or columns, from the nearest edge.
    #[inline]
    pub fn edge_distance(self) -> i32 {
        (self.0 >> DISTANCE) as i32
    }
}
