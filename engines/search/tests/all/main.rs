//! All searches against plain negamax, on games of their own.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod agreement;
mod games;
mod helpful_evaluator;
