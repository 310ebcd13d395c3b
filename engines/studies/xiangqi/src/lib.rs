//! Xiangqi beyond play: how many positions there are ([`count`]), and an index of all of them
//! ([`numbering`]), which endgame tables use as well.

pub mod cli;
pub mod count;
pub mod numbering;
