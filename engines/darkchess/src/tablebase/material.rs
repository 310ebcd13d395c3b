//! Equivalence classes of material: the classes of the tablebase.
//!
//! The moves of a position depend only on which pieces capture which. Pieces of one side that
//! capture and are captured by the same enemies, all or none of them cannons, form one *type* (a
//! block of [`super::classes`]). Combinations whose types have equal counts and relations
//! form one *class*. Classes are seen from the side to move, which covers exchanged colours.

use super::classes::canonical;
use agon_games::darkchess::{COUNTS, KINDS, Kind};

/// The number of pieces of each kind that a side has.
pub type KindCounts = [u8; KINDS];

/// The maximum number of pieces in any tablebase.
pub const MAX_PIECES: usize = 5;

/// The maximum number of types in a class, for both sides together: each has at least one piece.
pub const MAX_TYPES: usize = MAX_PIECES;

/// Upper bound (exclusive) of the codes of a side's material.
pub const SIDE_CODES: u32 = 2 * 3 * 3 * 3 * 3 * 3 * 6;

/// What one more piece of a kind adds to the code of a side's material.
pub const CODE_STEP: [u32; KINDS] = {
    let mut steps = [1; KINDS];
    let mut kind = 1;
    while kind < KINDS {
        steps[kind] = steps[kind - 1] * (COUNTS[kind - 1] as u32 + 1);
        kind += 1;
    }
    steps
};

/// The code of a side's material.
pub fn side_code(side: &KindCounts) -> u32 {
    side.iter().zip(CODE_STEP).map(|(&n, step)| u32::from(n) * step).sum()
}

/// Every material of a side with `pieces` pieces, in a fixed order.
pub fn sides(pieces: u8) -> Vec<KindCounts> {
    fn fill(kind: usize, left: u8, side: &mut KindCounts, all: &mut Vec<KindCounts>) {
        if kind == KINDS {
            if left == 0 {
                all.push(*side);
            }
            return;
        }
        for n in (0..=COUNTS[kind].min(left)).rev() {
            side[kind] = n;
            fill(kind + 1, left - n, side, all);
        }
        side[kind] = 0;
    }
    let mut all = Vec::new();
    fill(0, pieces, &mut [0; KINDS], &mut all);
    all
}

/// A class: types, their numbers of pieces and their relations, in canonical order. The types of
/// the side to move come first.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassShape {
    /// The number of types of the side to move.
    pub own: u8,
    /// The number of pieces of each type.
    pub counts: Vec<u8>,
    /// Whether each type is a cannon, which captures by jumping.
    pub cannons: Vec<bool>,
    /// For each type, the set of types that it captures by stepping.
    pub takes: Vec<u8>,
}

/// A material combination mapped to its class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fit {
    /// The class.
    pub shape: ClassShape,
    /// The type of each kind: of the side to move, then of the opponent; 255 for absent kinds.
    pub types: [[u8; KINDS]; 2],
}

/// The class of a material combination with pieces of both sides, and its types.
pub fn fit(own: &KindCounts, other: &KindCounts) -> Fit {
    // The side to move plays the role of red.
    let labels = canonical(&[*own, *other]).labels;
    let present = |side: usize, kind: usize| [own, other][side][kind] > 0;
    let pieces = || (0..2).flat_map(|side| (0..KINDS).map(move |kind| (side, kind)));
    let mut blocks: Vec<u8> =
        pieces().filter(|&(s, k)| present(s, k)).map(|(s, k)| labels[s][k]).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let mut types = [[255; KINDS]; 2];
    let mut shape = ClassShape {
        own: 0,
        counts: vec![0; blocks.len()],
        cannons: vec![false; blocks.len()],
        takes: vec![0; blocks.len()],
    };
    for (side, kind) in pieces().filter(|&(s, k)| present(s, k)) {
        let number = blocks.iter().position(|&b| b == labels[side][kind]).unwrap_or(0);
        types[side][kind] = number as u8;
        shape.counts[number] += [own, other][side][kind];
        shape.cannons[number] = kind == Kind::Cannon.index();
        if side == 0 {
            shape.own = shape.own.max(number as u8 + 1);
        }
    }
    for (side, kind) in pieces().filter(|&(s, k)| present(s, k)) {
        for prey in (0..KINDS).filter(|&prey| present(1 - side, prey)) {
            if Kind::ALL[kind].takes(Kind::ALL[prey]) {
                shape.takes[usize::from(types[side][kind])] |= 1 << types[1 - side][prey];
            }
        }
    }
    Fit { shape, types }
}
