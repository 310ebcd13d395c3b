//! `referee serve` and `--serve` as programs: a game against an engine over HTTP, and a match that is
//! watched and stopped from its page.

use crate::support::program;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Enough for a game on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A referee that serves pages; it is killed when it is dropped.
pub struct Served {
    child: Child,
    host: String,
    root: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    /// Starts the referee and reads the address from the first line that has one.
    pub fn start(arguments: &[&str]) -> Served {
        Served::start_in(arguments, Path::new("."))
    }

    /// The same in a folder.
    fn start_in(arguments: &[&str], folder: &Path) -> Served {
        let child = Command::new(program("referee"))
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the referee starts");
        let mut served = Served { child, host: String::new(), root: String::new() };
        let (sender, lines) = std::sync::mpsc::channel();
        let outputs: [Box<dyn Read + Send>; 2] = [
            Box::new(served.child.stdout.take().expect("a pipe")),
            Box::new(served.child.stderr.take().expect("a pipe")),
        ];
        for output in outputs {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        drop(sender);
        let mut text = String::new();
        loop {
            let line = lines.recv_timeout(TIMEOUT).unwrap_or_else(|e| panic!("{e}: {text}"));
            if let Some((_, address)) = line.split_once("http://") {
                let (host, token) = address.split_once('/').expect("an address with a token");
                (served.host, served.root) = (host.into(), format!("/{token}"));
                // What is printed later is read by the threads, so that the program never waits.
                return served;
            }
            text.push_str(&line);
            text.push('\n');
        }
    }

    fn connect(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a time limit");
        let (host, root, length) = (&self.host, &self.root, body.len());
        let request = format!(
            "{method} {root}{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("a request");
        stream
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.answer("POST", path, &body.to_string());
        assert!(answer.get("ok").is_some(), "{answer}");
        answer["ok"].clone()
    }

    /// The whole answer, also of a refused request.
    pub fn answer(&self, method: &str, path: &str, body: &str) -> Value {
        let mut text = String::new();
        self.connect(method, path, body).read_to_string(&mut text).expect("text");
        let (_, body) = text.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).expect("JSON")
    }

    /// Listens to events until `wanted` accepts one.
    pub fn until(&self, path: &str, mut wanted: impl FnMut(&str, &Value) -> bool) -> Value {
        let (mut topic, begin) = (String::new(), Instant::now());
        for line in BufReader::new(self.connect("GET", path, "")).lines() {
            let line = line.expect("an event in time");
            // An idle stream still has comments.
            assert!(begin.elapsed() < TIMEOUT, "no such event of {path}");
            if let Some(name) = line.strip_prefix("event: ") {
                topic = name.into();
            } else if let Some(data) = line.strip_prefix("data: ") {
                let data = serde_json::from_str(data).expect("JSON");
                if wanted(&topic, &data) {
                    return data;
                }
            }
        }
        panic!("the events of {path} ended");
    }

    /// Waits for the end and returns the exit status.
    fn status(&mut self) -> Option<i32> {
        let deadline = Instant::now() + TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("its status") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the referee does not end");
    }

    fn terminate(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(&id).status().expect("kill runs").success());
    }
}

#[test]
fn a_game_against_an_engine_is_played_over_http() {
    let engine = format!("name=mine,cmd={}", program("einstein").display());
    let mut served = Served::start(&["serve", "--engine", &engine]);
    let new = json!({
        "position": { "game": "einstein" }, "engine": "mine", "level": { "depth": 2 },
        "sides": ["hand", "engine"],
    });
    let id = served.post("api/play", &new)["id"].as_str().unwrap().to_string();
    let (game, events) = (format!("api/play/{id}"), format!("api/play/{id}/events"));
    let mut lines = 0;
    // The page plays its first legal move whenever it is its turn; the server rolls.
    let last = served.until(&events, |topic, state| {
        if topic == "info" {
            lines += state["lines"].as_array().map_or(0, Vec::len);
            return false;
        }
        assert_eq!(state["engine"]["error"], Value::Null, "{state}");
        let view = &state["view"];
        let token = match view["legal"]["kind"].as_str() {
            Some("setup") => "123456".into(),
            Some("list") => view["legal"]["moves"][0][0].as_str().unwrap_or_default().to_string(),
            _ => return !view["result"].is_null(),
        };
        served.post(&game, &json!({ "do": "move", "token": token, "ply": view["ply"] }));
        false
    });
    assert!(last["view"]["result"]["winner"].is_number(), "{last}");
    let hint = json!({ "do": "undo" });
    let before = served.post(&game, &hint)["view"]["ply"].as_u64().unwrap();
    assert!(before < last["view"]["ply"].as_u64().unwrap());
    served.post(&game, &json!({ "do": "hint" }));
    let hinted = served.until(&events, |topic, state| topic == "state" && !state["hint"].is_null());
    assert!(hinted["hint"]["shown"]["token"].is_string());
    // The analysis runs until it is ended, and the engine still answers then.
    served.post(&game, &json!({ "do": "analyse", "lines": 2 }));
    let state =
        served.until(&events, |topic, state| topic == "state" && state["thinking"] == "analysis");
    assert_eq!(state["analysis"], 2);
    let state = served.post(&game, &json!({ "do": "analyse", "lines": 0 }));
    assert_eq!(state["thinking"], Value::Null);
    served.post(&game, &json!({ "do": "close" }));
    served.terminate();
    assert_eq!(served.status(), Some(0));
}

