//! The `referee` program.

// With musl's own allocator `referee report` takes more than twice as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    agon_wire::version::set_commit(agon_wire::commit!());
    agon_referee::main()
}
