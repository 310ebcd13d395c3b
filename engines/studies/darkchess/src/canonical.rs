//! The class of any combination, with hidden pieces or without.

use crate::material::Material;
use agon_darkchess::tablebase::classes::canonical::sizes;
use agon_darkchess::tablebase::classes::structure::{Sizes, permuted, structures};

/// A class of open and hidden pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FullClass {
    /// The argument of [`Structures::get`](agon_darkchess::tablebase::classes::structure::Structures::get).
    pub structure: u16,
    /// The pieces of each block and the hidden ones among them: the minimum of the images under the
    /// structure's automorphisms.
    pub sizes: [Sizes; 2],
}

/// The class of any combination. Without hidden pieces, `sizes` consists of the sizes of
/// [`canonical`](agon_darkchess::tablebase::classes::canonical()) and zeros.
pub fn full_class(material: &Material) -> FullClass {
    let totals = material.totals();
    let support = structures().of(&totals);
    let structure = structures().get(support.structure);
    let own = [&totals, material.hidden()].map(|counts| sizes(counts, &support.labels));
    let turned = |map| own.each_ref().map(|sizes| permuted(sizes, map));
    let sizes = structure.automorphisms.iter().skip(1).map(turned).fold(own, Ord::min);
    FullClass { structure: support.structure, sizes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Kind, Material, revealed_sets};
    use agon_darkchess::tablebase::classes::relation::relation;
    use agon_darkchess::tablebase::classes::{Canonical, Class, canonical};

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
