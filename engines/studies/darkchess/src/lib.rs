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
//! - [`matrix`]: the Capturing Relation Matrix, of who captures whom
//! - three methods that find classes: [`matching`], as in 2015; [`pattern`], as in the later paper;
//!   and [`canonical`] forms, with those of open pieces from the engine's tablebase
//!   ([`agon_darkchess::tablebase::classes`]). [`classify`] classifies combinations by any of them
//! - [`class_count`]: the exact count without enumeration, from the [`grid`] of all classes of open
//!   pieces
//! - [`run`], [`report`]: the counts by any methods, and their output

pub mod canonical;
pub mod class_count;
pub mod classify;
pub mod grid;
pub mod matching;
pub mod material;
pub mod matrix;
pub mod pattern;
pub mod report;
pub mod run;
pub mod sets;

pub use canonical::{FullClass, full_class};
pub use material::{Colour, Counts, KINDS, Kind, LIMITS, Material, MaterialError};
