//! Sets of points.

use agon_protocol::connect6::POINTS;

/// A set of points of the largest board, as a bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PointSet([u64; POINTS.div_ceil(64)]);

impl PointSet {
    /// Adds a point; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, point: u16) -> bool {
        let (word, bit) = (usize::from(point) / 64, 1u64 << (point % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Whether a point is in the set.
    #[inline]
    pub fn has(&self, point: u16) -> bool {
        self.0[usize::from(point) / 64] >> (point % 64) & 1 != 0
    }

    /// Whether the sets intersect.
    #[inline]
    pub fn meets(&self, other: &PointSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Adds the points of another set; returns whether any of them is new.
    pub fn unite(&mut self, other: &PointSet) -> bool {
        let mut grown = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grown |= *b & !*a != 0;
            *a |= b;
        }
        grown
    }

    /// The points in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    (i * 64) as u16 + bit as u16
                })
            })
        })
    }
}
