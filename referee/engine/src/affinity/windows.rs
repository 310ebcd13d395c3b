//! Processor affinity on Windows: the first 64 cores, because a mask has 64 bits.

use std::cell::Cell;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::Child;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, SetProcessAffinityMask,
    SetThreadAffinityMask,
};

thread_local! {
    /// The cores of the processes that this thread starts, if it is pinned.
    static PINNED: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Restricts a process to these cores; an empty list means those of this thread.
///
/// # Errors
///
/// Fails if the machine has none of these cores, or for a core beyond the first 64.
pub fn restrict(process: &Child, cores: &[usize]) -> io::Result<()> {
    let mask = if cores.is_empty() { PINNED.get() } else { Some(mask_of(cores)?) };
    let Some(mask) = mask else { return Ok(()) };
    // SAFETY: the handle is open.
    if unsafe { SetProcessAffinityMask(process.as_raw_handle(), mask) } == 0 {
        let cause = io::Error::last_os_error();
        return Err(io::Error::other(format!("cannot set cores {cores:?}: {cause}")));
    }
    Ok(())
}

/// Pins this thread, and the processes that it spawns, to the `number`th core that this process may
/// use, counted cyclically.
///
/// # Errors
///
/// Fails with the system's error.
pub fn pin_thread(number: usize) -> io::Result<()> {
    let (mut allowed, mut present) = (0, 0);
    // SAFETY: the handle of the own process is always valid, and both pointers are to integers.
    if unsafe { GetProcessAffinityMask(GetCurrentProcess(), &mut allowed, &mut present) } == 0 {
        return Err(io::Error::last_os_error());
    }
    let cores: Vec<usize> =
        (0..64).map(|core| 1 << core).filter(|bit| allowed & bit != 0).collect();
    let Some(&mask) = cores.get(number % cores.len().max(1)) else { return Ok(()) };
    // SAFETY: the handle of the own thread is always valid.
    if unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) } == 0 {
        return Err(io::Error::last_os_error());
    }
    PINNED.set(Some(mask));
    Ok(())
}

fn mask_of(cores: &[usize]) -> io::Result<usize> {
    cores.iter().try_fold(0, |mask, &core| match core {
        0..64 => Ok(mask | 1 << core),
        _ => Err(io::Error::other(format!("core {core}: on Windows cores are 0 to 63"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_is_restricted_to_its_cores() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--list"]).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        restrict(&child, &[0]).unwrap();
        let (mut allowed, mut present) = (0, 0);
        // SAFETY: the handle is open, and both pointers are to integers.
        unsafe { GetProcessAffinityMask(child.as_raw_handle(), &mut allowed, &mut present) };
        assert_eq!(allowed, 1);
        assert!(restrict(&child, &[64]).unwrap_err().to_string().contains("0 to 63"));
        child.wait().unwrap();
    }
}
