//! `referee desk` for whole-program tests: its page over HTTP, and its files.

use super::{DEADLINE, Process, program};
use agon_games::hash::mix;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a desk may take for anything: every action waits for the disk, which may be busy.
pub const TIMEOUT: Duration = DEADLINE.saturating_mul(6);

/// The address of a desk's page.
#[derive(Clone)]
pub struct Page {
    host: String,
    base: String,
}

impl Page {
    /// The page at an address that a program printed.
    ///
    /// # Panics
    /// If it is no such address.
    pub fn at(address: &str) -> Page {
        let address = address.strip_prefix("http://").expect("an address");
        let (host, path) = address.split_once('/').expect("a path");
        Page { host: host.into(), base: format!("/{}", path.trim_end_matches("desk")) }
    }

    /// Sends a request: the status and the body; `None` if the desk ended before it answered.
    pub fn request(&self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect(&self.host).ok()?;
        stream.set_read_timeout(Some(TIMEOUT)).ok()?;
        let text = format!(
            "{method} {}{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: \
             application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.base,
            self.host,
            body.len()
        );
        stream.write_all(text.as_bytes()).ok()?;
        let mut all = Vec::new();
        stream.read_to_end(&mut all).ok()?;
        let all = String::from_utf8_lossy(&all).into_owned();
        let (head, body) = all.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, body.to_string()))
    }

    /// Types an entry: the status of the answer; `None` if the desk ended before it answered.
    pub fn play(&self, text: &str) -> Option<u16> {
        let body = json!({ "act": { "do": "play", "text": text } }).to_string();
        self.request("POST", "api/desk", &body).map(|(status, _)| status)
    }
}

/// A desk and its page. Its session file is in a folder of its own.
pub struct Desk {
    /// The program.
    pub process: Process,
    /// Its page.
    pub page: Page,
    arguments: Vec<String>,
    folder: TempDir,
}

impl Desk {
    /// Starts `referee desk` with a new session.
    ///
    /// # Panics
    /// If it prints no address.
    pub fn open(arguments: &[&str]) -> Desk {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let (process, page) = start(&session_in(&folder), &arguments);
        Desk { process, page, arguments, folder }
    }

    /// Starts `referee desk` with a new session, and begins the first game.
    ///
    /// # Panics
    /// If it prints no address or refuses to begin.
    pub fn begin(arguments: &[&str]) -> Desk {
        let desk = Desk::open(arguments);
        desk.act(json!({ "do": "begin" }));
        desk
    }

    /// Starts a desk that was killed again, on the same session.
    ///
    /// # Panics
    /// If it prints no address.
    pub fn reopen(&mut self) {
        (self.process, self.page) = start(&session_in(&self.folder), &self.arguments);
    }

    /// The session file.
    pub fn session(&self) -> PathBuf {
        session_in(&self.folder)
    }

