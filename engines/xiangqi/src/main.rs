//! The `xiangqi` program.

fn main() -> std::process::ExitCode {
    agon_xiangqi::main()
}
