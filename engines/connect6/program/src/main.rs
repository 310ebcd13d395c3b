//! The `connect6` program.

fn main() -> std::process::ExitCode {
    connect6_program::main()
}
