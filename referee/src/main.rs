//! The `referee` program.

fn main() -> std::process::ExitCode {
    agon_referee::main()
}
