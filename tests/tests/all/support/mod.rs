//! Helpers for whole-program tests: the built programs and dialogues with them.
//!
//! Every wait has a deadline, so a program that hangs fails its test and does not block the suite.

pub mod desk;
pub mod logs;
pub mod matches;

use std::collections::BTreeSet;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

/// Every engine program, with a position for a nontrivial search.
pub const ENGINES: &[(&str, &str)] = &[
    ("amazons", "position startpos moves d1d7,d7g7 a7b7,b7b2"),
    ("einstein", "position fen ABC2/DE3/F3f/3ed/2cba u 1"),
    ("connect6", "position startpos moves j10 k9l8"),
    ("darkchess", "position startpos moves b3 =K c5 =p b4 =g"),
    ("xiangqi", "position startpos moves h2e2 h9g7"),
    ("nogo", "position startpos moves e5 c3"),
];

/// Timeout for any quick operation on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// The locale of all other tests: messages are in English wherever they run.
const ENGLISH: &[(&str, &str)] = &[("LC_ALL", "C")];

/// The path of a program of the workspace (`amazons`, `referee`, ...) or of this package (`rogue`, ...).
/// Cargo builds this package's programs before its tests. One of them, `programs`, is all of the
/// workspace's programs; it is linked under their names, in a folder beside it.
///
/// # Panics
/// If there is no room for the link.
pub fn program(name: &str) -> PathBuf {
    static LINKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    match name {
        "rogue" => return env!("CARGO_BIN_EXE_rogue").into(),
        "stutter" => return env!("CARGO_BIN_EXE_stutter").into(),
        "stranger" => return env!("CARGO_BIN_EXE_stranger").into(),
        "trivial" => return env!("CARGO_BIN_EXE_trivial").into(),
        _ => {}
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_programs"));
    let folder = programs.with_file_name("programs-under-test");
    let link = folder.join(format!("{name}{EXE_SUFFIX}"));
    let mut linked = LINKED.lock().unwrap_or_else(PoisonError::into_inner);
    if linked.insert(name.into()) {
        // Renaming is atomic: other tests may be starting the program right now.
        let fresh = folder.join(format!("{name}-{}", std::process::id()));
        let linked = fs::create_dir_all(&folder)
            .and_then(|()| fs::hard_link(programs, &fresh))
            .and_then(|()| fs::rename(&fresh, &link));
        linked.expect("the programs can be linked");
    }
    link
}

/// A running program and its output.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts a program of the workspace.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start<S: AsRef<OsStr>>(name: &str, arguments: &[S]) -> Process {
        Process::start_in(name, arguments, ENGLISH)
    }

    /// Starts a program of the workspace with these variables of the locale and no others.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start_in<S: AsRef<OsStr>>(
        name: &str,
        arguments: &[S],
        locale: &[(&str, &str)],
    ) -> Process {
        let mut command = Command::new(program(name));
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(variable);
        }
        let mut child = command
            .args(arguments)
            .envs(locale.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let (lines, output) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim_end_matches('\r').to_string();
                if lines.send(line).is_err() {
                    return;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut all = Vec::new();
            let _ = stderr.read_to_end(&mut all);
            String::from_utf8_lossy(&all).into_owned()
        });
        let input = child.stdin.take();
        Process { child, input, output, errors: Some(errors) }
    }

    /// Starts an engine, sends the handshake of `dialect` and waits for the end of the reply.
    pub fn open<S: AsRef<OsStr>>(name: &str, arguments: &[S], dialect: &str) -> Process {
        let mut process = Process::start(name, arguments);
        process.send(dialect);
        process.until(&format!("{dialect}ok"));
        process
    }

    /// Writes a line. If the program has ended, the missing reply reveals it.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes raw bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Closes the program's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next line; `None` after the last one.
    ///
    /// # Panics
    /// If there is neither a line nor the end of output within [`DEADLINE`].
    pub fn receive(&self) -> Option<String> {
        self.receive_within(DEADLINE)
    }

    /// The next line; `None` after the last one.
    ///
    /// # Panics
    /// If there is neither a line nor the end of output within `most`.
    pub fn receive_within(&self, most: Duration) -> Option<String> {
        match self.output.recv_timeout(most) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("silent for {most:?}"),
        }
    }

    /// The next line with this prefix.
    ///
    /// # Panics
    /// If the program ends or stops responding first.
    pub fn until(&self, start: &str) -> String {
        self.lines_until(start).pop().expect("at least the line itself")
    }

    /// All lines up to and including the next one with this prefix.
    ///
    /// # Panics
    /// If the program ends or stops responding first.
    pub fn lines_until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.receive() else { panic!("ended before `{start}`: {lines:?}") };
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends a line and returns the next line of output.
    ///
    /// # Panics
    /// If the program ends or stops responding instead.
    pub fn request(&mut self, line: &str) -> String {
        self.send(line);
        let Some(answer) = self.receive() else { panic!("ended instead of answering `{line}`") };
        answer
    }

    /// Waits for the program to end: its status, the unread lines of output, and stderr.
    ///
    /// # Panics
    /// If it runs longer than [`DEADLINE`].
    pub fn end(&mut self) -> (ExitStatus, Vec<String>, String) {
        let status = wait(&mut self.child, DEADLINE).expect("the program ends in time");
        let rest = self.output.iter().collect();
        let errors = self.errors.take().and_then(|e| e.join().ok()).unwrap_or_default();
        (status, rest, errors)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the program is still running.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills the program.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until a condition holds.
///
/// # Panics
/// If it does not hold within [`DEADLINE`].
pub fn await_that(what: &str, mut condition: impl FnMut() -> bool) {
    let from = Instant::now();
    while !condition() {
        assert!(from.elapsed() < DEADLINE, "{what}");
        sleep(Duration::from_millis(5));
    }
}

/// Waits for a process; `None` if it is still running after `most`.
pub fn wait(child: &mut Child, most: Duration) -> Option<ExitStatus> {
    let from = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if from.elapsed() < most => sleep(Duration::from_millis(1)),
            _ => return None,
        }
    }
}

/// Runs a program of the workspace to completion, without input.
///
/// # Panics
/// If it cannot be started or runs longer than `most`.
pub fn run<S: AsRef<OsStr> + Debug>(name: &str, arguments: &[S], most: Duration) -> Output {
    run_in(name, arguments, ENGLISH, most)
}

/// Like [`run`], with these variables of the locale and no others.
///
/// # Panics
/// If it cannot be started or runs longer than `most`.
pub fn run_in<S: AsRef<OsStr> + Debug>(
    name: &str,
    arguments: &[S],
    locale: &[(&str, &str)],
    most: Duration,
) -> Output {
    let mut process = Process::start_in(name, arguments, locale);
    process.close();
    let from = Instant::now();
    while !matches!(process.child.try_wait(), Ok(Some(_))) {
        assert!(from.elapsed() < most, "{name} {arguments:?} still runs after {most:?}");
        sleep(Duration::from_millis(2));
    }
    let (status, lines, errors) = process.end();
    let stdout = lines.iter().flat_map(|l| [l.as_str(), "\n"]).collect::<String>();
    Output { status, stdout: stdout.into_bytes(), stderr: errors.into_bytes() }
}

/// The output of a run as text: stdout and stderr.
pub fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}
