//! The command line of fastchess: what OpenBench's client sends and reads, failures, and wrong command lines.

use crate::support::matches::{MATCH, games, referee};
use crate::support::{program, run, texts};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The outcome of a command line: exit status, output, error output.
pub type Ran = (Option<i32>, String, String);

pub fn fastchess(words: &[&str]) -> Ran {
    let output = run("fastchess-ob", words, MATCH);
    let (out, err) = texts(&output);
    (output.status.code(), out, err)
}

/// A folder with a book of Amazons, one of Xiangqi, games as PGN, and an engine `e`.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "amazons.epd",
        "startpos moves d1d7,d7g7\nstartpos moves g1g7,g7d7\nstartpos moves a4b4,b4c4\n",
    );
    write("red.epd", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n");
    write("games.pgn", &"1. d1-d7/g7 a7-b7/b1 *\n\n".repeat(4));
    fs::copy(program("trivial"), folder.path().join("e")).expect("an engine");
    folder
}

/// The header of a log without what two equal matches may differ in: their names, chance and machine.
pub fn header(log: &Path) -> Value {
    let text = fs::read_to_string(log).unwrap_or_else(|e| panic!("{}: {e}", log.display()));
    let mut header: Value =
        serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
    for key in ["origin", "chance", "seed", "referee"] {
        header.as_object_mut().expect("an object").remove(key);
    }
    let openings = header.get_mut("openings").and_then(Value::as_object_mut);
    openings.into_iter().for_each(|openings| drop(openings.remove("seed")));
    for engine in header["engines"].as_array_mut().expect("engines") {
        engine["command"] = engine["command"].as_array().expect("words")[1..].into();
    }
    header
}

/// What OpenBench's client makes of the output: its pairs by points, and the games with a failure.
fn as_openbench(output: &str) -> ([u64; 5], BTreeMap<&'static str, u64>) {
    let half_points = |result: &str| match result {
        "1-0" => 2,
        "1/2-1/2" => 1,
        "0-1" => 0,
        other => panic!("`{other}` is no result"),
    };
    let (mut results, mut failures) = (BTreeMap::new(), BTreeMap::new());
    assert!(output.is_ascii());
    for line in output.lines() {
        assert!(!line.trim().is_empty(), "an empty line ends the reading");
        if !line.contains("Finished game") {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let game: usize = words[2].parse().expect("a number");
        results.insert(game, half_points(words[6]));
        let reason = line.split(':').nth(1).expect("a reason");
        for (sign, name) in [
            ("disconnect", "crash"),
            ("stalls", "crash"),
            ("on time", "time"),
            ("illegal", "illegal"),
        ] {
            *failures.entry(name).or_insert(0) += u64::from(reason.contains(sign));
        }
    }
    let mut pairs = [0; 5];
    for (game, first) in results.iter().filter(|(game, _)| *game % 2 == 1) {
        if let Some(second) = results.get(&(game + 1)) {
            pairs[first + 2 - second] += 1;
        }
    }
    failures.retain(|_, n| *n > 0);
    (pairs, failures)
}

/// A recorded command line of the client of OpenBench (version 49), with engines that answer at once.
fn openbench_words(pgn: &str, dev: &str, base: &str, rounds: &str) -> Vec<String> {
    let line = format!(
        "-recover -variant standard -testEnv -concurrency 2 -rounds {rounds} -games 2 -resign movecount=3 score=400 \
         -draw movenumber=40 movecount=8 score=10 \
         -engine dir=Engines/ cmd=./{dev} proto=uci tc=1.50+0.02 timemargin=250 option.Seed=1 name=Amazons-dev \
         -engine dir=Engines/ cmd=./{base} proto=uci tc=1.50+0.02 timemargin=250 option.Seed=2 name=Amazons-base \
         -openings file=Books/amazons.epd format=epd order=random start=2 -srand 391 \
         -pgnout file={pgn} seldepth=true nodes=true"
    );
    let words = line.split_whitespace().map(String::from);
    words.chain(["match_line=^info string pgncomment .*".into()]).collect()
}

/// Runs the recorded command line in a client's folder, whose engines have the faults `dev` and none.
fn as_client(fault: Option<&str>, rounds: &str) -> (TempDir, Ran) {
    let client = folder();
    let path = |name: &str| client.path().join(name);
    for name in ["Engines", "Books", "PGNs"] {
        fs::create_dir(path(name)).expect("a folder");
    }
    fs::rename(path("amazons.epd"), path("Books/amazons.epd")).expect("the book");
    // The client starts programs without arguments.
    let engine = |name: &str, fault: Option<&str>| {
        let script = format!(
            "#!/bin/sh\nexec {} {}\n",
            program("rogue").display(),
            fault.unwrap_or("honest")
        );
        let path = path("Engines").join(name);
        fs::write(&path, script).expect("an engine");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
        }
    };
    engine("A-11111111", fault);
    engine("A-22222222", None);
    let words = openbench_words("PGNs/7.3.1790000000.0.pgn", "A-11111111", "A-22222222", rounds);
    let output = std::process::Command::new(program("fastchess-ob"))
        .args(words)
        .current_dir(client.path())
        .output()
        .expect("the runner starts");
    let (out, err) = texts(&output);
    (client, (output.status.code(), out, err))
}

