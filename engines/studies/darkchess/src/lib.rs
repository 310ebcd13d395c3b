//! Equivalence classes of material combinations: sets of pieces that play alike wherever they stand.
//!
//! The definition is that of Chen, Lin, Chen and Hsu, "Equivalence classes in Chinese dark chess
//! endgames" (2015), as Hsiao et al. restate it ("Using Spark and patterns to classify equivalent
//! Chinese dark chess boards", sections 2 and 3): two combinations are equivalent if their pieces can
//! be paired so that partners have the same colour, are both open or both hidden, are both cannons
//! or neither, and take and are taken by partners. Colours are kept; counts with exchangeable
//! colours are given beside.
//!
//! [`material`] has the combinations and [`sets`] lists them; [`relation`] says who takes whom,
//! [`matrix`] tabulates it. Three methods find classes: [`matching`] as in 2015, [`pattern`] as in the
//! paper, [`canonical`](mod@canonical) over the [`structure`] that remains after merging pieces that no opponent can
//! tell apart; [`classify`] sorts by any of them. [`exact`] counts classes without listing sets,
//! from the [`grid`] of all classes of open pieces; [`map`] numbers every class. [`run`] and [`rows`] are what
//! `darkchess classes` does and prints.

pub mod canonical;
pub mod classify;
pub mod cli;
pub mod exact;
pub mod grid;
pub mod map;
pub mod matching;
pub mod material;
pub mod matrix;
mod orbits;
pub mod pattern;
pub mod relation;
pub mod rows;
pub mod run;
pub mod sets;
pub mod structure;
mod ties;

pub use canonical::{Canonical, Class, FullClass, canonical, full_class};
pub use material::{Colour, Counts, KINDS, Kind, LIMITS, Material, MaterialError};
