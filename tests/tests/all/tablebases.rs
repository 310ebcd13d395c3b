//! Damaged tablebases: every program rejects the damaged block, and a search continues without the
//! tablebase. Killed builds: the same command continues them.

use crate::support::{Process, program, run, texts};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Runs a program that must end within a minute; returns whether it succeeded, and its stderr.
fn outcome(name: &str, words: &[&str]) -> (bool, String) {
    let output = run(name, words, Duration::from_secs(60));
    (output.status.success(), texts(&output).1)
}

/// Inverts all bytes after the header and the directory of a file.
fn invert_values(file: &Path) {
    let mut bytes = fs::read(file).expect("the file");
    let number = |at: usize| (0..8).rev().fold(0, |n, i| n << 8 | usize::from(bytes[at + i]));
    let blocks = (number(32) * (number(12) & 7)).div_ceil(8192);
    bytes[160 + blocks * 12..].iter_mut().for_each(|byte| *byte = !*byte);
    fs::remove_file(file).expect("the old file");
    fs::write(file, bytes).expect("the damaged file");
}

/// Builds a tablebase, damages it, and runs `verify`, `probe` and a search with it.
fn check(game: &str, at: &[&str], file: &Path, build: &[&str], option: &str, fen: &str) {
    let table = |task: &str, more: &[&str]| outcome(game, &[&["table", task], at, more].concat());
    assert!(table("build", build).0, "{game}");
    assert!(table("probe", &[fen]).0, "{game}");
    invert_values(file);
    let (verified, reason) = table("verify", &[]);
    assert!(!verified && reason.contains("is damaged: the checksum of block"), "{reason}");
    assert!(reason.contains(&format!("rebuild it with `{game} table build")), "{reason}");
    assert!(!table("probe", &[fen]).0, "{game}");
    let mut engine = Process::open(game, &["--option", option], "ugi");
    engine.send(&format!("position fen {fen}"));
    engine.send("query table");
    assert!(engine.until("response").ends_with("none"), "{game}");
    engine.send("go depth 2");
    engine.until("bestmove ");
    engine.send("quit");
    let (status, _, log) = engine.end();
    assert!(status.success(), "{log}");
    assert_eq!(log.matches("is not used any more").count(), 1, "{log}");
}

#[test]
fn a_damaged_einstein_tablebase_is_not_used() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("small.table");
    let name = file.display().to_string();
    let option = format!("TableFile={name}");
    let fen = "C4/5/5/5/2a2 u 1";
    check("einstein", &[&name], &file, &["--stones", "3"], &option, fen);
}

#[test]
fn a_damaged_dark_chess_tablebase_is_not_used() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("small.table");
    let name = file.display().to_string();
    let option = format!("TableFile={name}");
    let fen = "R3/4/4/4/4/1K2/4/3n r r - GGMMRNNCCPPPPPkggmmrrnccppppp 0";
    check("darkchess", &[&name], &file, &["--pieces", "3"], &option, fen);
}

#[test]
fn a_damaged_xiangqi_tablebase_is_not_used() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path().display().to_string();
    let file = folder.path().join("KRK.xqt");
    let option = format!("TablePath={dir}");
    let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    check("xiangqi", &["--dir", &dir], &file, &["--set", "KRK"], &option, fen);
}

#[test]
fn a_killed_einstein_build_is_continued_by_the_same_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("four.table");
    let scratch = folder.path().join("four.table.building");
    let late = scratch.join("1-3-9.values");
    let build = |file: &Path, memory: &str| {
        let mut command = Command::new(program("einstein"));
        command.args(["table", "build", "--stones", "4", "--memory", memory]).arg(file);
        command.env("RUST_LOG", "info").stdin(Stdio::null());
        command
    };
    // A build that ends before it is killed is repeated.
    for _ in 0..50 {
        let mut command = build(&file, "1MB");
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("the build starts");
        while !late.exists() && matches!(child.try_wait(), Ok(None)) {
            sleep(Duration::from_millis(1));
        }
        child.kill().and_then(|()| child.wait()).expect("the build is killed");
        if late.exists() && !file.exists() {
            break;
        }
        let _ = fs::remove_file(&file);
        let _ = fs::remove_dir_all(&scratch);
    }
    assert!(late.exists() && !file.exists(), "no build was killed in the middle");
    let continued = build(&file, "1MB").output().expect("the build continues");
    let log = String::from_utf8_lossy(&continued.stderr);
    assert!(continued.status.success(), "{log}");
    for solved in ["1 against 2 stones, layer 9:", "1 against 3 stones, layer 9:"] {
        assert!(!log.contains(solved), "{log}");
    }
    assert!(log.contains("2 against 2 stones, layer 28:"), "{log}");
    assert!(!scratch.exists());
    let in_memory = folder.path().join("memory.table");
    assert!(build(&in_memory, "1GB").output().expect("the build ends").status.success());
    assert!(fs::read(&file).expect("the file") == fs::read(&in_memory).expect("the other file"));
}

