//! Tests of the opening files, of the problems and of dependency-based search of attributes.
#![allow(clippy::unwrap_used)]

mod dependency;
mod openings;
mod problems;
