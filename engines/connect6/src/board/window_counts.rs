//! The number of windows open to a colour, by the number of its stones in them. The counts are
//! separate from the window values, so that players can use different values.

use super::pattern::{FOUR, Pattern};

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
        before: [Pattern; 4],
        edge_distance: usize,
    ) {
        let sizes = Pattern::sizes(before);
        let none: u32 = (0..4).map(|i| (windows[i] & !before[i].any()).count_ones()).sum();
        // Windows with four or more stay so.
        let growing = sizes & !FOUR;
        self.windows += (growing << 16) + u64::from(none) - growing;
        self.edge_distance += edge_distance as u32;
    }

    /// Removes windows on the four lines of a point that the opponent has closed.
    #[inline]
    pub(super) fn close(&mut self, windows: [Pattern; 4]) {
        self.windows -= Pattern::sizes(windows);
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
