//! One module a subcommand: its flags, and what it does with the library.

pub mod check;
pub mod complete;
pub mod diagram;
pub mod export;
pub mod match_;
pub mod merge;
pub mod openings;
pub mod ratings;
pub mod replay;
pub mod report;
pub mod reproduce;
pub mod sprt;
pub mod tournament;
