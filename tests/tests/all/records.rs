//! Records in the form of China's national championship, the presets of events, and the preflight.

use crate::support::matches::referee;
use crate::support::{program, run, texts};
use std::fs;
use std::path::Path;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(180);

/// Plays a match of an engine against itself at depth 1 and returns the path of the log.
fn log_of(game: &str, folder: &Path) -> String {
    let log = folder.join(format!("{game}.jsonl")).display().to_string();
    let engine = |name: &str| {
        format!("name={name},cmd={} --option Algorithm=random", program(game).display())
    };
    let (a, b) = (engine("甲队"), engine("乙队"));
    let words = [
        "match", "--game", game, "--engine", &a, "--engine", &b, "--depth", "1", "--games", "2",
        "--seed", "1", "--quiet", "--log", &log,
    ];
    let (code, _, err) = referee(&words);
    assert_eq!(code, Some(0), "{err}");
    log
}

#[test]
fn the_games_of_a_log_become_records_that_verify() {
    let folder = tempfile::tempdir().unwrap();
    for (game, letters, encoding) in
        [("einstein", "WTN", "gb18030"), ("connect6", "C6", "utf-8"), ("nogo", "NG", "gb18030")]
    {
        let log = log_of(game, folder.path());
        let out = folder.path().join(game);
        fs::create_dir(&out).unwrap();
        let out = out.display().to_string();
        let words = [
            "export",
            &log,
            "--format",
            "ccgc",
            "--encoding",
            encoding,
            "--place",
            "南京",
            "--event",
            "2026 CCGC",
            "--out",
            &out,
        ];
        let (code, listed, err) = referee(&words);
        assert_eq!(code, Some(0), "{err}");
        let files: Vec<&str> = listed.lines().collect();
        assert_eq!(files.len(), 2, "{listed}");
        let name = Path::new(files[0]).file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with(&format!("{letters}-甲队 vs 乙队-")), "{name}");
        assert!(name.ends_with(" 南京-2026 CCGC.txt"), "{name}");
        for file in &files {
            let (code, said, err) = referee(&["verify", file]);
            assert_eq!(code, Some(0), "{file}: {said}{err}");
            assert!(said.contains("no defect"), "{said}");
        }
        // The same game from both teams, in two encodings.
        let other = folder.path().join("other.txt").display().to_string();
        let words = ["export", &log, "--format", "ccgc", "--game", "1", "--out", &other];
        assert_eq!(referee(&words).0, Some(0));
        let (code, said, err) = referee(&["verify", files[0], &other]);
        assert_eq!(code, Some(0), "{said}{err}");
        assert!(said.contains("remark: differs from"), "place and event differ: {said}");
        // Without its last move it differs.
        let text = fs::read_to_string(&other).unwrap();
        let end = if game == "einstein" { text.trim_end().rfind('\n') } else { text.rfind(';') };
        fs::write(&other, &text[..end.unwrap()]).unwrap();
        let (code, _, err) = referee(&["verify", files[0], &other]);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains("differs from") && err.contains(" in ply "), "{err}");
    }
}

#[test]
fn a_bad_record_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.txt");
    let file = path.display().to_string();
    let head = "#[AM][甲][乙][后手胜][2020.10.01 15:04 重庆][2020 CCGC];\n";
    for (text, expected) in [
        (format!("{head}1 D1D6(G6) A7B7(B1)\n2 J4"), "line 3, column 5"),
        (format!("{head}1 D1D6(G6) A7A9(A10)\n2 J4J9(J10)"), "ply 3: "),
        (head.replace("AM", "SK").replace("后手胜", "后手胜]["), "expected one of C6 (connect6)"),
        (String::new(), "no header"),
        ("{[C6][a B][b W][平局][d][e];B(J,10);W(J,10);W(K,10)}".into(), "ply 2: "),
    ] {
        fs::write(&path, &text).unwrap();
        let (code, said, err) = referee(&["verify", &file]);
        assert_eq!(code, Some(1), "{text}: {said}");
        assert!(err.contains(expected) && err.contains("record.txt: "), "{text}: {err}");
    }
    fs::write(&path, b"#[\xff\xff]").unwrap();
    assert!(referee(&["verify", &file]).2.contains("neither UTF-8 nor GB18030"));
    fs::write(&path, vec![b'#'; 2 << 20]).unwrap();
    assert!(referee(&["verify", &file]).2.contains("no record of a game"));
    assert_eq!(referee(&["verify", "/nowhere/record.txt"]).0, Some(1));
}

#[test]
fn a_record_of_another_game_is_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let head = "[a][b][后手胜][2020.10.01 15:04 重庆][2020 CCGC]";
    let ours = file("ours.txt", &format!("#[AM]{head};\n1 D1D6(G6) A7B7(B1)\n"));
    let theirs = file("theirs.txt", &format!("{{[C6]{head};B(J,10)}}\n"));
    let (code, _, err) = referee(&["verify", &ours, &theirs]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("in games amazons and connect6"), "{err}");
}

