//! `--publish`: the files of a running match, that nothing in them tells its secret, and what happens if they cannot be
//! written.

use crate::support::logs::random_match;
use crate::support::matches::{MATCH, Match};
use crate::support::{program, texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A match of a game with chance that publishes into this folder.
fn published(folder: &Path, games: u32) -> Match {
    random_match("darkchess", games).with("--publish", &folder.display().to_string())
}

fn start(played: &Match) -> Child {
    let mut command = Command::new(program("referee"));
    command.args(&played.arguments).env("LC_ALL", "C").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the referee starts")
}

fn json(path: &Path) -> Option<Value> {
    // A file is whole whenever it is read.
    fs::read(path).ok().map(|bytes| serde_json::from_slice(&bytes).expect("JSON"))
}

/// Waits until a file is as wanted.
fn until(path: &Path, wanted: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + MATCH;
    loop {
        if let Some(found) = json(path).filter(&wanted) {
            return found;
        }
        assert!(Instant::now() < deadline, "{}: {:?}", path.display(), fs::read_to_string(path));
        sleep(Duration::from_millis(5));
    }
}

/// All files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

#[test]
fn a_match_is_published_while_it_runs_and_whole_at_its_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("sub/pages");
    let played = published(&out, 6);
    let running = start(&played);
    let mark = until(&out.join("match.json"), |mark| mark["topics"]["board-0"].is_u64());
    assert_eq!((&mark["name"], &mark["boards"]), (&"match".into(), &1.into()));
    let board =
        until(&out.join("now/board-0.json"), |board| board["view"]["ply"].as_u64() > Some(3));
    assert_eq!(board["view"]["game"], "darkchess");
    assert!(board["reports"].is_array() && board["players"][0].is_string(), "{board}");
    until(&out.join("match.json"), |mark| mark["games"].as_u64() > Some(0));
    if let Ok(secret) = fs::read_to_string(played.log().with_extension("jsonl.secret")) {
        for path in below(&out) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            assert!(!text.contains(secret.trim()), "{} tells the secret", path.display());
        }
    }
    let ended = running.wait_with_output().expect("the match ends");
    assert_eq!(ended.status.code(), Some(0), "{}", texts(&ended).1);
    check_whole(&out, 6);
    // The same command continues the match in the same folder, and is told if it is complete.
    let longer = played.with("--games", "8");
    assert!(longer.play().success);
    check_whole(&out, 8);
    fs::remove_dir_all(&out).expect("the folder");
    assert!(longer.play().success);
    check_whole(&out, 8);
    // Another match needs another folder.
    let other = published(&out, 2).play();
    assert!(!other.success && other.stderr.contains("the folder holds another match"), "{other:?}");
}

/// All files of a match that has ended.
fn check_whole(out: &Path, games: u64) {
    let mark = json(&out.join("match.json")).expect("the mark");
    assert_eq!(mark["games"], games);
    let run = json(&out.join("now/run.json")).expect("the run");
    assert_eq!(run["ended"], true);
    assert_eq!(
        mark["topics"].as_object().expect("topics").keys().collect::<Vec<_>>(),
        ["run", "summary"]
    );
    let summary = json(&out.join("now/summary.json")).expect("the summary");
    assert_eq!((&summary["played"], &summary["total"]), (&games.into(), &games.into()));
    let list = json(&out.join("list/0/0.json")).expect("the list");
    let mut numbers: Vec<u64> = list
        .as_array()
        .expect("games")
        .iter()
        .map(|game| game["number"].as_u64().expect("a number"))
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=games).collect::<Vec<_>>());
    for number in numbers {
        let game = json(&out.join(format!("games/0/{number}.json"))).expect("a replay");
        assert_eq!(game["number"], number);
        assert!(game["moves"].as_array().is_some_and(|moves| moves.len() > 3), "{game}");
    }
    assert!(
        fs::read_to_string(out.join("index.html"))
            .expect("the page")
            .contains("assets/published.js")
    );
    for path in below(out) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(!name.starts_with('.'), "{name} is left behind");
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_refused_before_the_match() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name);
    fs::create_dir(place("other")).expect("a folder");
    fs::write(place("other/index.html"), "mine").expect("a file");
    fs::write(place("file"), "").expect("a file");
    let refused = |played: Match, reason: &str| {
        let log = played.log();
        let played = played.play();
        assert!(played.code == Some(1) && played.stderr.contains(reason), "{reason}: {played:?}");
        assert!(!log.exists(), "the match has begun");
    };
    refused(
        published(&place("other"), 2),
        "the folder holds `index.html`, which is not of a published match",
    );
    assert_eq!(fs::read_to_string(place("other/index.html")).expect("the file"), "mine");
    refused(published(&place("file"), 2), "expected a folder, and this is a file");
    let inside = published(&place("pages"), 2);
    let around = inside.log().parent().expect("a folder").to_path_buf();
    let empty_around = around.join("deep");
    fs::create_dir(&empty_around).expect("a folder");
    let log = empty_around.join("match.jsonl").display().to_string();
    let inside = inside.with("--publish", &empty_around.display().to_string()).with("--log", &log);
    refused(inside, "knows all dice and deals of the match");
    #[cfg(target_os = "linux")]
    refused(published(Path::new("/proc/pages"), 2), "--publish /proc/pages");
}

#[test]
fn a_match_goes_on_if_its_pages_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("pages");
    // The folder of the log lives as long as this.
    let played = published(&out, 6).with("--wait", "100");
    let running = start(&played);
    until(&out.join("match.json"), |mark| mark["topics"]["run"].is_u64());
    fs::rename(&out, folder.path().join("moved")).expect("the folder");
    fs::write(&out, "a file").expect("a file");
    let ended = running.wait_with_output().expect("the match ends");
    let errors = texts(&ended).1;
    assert_eq!(ended.status.code(), Some(0), "{errors}");
    assert_eq!(errors.matches("the match goes on").count(), 1, "{errors}");
}
