//! Combinatorial studies of Xiangqi: the number of positions ([`count`]), and an index of all of
//! them ([`numbering`]), which endgame tables also use.

pub mod cli;
pub mod count;
pub mod numbering;
