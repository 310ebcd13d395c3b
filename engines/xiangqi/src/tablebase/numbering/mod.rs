//! Parts of an index of positions, for sets of pieces that do not get in each other's way: the pieces
//! of a palace and its half ([`palace`]), equal pieces among empty squares ([`combinations`]), and
//! rooks, horses and cannons ([`free`]).

pub mod combinations;
pub mod free;
pub mod palace;
