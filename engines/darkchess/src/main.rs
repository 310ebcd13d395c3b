//! The `darkchess` program.

fn main() -> std::process::ExitCode {
    agon_darkchess::main()
}
