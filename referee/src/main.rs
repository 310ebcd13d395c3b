//! The referee.
fn main() {}
