//! Chinese dark chess: which sets of pieces are the same endgame ([`classes`]).

pub mod classes;
