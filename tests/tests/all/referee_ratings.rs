//! `referee ratings FOLDER`: a list of all verified logs below a folder, its page, and the games behind its numbers.

use crate::support::logs::{edited, random_match};
use crate::support::matches::{Match, honest, referee};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Two engines that play at once, at depth 1: the same games each time.
fn quick(a: &str, b: &str, games: u32) -> Match {
    let engine = |name: &str, seed: u32| format!("name={name},cmd={}", honest(seed));
    let quick = Match::of([engine(a, 1), engine(b, 2)], games).with("--random-plies", "4");
    let at = quick.arguments.iter().position(|word| word == "--movetime").expect("a time");
    let mut quick = quick;
    quick.arguments[at] = "--depth".into();
    quick.arguments[at + 1] = "1".into();
    quick
}

/// Plays a match into a log.
fn play(played: Match, log: &Path) {
    fs::create_dir_all(log.parent().expect("a folder")).expect("the folder");
    let played = played.with("--log", &log.display().to_string()).play();
    assert!(played.success, "{played:?}");
}

/// The files below a folder by their paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            all.extend(
                files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)),
            );
        } else {
            all.insert(name, fs::read(&path).expect("the file"));
        }
    }
    all
}

/// Makes the list of a folder in an empty one: status, JSON, errors and all files.
fn list(
    logs: &Path,
    out: &Path,
    more: &[&str],
) -> (Option<i32>, Value, String, BTreeMap<String, Vec<u8>>) {
    fs::create_dir_all(out).expect("the folder");
    let (page, data) = (out.join("list.html"), out.join("list.json"));
    let (logs, page, data) =
        (logs.display().to_string(), page.display().to_string(), data.display().to_string());
    let words = [&["ratings", &logs, "--out", &page, "--out", &data], more].concat();
    let (code, _, errors) = referee(&words);
    let files = files(out);
    let json = files
        .get("list.json")
        .map_or(Value::Null, |text| serde_json::from_slice(text).expect("JSON"));
    (code, json, errors, files)
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    String::from_utf8(files[name].clone()).expect("text")
}

/// The logs with a defect are named in the JSON, on the page and on the terminal.
fn check_refused(json: &Value, errors: &str, page: &str) {
    let refused: Vec<(&str, Option<u64>)> = json["not_counted"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|log| (log["log"].as_str().expect("a name"), log["line"].as_u64()))
        .collect();
    assert_eq!(
        refused,
        [("mended.jsonl", Some(3)), ("notes.jsonl", None), ("plain.jsonl", Some(3))]
    );
    for (name, _) in refused {
        assert!(
            page.contains(name) && errors.contains(&format!("{name}: does not count:")),
            "{name}: {errors}"
        );
    }
}

#[test]
fn a_folder_gives_the_same_bytes_wherever_it_lies_and_a_tampered_log_does_not_count() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logs = folder.path().join("logs");
    play(quick("one", "two", 6), &logs.join("deep/er/amazons.jsonl"));
    play(random_match("nogo", 4), &logs.join("nogo.jsonl"));
    // A copy under another name; a log with another result; one whose chain was made anew; no log at all.
    fs::copy(logs.join("nogo.jsonl"), logs.join("copy of nogo.jsonl")).expect("a copy");
    let honest = fs::read_to_string(logs.join("deep/er/amazons.jsonl")).expect("the log");
    let lie = |lines: &mut Vec<Value>| {
        let other = if lines[2]["result"] == "first" { "second" } else { "first" };
        lines[2]["result"] = other.into();
    };
    fs::write(logs.join("mended.jsonl"), edited(&honest, true, lie)).expect("a log");
    fs::write(logs.join("plain.jsonl"), edited(&honest, false, lie)).expect("a log");
    fs::write(logs.join("notes.jsonl"), "{\"hello\": 1}\n").expect("a file");
    fs::write(logs.join("session.desk.jsonl"), "{}\n").expect("a file");
    let (code, json, errors, made) = list(&logs, &folder.path().join("a"), &[]);
    assert_eq!(code, Some(1), "{errors}");
    check_refused(&json, &errors, &text(&made, "list.html"));
    let lists = json["lists"].as_array().expect("lists");
    let games = |list: &Value| (list["game"].clone(), list["limit"].clone(), list["games"].clone());
    assert_eq!(
        lists.iter().map(games).collect::<Vec<_>>(),
        [
            (json!("amazons"), json!("depth 1"), json!(6)),
            (json!("nogo"), json!("100 ms per move"), json!(4))
        ]
    );
    let of_nogo: Vec<u64> = lists[1]["logs"]
        .as_array()
        .expect("logs")
        .iter()
        .map(|log| log["counted"].as_u64().expect("a number"))
        .collect();
    assert_eq!(of_nogo, [4, 0], "the copy counts once: {}", lists[1]["logs"]);
    // Elsewhere, with other times and in another order of creation, it is the same list.
    let elsewhere = folder.path().join("else/where");
    for (name, bytes) in files(&logs).into_iter().rev() {
        let path = elsewhere.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
        fs::write(path, bytes).expect("a copy");
    }
    let (_, _, _, again) = list(&elsewhere, &folder.path().join("b"), &[]);
    assert_eq!(made.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
    assert!(
        made == again,
        "other bytes: {:?}",
        made.iter().find(|(name, bytes)| again[*name] != **bytes).map(|x| x.0)
    );
}