#[test]
fn a_page_sets_options_that_the_engine_lists_and_no_others() {
    let engine = format!("name=mine,cmd={},option.Hash=16", program("einstein").display());
    let served = Served::start(&["serve", "--engine", &engine]);
    let of = json!({ "engine": "mine", "game": "einstein" });
    let listed = served.post("api/options", &of);
    let listed = listed.as_array().expect("a list");
    let named = |name: &str| listed.iter().find(|option| option["name"] == name);
    let hash = named("Hash").expect("Hash");
    assert_eq!(
        (&hash["type"], &hash["default"], &hash["max"]),
        (&json!("spin"), &json!("16"), &json!("512"))
    );
    let algorithm = named("Algorithm").expect("Algorithm");
    assert!(algorithm["choices"].as_array().is_some_and(|c| c.contains(&json!("random"))));
    // Files and folders, the page's own number of lines, actions.
    for name in ["TableFile", "NTuple", "MultiPV", "Clear Hash", "Exploration"] {
        assert!(named(name).is_none(), "{name} is offered");
    }
    let begin = |options: Value| {
        let new = json!({
            "position": { "game": "einstein" }, "engine": "mine", "level": { "depth": 1 },
            "sides": ["engine", "engine"], "options": options,
        });
        served.answer("POST", "api/play", &new.to_string())
    };
    for (options, expected) in [
        (json!({ "TableFile": "/etc/passwd" }), "unknown option `TableFile`"),
        (json!({ "Hash": "1000000" }), "a whole number from 1 to 512"),
        (json!({ "Hash": "1\nquit" }), "a whole number"),
        (json!({ "Algorithm": "rm -rf /" }), "one of best"),
        (json!({ "Threads": "100000" }), "a whole number from 1"),
    ] {
        let answer = begin(options);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(expected), "{answer}");
    }
    let game = begin(json!({ "Algorithm": "random", "Hash": "1" }));
    let id = game["ok"]["id"].as_str().expect("a game");
    let state = served.until(&format!("api/play/{id}/events"), |topic, state| {
        topic == "state"
            && (!state["view"]["result"].is_null() || !state["engine"]["error"].is_null())
    });
    assert_eq!(state["engine"]["error"], Value::Null, "{state}");
    assert_eq!(state["engine"]["options"], json!(["Algorithm=random", "Hash=1"]));
    let unknown = json!({ "engine": "/bin/sh", "game": "einstein" });
    let answer = served.answer("POST", "api/options", &unknown.to_string());
    assert!(
        answer["error"].as_str().is_some_and(|e| e.contains("no engine `/bin/sh`")),
        "{answer}"
    );
}

#[test]
fn an_engine_that_crashes_is_shown_with_its_last_words_and_started_again() {
    let rogue = format!("name=bad,cmd={} crash,dialect=ugi", program("rogue").display());
    let served = Served::start(&["serve", "--engine", &rogue]);
    let new = json!({
        "position": { "game": "amazons" }, "engine": "bad", "level": { "depth": 1 },
        "sides": ["engine", "engine"],
    });
    let id = served.post("api/play", &new)["id"].as_str().unwrap().to_string();
    let (game, events) = (format!("api/play/{id}"), format!("api/play/{id}/events"));
    let failed =
        |topic: &str, state: &Value| topic == "state" && !state["engine"]["error"].is_null();
    let state = served.until(&events, failed);
    let words = state["engine"]["error"].to_string();
    assert!(words.contains("crashing on purpose"), "{words}");
    let state = served.post(&game, &json!({ "do": "retry" }));
    assert_eq!((&state["engine"]["error"], &state["thinking"]), (&Value::Null, &json!("move")));
    served.until(&events, failed);
}

