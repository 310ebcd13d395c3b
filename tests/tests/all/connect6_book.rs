//! Opening books of Connect6: `lab connect6 book` and the option `Book`.

use crate::support::matches::MATCH;
use crate::support::{DEADLINE, Process, await_that, run, texts};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Runs a command of `lab connect6 book`: whether it succeeded, its output and its errors.
fn book(words: &[&str]) -> (bool, String, String) {
    let output = run("lab", &[&["connect6", "book"], words].concat(), MATCH);
    let (out, err) = texts(&output);
    (output.status.success(), out, err)
}

/// Makes or continues a book with few nodes.
fn make(path: &Path, positions: &str) -> (bool, String, String) {
    let path = path.display().to_string();
    book(&["make", "--out", &path, "--positions", positions, "--nodes", "1000"])
}

#[test]
fn a_book_is_made_resumed_shown_and_verified() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [whole, parts] = folders.each_ref().map(|folder| folder.path().join("small.book"));
    let (made, out, err) = make(&whole, "9");
    assert!(made && out.contains("small.book: 9 positions, ") && err.is_empty(), "{out} {err}");
    assert!(make(&parts, "4").0);
    assert!(make(&parts, "9").0);
    assert_eq!(fs::read(&parts).expect("a book"), fs::read(&whole).expect("a book"));
    let name = whole.display().to_string();
    let (sound, out, _) = book(&["verify", &name]);
    assert!(sound && out.contains(": sound; 9 positions"), "{out}");
    assert!(out.contains("lab connect6 book make --out small.book --positions 9"), "{out}");
    let (_, out, _) = book(&["show", &name, "--json"]);
    let rows: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let value = |row: &Value| row["value"].as_i64().expect("a value");
    assert!(rows.len() >= 2 && rows.is_sorted_by(|a, b| value(a) >= value(b)), "{out}");
    let first = rows[0]["turn"].as_str().expect("a turn");
    let (_, plain, _) = book(&["show", &name]);
    let row = plain.lines().skip_while(|l| !l.starts_with("turn")).nth(1).expect("a row");
    assert!(row.starts_with(&format!("{first} ")), "{plain}");
    let (found, _, err) = book(&["show", &name, "startpos moves a1 r1s19"]);
    assert!(!found && err.contains("`startpos moves a1 r1s19` is not in the book"), "{err}");
    let (made, _, err) = book(&["make", "--out", &name, "--positions", "9", "--nodes", "1001"]);
    assert!(!made && err.contains("1000 nodes") && err.contains("name another file"), "{err}");
    assert!(!book(&["make", "--out", &name]).0);
}

#[test]
fn the_engine_plays_from_its_book_and_refuses_other_files_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.book");
    assert!(make(&path, "5").0);
    let name = path.display().to_string();
    let (_, out, _) = book(&["show", &name, "--json"]);
    let row: Value = serde_json::from_str(out.lines().next().expect("a row")).expect("JSON");
    let line: Vec<&str> =
        row["line"].as_array().expect("a line").iter().flat_map(Value::as_str).collect();
    assert!(line.len() >= 2, "{out}");
    let mut engine = Process::open("connect6", &[] as &[&str], "ugi");
    let bytes = fs::read(&path).expect("the book");
    let wrong = folder.path().join("wrong.book");
    let version = String::from_utf8_lossy(&bytes).replacen("book 1", "book 2", 1);
    for (bytes, what) in
        [(&bytes[..bytes.len() - 1], "damaged"), (version.as_bytes(), "version is 2")]
    {
        fs::write(&wrong, bytes).expect("a file");
        let answer = engine.request(&format!("setoption name Book value {}", wrong.display()));
        assert!(answer.contains("wrong.book") && answer.contains(what), "{answer}");
    }
    let wrong_name = wrong.display().to_string();
    let nine = ["connect6", "--option", "BoardSize=9", "book", "make", "--out", &wrong_name];
    fs::remove_file(&wrong).expect("the file");
    let made = run("lab", &[&nine[..], &["--positions", "1", "--nodes", "100"]].concat(), MATCH);
    assert!(made.status.success());
    let answer = engine.request(&format!("setoption name Book value {}", wrong.display()));
    assert!(answer.contains("board is 9; this program expects 19"), "{answer}");
    engine.send(&format!("setoption name Book value {name}"));
    assert_eq!(engine.request("isready"), "readyok");
    // In a book position it plays at once, whatever the time.
    let mut best = |position: &str, go: &str| {
        engine.send(&format!("position {position}"));
        engine.send(go);
        engine.until("bestmove ").split(' ').nth(1).map(str::to_string)
    };
    let slow = "go movetime 3600000";
    assert_eq!(best("startpos", slow).as_deref(), Some(line[0]));
    assert_eq!(best(&format!("startpos moves {}", line[0]), slow).as_deref(), Some(line[1]));
    assert_eq!(best("startpos", "go nodes 10 searchmoves s19").as_deref(), Some("s19"));
    assert!(best("startpos moves a1", "go nodes 10").is_some());
}

#[cfg(unix)]
#[test]
fn an_interrupted_book_is_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.book");
    let name = path.display().to_string();
    let words = ["connect6", "book", "make", "--out", &name, "--hours", "9", "--nodes", "30000"];
    // A busy machine may need more time for the first position.
    let mut time = Duration::from_millis(250);
    loop {
        interrupt_book(&path, &words, time);
        let (sound, out, err) = book(&["verify", &name]);
        assert!(sound, "{out} {err}");
        if !out.contains("; 0 positions") {
            break;
        }
        fs::remove_file(&path).expect("the book");
        time *= 2;
        assert!(time < DEADLINE, "no position is in the book");
    }
    let (made, out, err) = book(&["make", "--out", &name, "--positions", "4", "--nodes", "30000"]);
    assert!(made, "{out} {err}");
}

/// Makes a book for some time, then interrupts.
#[cfg(unix)]
fn interrupt_book(path: &Path, words: &[&str], time: Duration) {
    use rustix::process::{Pid, Signal, kill_process};
    let mut process = Process::start("lab", words);
    // The empty book is written before the first search.
    await_that("no book is written", || path.exists());
    std::thread::sleep(time);
    let pid = Pid::from_raw(process.id() as i32).expect("an id");
    kill_process(pid, Signal::INT).expect("a signal");
    let (status, _, err) = process.end();
    assert!(!status.success() && err.contains("run the same command to resume"), "{err}");
}