#[cfg(unix)]
#[test]
fn the_client_of_openbench_reads_what_the_log_says() {
    let (client, (status, out, err)) = as_client(None, "4");
    assert_eq!(status, Some(0), "{out}{err}");
    let (pairs, failures) = as_openbench(&out);
    assert_eq!(failures, BTreeMap::new(), "{out}");
    assert_eq!(pairs.iter().sum::<u64>(), 4);
    let log = client.path().join("PGNs/7.3.1790000000.0.jsonl");
    let (code, stats, _) = referee(&["stats", &log.display().to_string()]);
    assert_eq!(code, Some(0));
    let [ll, ld, dd, wd, ww] = pairs;
    let counts = format!("[{ll}, {ld}, {dd}, {wd}, {ww}]");
    assert!(
        stats.contains(&counts) && out.contains(&format!("Ptnml(0-2): {counts}")),
        "{stats}{out}"
    );
    // The PGN in blocks of tags and blocks of moves.
    let pgn = fs::read_to_string(client.path().join("PGNs/7.3.1790000000.0.pgn")).expect("the PGN");
    let blocks: Vec<&str> = pgn.split("\n\n").filter(|block| !block.trim().is_empty()).collect();
    assert_eq!(blocks.len(), 16, "{pgn}");
    for pair in blocks.chunks(2) {
        assert!(
            pair[0].contains("[Termination \"normal\"]")
                && pair[0].contains("[TimeControl \"1.5+0.02\"]")
        );
        let moves = pair[1].split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            moves.contains(" {book} ") && moves.contains("s, n=") && moves.contains(", sd="),
            "{moves}"
        );
        assert!(moves.contains(" wins by no move} "), "{moves}");
    }
    assert!(err.contains("-testEnv") && err.contains("match_line="), "{err}");
}

#[cfg(unix)]
#[test]
fn failures_of_engines_arrive_as_such() {
    for (fault, name, termination) in [
        ("crash", "crash", "abandoned"),
        ("illegal", "illegal", "illegal move"),
        ("slow", "time", "time forfeit"),
    ] {
        let (client, (status, out, err)) = as_client(Some(fault), "1");
        assert_eq!(status, Some(0), "{fault}: {out}{err}");
        let (pairs, failures) = as_openbench(&out);
        assert_eq!(failures, BTreeMap::from([(name, 2)]), "{fault}: {out}");
        assert_eq!(pairs, [1, 0, 0, 0, 0], "{fault}: {out}");
        let pgn =
            fs::read_to_string(client.path().join("PGNs/7.3.1790000000.0.pgn")).expect("the PGN");
        let tag = format!("[Termination \"{termination}\"]");
        assert_eq!(pgn.matches(&tag).count(), 2, "{fault}: {pgn}");
    }
}

fn two(more: &[&str]) -> Vec<String> {
    let engine = |name: &str| format!("cmd={}\u{0}name={name}", program("trivial").display());
    let mut words: Vec<String> = Vec::new();
    for name in ["a", "b"] {
        words.push("-engine".into());
        words.extend(engine(name).split('\u{0}').map(String::from));
    }
    words.extend(["-each", "proto=ugi", "depth=1", "-variant", "amazons"].map(String::from));
    words.extend(more.iter().map(ToString::to_string));
    words
}

