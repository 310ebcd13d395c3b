//! The guard process: starts an engine and kills all its descendants at the end.

use super::client::ARGUMENT;
use super::descendants;
#[cfg(target_os = "linux")]
use super::memory::Bounds;
use super::message::{GuardMessage, receive_descriptor};
use crate::affinity;
use crate::guard::launch::{Excess, Exit, Launch};
use rustix::io::FdFlags;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, kill_process_group, waitid,
};
use std::io::{BufRead, BufReader, Error, Read, Result, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};

/// The engine's process id until the process is reaped and another one may have it.
type Target = Arc<Mutex<Option<Pid>>>;

/// Runs a guard if this program was started as one. Its standard input is the socket to the referee;
/// its standard output and error are the engine's.
pub fn run_guard() -> Option<ExitCode> {
    if std::env::args_os().nth(1).is_none_or(|argument| argument != ARGUMENT) {
        return None;
    }
    Some(match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("referee: the guard of an engine failed: {error}");
            ExitCode::FAILURE
        }
    })
}

fn serve() -> Result<()> {
    let control = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    let Some(input) = receive_descriptor(&control)? else { return Ok(()) };
    let mut lines = BufReader::new(control.try_clone()?);
    let (mut child, launch) = match start(&mut lines, input) {
        Ok(started) => started,
        Err(error) => {
            report(&control, &GuardMessage::Failed(error.raw_os_error(), error.to_string()));
            return Ok(());
        }
    };
    report(&control, &GuardMessage::Started);
    release_output()?;
    let engine = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let target = Arc::new(Mutex::new(engine));
    watch(lines, Arc::clone(&target))?;
    let excess = Arc::new(Mutex::new(None));
    bound(&launch, Arc::clone(&target), Arc::clone(&excess))?;
    let exit = end(&mut child, engine, &target)?;
    let exit = Exit { excess: *excess.lock().unwrap_or_else(PoisonError::into_inner), ..exit };
    report(&control, &GuardMessage::Ended(exit));
    Ok(())
}

/// Sends a message. If the referee is gone, nobody needs it.
fn report(mut control: &UnixStream, report: &GuardMessage) {
    if let Ok(text) = serde_json::to_string(report) {
        let _ = control.write_all(format!("{text}\n").as_bytes());
    }
}

/// Receives the launch and starts the engine.
fn start(lines: &mut BufReader<UnixStream>, input: OwnedFd) -> Result<(Child, Launch)> {
    // The terminal's signals are for the referee only.
    rustix::process::setsid()?;
    adopt_orphans()?;
    close_on_exec()?;
    rustix::io::fcntl_setfd(&input, FdFlags::CLOEXEC)?;
    let mut text = String::new();
    lines.read_line(&mut text)?;
    let launch: Launch = serde_json::from_str(&text)?;
    let mut command = launch.to_command()?;
    command.stdin(input).process_group(0);
    affinity::restrict(&launch.cpus)?;
    let (guard, memory_mib) = (getpid(), launch.memory_mib);
    // SAFETY: the closure only makes system calls; it neither allocates nor takes a lock.
    unsafe {
        command.pre_exec(move || {
            die_with(guard)?;
            memory_mib.map_or(Ok(()), limit_memory)
        });
    }
    Ok((command.spawn()?, launch))
}

/// Closes this process's ends of the engine's output, so that the referee sees when the engine
/// closes its own.
fn release_output() -> Result<()> {
    let null = std::fs::File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Marks all descriptors that this process inherited, except the standard streams, so that the
/// engine does not inherit them.
fn close_on_exec() -> Result<()> {
    let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    for entry in std::fs::read_dir(folder)? {
        let number = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        let Some(number) = number.filter(|&number| number > 2) else { continue };
        // SAFETY: the descriptor is listed as open, and this thread, the only one, keeps it open.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        rustix::io::fcntl_setfd(descriptor, FdFlags::CLOEXEC)?;
    }
    Ok(())
}

/// Kills the engine when the referee closes the connection or is gone.
fn watch(mut lines: BufReader<UnixStream>, target: Target) -> Result<()> {
    std::thread::Builder::new().spawn(move || {
        // The referee sends nothing after the launch.
        while matches!(lines.read(&mut [0; 64]), Ok(1..)) {}
        kill(&target);
    })?;
    Ok(())
}

fn kill(target: &Target) {
    if let Some(engine) = *target.lock().unwrap_or_else(PoisonError::into_inner) {
        // An error means that the engine has just ended.
        let _ = kill_process(engine, Signal::KILL);
    }
}

/// Kills the engine when it uses too much with its descendants, and says of what.
#[cfg(target_os = "linux")]
fn bound(launch: &Launch, target: Target, said: Arc<Mutex<Option<Excess>>>) -> Result<()> {
    let Some(bounds) = Bounds::of(launch) else { return Ok(()) };
    // Each has its thread: adding up the memory of many busy processes takes so long that more are born.
    for of in [Excess::Processes, Excess::Memory] {
        let (bounds, target, said) = (bounds.clone(), Arc::clone(&target), Arc::clone(&said));
        std::thread::Builder::new().spawn(move || {
            let is_over = || target.lock().unwrap_or_else(PoisonError::into_inner).is_none();
            if bounds.wait(of, is_over) {
                said.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(of);
                kill(&target);
            }
        })?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn bound(_: &Launch, _: Target, _: Arc<Mutex<Option<Excess>>>) -> Result<()> {
    Ok(())
}

/// Waits for the engine's end and kills its descendants.
fn end(child: &mut Child, engine: Option<Pid>, target: &Target) -> Result<Exit> {
    let Some(engine) = engine else { return Err(Error::other("no process id")) };
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while let Err(error) = waitid(WaitId::Pid(engine), ended) {
        if error != rustix::io::Errno::INTR {
            return Err(error.into());
        }
    }
    *target.lock().unwrap_or_else(PoisonError::into_inner) = None;
    let mut survivors = descendants::kill(|child| child != engine);
    if cfg!(not(target_os = "linux")) {
        survivors = usize::from(rustix::process::test_kill_process_group(engine).is_ok());
    }
    // The engine is still a zombie, so no other group can have its number.
    let _ = kill_process_group(engine, Signal::KILL);
    let status = child.wait()?;
    Ok(Exit { code: status.code(), signal: status.signal(), survivors, excess: None })
}

/// Lets this process become the parent of orphaned descendants.
#[cfg(target_os = "linux")]
fn adopt_orphans() -> Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(getpid()))?)
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans() -> Result<()> {
    Ok(())
}

/// Lets the kernel kill this process when its parent `guard` ends.
#[cfg(target_os = "linux")]
fn die_with(guard: Pid) -> Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid() == Some(guard) {
        Ok(())
    } else {
        // The guard ended before the call.
        Err(rustix::io::Errno::SRCH.into())
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with(_guard: Pid) -> Result<()> {
    Ok(())
}

#[cfg(target_os = "linux")]
fn limit_memory(mib: u64) -> Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bytes = mib.checked_mul(1 << 20);
    Ok(setrlimit(Resource::As, Rlimit { current: bytes, maximum: bytes })?)
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_mib: u64) -> Result<()> {
    Err(Error::from(std::io::ErrorKind::Unsupported))
}
