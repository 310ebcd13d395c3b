//! The `connect6` program.

// The allocator of musl is slow.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    agon_wire::version::set_commit(agon_wire::commit!());
    agon_connect6::main()
}
