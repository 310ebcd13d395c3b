//! The class of a combination of open pieces, and the labels of its pieces in it.

use super::Counts;
use super::structure::{
    ABSENT, Labels, Permutation, Sizes, Structure, permuted, structures, support_kinds,
};
use agon_games::darkchess::{COUNTS, KINDS};

/// A class of open pieces: a structure and the number of pieces of each block. Two combinations are
/// equivalent if and only if their classes are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    /// The argument of [`Structures::get`](super::structure::Structures::get).
    pub structure: u16,
    /// The minimum of the sizes' images under the structure's automorphisms.
    pub sizes: Sizes,
}

/// A combination's class and the labels of its pieces in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The class.
    pub class: Class,
    /// The block of each kind by colour; red blocks precede black ones.
    pub labels: Labels,
}

/// The class of open pieces, given by colour and kind. Either side may be empty.
///
/// Equivalent combinations have the same class. If pieces of equivalent combinations with the same
/// labels stand on the same squares, the positions are equivalent.
#[inline]
pub fn canonical(counts: &[Counts; 2]) -> Canonical {
    let support = structures().of(counts);
    let sizes = sizes(counts, &support.labels);
    let structure = structures().get(support.structure);
    let (sizes, map) = least(&sizes, structure);
    let labels = support.labels.map(|side| side.map(|l| renamed(l, map)));
    Canonical { class: Class { structure: support.structure, sizes }, labels }
}

/// The number of pieces of each block.
#[inline]
pub fn sizes(counts: &[Counts; 2], labels: &Labels) -> Sizes {
    let mut sizes = Sizes::default();
    for (&n, &label) in counts.as_flattened().iter().zip(labels.as_flattened()) {
        if label != ABSENT {
            sizes[usize::from(label)] += n;
        }
    }
    sizes
}

/// The minimum of the sizes' images under the automorphisms, and the automorphism.
#[inline]
pub fn least<'a>(sizes: &Sizes, structure: &'a Structure) -> (Sizes, &'a Permutation) {
    let [first, rest @ ..] = &structure.automorphisms[..] else {
        unreachable!("every structure has the identity");
    };
    rest.iter().fold((*sizes, first), |best, map| {
        let other = permuted(sizes, map);
        if other < best.0 { (other, map) } else { best }
    })
}

fn renamed(label: u8, map: &Permutation) -> u8 {
    map.get(usize::from(label)).copied().unwrap_or(ABSENT)
}

impl Class {
    /// Its structure.
    pub fn structure(&self) -> &'static Structure {
        structures().get(self.structure)
    }

    /// The number of pieces.
    pub fn pieces(&self) -> usize {
        self.sizes.iter().map(|&n| usize::from(n)).sum()
    }

    /// The class with exchanged colours.
    pub fn exchanged(&self) -> Class {
        let structure = self.structure();
        let sizes = permuted(&self.sizes, &structure.exchange);
        let other = structures().get(structure.exchanged);
        Class { structure: structure.exchanged, sizes: least(&sizes, other).0 }
    }

    /// A combination of the class: the first one by support, then by number of high-ranking pieces.
    /// Its labels are those that [`canonical`] gives it, so any kind with a block's label can
    /// represent the block's pieces.
    ///
    /// `None` for an invalid value.
    pub fn representative(&self) -> Option<[Counts; 2]> {
        let structure = self.structure();
        structure.supports.iter().find_map(|&support| {
            let support = structures().support(support_kinds(usize::from(support)));
            structure.automorphisms.iter().find_map(|map| {
                // Sizes in the support's own labelling.
                let own: Sizes = std::array::from_fn(|i| self.sizes[usize::from(map[i])]);
                spread(&own, &support.labels)
            })
        })
    }
}

/// Pieces of the kinds with these labels, at least one per kind, that add up to the sizes.
fn spread(sizes: &Sizes, labels: &Labels) -> Option<[Counts; 2]> {
    let mut left = *sizes;
    let mut counts = [Counts::default(); 2];
    for (colour, side) in labels.iter().enumerate() {
        for kind in (0..KINDS).filter(|&k| side[k] != ABSENT) {
            let left = &mut left[usize::from(side[kind])];
            *left = left.checked_sub(1)?;
            counts[colour][kind] = 1;
        }
    }
    for (colour, side) in labels.iter().enumerate() {
        for kind in (0..KINDS).filter(|&k| side[k] != ABSENT) {
            let left = &mut left[usize::from(side[kind])];
            let more = (COUNTS[kind] - 1).min(*left);
            *left -= more;
            counts[colour][kind] += more;
        }
    }
    (left == Sizes::default()).then_some(counts)
}