#[test]
fn a_running_match_is_watched_and_stopped_from_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.jsonl");
    let engine = |name: &str| {
        format!("name={name},cmd={},option.Algorithm=random", program("nogo").display())
    };
    let (a, b) = (engine("a"), engine("b"));
    let mut served = Served::start(&[
        "match",
        "--game",
        "nogo",
        "--engine",
        &a,
        "--engine",
        &b,
        "--tc",
        "60+1",
        "--games",
        "100000",
        "--seed",
        "1",
        "--serve",
        "--log",
        log.to_str().unwrap(),
    ]);
    let mut seen = Vec::new();
    let board = served.until("api/log/1/events", |topic, data| {
        seen.push(topic.to_string());
        topic == "board-0" && !data.is_null()
    });
    assert_eq!(board["view"]["game"], "nogo", "{seen:?}");
    assert!(board["clocks"][0].as_u64().is_some_and(|ms| ms > 1000), "{board}");
    let summary = served.until("api/log/1/events", |topic, data| {
        topic == "summary" && data["played"].as_u64().is_some_and(|n| n > 0)
    });
    assert_eq!(summary["total"], 100_000);
    served.post("api/log/1/finish", &json!({}));
    assert_eq!(served.status(), Some(130));
    let text = std::fs::read_to_string(&log).unwrap();
    let games = text.lines().count() - 1;
    assert!((1..100_000).contains(&games) && text.ends_with('\n'), "{games}");
    assert!(!text.contains("\"crash\""), "no running game was cut off");
}

#[test]
fn a_log_that_another_program_writes_is_followed_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.jsonl");
    let log = log.to_str().unwrap();
    let engine = |name: &str| {
        format!("name={name},cmd={},option.Algorithm=random", program("nogo").display())
    };
    let (a, b) = (engine("a"), engine("b"));
    let mut play = Command::new(program("referee"));
    play.args(["match", "--game", "nogo", "--engine", &a, "--engine", &b, "--depth", "1"]);
    play.args(["--games", "2", "--seed", "1", "--log", log, "--quiet"]);
    play.stdout(Stdio::null()).stderr(Stdio::null());
    assert_eq!(play.status().expect("a match").code(), Some(0));
    let served = Served::start(&["serve", log]);
    let first = served.until("api/log/1/events", |topic, _| topic == "summary");
    assert_eq!((&first["played"], &first["total"]), (&json!(2), &json!(2)));
    let text = std::fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // A torn line at the end, as of a program that is killed, is no game.
    std::fs::write(log, lines[..3].join("\n") + "\n{\"game\":2,\"pair\":1,\"play").unwrap();
    let torn = served.answer("GET", "api/log/1", "");
    assert_eq!(torn["ok"]["played"], 2, "{torn}");
    // The last game comes back.
    std::fs::write(log, lines[..2].join("\n") + "\n").unwrap();
    served.until("api/log/1/events", |topic, data| topic == "summary" && data["played"] == 1);
    std::fs::write(log, &text).unwrap();
    served.until("api/log/1/events", |topic, data| topic == "summary" && data["played"] == 2);
}

#[test]
fn logs_that_cannot_be_served_are_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let refused = |contents: &str| {
        std::fs::write(&path, contents).unwrap();
        let run = Command::new(program("referee")).arg("serve").arg(&path).output().unwrap();
        assert!(!run.status.success(), "{contents}");
        String::from_utf8_lossy(&run.stderr).into_owned()
    };
    for (contents, expected) in [
        ("", "no complete first line"),
        ("{\"agon_match_log\":1,\"refe", "no complete first line"),
        ("hello\n", "no match header"),
        ("{\"agon_match_log\":99,\"referee\":\"x\"}\n", "99"),
    ] {
        let text = refused(contents);
        assert!(text.contains("match.jsonl") && text.contains(expected), "{contents}: {text}");
    }
}

