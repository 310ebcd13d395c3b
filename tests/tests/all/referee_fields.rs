//! The fields of an engine mean what they say: paths with blanks, folders, option values, units of time.

use crate::support::desk::{Desk, refusal};
use crate::support::matches::{Match, games, referee, sprt};
use crate::support::program;
use serde_json::{Value, json};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with an engine in `My Engines`, and another program whose name is that path up to its blank.
fn with_decoy() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = copy("trivial", &folder.path().join("My Engines"), "e");
    // Whoever starts this one gets no answer.
    copy("programs", folder.path(), "My");
    (folder, engine.display().to_string())
}

/// A program under another name.
fn copy(name: &str, folder: &Path, new: &str) -> PathBuf {
    fs::create_dir_all(folder).expect("a folder");
    let path = folder.join(format!("{new}{EXE_SUFFIX}"));
    let source = if name == "programs" { program("rogue") } else { program(name) };
    fs::copy(source, &path).expect("a copy");
    path
}

/// The commands of the engines in a log's header.
fn commands(log: &Path) -> Vec<Value> {
    let text = fs::read_to_string(log).expect("the log");
    let header: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
    let engines = header["engines"].as_array().expect("engines").iter();
    engines.map(|engine| engine["command"].clone()).collect()
}

fn quick(m: Match) -> Match {
    m.with("--max-plies", "2").with("--margin", "5000")
}

#[test]
fn a_path_with_a_blank_is_one_program_wherever_a_command_is_read() {
    let (folder, path) = with_decoy();
    let other = format!("name=B,cmd={} 2", program("trivial").display());
    for (fields, words) in [
        (format!("name=A,cmd=\"{path}\""), json!([path])),
        (format!("name=A,cmd='{path}'"), json!([path])),
        (format!("\"{path}\",name=A"), json!([path])),
        (format!("name=A,cmd='\"{path}\"'"), json!([path])),
        (format!("name=A,cmd=\"{path}\" 7"), json!([path, "7"])),
        (format!("name=A,cmd=\"{path}\",arg=7"), json!([path, "7"])),
        // Without quotes, too, where there is such a file.
        (format!("name=A,cmd={path}"), json!([path])),
    ] {
        let m = quick(Match::of([fields.clone(), other.clone()], 1));
        let played = m.play();
        assert!(played.success, "{fields}: {played:?}");
        assert_eq!(commands(&m.log())[0], words, "{fields}");
    }
    let quoted = format!("cmd=\"{path}\"");
    let log = folder.path().join("sprt.jsonl");
    let few = ["--games", "2", "--max-plies", "2", "--margin", "5000"];
    let (status, _, errors) = sprt(&quoted, &other, &log, &few);
    assert_eq!(status, Some(4), "{errors}");
    assert_eq!(commands(&log)[0], json!([path]));
    let words = ["check", "--game", "amazons", "--only", "handshake", &quoted];
    assert_eq!(referee(&words).0, Some(0), "{words:?}");
    let desk = Desk::begin(&["--game", "amazons", "--engine", &quoted, "--auto"]);
    desk.act(json!({ "do": "run", "team": 0 }));
    desk.until("a move", |s| s["game"]["plies"].as_array().is_some_and(|plies| !plies.is_empty()));
    // A file of flags.
    for cmd in [format!("'\"{path}\"'"), format!("\"{path}\""), format!("[\"{path}\"]")] {
        let file = folder.path().join("flags.toml");
        fs::write(&file, format!("[[engine]]\nname = \"A\"\ncmd = {cmd}\n")).expect("a file");
        let mut m = quick(Match::of([other.clone(), other.clone()], 1));
        m.arguments.retain(|word| word != "--engine" && !word.starts_with("name=B"));
        let m = m.with("--config", &file.display().to_string());
        let text = fs::read_to_string(&file).expect("the file");
        fs::write(&file, format!("{text}[[engine]]\nname = \"B\"\ncmd = {cmd}\n")).expect("a file");
        let played = m.play();
        assert!(played.success, "{cmd}: {played:?}");
        assert_eq!(commands(&m.log()), [json!([path]), json!([path])], "{cmd}");
    }
    // What is quoted is not there: the program before the blank is not started instead.
    let missing = format!("name=A,cmd=\"{path}2\"");
    let played = Match::of([missing, other], 1).play();
    assert!(!played.success && played.stderr.contains("My Engines"), "{played:?}");
}

