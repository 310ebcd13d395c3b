//! Tests of the opening files and of the problems.
#![allow(clippy::unwrap_used)]

mod openings;
mod problems;
