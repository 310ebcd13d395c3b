//! The `amazons` program.

fn main() {}
