//! Iterators over sets of squares or points.

/// Declares an iterator over the elements of a bit set in ascending order, whose function makes an
/// element of the number of a bit.
macro_rules! bit_set_iterator {
    ($(#[doc = $doc:literal])+ $name:ident($word:ty): $element:ty = $from_bit:expr) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub $word);

        impl Iterator for $name {
            type Item = $element;

            #[inline]
            fn next(&mut self) -> Option<$element> {
                if self.0 == 0 {
                    return None;
                }
                let bit = self.0.trailing_zeros();
                self.0 &= self.0 - 1;
                Some($from_bit(bit))
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let n = self.0.count_ones() as usize;
                (n, Some(n))
            }
        }

        impl ExactSizeIterator for $name {}
    };
}

pub(crate) use bit_set_iterator;
