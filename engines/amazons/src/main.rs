//! The `amazons` program.

fn main() -> std::process::ExitCode {
    agon_amazons::main()
}