    /// The lines of the session file.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn lines(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.session()).expect("the session file");
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
    }

    /// The current record of each game that has one.
    ///
    /// # Panics
    /// If a game has several.
    pub fn records(&self) -> Vec<PathBuf> {
        let folders = files(&self.folder.path().join("s-records"));
        let of = |folder: &PathBuf| {
            let current = files(folder).into_iter().filter(|path| !is_superseded(path));
            let current: Vec<PathBuf> = current.collect();
            assert!(current.len() < 2, "one current record: {current:?}");
            current
        };
        folders.iter().flat_map(of).collect()
    }

    /// The records of earlier results.
    pub fn superseded(&self) -> Vec<PathBuf> {
        let folders = files(&self.folder.path().join("s-records"));
        folders.iter().flat_map(|folder| files(folder)).filter(|path| is_superseded(path)).collect()
    }

    /// Sends a request: the status and the body.
    ///
    /// # Panics
    /// If the desk does not answer in time.
    pub fn request(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        self.page.request(method, path, body).expect("an answer in time")
    }

    /// Gives a command: the status and the answer.
    ///
    /// # Panics
    /// If the desk does not answer in time.
    pub fn give(&self, act: Value) -> (u16, Value) {
        let (status, body) = self.request("POST", "api/desk", &json!({ "act": act }).to_string());
        (status, serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}")))
    }

    /// Gives a command that must succeed.
    ///
    /// # Panics
    /// If it is refused.
    pub fn act(&self, act: Value) -> Value {
        let (status, answer) = self.give(act.clone());
        assert_eq!(status, 200, "{act}: {answer}");
        answer["ok"].clone()
    }

    /// Types an entry.
    ///
    /// # Panics
    /// If it is refused.
    pub fn play(&self, text: &str) {
        self.act(json!({ "do": "play", "text": text }));
    }

    /// The first state and clocks that a page gets.
    ///
    /// # Panics
    /// If the desk does not answer in time.
    pub fn shown(&self) -> (Value, Value) {
        let Page { host, base } = &self.page;
        let mut stream = TcpStream::connect(host).expect("the desk listens");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        let text = format!("GET {base}api/desk/events HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(text.as_bytes()).expect("the request is sent");
        let (mut all, mut chunk) = (Vec::new(), [0; 1 << 14]);
        loop {
            let text = String::from_utf8_lossy(&all).into_owned();
            let event = |name: &str| {
                let text = text.split(&format!("event: {name}\ndata: ")).nth(1)?;
                let (data, _) = text.split_once('\n')?;
                serde_json::from_str(data).ok()
            };
            if let (Some(state), Some(clock)) = (event("state"), event("clock")) {
                return (state, clock);
            }
            let n = stream.read(&mut chunk).expect("events in time");
            assert!(n > 0, "the events ended: {text}");
            all.extend_from_slice(&chunk[..n]);
        }
    }

    /// Waits for a state.
    ///
    /// # Panics
    /// If it does not come in time.
    pub fn until(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let (state, _) = self.shown();
            if is_so(&state) {
                return state;
            }
            assert!(begin.elapsed() < TIMEOUT, "never {what}: {state}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the engine's proposal and plays it.
    ///
    /// # Panics
    /// If there is none in time.
    pub fn accept(&self) -> String {
        let state = self.until("a proposal", |s| !s["game"]["proposal"].is_null());
        self.act(json!({ "do": "accept" }));
        state["game"]["proposal"]["shown"]["token"].as_str().expect("a token").to_string()
    }

    /// Plays the game on until the rules end it, and records the result: the engine for its team, legal
    /// moves for the others, chosen by `seed`. Revealed pieces are entered, dice rolled at the desk.
    ///
    /// # Panics
    /// If an entry is refused.
    pub fn play_out(&self, seed: u64) {
        let mut state = self.shown().0;
        for ply in 0.. {
            let game = &state["game"];
            if !game["ruled"].is_null() {
                self.act(json!({ "do": "end", "why": "rules" }));
                return;
            }
            if game["view"]["chance"]["kind"] == "die" {
                self.act(json!({ "do": "roll" }));
            } else if game["set_up_due"] == true && game["proposal"].is_null() {
                self.play("123456");
            } else if game["on_duty"] == state["engine_team"] && game["view"]["turn"] != "chance" {
                self.accept();
            } else {
                self.play(&entry(&game["view"], mix(seed ^ (ply << 32))));
            }
            state = self.shown().0;
        }
    }
}

fn session_in(folder: &TempDir) -> PathBuf {
    folder.path().join("s.jsonl")
}

fn process(session: &Path, arguments: &[String]) -> Process {
    let session = session.display().to_string();
    let words = ["desk", "--session", &session].map(String::from);
    Process::start("referee", &[&words, arguments].concat())
}

fn start(session: &Path, arguments: &[String]) -> (Process, Page) {
    let process = process(session, arguments);
    // The desk hashes its engines first.
    let line = std::iter::from_fn(|| process.receive_within(TIMEOUT))
        .find(|line| line.starts_with("http://"));
    (process, Page::at(&line.expect("an address")))
}

/// Why `referee desk` refuses a session file or arguments.
///
/// # Panics
/// If it does not.
pub fn refusal(session: &Path, arguments: &[&str]) -> String {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let (status, _, errors) = process(session, &arguments).end();
    assert!(!status.success(), "{arguments:?}");
    errors
}

/// Checks a record by `referee verify`.
///
/// # Panics
/// If it finds a defect.
pub fn verify(record: &Path) {
    let words = [Path::new("verify"), record];
    let (status, out, errors) = Process::start("referee", &words).end();
    assert!(status.success(), "{}: {out:?} {errors}", record.display());
}

/// An engine that fails at its first move as `how` says, and its stand-by, for the desk's flags.
pub fn failing_engine(how: &str) -> [String; 2] {
    let rogue = format!("name=bad,cmd={} {how} --at 1", program("rogue").display());
    [rogue, format!("name=good,cmd={} 7", program("trivial").display())]
}

/// An entry that is possible in a view, chosen by a number.
fn entry(view: &Value, number: u64) -> String {
    let of = |list: &Value, number: u64| {
        let list = list.as_array().expect("a list");
        list[(number % list.len() as u64) as usize].clone()
    };
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let legal = &view["legal"];
    if view["turn"] == "chance" {
        text(&of(&view["chance"]["outcomes"], number)["token"])
    } else if legal["kind"] == "list" {
        text(&of(&legal["moves"], number)[0])
    } else if legal["count"] == 1 {
        text(&of(&legal["points"], number))
    } else {
        let points = legal["points"].as_array().expect("points").len() as u64;
        let [one, other] = [number % points, (number + 1 + mix(number) % (points - 1)) % points];
        format!("{} {}", text(&of(&legal["points"], one)), text(&of(&legal["points"], other)))
    }
}

/// The files of a folder, sorted; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

fn is_superseded(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("superseded-"))
}
