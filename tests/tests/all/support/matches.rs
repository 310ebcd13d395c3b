//! Matches played by the built `referee`, and their logs.

use super::{DEADLINE, program, run, texts};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Timeout for a match of a few short games on a busy machine.
pub const MATCH: Duration = Duration::from_secs(90);

/// An Amazons `referee match` in a folder of its own.
#[derive(Debug)]
pub struct Match {
    folder: TempDir,
    /// The arguments after `match`; a test may add more.
    pub arguments: Vec<String>,
    /// The environment mark of all processes of its engines.
    mark: Option<String>,
}

/// The outcome of a match.
#[derive(Debug)]
pub struct Played {
    /// Whether the match is complete, perhaps with games lost by faults.
    pub success: bool,
    /// The exit status.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its error output.
    pub stderr: String,
}

/// An honest engine: `trivial` with a seed.
pub fn honest(seed: u32) -> String {
    format!("{} {seed}", program("trivial").display())
}

/// An engine that plays an illegal move in every game.
pub fn hopeless() -> String {
    format!("cmd={} illegal", program("rogue").display())
}

/// Runs the referee: its exit status, output and error output.
pub fn referee(words: &[&str]) -> (Option<i32>, String, String) {
    let output = run("referee", words, MATCH);
    let (out, err) = texts(&output);
    (output.status.code(), out, err)
}

/// Runs a sequential test in Amazons at depth 1, with the seed 1 and these further flags.
pub fn sprt(new: &str, base: &str, log: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let log = log.display().to_string();
    let mut words = vec!["sprt", "--game", "amazons", "--new", new, "--base", base];
    words.extend(["--depth", "1", "--quiet", "--seed", "1", "--log", &log]);
    words.extend(more);
    referee(&words)
}

impl Match {
    /// Between `rogue` engines with these arguments, named `a` and `b`: `games` games at 100 ms per
    /// move, with timeouts that suit a test.
    ///
    /// # Panics
    /// If there is no room for a temporary folder.
    pub fn between(a: &str, b: &str, games: u32) -> Match {
        let rogue = program("rogue");
        let mark = new_mark();
        let engine = |name: &str, arguments: &str| {
            format!("name={name},cmd={} {arguments},env.{MARK}={mark}", rogue.display())
        };
        Match { mark: Some(mark.clone()), ..Match::of([engine("a", a), engine("b", b)], games) }
    }

    /// Between any two engines, specified as for `--engine`, with the seed 1.
    ///
    /// # Panics
    /// If there is no room for a temporary folder.
    pub fn of(engines: [String; 2], games: u32) -> Match {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [a, b] = engines;
        let log = folder.path().join("match.jsonl");
        let words = ["match", "--game", "amazons", "--quiet", "--engine", &a, "--engine", &b];
        let mut arguments: Vec<String> = words.map(String::from).into();
        for (flag, value) in [
            ("--movetime", "100"),
            ("--margin", "400"),
            ("--ready-time", "5"),
            ("--grace-time", "0.5"),
            ("--games", &games.to_string()),
            ("--seed", "1"),
            ("--log", &log.display().to_string()),
        ] {
            arguments.extend([flag.to_string(), value.to_string()]);
        }
        Match { folder, arguments, mark: None }
    }

    /// Plays under limits that a shell command sets, such as `ulimit -n 20`: the exit status and the
    /// error output.
    ///
    /// # Panics
    /// If `bash` cannot be started.
    pub fn play_under(&self, limits: &str) -> (Option<i32>, String) {
        let output = Command::new("bash")
            .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
            .arg(program("referee"))
            .args(&self.arguments)
            .output()
            .expect("bash starts");
        (output.status.code(), texts(&output).1)
    }

    /// Adds a flag, or replaces its value if it is there already.
    #[must_use]
    pub fn with(mut self, flag: &str, value: &str) -> Match {
        match self.arguments.iter().position(|a| a == flag) {
            Some(at) => self.arguments[at + 1] = value.into(),
            None => self.arguments.extend([flag.to_string(), value.to_string()]),
        }
        self
    }

