//! Equivalence classes of material combinations: sets of pieces with the same moves on any squares.
//!
//! The definition is that of Chen, Lin, Chen and Hsu, "Equivalence classes in Chinese dark chess
//! endgames" (2015), as Hsiao et al. restate it ("Using Spark and patterns to classify equivalent
//! Chinese dark chess boards", sections 2 and 3). Two combinations are equivalent if their pieces
//! can be paired so that partners have the same colour, are both open or both hidden, are both
//! cannons or neither, and capture and are captured by partners. Colours are kept; counts with
//! exchangeable colours are given as well.
//!
//! - [`material`]: combinations; [`sets`] lists them
//! - [`relation`]: who captures whom; [`matrix`]: the Capturing Relation Matrix
//! - three methods that find classes: [`matching`], as in 2015; [`pattern`], as in the later paper;
//!   and [`canonical`](mod@canonical) forms over the [`structure`], which merges pieces that no
//!   opponent can distinguish. [`classify`] classifies combinations by any of them
//! - [`class_count`]: the exact count without enumeration, from the [`grid`] of all classes of open
//!   pieces
//! - [`run`], [`report`], [`cli`]: the command `darkchess classes` and its output
//!
//! [`small_board`] is another study: it solves small games by visiting every position.

pub mod canonical;
pub mod class_count;
pub mod classify;
pub mod cli;
pub mod grid;
pub mod matching;
pub mod material;
pub mod matrix;
pub mod pattern;
pub mod relation;
pub mod report;
pub mod run;
pub mod sets;
pub mod small_board;
pub mod structure;
mod ties;

pub use canonical::{Canonical, Class, FullClass, canonical, full_class};
pub use material::{Colour, Counts, KINDS, Kind, LIMITS, Material, MaterialError};