#[test]
fn the_games_behind_every_number_are_one_click_away() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logs = folder.path().join("logs");
    play(quick("one", "two", 6), &logs.join("amazons.jsonl"));
    let out = folder.path().join("out");
    let (code, json, errors, made) = list(&logs, &out, &["--anchor", "two=1000"]);
    assert_eq!(code, Some(0), "{errors}");
    let page = text(&made, "list.html");
    let engines = json["lists"][0]["ratings"]["engines"].as_array().expect("engines").clone();
    let two = engines.iter().find(|e| e["name"] == "two").expect("the anchor");
    assert_eq!((&two["elo"], &two["error"]), (&json!(1000.0), &json!(0.0)), "{two}");
    let replays =
        made.keys().find(|name| name.starts_with("list-games/match-")).expect("a report").clone();
    let own = replays.trim_start_matches("list-games/");
    for engine in &engines {
        let name = format!("list-games/{}", engine["page"].as_str().expect("a page"));
        let elo = engine["elo"].as_f64().expect("a number");
        assert!(page.contains(&format!("<a href=\"{name}\">{elo:.1}</a>")), "{name}: {page}");
        assert!(page.contains(&format!("<a href=\"{name}\">6</a>")));
        let games = text(&made, &name);
        for number in 1..=6 {
            assert!(
                games.contains(&format!("<a href=\"{own}#game-{number}\">{number}</a>")),
                "{games}"
            );
        }
    }
    let report = text(&made, &replays);
    assert!(
        report.contains("id=\"replays\"")
            && !report.split("<script").next().expect("a head").contains("not checked")
    );
    // The next list has no page of a log that is gone, and leaves other files alone.
    fs::remove_file(logs.join("amazons.jsonl")).expect("the log");
    play(random_match("nogo", 2), &logs.join("nogo.jsonl"));
    fs::write(out.join("list-games/mine.html"), "mine").expect("a file");
    let (code, _, errors, made) = list(&logs, &out, &[]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(!made.contains_key(&replays) && made.contains_key("list-games/mine.html"));
}

#[test]
fn parts_and_their_merged_log_count_once_and_parts_alone_count_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logs = folder.path().join("logs");
    let parts: Vec<String> = (1..=2)
        .map(|part| {
            let log = logs.join(format!("{part}.jsonl"));
            play(quick("one", "two", 8).with("--shard", &format!("{part}/2")), &log);
            log.display().to_string()
        })
        .collect();
    let (code, alone, errors, _) = list(&logs, &folder.path().join("a"), &[]);
    assert_eq!((code, &alone["lists"][0]["games"]), (Some(0), &json!(8)), "{errors}");
    let merged = logs.join("whole.jsonl").display().to_string();
    let (code, _, errors) = referee(&["merge", "--out", &merged, &parts[0], &parts[1]]);
    assert_eq!(code, Some(0), "{errors}");
    let (code, both, errors, _) = list(&logs, &folder.path().join("b"), &[]);
    assert_eq!((code, &both["lists"][0]["games"]), (Some(0), &json!(8)), "{errors}");
    // Pairs of several files are pairs: the same ratings and errors.
    assert_eq!(alone["lists"][0]["ratings"], both["lists"][0]["ratings"]);
}

#[test]
fn other_programs_of_one_name_are_told_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logs = folder.path().join("logs");
    play(quick("one", "two", 4), &logs.join("a.jsonl"));
    let text = fs::read_to_string(logs.join("a.jsonl")).expect("the log");
    let other = edited(&text, true, |lines| {
        lines[0]["engines"][0]["sha256"] = "0123456789abcdef".repeat(4).into();
    });
    fs::write(logs.join("b.jsonl"), other).expect("a log");
    let (code, json, errors, made) = list(&logs, &folder.path().join("out"), &[]);
    assert_eq!(code, Some(0), "{errors}");
    let engines = json["lists"][0]["ratings"]["engines"].as_array().expect("engines");
    let names: Vec<&str> = engines.iter().map(|e| e["name"].as_str().expect("a name")).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().all(|name| *name == "two" || name.starts_with("one [")), "{names:?}");
    assert!(text_of_page(&made).contains("Different programs have the same name"));
    let logs = logs.display().to_string();
    let (code, _, errors) = referee(&["ratings", &logs, "--anchor", "one=0"]);
    assert!(code == Some(1) && errors.contains("several programs are called one"), "{errors}");
    let chosen = format!("{}=0", names.iter().find(|name| **name != "two").expect("an engine"));
    assert_eq!(referee(&["ratings", &logs, "--anchor", &chosen]).0, Some(0));
}

fn text_of_page(files: &BTreeMap<String, Vec<u8>>) -> String {
    text(files, "list.html")
}

