//! How many windows are open to a colour, by the number of its stones in them: counted beside the
//! lines, so that what a kind of window is worth may differ from player to player.

use super::pattern::Pattern;

/// Numbers of windows, and how far the stones lie away from the edge.
///
/// In 12 bits each the windows with one, two, three and four stones or more, of which there are no
/// more than 924; above them the rows and columns between each stone and the edge, at most 9 for each
/// of 361 stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally(u64);

const LANE: u32 = 12;
const INWARD: u32 = 4 * LANE;

impl Tally {
    /// The windows of a line.
    #[inline]
    pub(super) fn of(p: &Pattern) -> Tally {
        let number = |set: u32| u64::from(set.count_ones());
        let (one, two, three, four) =
            (number(p.one), number(p.two), number(p.three), number(p.four));
        Tally(one | two << LANE | three << (2 * LANE) | four << (3 * LANE))
    }

    /// Takes out a line's windows and puts in what they have become.
    #[inline]
    pub(super) fn change(&mut self, old: Tally, new: Tally) {
        // No number is below 0 or beyond its bits in the end, so that borrows and carries cancel out.
        self.0 = self.0.wrapping_add(new.0).wrapping_sub(old.0);
    }

    /// Adds a stone that lies so far away from the edge.
    #[inline]
    pub(super) fn add_stone(&mut self, inward: usize) {
        self.0 += (inward as u64) << INWARD;
    }

    /// The windows with one, two, three and four stones or more.
    #[inline]
    pub fn windows(self) -> [i32; 4] {
        let n = self.0;
        [n, n >> LANE, n >> (2 * LANE), n >> (3 * LANE)].map(|n| (n & ((1 << LANE) - 1)) as i32)
    }

    /// How far the stones lie away from the edge, in rows or columns, whichever is nearer; summed.
    #[inline]
    pub fn inward(self) -> i32 {
        (self.0 >> INWARD) as i32
    }
}
