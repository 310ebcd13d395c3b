//! The class of a combination of open pieces, and the labels of its pieces in it.

use crate::material::{Counts, KINDS, Material};
use crate::structure::{
    ABSENT, Labels, Permutation, Sizes, Structure, permuted, structures, support_kinds,
};

/// A class of open pieces: a structure and the number of pieces of each block. Two combinations are
/// equivalent if and only if their classes are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    /// The argument of [`crate::structure::Structures::get`].
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
pub fn canonical(counts: &[Counts; 2]) -> Canonical {
    let support = structures().of(counts);
    let sizes = sizes(counts, &support.labels);
    let structure = structures().get(support.structure);
    let (sizes, map) = least(&sizes, structure);
    let labels = support.labels.map(|side| side.map(|l| renamed(l, map)));
    Canonical { class: Class { structure: support.structure, sizes }, labels }
}

/// A class of open and hidden pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FullClass {
    /// The argument of [`crate::structure::Structures::get`].
    pub structure: u16,
    /// The pieces of each block and the hidden ones among them: the minimum of the images under the
    /// structure's automorphisms.
    pub sizes: [Sizes; 2],
}

/// The class of any combination. Without hidden pieces, `sizes` consists of the sizes of
/// [`canonical`] and zeros.
pub fn full_class(material: &Material) -> FullClass {
    let totals = material.totals();
    let support = structures().of(&totals);
    let structure = structures().get(support.structure);
    let own = [&totals, material.hidden()].map(|counts| sizes(counts, &support.labels));
    let turned = |map| own.each_ref().map(|sizes| permuted(sizes, map));
    let sizes = structure.automorphisms.iter().skip(1).map(turned).fold(own, Ord::min);
    FullClass { structure: support.structure, sizes }
}

/// The number of pieces of each block.
pub(crate) fn sizes(counts: &[Counts; 2], labels: &Labels) -> Sizes {
    let mut sizes = Sizes::default();
    for (&n, &label) in counts.as_flattened().iter().zip(labels.as_flattened()) {
        if label != ABSENT {
            sizes[usize::from(label)] += n;
        }
    }
    sizes
}

/// The minimum of the sizes' images under the automorphisms, and the automorphism.
pub(crate) fn least<'a>(sizes: &Sizes, structure: &'a Structure) -> (Sizes, &'a Permutation) {
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
            let more = (crate::material::LIMITS[kind] - 1).min(*left);
            *left -= more;
            counts[colour][kind] += more;
        }
    }
    (left == Sizes::default()).then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Kind, Material, revealed_sets};
    use crate::relation::relation;

    fn class(text: &str) -> Class {
        canonical(text.parse::<Material>().unwrap().open()).class
    }

    #[test]
    fn the_examples_of_the_paper_are_equivalent_or_not() {
        // A king and a guard that face only smaller pieces.
        assert_eq!(class("Kgm").exchanged(), class("GMk"));
        assert_eq!(class("Km"), class("Gm"));
        assert_eq!(class("KGm"), class("GGm"));
        assert_ne!(class("KGm"), class("Gm"));
        assert_ne!(class("Kk"), class("Kg"));
        assert_ne!(class("Kp"), class("Gp"));
        assert_ne!(class("Cp"), class("Pc"));
        assert_eq!(class("GGPkm"), class("GPPkm"));
        assert_ne!(class("GGPkm"), class("GPkmm"));
    }

    #[test]
    fn labels_say_everything_that_matters_about_a_combination() {
        for counts in revealed_sets(3, 5) {
            let Canonical { class, labels } = canonical(&counts);
            let structure = class.structure();
            assert_eq!(sizes(&counts, &labels), class.sizes);
            for r in Kind::ALL.into_iter().filter(|k| counts[0][k.index()] > 0) {
                for b in Kind::ALL.into_iter().filter(|k| counts[1][k.index()] > 0) {
                    let [own, other] = [labels[0][r.index()], labels[1][b.index()]];
                    let there = structure.relation(usize::from(own), usize::from(other));
                    assert_eq!(there, relation(r, b));
                }
            }
        }
    }

    #[test]
    fn a_representative_is_of_its_class_and_the_same_for_all_of_it() {
        let mut classes: Vec<Class> = revealed_sets(2, 6).map(|c| canonical(&c).class).collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            let counts = class.representative().unwrap();
            assert_eq!(canonical(&counts).class, class);
            assert_eq!(class.exchanged().exchanged(), class);
            let exchanged = canonical(&[counts[1], counts[0]]).class;
            assert_eq!(class.exchanged(), exchanged);
        }
    }
}