/// Runs the dark-chess engine with this cache folder; returns its answer to a table query after
/// `isready`, and its stderr.
fn cached(folder: &Path, options: &[&str]) -> (String, String) {
    let mut engine = Command::new(program("darkchess"))
        .args(options)
        .env("AGON_CACHE", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine");
    let commands = "ugi\nisready\nposition fen 4/4/1GK1/4/4/4/4/k3 r r - - 0\nquery table\n";
    let mut input = engine.stdin.take().expect("its stdin");
    input.write_all(commands.as_bytes()).expect("a pipe");
    // After `quit` an engine has five seconds for its answers, and a build may take longer.
    let lines = BufReader::new(engine.stdout.take().expect("its stdout")).lines();
    let mut lines = lines.map_while(Result::ok);
    let answer = lines.find(|line| line.starts_with("response")).expect("a response");
    drop(input);
    (answer, texts(&engine.wait_with_output().expect("its output")).1)
}

#[test]
fn the_small_dark_chess_tablebase_is_built_once_on_first_use() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = folder.path().join("new");
    let file = cache.join("darkchess-4.table");
    let (answer, log) = cached(&cache, &["--option", "TableCache=false"]);
    assert!(answer.ends_with("none") && log.is_empty(), "{answer} {log}");
    assert!(!cache.exists());
    // Two programs that start at the same time build one file.
    let answers = std::thread::scope(|scope| {
        [scope.spawn(|| cached(&cache, &[])), scope.spawn(|| cached(&cache, &[]))]
            .map(|engine| engine.join().expect("an answer"))
    });
    // On a busy machine a program may answer before the file is built.
    for _ in 0..60 {
        if file.exists() {
            break;
        }
        cached(&cache, &[]);
    }
    let built = fs::metadata(&file).and_then(|data| data.modified()).expect("the tablebase");
    for (answer, log) in answers {
        assert!(!answer.ends_with("none") || log.contains("until it is built"), "{answer} {log}");
    }
    let (answer, log) = cached(&cache, &[]);
    assert!(!answer.ends_with("none") && log.is_empty(), "{answer} {log}");
    assert_eq!(fs::metadata(&file).and_then(|data| data.modified()).ok(), Some(built));
    let names = || fs::read_dir(&cache).expect("the folder").count();
    assert_eq!(names(), 2, "the tablebase and its lock");
    // A torn file is built anew.
    let bytes = fs::read(&file).expect("the tablebase");
    fs::remove_file(&file).expect("the old file");
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("a torn file");
    for _ in 0..60 {
        if !cached(&cache, &[]).0.ends_with("none") {
            break;
        }
    }
    assert!(fs::read(&file).expect("the tablebase") == bytes);
}

#[test]
fn a_cache_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    let (answer, log) = cached(&file.join("inside"), &[]);
    assert!(answer.ends_with("none"), "{answer}");
    assert!(
        log.contains("playing without the endgame tablebase") && log.contains("inside"),
        "{log}"
    );
}

/// The names in a folder, if it exists.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn a_build_of_the_cache_that_is_cut_short_leaves_what_the_next_one_continues() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = folder.path().join("cache");
    fs::create_dir(&cache).expect("the cache folder");
    let abandoned = cache.join(".darkchess-tablebase-AbCdEf.part");
    fs::write(&abandoned, "of a program that was killed").expect("a file");
    let building = cache.join("darkchess-4.table.building");
    let table = cache.join("darkchess-4.table");
    for _ in 0..2 {
        let mut engine = Command::new(program("darkchess"))
            .env("AGON_CACHE", &cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine");
        let mut input = engine.stdin.take().expect("its stdin");
        input.write_all(b"ugi\nisready\n").expect("a pipe");
        while !building.join("parts.values").exists() && !table.exists() {
            sleep(Duration::from_millis(5));
        }
        engine.kill().and_then(|()| engine.wait()).expect("the engine is killed");
        let left = names(&cache);
        let known = ["darkchess-4.table.building", "darkchess-4.table.lock"];
        assert!(left == known || table.exists(), "{left:?}");
    }
    let plain = folder.path().join("plain.table");
    let name = plain.display().to_string();
    assert!(outcome("darkchess", &["table", "build", &name]).0);
    for _ in 0..60 {
        if !cached(&cache, &[]).0.ends_with("none") {
            break;
        }
    }
    assert_eq!(names(&cache), ["darkchess-4.table", "darkchess-4.table.lock"]);
    assert!(fs::read(&table).expect("the table") == fs::read(&plain).expect("the other table"));
}