#[test]
fn without_recover_the_match_ends_at_the_first_failure_and_is_resumed() {
    let folder = folder();
    let log = folder.path().join("log.jsonl").display().to_string();
    let rogue = format!("cmd={}", program("rogue").display());
    let words = [
        "-engine",
        &rogue,
        "name=bad",
        "args=crash",
        "-engine",
        &rogue,
        "name=good",
        "args=honest",
        "-each",
        "st=1",
        "-rounds",
        "3",
    ];
    let (status, out, err) =
        fastchess(&[&words[..], &["-config", &format!("outname={log}")]].concat());
    assert_eq!(status, Some(1), "{out}{err}");
    assert_eq!(out.matches("Finished game").count(), 1, "{out}");
    assert!(
        out.contains("{White disconnects}") && err.contains(&format!("-config file={log}")),
        "{out}{err}"
    );
    let again = ["-config", &format!("file={log}"), "-recover"];
    let (status, out, err) = fastchess(&[&words[..], &again].concat());
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(out.contains("Games: 6, Wins: 0, Losses: 6") && out.contains("Crashed: 6"), "{out}");
    assert_eq!(games(Path::new(&log)).len(), 6);
}

#[test]
fn a_wrong_command_line_is_named_and_leaves_nothing() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let files = || fs::read_dir(folder.path()).expect("the folder").count();
    let before = files();
    let log = format!("outname={}", path("log.jsonl"));
    let words = |more: &[&str]| [two(more), vec!["-config".into(), log.clone()]].concat();
    let rogue = format!("cmd={}", program("rogue").display());
    let nogo = format!("cmd={}", program("nogo").display());
    let red = format!("file={}", path("red.epd"));
    let missing = format!("file={}", path("no/out.pgn"));
    let folder_as_pgn = format!("file={}", folder.path().display());
    for (words, expected) in [
        (
            words(&["-openigns", "file=x"]),
            &["unknown flag `-openigns`", "did you mean `-openings`"][..],
        ),
        (words(&["-openings", &red]), &["openings of xiangqi", "the match is amazons", "line 1"]),
        (words(&["-openings", "file=/no/such.epd"]), &["/no/such.epd"]),
        (words(&["-pgnout", &missing]), &["out.pgn"]),
        (words(&["-pgnout", &folder_as_pgn]), &["--pgnout"]),
        (
            words(&["-variant", "fischerandom"]),
            &["-variant", "unknown game `fischerandom`", "xiangqi"],
        ),
        (words(&["-engine", "cmd=/no/such/engine", "depth=1"]), &["/no/such/engine"]),
        (words(&["-tb", "/syzygy"]), &["-tb", "cmd=PROGRAM"]),
        (words(&["-each", "option.Nonsense=3"]), &["Nonsense"]),
    ] {
        let refs: Vec<&str> = words.iter().map(String::as_str).collect();
        let (status, out, err) = fastchess(&refs);
        assert_eq!((status, out.as_str()), (Some(1), ""), "{expected:?}: {err}");
        assert!(expected.iter().all(|part| err.contains(part)), "{expected:?}: {err}");
        assert_eq!(files(), before, "{expected:?}");
    }
    // What an engine says of itself, against the flag and against the other engine.
    let engine = ["-engine", &rogue, "args=honest", "depth=1"];
    let (status, _, err) = fastchess(&[&engine[..], &engine, &["-variant", "nogo"]].concat());
    assert!(status == Some(1) && err.contains("engine rogue says that it plays amazons"), "{err}");
    let (status, _, err) = fastchess(&[&engine[..], &["-engine", &nogo, "depth=1"]].concat());
    assert!(status == Some(1) && err.contains("no common game"), "{err}");
    // Without a game in any name.
    let words: Vec<String> =
        two(&[]).into_iter().filter(|w| w != "-variant" && w != "amazons").collect();
    let refs: Vec<&str> = words.iter().map(String::as_str).collect();
    let (status, _, err) = fastchess(&refs);
    assert!(status == Some(1) && err.contains("give -variant NAME"), "{err}");
}