#[test]
fn a_relative_program_is_looked_for_in_the_folder_of_its_engine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    copy("trivial", &one, "e");
    copy("trivial", &two, "e");
    let fields = |name: &str, dir: &Path| format!("name={name},dir={}", dir.display());
    let engines = || [fields("a", &one), fields("b", &two)];
    // The program in the fields of all engines.
    for cmd in ["cmd=./e", "cmd=e", "cmd=./e 3,arg=4"] {
        let m = quick(Match::of(engines(), 1)).with("--each", cmd);
        let played = m.play();
        assert!(played.success, "{cmd}: {played:?}");
        assert_eq!(games(&m.log()).len(), 1);
    }
    assert_eq!(
        {
            let m = quick(Match::of(engines(), 1)).with("--each", "cmd=./e 3,arg=4");
            m.play();
            commands(&m.log())
        },
        [json!(["./e", "3", "4"]), json!(["./e", "3", "4"])]
    );
    let played = Match::of(engines(), 1).play();
    assert!(!played.success && played.stderr.contains("engine a: no program"), "{played:?}");
    // The error names both folders.
    let played = Match::of(engines(), 1).with("--each", "cmd=./no-such").play();
    let here = std::env::current_dir().expect("a folder").display().to_string();
    for part in ["engine a", "./no-such", &one.display().to_string(), &here] {
        assert!(!played.success && played.stderr.contains(part), "{part}: {played:?}");
    }
}

/// Refused before the first game, by every command that starts the engine.
fn is_refused(game: &str, fields: &str, limit: [&str; 2], parts: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log.jsonl").display().to_string();
    let engine = format!("name=A,{fields}");
    let other = format!("name=B,cmd={}", program(game).display());
    let both = ["--game", game, limit[0], limit[1], "--log", &log];
    let mut commands = vec![
        [&["match", "--engine", &engine, "--engine", &other][..], &both].concat(),
        [&["tournament", "--engine", &other, "--engine", &engine][..], &both].concat(),
        [&["sprt", "--new", &engine, "--base", &other][..], &both].concat(),
    ];
    let with_limit = format!("{engine},{}={}", limit[0].trim_start_matches('-'), limit[1]);
    commands.push(vec!["check", "--game", game, &with_limit]);
    for words in &commands {
        let (status, _, errors) = referee(words);
        assert_eq!(status, Some(1), "{words:?}: {errors}");
        for part in [&["engine A"][..], parts].concat() {
            assert!(errors.contains(part), "{part}: {words:?}: {errors}");
        }
        assert!(!Path::new(&log).exists(), "{words:?}");
    }
}

#[test]
fn option_values_that_the_engine_does_not_list_are_refused_by_name() {
    let amazons = format!("cmd={}", program("amazons").display());
    let xiangqi = format!("cmd={},dialect=ucci", program("xiangqi").display());
    for (game, fields, option, right) in [
        ("amazons", &amazons, "Hash=0", "a whole number from 1 to"),
        ("amazons", &amazons, "hash=many", "a whole number from 1 to"),
        ("amazons", &amazons, "Algorithm=magic", "one of "),
        ("amazons", &amazons, "Ponder=maybe", "true or false"),
        ("amazons", &amazons, "Depth=3", "its options: "),
        ("xiangqi", &xiangqi, "hashsize=-1", "a whole number from 1 to"),
    ] {
        let name = option.split('=').next().expect("a name");
        let fields = format!("{fields},option.{option}");
        let name = if name == "hash" { "Hash" } else { name };
        is_refused(game, &fields, ["--nodes", "9"], &[name, right]);
    }
    let session = tempfile::tempdir().expect("a temporary folder");
    let engine = format!("{amazons},option.Hash=0");
    let errors =
        refusal(&session.path().join("s.jsonl"), &["--game", "amazons", "--engine", &engine]);
    assert!(errors.contains("Hash") && errors.contains("a whole number from 1 to"), "{errors}");
    let einstein = format!("name=A,cmd={},option.Hash=0", program("einstein").display());
    let (status, out, errors) = referee(&["check", "--event", "ccgc-einstein", &einstein]);
    assert!(status == Some(1) && errors.contains("engine A: option Hash: bad value"), "{errors}");
    assert!(out.is_empty(), "no game is played: {out}");
}

