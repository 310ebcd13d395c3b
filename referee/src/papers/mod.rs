//! Experiments of the papers: what `referee reproduce` plays or computes, and the report that sets
//! the paper's figures beside ours.

pub mod amazons;
pub mod connect6;
pub mod darkchess;
pub mod einstein;
mod engine;
pub mod page;
mod report;
pub mod xiangqi;
