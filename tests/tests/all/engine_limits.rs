//! What engines and tools are given that has no end, and what the system refuses them.

use crate::support::{ENGINES, program, run, texts};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// The stderr of a program that must refuse its arguments.
fn refusal(name: &str, arguments: &[&str]) -> String {
    let output = run(name, arguments, MINUTE);
    let (out, err) = texts(&output);
    assert!(!output.status.success(), "{name} {arguments:?}: {out} {err}");
    err
}

/// Every option that names a file.
const FILES: &[(&str, &str)] = &[
    ("connect6", "Book"),
    ("connect6", "LineValues"),
    ("darkchess", "Network"),
    ("darkchess", "TableFile"),
    ("einstein", "NTuple"),
    ("einstein", "TableFile"),
    ("nogo", "Network"),
    ("xiangqi", "Network"),
];

/// Makes a pipe and an enormous file with nothing in it.
fn wrong_files(folder: &Path) -> [(String, &'static str); 5] {
    let [pipe, huge] = ["pipe", "huge"].map(|name| folder.join(name).display().to_string());
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let file = std::fs::File::create(&huge).expect("a file");
    file.set_len(1 << 40).expect("a sparse file");
    [
        ("/dev/zero".into(), "a device is there; expected a regular file"),
        (folder.display().to_string(), "a folder is there; expected a regular file"),
        (pipe, "a pipe is there; expected a regular file"),
        ("/proc/kmsg".into(), "expected"),
        (huge, "expected"),
    ]
}

#[cfg(target_os = "linux")]
#[test]
fn an_option_that_names_a_file_reads_regular_files_of_a_limited_size() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, reason) in wrong_files(folder.path()) {
        for (engine, option) in FILES {
            // A table is mapped, whatever its size; its header is wrong.
            let mapped = *option == "TableFile" && path.ends_with("huge");
            let reason = if mapped { "is no tablebase" } else { reason };
            let setting = format!("{option}={path}");
            let error = refusal(engine, &["--option", &setting, "options"]);
            let named = error.contains(&path) && error.contains(option);
            let known = error.contains(reason) || path == "/proc/kmsg" || mapped;
            assert!(named && known, "{engine} {setting}: {error}");
        }
    }
    let error = refusal("xiangqi", &["--option", "TablePath=/dev/zero", "options"]);
    assert!(
        error.contains("TablePath: /dev/zero: a device is there; expected a folder"),
        "{error}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_flag_that_names_a_file_reads_no_device() {
    let zero = "/dev/zero";
    for (name, arguments) in [
        ("lab", &["xiangqi", "tactics", "run", zero][..]),
        ("lab", &["connect6", "sgf", zero]),
        ("lab", &["connect6", "safety", "--openings", zero]),
        ("lab", &["darkchess", "classes", "merge", zero, zero]),
        ("amazons", &["bench", "--openings", zero]),
        ("referee", &["match", "--config", zero]),
        ("referee", &["verify", zero]),
    ] {
        let error = refusal(name, arguments);
        assert!(error.contains("/dev/zero: "), "{arguments:?}: {error}");
        assert!(error.contains("a device is there"), "{arguments:?}: {error}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pipe = folder.path().join("pipe").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    // As a regular file of no length, and endless.
    for path in [&pipe[..], "/proc/kmsg"] {
        for words in [&["verify"][..], &["report", "--text"], &["stats"], &["ratings"], &["replay"]]
        {
            let error = refusal("referee", &[words, &[path]].concat());
            let told =
                error.contains("a pipe is there") || error.contains("no complete first line");
            assert!(told || path != pipe, "{words:?}: {error}");
        }
    }
    let engine = format!("cmd={},name=a", program("xiangqi").display());
    let tables = format!("cmd={},option.TablePath=/dev/zero", program("xiangqi").display());
    for flag in [["--openings", zero], ["--tables", &tables]] {
        let words = ["match", "--game", "xiangqi", "--engine", &engine, "--engine", &engine];
        let error = refusal(
            "referee",
            &[&words[..], &["--games", "2", "--depth", "1"], &flag[..]].concat(),
        );
        assert!(error.contains("/dev/zero") && error.contains("expected"), "{flag:?}: {error}");
    }
}

/// The lines of an engine that is given a script at once, after `ugiok`.
fn answers(engine: &mut Command, script: &str) -> (Vec<String>, String) {
    let child = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the engine");
    let mut input = child.stdin.take().expect("its stdin");
    input.write_all(script.as_bytes()).expect("a pipe");
    drop(input);
    let output = child.wait_with_output().expect("its output");
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    let lines = out.lines().skip_while(|line| *line != "ugiok").skip(1);
    (lines.map(String::from).collect(), err)
}

#[test]
fn every_command_of_a_piped_script_is_answered_before_the_end() {
    for (engine, position) in ENGINES {
        let cache = tempfile::tempdir().expect("a folder");
        for end in ["quit\n", ""] {
            let script = format!("ugi\nisready\n{position}\ngo nodes 100\nquery gameover\n{end}");
            let from = Instant::now();
            let mut command = Command::new(program(engine));
            let (lines, log) = answers(command.env("AGON_CACHE", cache.path()), &script);
            let said: Vec<&String> = lines.iter().filter(|l| !l.starts_with("info ")).collect();
            let words: Vec<&str> = said.iter().filter_map(|l| l.split(' ').next()).collect();
            assert_eq!(words, ["readyok", "bestmove", "response"], "{engine}: {lines:?} {log}");
            assert!(from.elapsed() < Duration::from_secs(10), "{engine}: {:?}", from.elapsed());
        }
        assert_eq!(std::fs::read_dir(cache.path()).expect("the folder").count(), 0, "{engine}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_the_system_refuses_become_fewer_and_are_told() {
    for (engine, position) in ENGINES {
        assert!(texts(&run(engine, &["options"], MINUTE)).0.contains("name Threads "), "{engine}");
        let script = format!(
            "ugi\nsetoption name Hash value 16\nsetoption name Threads value 64\nisready\n\
             {position}\ngo nodes 3000\nisready\n"
        );
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 524288; exec \"$0\""]).arg(program(engine));
        let (lines, log) = answers(command.env("AGON_CACHE", ""), &script);
        let told = lines.iter().filter(|l| l.starts_with("info string the system grants "));
        let told: Vec<&String> = told.collect();
        assert!(told.len() == 1 && told[0].contains(" of 64 threads"), "{engine}: {lines:?} {log}");
        let answers = ["readyok", "bestmove ", "readyok"];
        let mut rest = lines.iter();
        for answer in answers {
            assert!(rest.any(|l| l.starts_with(answer)), "{engine} {answer}: {lines:?} {log}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_ends_no_program() {
    for (engine, algorithm) in [
        ("amazons", "best"),
        ("nogo", "rave"),
        ("nogo", "puct"),
        ("nogo", "mcts"),
        ("einstein", "mcts"),
    ] {
        let script = format!(
            "ugi\nsetoption name Algorithm value {algorithm}\nsetoption name Hash value 8192\n\
             isready\nposition startpos\ngo movetime 300\nquery gameover\n"
        );
        let script = match engine {
            "einstein" => script.replace("startpos", "fen ABC2/DE3/F3f/3ed/2cba u 1"),
            _ => script,
        };
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 400000; exec \"$0\""]).arg(program(engine));
        let (lines, log) = answers(&mut command, &script);
        assert!(lines.contains(&"readyok".into()), "{engine}: {lines:?} {log}");
        assert!(lines.iter().any(|l| l.starts_with("bestmove ")), "{engine}: {lines:?} {log}");
        let told =
            lines.iter().any(|l| l.contains("cannot allocate a transposition table of 8192"));
        assert!(told || algorithm != "best", "{engine}: {lines:?} {log}");
    }
}
