//! A job object: a group of processes that no member can leave, and that ends with its last handle.

use std::io::{Error, Result};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::time::Duration;
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::Debug::{
    SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX, SetErrorMode,
};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS, JobObjectBasicAccountingInformation,
    JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{OpenThread, ResumeThread, THREAD_SUSPEND_RESUME};

/// The exit status of a killed process.
const KILLED: u32 = 137;
/// Maximum number of processes that are counted.
const MAX_LISTED: usize = 1024;

/// A job object.
#[derive(Debug)]
pub(super) struct JobObject(OwnedHandle);

/// The list of processes, as Windows writes it.
#[repr(C)]
struct ProcessList {
    assigned: u32,
    listed: u32,
    ids: [usize; MAX_LISTED],
}

impl JobObject {
    /// Creates a job whose processes end with its last handle, and whose crashes show no dialog.
    pub(super) fn new() -> Result<JobObject> {
        // SAFETY: null pointers choose the default attributes and no name.
        let job = owned(unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) })?;
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        // SAFETY: the pointer and the size are those of the structure of this class.
        let done = unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        succeeded(done)?;
        Ok(JobObject(job))
    }

    /// Adds a process; its future descendants are members, too.
    pub(super) fn add(&self, process: &Child) -> Result<()> {
        // SAFETY: both handles are open.
        succeeded(unsafe {
            AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle())
        })
    }

    /// Lets a process run that was started suspended.
    pub(super) fn resume(&self, process: &Child) -> Result<()> {
        // SAFETY: the arguments are plain numbers.
        let threads = owned(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) })?;
        let mut entry =
            THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..Default::default() };
        let mut resumed = false;
        // SAFETY: the handle is open, and the structure says its size.
        let mut more = unsafe { Thread32First(threads.as_raw_handle(), &mut entry) };
        while more != 0 {
            if entry.th32OwnerProcessID == process.id() {
                // SAFETY: the arguments are plain numbers.
                let thread =
                    owned(unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) })?;
                // SAFETY: the handle is open.
                if unsafe { ResumeThread(thread.as_raw_handle()) } == u32::MAX {
                    return Err(Error::last_os_error());
                }
                resumed = true;
            }
            // SAFETY: as above.
            more = unsafe { Thread32Next(threads.as_raw_handle(), &mut entry) };
        }
        if resumed { Ok(()) } else { Err(Error::other("its thread does not start")) }
    }

    /// The ids of the running processes, as far as Windows tells.
    pub(super) fn processes(&self) -> Vec<u32> {
        let mut list = ProcessList { assigned: 0, listed: 0, ids: [0; MAX_LISTED] };
        // More processes than fit are an error, but the list is filled.
        let _ = self.query(JobObjectBasicProcessIdList, &mut list);
        let ids = list.ids.iter().take(list.listed as usize);
        ids.filter_map(|&id| u32::try_from(id).ok()).collect()
    }

    /// The processor time of all processes so far.
    pub(super) fn processor_time(&self) -> Duration {
        let mut used = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        if self.query(JobObjectBasicAccountingInformation, &mut used).is_err() {
            return Duration::ZERO;
        }
        // In units of 100 ns.
        let ticks = used.TotalUserTime.saturating_add(used.TotalKernelTime);
        Duration::from_nanos(u64::try_from(ticks).unwrap_or(0).saturating_mul(100))
    }

    fn query<T>(&self, class: JOBOBJECTINFOCLASS, info: &mut T) -> Result<()> {
        // SAFETY: the pointer and the size are those of a structure of integers, which Windows fills.
        succeeded(unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                class,
                std::ptr::from_mut(info).cast(),
                size_of::<T>() as u32,
                std::ptr::null_mut(),
            )
        })
    }

    /// Kills all processes.
    pub(super) fn kill(&self) {
        // SAFETY: the handle is open. An error means that the processes are ending.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }
}

/// Lets crashes and missing libraries of this process's children end them without a dialog.
pub(super) fn hide_error_boxes() {
    // SAFETY: the arguments are plain numbers.
    unsafe {
        SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    }
}

fn owned(handle: HANDLE) -> Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(Error::last_os_error());
    }
    // SAFETY: the handle is open, and this is its only owner.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn succeeded(done: i32) -> Result<()> {
    if done == 0 { Err(Error::last_os_error()) } else { Ok(()) }
}
