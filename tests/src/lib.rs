//! What whole-program tests share: the built programs and conversations with them.
//!
//! Every wait has a deadline, so that a program that hangs fails its test instead of the suite.

pub mod matches;

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

/// Every engine program, with a position in which there is something to think about.
pub const ENGINES: &[(&str, &str)] = &[
    ("amazons", "position startpos moves d1d7,d7g7 a7b7,b7b2"),
    ("einstein", "position fen ABC2/DE3/F3f/3ed/2cba u 1"),
    ("connect6", "position startpos moves j10 k9l8"),
    ("darkchess", "position startpos moves b3 =K c5 =p b4 =g"),
    ("xiangqi", "position startpos moves h2e2 h9g7"),
    ("nogo", "position startpos moves e5 c3"),
];

/// How long anything may take that ought to be quick, on a machine that is busy.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// The path of a program of the workspace (`amazons`, `referee`, `rogue`, ...), as fresh as the
/// sources. The first call builds them all, with the profile and in the target folder of the
/// running test.
///
/// # Panics
/// If the programs cannot be built, or there is none of this name.
pub fn program(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let path = FOLDER.get_or_init(build).join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "the workspace builds no program `{name}`");
    path
}

fn build() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    // target/PROFILE/deps/TEST, or target/TRIPLE/PROFILE/deps/TEST for a chosen target.
    let folder = test.ancestors().nth(2).expect("tests lie in deps").to_path_buf();
    let crossed = std::env::var_os("CARGO_BUILD_TARGET").is_some();
    let target = folder.ancestors().nth(if crossed { 2 } else { 1 }).expect("a target folder");
    let profile = match folder.file_name().and_then(OsStr::to_str) {
        None | Some("debug") => "dev",
        Some(profile) => profile,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the root");
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--workspace", "--bins", "--profile", profile])
        .arg("--target-dir")
        .arg(target)
        .current_dir(root)
        .status()
        .expect("cargo starts");
    assert!(status.success(), "the programs do not build");
    folder
}

/// A running program and what it writes.
#[derive(Debug)]
pub struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Talk {
    /// Starts a program of the workspace.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start<S: AsRef<OsStr>>(name: &str, arguments: &[S]) -> Talk {
        let mut child = Command::new(program(name))
            .args(arguments)
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
        Talk { child, input, output, errors: Some(errors) }
    }

    /// Starts an engine, opens a conversation in `dialect` and waits for the end of its answer.
    pub fn open<S: AsRef<OsStr>>(name: &str, arguments: &[S], dialect: &str) -> Talk {
        let mut talk = Talk::start(name, arguments);
        talk.say(dialect);
        talk.until(&format!("{dialect}ok"));
        talk
    }

    /// Writes a line. A program that has gone is noticed by what it does not say.
    pub fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes bytes as they are.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
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
    /// If there is neither within [`DEADLINE`].
    pub fn hear(&self) -> Option<String> {
        match self.output.recv_timeout(DEADLINE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("silent for {DEADLINE:?}"),
        }
    }

    /// The next line that begins so.
    ///
    /// # Panics
    /// If the program ends or falls silent before.
    pub fn until(&self, start: &str) -> String {
        self.lines_until(start).pop().expect("at least the line itself")
    }

    /// All lines to the next one that begins so, which is the last.
    ///
    /// # Panics
    /// If the program ends or falls silent before.
    pub fn lines_until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.hear() else { panic!("ended before `{start}`: {lines:?}") };
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Says a line and gives the next line.
    ///
    /// # Panics
    /// If the program ends or falls silent instead.
    pub fn ask(&mut self, line: &str) -> String {
        self.say(line);
        let Some(answer) = self.hear() else { panic!("ended instead of answering `{line}`") };
        answer
    }

    /// Waits for the end of the program: its status, the lines not yet heard, and stderr.
    ///
    /// # Panics
    /// If it goes on for longer than [`DEADLINE`].
    pub fn end(&mut self) -> (ExitStatus, Vec<String>, String) {
        let status = wait(&mut self.child, DEADLINE).expect("the program goes on");
        let rest = self.output.iter().collect();
        let errors = self.errors.take().and_then(|e| e.join().ok()).unwrap_or_default();
        (status, rest, errors)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the program has not ended yet.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the program by force.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits for a process; `None` if it goes on.
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

/// Runs a program of the workspace to its end, with no input.
///
/// # Panics
/// If it cannot be started or goes on for longer than `most`.
pub fn run<S: AsRef<OsStr> + Debug>(name: &str, arguments: &[S], most: Duration) -> Output {
    let mut talk = Talk::start(name, arguments);
    talk.close();
    let from = Instant::now();
    while !matches!(talk.child.try_wait(), Ok(Some(_))) {
        assert!(from.elapsed() < most, "{name} {arguments:?} goes on after {most:?}");
        sleep(Duration::from_millis(2));
    }
    let (status, lines, errors) = talk.end();
    let stdout = lines.iter().flat_map(|l| [l.as_str(), "\n"]).collect::<String>();
    Output { status, stdout: stdout.into_bytes(), stderr: errors.into_bytes() }
}

/// What a run of a program said, as text: stdout and stderr.
pub fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}