#[test]
fn a_second_match_writes_a_log_of_its_own_and_appends_to_the_pgn() {
    let folder = folder();
    let pgn = folder.path().join("out.pgn");
    let file = format!("file={}", pgn.display());
    let mut words =
        two(&["-rounds", "1", "-maxmoves", "1", "-output", "format=cutechess", "-pgnout", &file]);
    for n in 1..=2 {
        let refs: Vec<&str> = words.iter().map(String::as_str).collect();
        let (status, out, err) = fastchess(&refs);
        assert_eq!(status, Some(0), "{err}");
        assert!(out.contains("Score of a vs b: 0 - 0 - 2  [0.500] 2\n"), "{out}");
        assert!(out.contains("{Draw by adjudication}"), "{out}");
        let text = fs::read_to_string(&pgn).expect("the PGN");
        assert_eq!(text.matches("[White ").count(), 2 * n);
    }
    let logs: Vec<PathBuf> =
        ["out.jsonl", "out-2.jsonl"].map(|name| folder.path().join(name)).into();
    assert!(logs.iter().all(|log| games(log).len() == 2));
    words.push("append=false".into());
    let refs: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(fastchess(&refs).0, Some(0));
    assert_eq!(fs::read_to_string(&pgn).expect("the PGN").matches("[White ").count(), 2);
}

#[test]
fn the_program_has_this_face_by_name_and_by_its_first_word() {
    for (name, words) in [
        ("fastchess-ob", &["--version"][..]),
        ("fastchess", &["-version"]),
        ("cutechess-cli", &["-v"]),
        ("referee", &["fastchess", "-version"]),
    ] {
        let (out, err) = texts(&run(name, words, MATCH));
        // The client of OpenBench takes the first number for the version.
        assert!(out.starts_with("fastchess 1.8.2 "), "{name}: {out}{err}");
    }
    let (out, _) = texts(&run("fastchess", &["-help"], MATCH));
    assert!(
        out.contains("-openings KEY=VALUE") && out.contains("-tbpieces VALUE: refused;"),
        "{out}"
    );
    let (out, _) = texts(&run("referee", &["fastchess", "--help"], MATCH));
    assert!(out.contains("Usage: referee fastchess"), "{out}");
}

#[test]
fn a_sequential_test_ends_with_the_lines_of_fastchess() {
    let folder = folder();
    let log = format!("outname={}", folder.path().join("log.jsonl").display());
    let rogue = format!("cmd={}", program("rogue").display());
    let words = |elo0: &'static str, elo1: &'static str| {
        let rogue = rogue.clone();
        let engine = |name: &str, fault: &str| {
            ["-engine".into(), rogue.clone(), format!("name={name}"), format!("args={fault}")]
        };
        let mut words: Vec<String> = [engine("new", "honest"), engine("old", "illegal")].concat();
        words.extend(
            ["-each", "depth=1", "-sprt", elo0, elo1, "alpha=0.05", "beta=0.05"].map(String::from),
        );
        words.extend(["model=logistic", "-config"].map(String::from));
        words.push(log.clone());
        words
    };
    let wrong = words("elo0=5", "elo1=0");
    let refs: Vec<&str> = wrong.iter().map(String::as_str).collect();
    let (status, out, err) = fastchess(&refs);
    assert!(
        status == Some(1) && out.is_empty() && err.contains("elo0 must be the smaller"),
        "{err}"
    );
    let words = words("elo0=0", "elo1=200");
    let refs: Vec<&str> = words.iter().map(String::as_str).collect();
    let (status, out, err) = fastchess(&refs);
    assert_eq!(status, Some(0), "{out}{err}");
    let tail: Vec<&str> = out.lines().rev().take(10).collect();
    assert!(tail.contains(&"SPRT ([0.00, 200.00]) completed - H1 was accepted"), "{out}");
    assert!(
        tail.iter()
            .any(|line| line.starts_with("LLR: 3.")
                && line.ends_with(") (-2.94, 2.94) [0.00, 200.00]")),
        "{out}"
    );
    assert!(out.contains("Ptnml(0-2): [0, 0, 0, 0, 8], WL/DD Ratio: nan"), "{out}");
}

#[test]
fn cutechess_cli_has_one_game_a_round_and_its_own_lines() {
    let folder = folder();
    let log = folder.path().join("c.jsonl");
    let mut words = two(&["-rounds", "3", "-maxmoves", "1"]);
    words.extend(["-config".into(), format!("outname={}", log.display())]);
    let refs: Vec<&str> = words.iter().map(String::as_str).collect();
    let (out, err) = texts(&run("cutechess-cli", &refs, MATCH));
    assert!(out.contains("Score of a vs b") && out.contains("Elo difference:"), "{out}{err}");
    let header = header(&log);
    assert_eq!(header["schedule"]["pairings"][0]["games"], json!([2, 1]));
    assert_eq!(header["schedule"]["pairings"][0]["unpaired"], json!(true));
}
