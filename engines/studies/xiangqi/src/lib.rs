//! Combinatorial studies of Xiangqi: the number of positions ([`count`]), and an index of all of
//! them ([`numbering`]).

pub mod count;
pub mod numbering;
