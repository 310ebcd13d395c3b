//! The experiments of the papers: `referee reproduce` plays or computes them, and the report compares the paper's
//! figures with ours.
//!
//! - One module a paper: [`amazons`], [`connect6`], [`darkchess`], [`einstein`], [`xiangqi`], each with a run and a report
//! - [`conduct`] plays the match of an experiment; [`engine`] runs the engines, and `lab`, which counts and solves
//! - [`page`], [`publish`]: the report printed and written; `agon_claims` judges and shows the claims

#[macro_use]
extern crate agon_base;

pub mod amazons;
pub mod conduct;
pub mod connect6;
pub mod darkchess;
pub mod einstein;
pub mod engine;
mod fits;
pub mod page;
pub mod publish;
pub mod xiangqi;