#[cfg(unix)]
#[test]
fn two_runs_of_one_match_that_differ_contradict_each_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logs = folder.path().join("logs");
    // An engine that plays as a file says, which no log knows.
    let (script, seed) = (folder.path().join("engine.sh"), folder.path().join("seed"));
    let engine = crate::support::program("trivial");
    fs::write(&script, format!("exec {} $(cat {})\n", engine.display(), seed.display()))
        .expect("a script");
    for (log, number) in [("a.jsonl", "1"), ("b.jsonl", "3")] {
        fs::write(&seed, number).expect("the file");
        let mut played = quick("one", "two", 4);
        let at = played
            .arguments
            .iter()
            .position(|word| word.starts_with("name=one"))
            .expect("the engine");
        played.arguments[at] = format!("name=one,cmd=sh {}", script.display());
        play(played, &logs.join(log));
    }
    let (code, json, errors, _) = list(&logs, &folder.path().join("out"), &[]);
    assert_eq!(code, Some(1), "{errors}");
    assert_eq!(
        (json["lists"].as_array().map(Vec::len), json["not_counted"].as_array().map(Vec::len)),
        (Some(0), Some(2))
    );
    assert!(
        errors.contains("a.jsonl and b.jsonl are of one match")
            && errors.contains("game 1 differently"),
        "{errors}"
    );
}

#[test]
fn engines_that_never_met_have_lists_of_their_own_and_a_lost_match_has_ratings() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logs = folder.path().join("logs");
    play(quick("one", "two", 4), &logs.join("a.jsonl"));
    play(quick("three", "four", 4), &logs.join("b.jsonl"));
    let rogue = crate::support::matches::hopeless();
    let lost = Match::of([format!("name=five,cmd={}", honest(1)), format!("name=six,{rogue}")], 4);
    play(lost.with("--movetime", "100"), &logs.join("c.jsonl"));
    let (code, json, errors, _) = list(&logs, &folder.path().join("out"), &[]);
    assert_eq!(code, Some(0), "{errors}");
    let lists = json["lists"].as_array().expect("lists");
    let names = |list: &Value| {
        let engines = list["ratings"]["engines"].as_array().expect("engines").clone();
        let mut names: Vec<String> =
            engines.iter().map(|e| e["name"].as_str().expect("a name").into()).collect();
        names.sort();
        names
    };
    assert_eq!(
        lists.iter().map(names).collect::<Vec<_>>(),
        [["five", "six"], ["four", "three"], ["one", "two"]]
    );
    let assumed = lists[0]["assumed"].as_str().expect("an assumption");
    assert!(assumed.contains("credited with one draw"), "{assumed}");
    assert!(lists[0]["ratings"]["engines"][0]["elo"].as_f64().is_some_and(|elo| elo > 0.0));
}

#[test]
fn logs_that_cannot_be_checked_or_are_unfinished_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let secret = folder.path().join("secret").display().to_string();
    let parts = folder.path().join("parts");
    let part = random_match("nogo", 4).with("--shard", "1/2").with("--secret", &secret);
    play(part, &parts.join("part.jsonl"));
    let (code, json, errors, _) = list(&parts, &folder.path().join("a"), &[]);
    assert_eq!(
        (code, &json["not_counted"][0]["verdict"]),
        (Some(3), &json!("cannot be checked")),
        "{errors}"
    );
    assert!(errors.contains("the secret is not revealed"), "{errors}");
    let torn = folder.path().join("torn");
    play(quick("one", "two", 4), &torn.join("a.jsonl"));
    let whole = fs::read_to_string(torn.join("a.jsonl")).expect("the log");
    let lines: Vec<&str> = whole.lines().collect();
    fs::write(torn.join("a.jsonl"), lines[..lines.len() - 2].join("\n") + "\n").expect("the log");
    let (code, _, errors, _) = list(&torn, &folder.path().join("b"), &[]);
    assert!(code == Some(1) && errors.contains("the match is not finished"), "{errors}");
    let (code, json, errors, _) = list(&torn, &folder.path().join("b"), &["--partial"]);
    assert_eq!((code, &json["lists"][0]["games"]), (Some(0), &json!(3)), "{errors}");
}

#[test]
fn what_cannot_be_made_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let logs = folder.path().join("logs");
    fs::create_dir(&logs).expect("a folder");
    fs::write(logs.join("read.me"), "nothing").expect("a file");
    let [logs, text, page, other, missing] =
        ["logs", "list.txt", "list.html", "b.html", "none/list.html"]
            .map(|name| folder.path().join(name).display().to_string());
    let refused = |words: &[&str], reason: &str| {
        let (code, _, errors) = referee(&[&["ratings"], words].concat());
        assert!(code == Some(1) && errors.contains(reason), "{words:?}: {errors}");
    };
    refused(&[&logs], "no match log, a file *.jsonl, lies there or below");
    refused(&[&logs, "--out", &text], "expected a name that ends with .html or .json");
    refused(&[&logs, "--out", &page, "--out", &other], "give one of each kind");
    refused(&[&logs, "--out", &missing], "the page's folder does not exist");
    fs::write(folder.path().join("list-games"), "a file").expect("a file");
    refused(&[&logs, "--out", &page], "this is a file");
    assert!(!Path::new(&page).exists());
}
