//! Counts the own stones in all windows of a line at once, by adding shifted copies of the line
//! bitwise, and updates the counts for a stone. A window is six adjacent points, named by its lowest
//! bit. It is open to a colour if it holds neither a stone of the opponent nor a point off the board.

use agon_games::connect6::MAX_SIZE;

/// The windows of one line that are open to a colour, by the number of its stones in them: sets of
/// windows in the four 16-bit lanes of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WindowPattern(u64);

/// The lane of the windows with four or more stones.
pub(super) const FOUR: u64 = 0xffff << 48;

/// The windows of a line of 19 points.
const STARTS: u32 = (1 << 14) - 1;

/// The windows of a line without any of these points.
#[inline]
pub const fn open(blocked: u32) -> u32 {
    let pair = blocked | blocked >> 1;
    !(pair | pair >> 2 | pair >> 4) & STARTS
}

/// The windows that contain a bit of a line, in all lanes.
static AROUND: [u64; MAX_SIZE] = around();

const fn around() -> [u64; MAX_SIZE] {
    let mut table = [0; MAX_SIZE];
    let mut bit = 0;
    while bit < MAX_SIZE {
        table[bit] = (containing(bit as u32) & STARTS) as u64 * 0x0001_0001_0001_0001;
        bit += 1;
    }
    table
}

impl WindowPattern {
    /// The windows of a line with these own stones; `blocked` holds all bits that are neither empty
    /// nor own.
    #[inline]
    pub fn of(own: u32, blocked: u32) -> WindowPattern {
        let open = open(blocked);
        // Sums of adjacent pairs, then of three pairs: bits of value one, two and four.
        let (ones, twos) = (own ^ own >> 1, own & own >> 1);
        let (a, b, c) = (ones, ones >> 2, ones >> 4);
        let (d, e, f) = (twos, twos >> 2, twos >> 4);
        let one = a ^ b ^ c;
        let carry = a & b | c & (a ^ b);
        let two = d ^ e ^ f ^ carry;
        let four = (d & e | f & (d ^ e) | carry & (d | e | f)) & open;
        let few = open & !four;
        let lanes = [one & !two & few, two & !one & few, one & two & few, four].map(u64::from);
        WindowPattern(lanes[0] | lanes[1] << 16 | lanes[2] << 32 | lanes[3] << 48)
    }

    /// Windows with exactly one stone.
    #[inline]
    pub const fn one(self) -> u32 {
        self.0 as u32 & 0xffff
    }

    /// Windows with exactly two stones.
    #[inline]
    pub const fn two(self) -> u32 {
        self.0 as u32 >> 16
    }

    /// Windows with exactly three stones.
    #[inline]
    pub const fn three(self) -> u32 {
        (self.0 >> 32) as u32 & 0xffff
    }

    /// Windows with four or more stones: threats.
    #[inline]
    pub const fn four(self) -> u32 {
        (self.0 >> 48) as u32
    }

    /// The windows with stones.
    #[inline]
    pub const fn any(self) -> u32 {
        let half = self.0 | self.0 >> 32;
        (half | half >> 16) as u32 & 0xffff
    }

    /// The windows that contain a bit.
    #[inline]
    pub fn around(self, bit: u8) -> WindowPattern {
        WindowPattern(self.0 & AROUND[usize::from(bit)])
    }

    /// Without the windows that contain a bit: the opponent has a stone there.
    #[inline]
    pub fn without(self, bit: u8) -> WindowPattern {
        WindowPattern(self.0 & !AROUND[usize::from(bit)])
    }

    /// With a stone on an empty bit, which is in these open windows.
    #[inline]
    pub fn with_stone(self, bit: u8, windows: u32) -> WindowPattern {
        let none = windows & !self.any();
        WindowPattern(
            self.without(bit).0 | self.around(bit).0 << 16 | u64::from(none) | self.0 & FOUR,
        )
    }

    /// The lowest bit of each lane: whether it has a window.
    #[inline]
    pub const fn present(self) -> u64 {
        // A lane has 14 bits.
        (self.0 + 0x3fff_3fff_3fff_3fff) >> 14 & 0x0001_0001_0001_0001
    }

