//! What people and other programs see of matches: the live display, tables, pictures, pages and
//! other programs' formats.

pub mod command_line;
pub mod export;
pub mod live;
pub mod outcome;
pub mod plot;
pub mod report;
pub mod sprt;
pub mod standings;
