//! Which sets of pieces are alike: the classes of the tablebase.
//!
//! The moves of a position are decided by who takes whom, not by the pieces' names. Pieces of one
//! side that take and are taken by the same enemies, and are both cannons or both not, are one
//! *type*, a block of [`agon_darkchess_studies`]; two sets whose types, counted, relate alike are one
//! *class*. A class is seen from the side to move, so exchanging the colours needs no further rule.

use agon_darkchess_studies::canonical;
use agon_protocol::darkchess::{COUNTS, KINDS, Kind};

/// How many pieces of each kind a side has.
pub type Side = [u8; KINDS];

/// The most pieces of a position in any tablebase.
pub const MAX_PIECES: usize = 5;

/// The most types of a class, both sides together: each has at least one piece.
pub const MAX_TYPES: usize = MAX_PIECES;

/// Materials of a side are numbered below this.
pub const SIDE_CODES: u32 = 2 * 3 * 3 * 3 * 3 * 3 * 6;

/// What one more piece of a kind adds to the number of a side's material.
pub const CODE_STEP: [u32; KINDS] = {
    let mut steps = [1; KINDS];
    let mut kind = 1;
    while kind < KINDS {
        steps[kind] = steps[kind - 1] * (COUNTS[kind - 1] as u32 + 1);
        kind += 1;
    }
    steps
};

/// The number of a side's material.
pub fn side_code(side: &Side) -> u32 {
    side.iter().zip(CODE_STEP).map(|(&n, step)| u32::from(n) * step).sum()
}

/// Every material of a side with so many pieces, in a fixed order.
pub fn sides(pieces: u8) -> Vec<Side> {
    fn fill(kind: usize, left: u8, side: &mut Side, all: &mut Vec<Side>) {
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

/// A class: types, their numbers of pieces and their relations, in canonical order. Types are
/// numbered through, those of the side to move first.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Shape {
    /// Types of the side to move.
    pub own: u8,
    /// Pieces of each type.
    pub counts: Vec<u8>,
    /// Whether each type jumps.
    pub cannons: Vec<bool>,
    /// For each type, the set of types that it takes by stepping on them.
    pub takes: Vec<u8>,
}

/// A material as it fits its class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fit {
    /// The class.
    pub shape: Shape,
    /// The type of each kind: of the side to move, then of the other; 255 where there is none.
    pub types: [[u8; KINDS]; 2],
}

/// The class of a material, both sides having pieces, and its types.
pub fn fit(own: &Side, other: &Side) -> Fit {
    // The side to move takes the part of red.
    let labels = canonical(&[*own, *other]).labels;
    let present = |side: usize, kind: usize| [own, other][side][kind] > 0;
    let pieces = || (0..2).flat_map(|side| (0..KINDS).map(move |kind| (side, kind)));
    let mut blocks: Vec<u8> =
        pieces().filter(|&(s, k)| present(s, k)).map(|(s, k)| labels[s][k]).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let mut types = [[255; KINDS]; 2];
    let mut shape = Shape {
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