    /// Without a seed: chance follows from a secret.
    #[must_use]
    pub fn with_a_secret(mut self) -> Match {
        if let Some(at) = self.arguments.iter().position(|a| a == "--seed") {
            self.arguments.drain(at..at + 2);
        }
        self
    }

    /// Writes the dialogue with the engines to a file; [`Match::asked`] reads it.
    #[must_use]
    pub fn with_dialogue(self) -> Match {
        let path = self.dialogue().display().to_string();
        self.with("--engine-log", &path)
    }

    fn dialogue(&self) -> PathBuf {
        self.folder.path().join("dialogue.txt")
    }

    /// The dialogue with the engines so far.
    pub fn said(&self) -> String {
        std::fs::read_to_string(self.dialogue()).unwrap_or_default()
    }

    /// How often an engine has been asked for a move so far.
    pub fn asked(&self, engine: &str) -> usize {
        let dialogue = self.said();
        let engine = format!(" {engine}#");
        dialogue.lines().filter(|line| line.contains(&engine) && line.contains(" > go ")).count()
    }

    /// The path of the log.
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("match.jsonl")
    }

    /// Plays the match, or resumes it.
    ///
    /// # Panics
    /// If it runs longer than [`MATCH`].
    pub fn play(&self) -> Played {
        let output = run("referee", &self.arguments, MATCH);
        let (stdout, stderr) = texts(&output);
        let code = output.status.code();
        Played { success: matches!(code, Some(0 | LOST_BY_FAULTS)), code, stdout, stderr }
    }

    /// The running processes of its engines, including children.
    pub fn survivors(&self) -> Vec<u32> {
        self.mark.as_deref().map_or(Vec::new(), alive_with_mark)
    }

    /// Plays the match to completion and returns the games of the log, without timings, in
    /// schedule order.
    ///
    /// # Panics
    /// If it fails, or leaves a process behind.
    pub fn games(&self) -> Vec<Value> {
        let played = self.play();
        assert!(played.success, "{played:?}");
        let from = Instant::now();
        while !self.survivors().is_empty() {
            let left = self.survivors();
            assert!(from.elapsed() < DEADLINE, "processes {left:?} are left behind");
            sleep(Duration::from_millis(5));
        }
        games(&self.log())
    }
}

/// The exit status of a complete match with games lost by faults.
pub const LOST_BY_FAULTS: i32 = 5;

/// The environment variable that marks a match's engines.
const MARK: &str = "ROGUE_MATCH";

/// One mark per test: it is part of the logs, which are compared within a test.
fn new_mark() -> String {
    let thread = std::thread::current();
    format!("{}-{}", std::process::id(), thread.name().unwrap_or("unnamed"))
}

/// The processes with this mark in their environment; zombies have no environment. Supports Linux
/// only: empty elsewhere.
fn alive_with_mark(mark: &str) -> Vec<u32> {
    let wanted = format!("{MARK}={mark}");
    let processes = std::fs::read_dir("/proc").into_iter().flatten().map_while(Result::ok);
    let ids = processes.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|b| *b == 0).any(|variable| variable == wanted.as_bytes())
    })
    .collect()
}

/// The lines of a log, without an incomplete last line.
///
/// # Panics
/// If it cannot be read, or a complete line is not JSON.
pub fn lines(log: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(log).expect("the log");
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(|l| serde_json::from_str(l).expect("a line of JSON")).collect()
}

/// The games of a log, without timings, dates, links and machines, in schedule order: concurrent games end in any.
///
/// # Panics
/// If it cannot be read.
pub fn games(log: &Path) -> Vec<Value> {
    let mut all = lines(log);
    all.retain(|line| line.get("game").is_some_and(Value::is_u64));
    for game in &mut all {
        if let Some(fields) = game.as_object_mut() {
            fields.retain(|name, _| !matches!(name.as_str(), "start" | "end" | "prev" | "worker"));
        }
        if let Some(stats) = game.get_mut("stats").and_then(Value::as_object_mut) {
            stats.remove("us");
            stats.remove("stall_ms");
        }
    }
    all.sort_by_key(|game| game["game"].as_u64());
    all
}
