//! Has the programs of a log play some of its games again, and compares every move and every count.
//!
//! A search that is limited by depth or nodes alone plays the same game each time, so a difference shows a log, a machine or
//! a program that is not what it says. [`irreproducible`] says which engines have no such limit, [`Sample`] which games
//! are played, [`Auditor`] plays them with the code that plays matches, and [`Difference`] is the first thing that differs.

mod difference;
mod irreproducible;
mod replay;
mod sample;

pub use difference::{Difference, compare};
pub use irreproducible::irreproducible;
pub use replay::{AuditEnd, AuditedGame, Auditor, Verdict, excuse_nondeterministic};
pub use sample::{Sample, draw_seed};