    /// The sizes of the sets in lanes of 16 bits, summed over lines.
    #[inline]
    pub fn sizes(lines: [WindowPattern; 4]) -> u64 {
        let mut sum = 0;
        for WindowPattern(x) in lines {
            let pairs = x - (x >> 1 & 0x5555_5555_5555_5555);
            let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
            sum += (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        }
        (sum + (sum >> 8)) & 0x00ff_00ff_00ff_00ff
    }

    /// The windows with four or more stones after placing two stones on these empty bits.
    #[inline]
    pub fn four_with(self, a: u32, b: u32) -> u32 {
        let (a, b) = (containing(a), containing(b));
        self.four() | self.three() & (a | b) | self.two() & a & b
    }
}

/// The points of a window.
#[inline]
pub const fn window(start: u32) -> u32 {
    0x3f << start
}

/// The union of the windows that start at these bits.
#[inline]
pub const fn cover(starts: u32) -> u32 {
    let pair = starts | starts << 1;
    pair | pair << 2 | pair << 4
}

/// The window starts whose windows contain a bit.
#[inline]
pub const fn containing(bit: u32) -> u32 {
    (0x3f << bit) >> 5
}

/// The points that all windows starting at these bits contain (at least one start).
#[inline]
pub const fn common(starts: u32) -> u32 {
    window(starts.trailing_zeros()) & window(31 - starts.leading_zeros())
}

/// Whether a set has more than one bit.
#[inline]
pub const fn several(set: u32) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// The set bits of a word in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Bits(pub u32);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::rng;
    use rand_core::Rng;

    #[test]
    fn counting_bit_by_bit_is_counting_window_by_window() {
        let mut stream = rng::stream(1, 0, "patterns");
        for _ in 0..200_000 {
            let (x, y) = (stream.next_u64(), stream.next_u64());
            let own = (x as u32 | (x >> 20) as u32) & 0x7_ffff;
            let blocked = ((y & y >> 20 & y >> 40) as u32 | !0x7_ffff) & !own;
            let pattern = WindowPattern::of(own, blocked);
            for start in 0..14 {
                let open = blocked & window(start) == 0;
                let count = (own & window(start)).count_ones();
                let bit = |set: u32| set >> start & 1 != 0;
                assert_eq!(bit(pattern.one()), open && count == 1);
                assert_eq!(bit(pattern.two()), open && count == 2);
                assert_eq!(bit(pattern.three()), open && count == 3);
                assert_eq!(bit(pattern.four()), open && count >= 4, "{own:b} {blocked:b}");
            }
            let mut empty = Bits(!own & !blocked);
            if let (Some(a), Some(b)) = (empty.next(), empty.last()) {
                let with = WindowPattern::of(own | 1 << a | 1 << b, blocked);
                assert_eq!(pattern.four_with(a, b), with.four());
                let windows = open(blocked) & containing(a);
                let with = WindowPattern::of(own | 1 << a, blocked);
                assert_eq!(pattern.with_stone(a as u8, windows), with);
                let without = WindowPattern::of(own, blocked | 1 << a);
                assert_eq!(pattern.without(a as u8), without);
                let closed = pattern.around(a as u8);
                let sizes = [closed.one(), closed.two(), closed.three(), closed.four()];
                for (lane, set) in sizes.into_iter().enumerate() {
                    let size = u64::from(set.count_ones());
                    assert_eq!(WindowPattern::sizes([closed; 4]) >> (16 * lane) & 0xffff, 4 * size);
                    assert_eq!(closed.present() >> (16 * lane) & 1 == 1, size > 0);
                }
            }
        }
    }

    #[test]
    fn a_window_contains_its_bits() {
        for bit in 0..19 {
            for start in 0..14 {
                let inside = window(start) >> bit & 1 != 0;
                assert_eq!(containing(bit) >> start & 1 != 0, inside);
                assert_eq!(cover(1 << start), window(start));
            }
        }
    }

    #[test]
    fn what_windows_share_and_whether_there_are_several() {
        assert!(!several(0) && common(1 << 13) == window(13));
        for starts in 1..1 << 14 {
            let shared = Bits(starts).fold(!0, |set, start| set & window(start));
            assert_eq!(common(starts), shared, "{starts:b}");
            assert_eq!(several(starts), starts.count_ones() > 1);
        }
    }
}