#[test]
fn an_engine_that_counts_seconds_is_sent_no_part_of_one() {
    let stutter = program("stutter").display().to_string();
    let fields =
        format!("cmd={stutter} xiangqi ucci --ponder named --without usemillisec,dialect=ucci");
    is_refused("xiangqi", &fields, ["--movetime", "500ms"], &["whole seconds", "0.5 s", "1 s can"]);
    is_refused("xiangqi", &fields, ["--tc", "10+0.1"], &["an increment of 0.1 s", "1 s can"]);
    is_refused("xiangqi", &fields, ["--tc", "40/1.5"], &["a clock of 1.5 s", "2 s can"]);
    for (limit, line) in [
        (["--movetime", "1s"], " > go time 1 movestogo 1"),
        (["--tc", "1+1"], " > go time 1 increment 1 opptime 1 oppincrement 1"),
        // What is left of a clock is less than a second.
        (["--tc", "1"], " > go time 1 increment 0 opptime 1 oppincrement 0"),
    ] {
        let engine = |name: &str| format!("name={name},{fields}");
        let mut m = Match::of([engine("a"), engine("b")], 1).with("--game", "xiangqi");
        m.arguments.retain(|word| word != "--movetime" && word != "100");
        let m = m.with(limit[0], limit[1]).with("--max-plies", "6").with_dialogue();
        assert!(m.play().success);
        let said = m.said();
        assert!(said.contains(line) && !said.contains("time 0"), "{said}");
    }
}

/// An increment is not told in GTP, and the clock only as far as it is whole.
#[test]
fn an_engine_in_gtp_is_told_whole_seconds() {
    let stutter = program("stutter").display().to_string();
    let fields = format!("cmd={stutter} nogo gtp --at 1000,dialect=gtp");
    is_refused("nogo", &fields, ["--movetime", "500ms"], &["whole seconds", "0.5 s", "1 s can"]);
    is_refused("nogo", &fields, ["--tc", "1.5"], &["a clock of 1.5 s", "2 s can"]);
    for (limit, lines) in [
        (["--movetime", "2s"], [" > time_settings 0 2 1", " > genmove B"]),
        (["--tc", "1+0.1"], [" > time_settings 1 0 0", " > time_left B 1 0"]),
    ] {
        let engine = |name: &str| format!("name={name},{fields}");
        let mut m = Match::of([engine("a"), engine("b")], 1).with("--game", "nogo");
        m.arguments.retain(|word| word != "--movetime" && word != "100");
        let m = m.with(limit[0], limit[1]).with("--max-plies", "6").with_dialogue();
        assert!(m.play().success);
        let said = m.said();
        assert!(lines.iter().all(|line| said.contains(line)), "{said}");
        assert!(!said.contains("time_left B 0") && !said.contains("time_left W 0"), "{said}");
    }
    // One that says only on request which commands it knows is asked before the times are compared.
    let asked = format!("cmd={stutter} nogo gtp --without protocol_version,dialect=gtp");
    is_refused("nogo", &asked, ["--movetime", "1500ms"], &["1.5 s", "2 s can"]);
}

/// The fields set the depth and all other limits of a check, as in a match.
#[test]
#[cfg(unix)]
fn a_check_sends_the_limits_of_the_fields() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = folder.path().join("said");
    let script = folder.path().join("e.sh");
    let text = format!("tee {} | {}\n", said.display(), program("trivial").display());
    fs::write(&script, text).expect("the script");
    for (limit, line) in [
        ("depth=3", "go depth 3"),
        ("nodes=77", "go nodes 77"),
        ("movetime=70ms,depth=2", "go movetime 70 depth 2"),
        ("tc=40/60+1", "go p1time 60000 p2time 60000 p1inc 1000 p2inc 1000 movestogo 40"),
    ] {
        let engine = format!("cmd=sh {},{limit}", script.display());
        let words = ["check", "--game", "amazons", "--only", "first move", &engine];
        let (status, out, errors) = referee(&words);
        assert_eq!(status, Some(0), "{limit}: {out} {errors}");
        let said = fs::read_to_string(&said).expect("what was said");
        assert!(said.lines().any(|own| own == line), "{limit}: {said}");
    }
}
