//! Captures by stepping: the capturing relation of the paper's section 2.2.
//!
//! A piece captures pieces of equal or lower rank in the order K G M R N C P, except that a king
//! cannot capture a pawn and a pawn captures a king. A cannon captures only by jumping, and then
//! any piece, cannons included. This does not depend on the other piece and is covered by the
//! cannon's own mark, so a cannon has no relation to a piece that cannot step onto it.

use agon_games::darkchess::{KINDS, Kind};

/// The capturing relation of a piece to an opponent's, in the order of the paper's numerals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Relation {
    /// Neither captures the other: cannon and cannon, cannon and pawn.
    Neither = 0,
    /// Only the opponent's piece captures: `rel <`.
    Taken = 1,
    /// Each captures the other: `rel =`.
    Both = 2,
    /// Only this piece captures: `rel >`.
    Takes = 3,
}

impl Relation {
    /// The relation, given which of the two captures the other.
    pub const fn new(takes: bool, taken: bool) -> Relation {
        match (takes, taken) {
            (false, false) => Relation::Neither,
            (false, true) => Relation::Taken,
            (true, true) => Relation::Both,
            (true, false) => Relation::Takes,
        }
    }

    /// The relation from the other piece's view.
    pub const fn inverse(self) -> Relation {
        match self {
            Relation::Taken => Relation::Takes,
            Relation::Takes => Relation::Taken,
            same => same,
        }
    }

    /// The element of the Capturing Relation Matrix.
    pub const fn digits(self) -> &'static str {
        match self {
            Relation::Neither => "000",
            Relation::Taken => "001",
            Relation::Both => "010",
            Relation::Takes => "100",
        }
    }
}

/// The capturing relation of a piece of kind `own` to an opponent's piece of kind `other`.
#[inline]
pub const fn relation(own: Kind, other: Kind) -> Relation {
    Relation::new(own.takes(other), other.takes(own))
}

/// The relations of each kind to all opponents' kinds, two bits per kind.
pub(crate) const ROWS: [u16; KINDS] = rows();

const fn rows() -> [u16; KINDS] {
    let mut rows = [0; KINDS];
    let mut own = 0;
    while own < KINDS {
        let mut other = 0;
        while other < KINDS {
            rows[own] |= (relation(Kind::ALL[own], Kind::ALL[other]) as u16) << (2 * other);
            other += 1;
        }
        own += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_relations_are_those_of_the_rules() {
        // Rows and columns K G M R N C P.
        let rules = ["=>>>>><", "<=>>>>>", "<<=>>>>", "<<<=>>>", "<<<<=>>", "<<<<<..", "><<<<.="];
        for (own, line) in Kind::ALL.into_iter().zip(rules) {
            for (other, symbol) in Kind::ALL.into_iter().zip(line.chars()) {
                let wanted = match symbol {
                    '>' => Relation::Takes,
                    '=' => Relation::Both,
                    '<' => Relation::Taken,
                    _ => Relation::Neither,
                };
                assert_eq!(relation(own, other), wanted, "{own:?} {other:?}");
                assert_eq!(relation(other, own), wanted.inverse());
                assert_eq!(ROWS[own.index()] >> (2 * other.index()) & 3, wanted as u16);
            }
        }
    }
}
