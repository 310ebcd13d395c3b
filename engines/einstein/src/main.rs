//! The `einstein` program.

fn main() -> std::process::ExitCode {
    agon_einstein::main()
}
