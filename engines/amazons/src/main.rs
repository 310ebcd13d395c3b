//! The `amazons` program: it runs the engine as compiled for the processor.

include!(concat!(env!("OUT_DIR"), "/paths.rs"));

fn main() -> std::process::ExitCode {
    agon_protocol::cpu::run(PATHS)
}
