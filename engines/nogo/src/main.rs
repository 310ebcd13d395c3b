//! The `nogo` program.

fn main() -> std::process::ExitCode {
    agon_nogo::main()
}
