//! What users can do about errors of starting a program on Windows.

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_COMMITMENT_LIMIT,
    ERROR_EXE_MACHINE_TYPE_MISMATCH, ERROR_FILE_NOT_FOUND, ERROR_NO_SYSTEM_RESOURCES,
    ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_PATH_NOT_FOUND, ERROR_SHARING_VIOLATION,
};

/// What the user can do about an error; empty if nothing is known.
pub fn advice(code: i32) -> &'static str {
    match code.unsigned_abs() {
        ERROR_NO_SYSTEM_RESOURCES => "; play fewer games at the same time (-j)",
        _ if is_out_of_memory(code) => "; play fewer games at the same time (-j), or free memory",
        ERROR_FILE_NOT_FOUND
        | ERROR_PATH_NOT_FOUND
        | ERROR_ACCESS_DENIED
        | ERROR_SHARING_VIOLATION => "; restore the program that the match began with",
        ERROR_BAD_EXE_FORMAT | ERROR_EXE_MACHINE_TYPE_MISMATCH => {
            "; a script needs its interpreter, as in `cmd=python engine.py`; another program must be \
             one for Windows on this processor"
        }
        _ => "",
    }
}

/// Whether the error is that there is not enough memory.
pub fn is_out_of_memory(code: i32) -> bool {
    let memory = [ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_COMMITMENT_LIMIT];
    memory.contains(&code.unsigned_abs())
}
