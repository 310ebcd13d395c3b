//! Runs the engine's program as a child, as nothing can replace a process on Windows. Whoever started this
//! program may end it, or wait for its end: the child ends with it, and it ends as the child does.

use std::env::args_os;
use std::io::{Error, Result};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::time::Duration;
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};

/// How long this program outlives the closing of its console; Windows ends both programs sooner.
const CLOSING: Duration = Duration::from_secs(60);

/// Runs a program with the same arguments and ends with its exit status.
///
/// # Errors
///
/// Fails if the program cannot be started.
pub fn start(program: &Path) -> Result<ExitCode> {
    // SAFETY: the function may be called from any thread at any time.
    // If it is refused, Ctrl-C ends this program, and the job ends the child.
    unsafe { SetConsoleCtrlHandler(Some(leave_to_child), 1) };
    let mut child = Command::new(program).args(args_os().skip(1)).spawn()?;
    // Without a job the child still ends when it has read all of its input.
    let _job = job(&child);
    let status = child.wait()?;
    // A crash has a negative status, which the engine's starter understands.
    std::process::exit(status.code().unwrap_or(1))
}

/// Puts a process into a job that ends with its last handle, which only this process has.
fn job(child: &Child) -> Result<OwnedHandle> {
    // SAFETY: null pointers choose the default attributes, by which no child inherits the handle, and no
    // name.
    let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
    if job.is_null() {
        return Err(Error::last_os_error());
    }
    // SAFETY: the handle is open, and this is its only owner.
    let job = unsafe { OwnedHandle::from_raw_handle(job) };
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    // SAFETY: the pointer and the size are those of the structure of this class.
    let limited = unsafe {
        SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size_of_val(&limits) as u32,
        )
    };
    // SAFETY: both handles are open.
    let added = limited != 0
        && unsafe { AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) } != 0;
    if added { Ok(job) } else { Err(Error::last_os_error()) }
}

/// Leaves the console's events to the child, which gets them, too. Unlike the flag that ignores Ctrl-C,
/// a handler is not inherited.
unsafe extern "system" fn leave_to_child(event: u32) -> i32 {
    if !matches!(event, CTRL_C_EVENT | CTRL_BREAK_EVENT) {
        // The console closes: Windows would end this program, and so the child, at the return.
        std::thread::sleep(CLOSING);
    }
    1
}
