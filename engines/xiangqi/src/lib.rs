//! Xiangqi beyond its rules: how many positions there are ([`census`]) and a number for each of
//! them ([`numbering`]).

pub mod census;
pub mod numbering;