/// Without a flag: the engines beside the program, the logs of the folder, and a desk that the first page opens.
#[test]
fn serve_needs_no_flag_and_its_first_page_leads_everywhere() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let play = |log: &str| {
        let engine = format!("cmd={}", program("amazons").display());
        let run = Command::new(program("referee"))
            .args(["match", "--game", "amazons", "--nodes", "10", "--games", "1", "--quiet"])
            .args(["--engine", &engine, "--engine", &engine, "--log", log])
            .current_dir(folder.path())
            .output();
        assert!(run.expect("the referee runs").status.success());
    };
    play("first.jsonl");
    std::fs::write(folder.path().join("other.jsonl"), "{}\n").expect("a file");
    let served = Served::start_in(&["serve"], folder.path());
    let get = |path: &str| served.answer("GET", path, "")["ok"].clone();
    // The tests' programs are links that are made as they are needed.
    let engines = get("api/engines");
    let has = |name: &str| engines.as_array().unwrap().iter().any(|e| e["name"] == name);
    assert!(has("amazons"), "{engines}");
    let names = || {
        let logs = get("api/logs");
        let all = logs.as_array().unwrap().iter();
        all.map(|log| (log["name"].clone(), log["found"]["game"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(names(), [(json!("first"), json!("amazons"))]);
    play("later.jsonl");
    let both = ["first", "later"].map(|name| (json!(name), json!("amazons")));
    assert_eq!(names(), both, "the numbers of the first ones stay");
    assert_eq!(get("api/log/2")["played"], 1);

    let door = get("api/door");
    assert_eq!(
        (&door["desk"], door["events"].as_array().unwrap().len() > 3),
        (&json!(false), true)
    );
    let refused = served.answer("POST", "api/desk", "{\"act\":{\"do\":\"begin\"}}");
    assert!(refused["error"].to_string().contains("no desk is open"), "{refused}");
    let desk = |event: &str, engine: Value| {
        let new = json!({ "event": event, "engine": engine, "team": 1, "teams": ["Reds", " "] });
        served.answer("POST", "api/door", &new.to_string())
    };
    for (event, engine, expected) in [
        ("no-such-event", json!(null), "no event"),
        ("../ccgc-amazons", json!(null), "no event"),
        ("ccgc-amazons", json!("no-such-engine"), "no engine"),
        ("ccgc-nogo", json!("amazons"), "no engine"),
    ] {
        let answer = desk(event, engine);
        assert!(answer["error"].to_string().contains(expected), "{event}: {answer}");
    }
    assert_eq!(get("api/door")["desk"], false, "a refused desk is not open");
    let opened = desk("ccgc-amazons", json!("amazons"));
    assert_eq!(opened["ok"]["desk"], true, "{opened}");
    assert!(desk("ccgc-amazons", json!(null))["error"].to_string().contains("open already"));
    let state = served.until("api/desk/events", |topic, _| topic == "state");
    assert!(state.to_string().contains("Reds"), "{state}");
    assert!(folder.path().join("ccgc-amazons.desk.jsonl").is_file());
}

#[test]
fn bad_flags_of_serve_are_explained() {
    for (arguments, expected) in [
        (vec!["serve", "no-such-log.jsonl"], "no-such-log.jsonl"),
        (vec!["serve", "--engine", "name=A,cmd=./no/such/engine"], "./no/such/engine"),
        (vec!["serve", "--address", "0.0.0.0"], "--host"),
        (vec!["serve", "--host", "a/b"], "--host"),
    ] {
        let run = Command::new(program("referee")).args(&arguments).output().unwrap();
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(!run.status.success() && text.contains(expected), "{arguments:?}: {text}");
    }
}

/// The page shows that the engine starts, before a move is due; and why it does not.
#[test]
#[cfg(unix)]
fn a_page_shows_that_its_engine_starts_or_why_it_does_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("slow.sh");
    let text = format!("sleep 3\nexec {} 1\n", program("trivial").display());
    std::fs::write(&script, text).expect("the script");
    let slow = format!("name=slow,cmd=sh {}", script.display());
    let wrong = format!("name=wrong,cmd={},option.Hash=0", program("amazons").display());
    let state_of = |flags: &[&str], engine: &str, wanted: &dyn Fn(&Value) -> bool| {
        let served =
            Served::start(&[&["serve", "--engine", &slow, "--engine", &wrong], flags].concat());
        let new = json!({
            "position": { "game": "amazons" }, "engine": engine, "level": { "depth": 1 },
            "sides": ["hand", "engine"],
        });
        let id = served.post("api/play", &new)["id"].as_str().unwrap().to_string();
        let events = format!("api/play/{id}/events");
        let first = served.until(&events, |topic, _| topic == "state");
        (first, served.until(&events, |topic, state| topic == "state" && wanted(state)))
    };
    let (first, last) = state_of(&[], "slow", &|s| s["engine"]["starts"] == false);
    assert_eq!(
        (&first["engine"]["starts"], &last["engine"]["error"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(first["thinking"], Value::Null, "no move is due");
    let failed = |s: &Value| !s["engine"]["error"].is_null();
    let (_, last) = state_of(&["--ready-time", "1"], "slow", &failed);
    let error = last["engine"]["error"].to_string();
    assert!(error.contains("--ready-time") && error.contains("did not answer in time"), "{error}");
    let (_, last) = state_of(&[], "wrong", &failed);
    let error = last["engine"]["error"].to_string();
    assert!(error.contains("Hash") && error.contains("a whole number from 1 to"), "{error}");
}
