//! The experiments of the papers: `referee reproduce` plays or computes them, and the report compares the paper's
//! figures with ours.
//!
//! - One module a paper: [`amazons`], [`connect6`], [`darkchess`], [`einstein`], [`xiangqi`], each with a run and a report.
//!   [`all`]: the claims of all of them on one page
//! - [`conduct`] plays the match of an experiment; [`engine`] runs the engines, and `lab`, which counts and solves
//! - [`verdict`]: the one rule by which a claim is judged; [`claim`]: its words, its place and its share
//! - [`report`]: tables, figures and claims; [`page`], [`publish`]: the report printed and written

#[macro_use]
extern crate agon_base;

pub mod all;
pub mod amazons;
pub mod claim;
pub mod conduct;
pub mod connect6;
pub mod darkchess;
pub mod einstein;
pub mod engine;
mod fits;
pub mod page;
pub mod publish;
pub mod report;
pub mod verdict;
pub mod xiangqi;
