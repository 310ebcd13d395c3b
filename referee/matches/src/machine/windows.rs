//! The machine on Windows.

use agon_games::text::visible;
use agon_matchlog::Machine;
use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::Foundation::ERROR_SUCCESS;
use windows_sys::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_SZ, RegGetValueW};
use windows_sys::Win32::System::SystemInformation::{
    GlobalMemoryStatusEx, MEMORYSTATUSEX, OSVERSIONINFOW,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;
use windows_sys::w;

/// This machine.
pub fn this_machine() -> Machine {
    Machine {
        cpu: processor(),
        cores: std::thread::available_parallelism().ok().map(usize::from),
        memory_mib: memory_mib(),
        os: format!("Windows {} {}", version(), std::env::consts::ARCH),
    }
}

/// The name of this machine in its network.
pub fn host_name() -> String {
    let name = std::env::var_os("COMPUTERNAME").unwrap_or_else(|| "Windows".into());
    visible(&name.to_string_lossy()).into_owned()
}

/// The name of the processor.
fn processor() -> Option<String> {
    let mut name = [0_u16; 128];
    let mut bytes = size_of_val(&name) as u32;
    // SAFETY: both names end with a zero, and the pointers are to the name and its size in bytes.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            w!("HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0"),
            w!("ProcessorNameString"),
            RRF_RT_REG_SZ,
            std::ptr::null_mut(),
            name.as_mut_ptr().cast(),
            &mut bytes,
        )
    };
    let text = name.split(|&unit| unit == 0).next().unwrap_or_default();
    let text = String::from_utf16_lossy(text).trim().to_string();
    (status == ERROR_SUCCESS && !text.is_empty()).then_some(text)
}

fn memory_mib() -> Option<u64> {
    let mut memory =
        MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure says its size.
    let done = unsafe { GlobalMemoryStatusEx(&mut memory) };
    (done != 0).then_some(memory.ullTotalPhys >> 20)
}

/// `MAJOR.MINOR.BUILD`.
fn version() -> String {
    let mut found = OSVERSIONINFOW {
        dwOSVersionInfoSize: size_of::<OSVERSIONINFOW>() as u32,
        ..Default::default()
    };
    // SAFETY: the structure says its size. The call always succeeds.
    unsafe { RtlGetVersion(&mut found) };
    format!("{}.{}.{}", found.dwMajorVersion, found.dwMinorVersion, found.dwBuildNumber)
}

/// The peak resident memory of this process.
pub fn peak_kib() -> Option<u64> {
    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    // SAFETY: the handle of the own process is always valid; pointer and size are the structure's.
    let done = unsafe { GetProcessMemoryInfo(GetCurrentProcess(), &mut memory, size) };
    (done != 0).then_some(memory.PeakWorkingSetSize as u64 / 1024)
}
