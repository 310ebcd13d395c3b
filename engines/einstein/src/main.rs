//! The `einstein` program.

fn main() {}
