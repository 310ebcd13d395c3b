//! Compiles the engine once more for each level of x86-64 processors.

fn main() {
    agon_levels::compile("agon_darkchess");
}
