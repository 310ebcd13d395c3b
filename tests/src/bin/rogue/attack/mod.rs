//! Misbehaviour that reaches beyond the engine's pipes: children, other processes, its own program,
//! files, and the network.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{Blow, close_input, close_output, freeze, kill_parent};

use std::fs;
use std::io;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, id};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Starts a child that keeps the streams open: a reader of them sees no end of file when the parent
/// dies. Writes its process id to `note`.
#[expect(clippy::zombie_processes, reason = "nobody waits for an orphan")]
pub fn start_orphan(role: &str, note: Option<&Path>) {
    let program = std::env::current_exe().expect("a program has a path");
    let mut command = Command::new(program);
    command.arg(role).stdin(Stdio::null());
    if let Some(note) = note {
        command.arg("--note").arg(note);
    }
    let child = command.spawn().expect("a program can be started twice");
    if let Some(note) = note.filter(|_| role == "linger") {
        write_note(note, &child.id().to_string());
    }
}

/// Leaves the session and the process group, starts a child and exits, as a daemon does: its child
/// has lost all ties to the engine.
pub fn become_daemon(note: Option<&Path>) {
    system::leave_session();
    start_orphan("linger", note);
}

/// Writes a note completely or not at all.
pub fn write_note(note: &Path, text: &str) {
    let aside = note.with_extension("aside");
    fs::write(&aside, text).and_then(|()| fs::rename(&aside, note)).expect("the note is written");
}

/// Waits until the file exists, at most ten seconds.
pub fn await_note(note: &Path) {
    let begin = Instant::now();
    while !note.exists() && begin.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(1));
    }
}

/// Kills or stops every other process whose command line contains `target`.
pub fn attack(target: &str, blow: Blow) {
    for (pid, command) in processes() {
        if pid != id() && command.contains(target) {
            system::hit(pid, blow);
        }
    }
}

/// The process ids and command lines of all processes that can be seen; on Windows none.
fn processes() -> Vec<(u32, String)> {
    let folders = fs::read_dir("/proc").into_iter().flatten().map_while(Result::ok);
    let ids = folders.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    let command = |id| fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    ids.map(|id| (id, String::from_utf8_lossy(&command(id)).replace('\0', " "))).collect()
}

/// Files of the kernel that root may write: the most dangerous one, and some outside `/proc/sys`.
const KERNEL: [&str; 8] = [
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/proc/irq/default_smp_affinity",
    "/proc/self/oom_score_adj",
    "/proc/mtrr",
    "/sys/kernel/uevent_helper",
    "/sys/power/state",
    "/dev/mem",
];

/// The files of the kernel that can be opened to write, which does not change them, and the folders
/// besides the two for the engine's own files in which a file can be made.
fn kernel_files() -> Vec<PathBuf> {
    let can_write = |path: &PathBuf| fs::OpenOptions::new().write(true).open(path).is_ok();
    let mut folders = vec![PathBuf::from("/proc/sys")];
    let mut found: Vec<PathBuf> = KERNEL.iter().map(PathBuf::from).filter(can_write).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().map_while(Result::ok) {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => found.extend(Some(entry.path()).filter(can_write)),
                _ => {}
            }
        }
    }
    for folder in ["/", "/dev", "/home", "/etc", "/usr", "/var"] {
        let path = Path::new(folder).join("agon-rogue-was-here");
        if fs::write(&path, "x").is_ok() {
            let _ = fs::remove_file(&path);
            found.push(path);
        }
    }
    found
}

/// What the engine can see and reach, one finding per line: the names in its environment, its open
/// descriptors, the number of other processes, the files of the kernel that it can write, whether it can
/// read `file` and write to its folder, and whether it can connect to `port` of this machine.
pub fn inspect(file: Option<&Path>, port: Option<u16>) -> String {
    let mut names: Vec<String> =
        std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let mut found = vec![format!("environment {}", names.join(" "))];
    found.extend(descriptors().into_iter().map(|text| format!("descriptor {text}")));
    let others = processes().iter().filter(|(pid, _)| *pid != id()).count();
    found.push(format!("processes {others}"));
    let kernel = kernel_files();
    let shown: Vec<_> = kernel.iter().take(3).map(|path| path.to_string_lossy()).collect();
    found.push(format!("kernel {} {}", kernel.len(), shown.join(" ")));
    if let Some(file) = file {
        let text = fs::read(file).map_or_else(|e| e.to_string(), |b| format!("{} bytes", b.len()));
        found.push(format!("file {text}"));
        let aside = file.with_extension("written");
        let written = fs::write(&aside, "x").map_or_else(|e| e.to_string(), |()| "written".into());
        found.push(format!("folder {written}"));
    }
    if let Some(port) = port {
        let connected = TcpStream::connect(("127.0.0.1", port));
        found.push(format!("port {}", connected.map_or_else(|e| e.to_string(), |_| "open".into())));
    }
    found.join("\n")
}

/// The open descriptors and their targets, without the three standard streams.
fn descriptors() -> Vec<String> {
    let entries = fs::read_dir("/proc/self/fd").into_iter().flatten().map_while(Result::ok);
    let numbers = entries.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    let named = numbers.filter(|n| *n > 2).filter_map(|n| {
        let target = fs::read_link(format!("/proc/self/fd/{n}")).ok()?;
        // The listing itself needs a descriptor, which is closed by now or names this folder.
        (!target.ends_with("fd")).then(|| format!("{n} {}", target.display()))
    });
    named.collect()
}

/// Starts children in a role, and hangs.
pub fn multiply(children: usize, role: &str) -> ! {
    (0..children).for_each(|_| start_orphan(role, None));
    hang()
}

fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

/// Writes so many files of so many bytes to a folder, and hangs; exits if that fails.
pub fn fill(folder: &str, files: usize, bytes: usize) -> ! {
    let block = vec![7; bytes];
    for i in 0..files {
        if let Err(error) = fs::write(Path::new(folder).join(format!("rogue-{i}")), &block) {
            eprintln!("rogue: {error}");
            std::process::exit(12);
        }
    }
    hang()
}

/// Replaces the engine's own program file: later starts run another program.
pub fn change_program() -> io::Result<()> {
    let program = std::env::current_exe()?;
    let aside = program.with_extension("changed");
    fs::copy(&program, &aside)?;
    let mut bytes = fs::read(&aside)?;
    bytes.extend_from_slice(b"changed");
    fs::write(&aside, bytes)?;
    fs::rename(&aside, &program)
}

/// Removes the engine's own program file.
pub fn remove_program() -> io::Result<()> {
    fs::remove_file(std::env::current_exe()?)
}