#[test]
fn games_without_a_form_and_flags_out_of_place_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of("darkchess", folder.path());
    let (code, _, err) = referee(&["export", &log, "--format", "ccgc"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("no national text form of darkchess"), "{err}");
    let (code, _, err) = referee(&["export", &log, "--format", "pgn", "--place", "x"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("--place: only with --format ccgc"), "{err}");
}

#[test]
fn presets_are_listed_shown_and_checked() {
    let (code, listed, _) = referee(&["events"]);
    assert_eq!(code, Some(0));
    assert!(
        listed.lines().any(|l| l.starts_with("ccgc-einstein ") && l.contains("ABBAABB")),
        "{listed}"
    );
    let (_, preset, _) = referee(&["events", "ccgc-einstein"]);
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine.toml");
    fs::write(&mine, preset.replace("4:00", "10:00")).unwrap();
    let file = mine.display().to_string();
    assert_eq!(referee(&["events", &file]).0, Some(0));
    fs::write(&mine, preset.replace("clock", "clok")).unwrap();
    let (code, _, err) = referee(&["events", &file]);
    assert_eq!(code, Some(1));
    assert!(err.contains("mine.toml, line 9: ") && err.contains("clok"), "{err}");
}

/// Runs a preflight: the exit status and the output.
fn preflight(event: &str, engine: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().display().to_string();
    let mut words = vec!["check", "--event", event, engine, "--folder", &place, "--margin", "2000"];
    words.extend(more);
    let output = run("referee", &words, LONG);
    let (out, err) = texts(&output);
    (output.status.code(), out + &err)
}

#[test]
fn a_good_engine_is_ready() {
    let engine = format!("cmd={} --option Algorithm=greedy", program("einstein").display());
    let (code, said) = preflight("ccgc-einstein", &engine, &["--scale", "0.02", "--games", "1"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.ends_with("READY\n") && !said.contains("NOT READY"), "{said}");
    for expected in
        ["SHA-256", "whole game", "killed at ply", "written and read back (ccgc)", "MiB free"]
    {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn an_engine_that_would_lose_its_games_is_not_ready() {
    for (fault, expected) in [
        ("crash", "crash"),
        ("illegal", "illegal move"),
        ("hang-at-handshake", "does not start"),
        ("flood", "flood"),
        ("leave", "crash"),
    ] {
        let engine = format!("{} {fault} --at 2", program("rogue").display());
        let more = ["--scale", "0.01", "--games", "1", "--ready-time", "3", "--grace-time", "1"];
        let (code, said) = preflight("ccgc-amazons", &engine, &more);
        assert_eq!(code, Some(1), "{fault}: {said}");
        assert!(said.contains("NOT READY: whole game, time, crash"), "{fault}: {said}");
        assert!(said.contains(expected), "{fault}: {said}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_not_ready() {
    let engine = program("einstein").display().to_string();
    let words =
        ["check", "--event", "ccgc-einstein", &engine, "--folder", "/nowhere", "--scale", "0.01"];
    let output = run("referee", &words, LONG);
    let (out, _) = texts(&output);
    assert!(!output.status.success());
    assert!(out.contains("cannot write in /nowhere") && out.contains("NOT READY: disk"), "{out}");
    let (code, said) = preflight("ccgc-chess", &engine, &[]);
    assert_eq!(code, Some(1));
    assert!(said.contains("presets: ccgc-amazons"), "{said}");
}

#[test]
fn formats_that_are_not_read_are_named_by_every_reader() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd={},option.Algorithm=random", program("xiangqi").display());
    for (name, bytes, format) in [
        ("d.txt", &b"[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n"[..], "DhtmlXQ"),
        ("game.xqf", b"XQ\x12\xab\0\0\0\0", "XQF"),
        ("games.cbl", b"CCBridgeLibrary\0\x03", "CBL"),
        ("games.pgn.gz", b"\x1f\x8b\x08\0", "gzip"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let file = path.display().to_string();
        let log = folder.path().join("log.jsonl").display().to_string();
        let words = ["match", "--game", "xiangqi", "--engine", &engine, "--engine", &engine];
        let more = ["--nodes", "1", "--openings", &file, "--log", &log];
        for words in [[&words[..], &more].concat(), vec!["verify", &file]] {
            let (code, _, err) = referee(&words);
            assert_eq!(code, Some(1), "{err}");
            assert!(err.contains(name) && err.contains(format), "{words:?}: {err}");
            assert!(err.contains("which is not read here"), "{words:?}: {err}");
            assert_eq!(err.trim().lines().count(), 1, "{err}");
        }
        for (program, words) in [
            ("xiangqi", vec!["bench", "--openings", &file]),
            ("lab", vec!["connect6", "sgf", &file]),
            ("lab", vec!["xiangqi", "tactics", "run", &file]),
        ] {
            let output = run(program, &words, LONG);
            let (_, err) = texts(&output);
            assert!(!output.status.success(), "{words:?}");
            assert!(err.contains(format) && err.contains("not read here"), "{words:?}: {err}");
        }
    }
}

#[test]
fn a_book_with_a_footer_is_read_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.pgn");
    let text = "[Game \"Chinese Chess\"]\r\n[Result \"*\"]\r\n\r\n  1. 炮二平五 马８进７ *\r\n=====\r\n欢迎 [X]\r\n";
    fs::write(&book, text).unwrap();
    let engine = format!("cmd={},option.Algorithm=random", program("xiangqi").display());
    let log = folder.path().join("log.jsonl");
    let (openings, log_name) = (book.display().to_string(), log.display().to_string());
    let words = ["match", "--game", "xiangqi", "--engine", &engine, "--engine", &engine];
    let more = ["--nodes", "1", "--max-plies", "1", "--games", "2", "--margin", "9000", "--quiet"];
    let files = ["--openings", &openings, "--log", &log_name];
    let (code, _, err) = referee(&[&words[..], &more, &files].concat());
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("line 5, column 1: `=====` belongs to no game"), "{err}");
    let log = fs::read_to_string(&log).unwrap();
    assert_eq!(log.matches("\"opening\":\"startpos moves h2e2 h9g7\"").count(), 2, "{log}");
}
