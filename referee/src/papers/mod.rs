//! Reproductions of the papers' experiments: `referee reproduce` plays or computes them, and the
//! report compares the paper's figures with ours.

pub mod all;
pub mod amazons;
pub mod conduct;
pub mod connect6;
pub mod darkchess;
pub mod einstein;
pub mod engine;
mod fits;
pub mod page;
pub mod publish;
pub mod report;
pub mod xiangqi;
