//! What users can do about errors of starting a program on Unix.

use rustix::io::Errno;

/// What the user can do about an error; empty if nothing is known.
pub fn advice(errno: i32) -> &'static str {
    match Errno::from_raw_os_error(errno) {
        Errno::MFILE | Errno::NFILE => {
            "; play fewer games at the same time (-j), or raise the limit with `ulimit -n`"
        }
        Errno::NOMEM => "; play fewer games at the same time (-j), or free memory",
        Errno::AGAIN => {
            "; play fewer games at the same time (-j), or raise the limit with `ulimit -u`"
        }
        Errno::NOENT | Errno::ACCESS | Errno::NOEXEC | Errno::TXTBSY => {
            "; restore the program that the match began with"
        }
        _ => "",
    }
}

/// Whether the error is that there is not enough memory.
pub fn is_out_of_memory(errno: i32) -> bool {
    errno == Errno::NOMEM.raw_os_error()
}
