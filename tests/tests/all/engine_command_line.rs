//! The command line that all engine programs share.

use crate::support::{ENGINES, Process, run, texts};
use std::path::Path;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

/// The stdout of a successful run.
fn good(engine: &str, arguments: &[&str]) -> String {
    let output = run(engine, arguments, MINUTE);
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{arguments:?}: {err}");
    out
}

/// The stderr of a failed run without other output.
fn bad(engine: &str, arguments: &[&str]) -> String {
    let output = run(engine, arguments, MINUTE);
    let (out, err) = texts(&output);
    assert!(!output.status.success() && out.is_empty(), "{arguments:?}: {out} {err}");
    err
}

#[test]
fn every_program_names_the_commit_of_its_tree() {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.git").exists();
    for program in ENGINES.iter().map(|(engine, _)| *engine).chain(["lab", "referee"]) {
        let text = good(program, &["--version"]);
        let commit = text.lines().find_map(|l| l.strip_prefix("commit: ")).expect("a commit");
        let hash = commit.strip_suffix("-modified").unwrap_or(commit);
        let known = hash.len() == 40 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        assert!(known || !tree && commit.starts_with("unknown: "), "{text}");
    }
}

#[test]
fn perft_counts_from_the_start_and_from_a_fen() {
    assert!(good("amazons", &["perft", "1"]).starts_with("perft 1: 2176\n"));
    assert!(good("amazons", &["perft", "2"]).starts_with("perft 2: 4307152\n"));
    let fen = "2q3q3/*5*1Q1/q*5Q1*/4*3q1/7*2/7*2/Q7*1/10/1*1*6/6Q3 w";
    assert!(good("amazons", &["perft", "2", "--fen", fen]).starts_with("perft 2: 1053243\n"));
}

#[test]
fn divide_adds_up_to_the_whole() {
    let text = good("amazons", &["perft", "2", "--divide"]);
    let parts = text.lines().filter(|l| !l.starts_with("perft")).filter_map(|l| {
        let (token, leaves) = l.split_once(": ")?;
        assert!(token.contains(','), "{token}");
        leaves.parse::<u64>().ok()
    });
    assert_eq!(parts.clone().count(), 2176);
    assert_eq!(parts.sum::<u64>(), 4_307_152);
}

#[test]
fn a_bad_option_fails_and_lists_the_known_ones() {
    for (engine, _) in ENGINES {
        let error = bad(engine, &["--option", "Treads=2"]);
        assert!(error.contains("unknown option `Treads`; known options: "), "{error}");
        for (_, name) in options(engine) {
            assert!(error.contains(&name), "{name}: {error}");
        }
        let error = bad(engine, &["--option", "Hash=many"]);
        assert!(error.contains("Hash: bad value `many`: expected a whole number"), "{error}");
        assert!(bad(engine, &["--option", "Hash"]).contains("expected NAME=VALUE"));
    }
}

/// The lines of `options`, and the option names in them.
fn options(engine: &str) -> Vec<(String, String)> {
    let name = |l: &str| l.strip_prefix("name ")?.split(" type ").next().map(String::from);
    good(engine, &["options"]).lines().filter_map(|l| Some((l.to_string(), name(l)?))).collect()
}

#[test]
fn the_command_line_lists_what_the_protocol_lists() {
    for (engine, _) in ENGINES {
        let mut process = Process::start(engine, &[] as &[&str]);
        process.send("ugi");
        let said = process.lines_until("ugiok");
        let said: Vec<&str> = said.iter().filter_map(|l| l.strip_prefix("option ")).collect();
        let listed = options(engine);
        assert_eq!(said, listed.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>());
    }
}

#[test]
fn an_option_of_the_command_line_becomes_the_default() {
    for (engine, _) in ENGINES {
        let arguments = ["--option", "seed=2", "--option=Algorithm=random", "options"];
        let text = good(engine, &arguments);
        assert!(text.contains("name Seed type spin default 2 "), "{text}");
        assert!(text.contains("name Algorithm type combo default random "), "{text}");
    }
}

#[test]
fn a_bad_position_or_argument_fails_with_the_reason() {
    let error = bad("amazons", &["perft", "1", "--fen", "10/10/10 w"]);
    assert!(error.contains("bad FEN `10/10/10 w`"), "{error}");
    assert!(bad("amazons", &["perft", "deep"]).contains("deep"));
    assert!(bad("amazons", &["polish"]).contains("polish"));
}

#[test]
fn bench_repeats_its_node_count() {
    for (engine, _) in ENGINES {
        let first = signature(engine);
        assert!(first > 100, "{engine}: {first}");
        assert_eq!(first, signature(engine), "{engine}");
    }
}

/// The node count of a shallow `bench`.
fn signature(engine: &str) -> u64 {
    let text = good(engine, &["bench", "--depth", "2"]);
    let last = text.lines().last().map(String::from).unwrap_or_default();
    let words: Vec<String> = last.split(' ').map(String::from).collect();
    assert_eq!((words[1].as_str(), words[3].as_str()), ("nodes", "nps"), "{last}");
    words[0].parse().expect("a count of nodes")
}

#[test]
fn replay_answers_every_game_with_its_positions() {
    let mut process = Process::start("amazons", &["replay"]);
    process.send("startpos moves d1d7,d7g7");
    let line = process.receive().expect("an answer");
    let answer: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(answer["positions"][0]["moves"].as_array().map(Vec::len), Some(2176));
    assert_eq!(answer["positions"][1]["turn"], "p2");
    process.send("startpos moves d1d1,d1d1");
    let line = process.receive().expect("an answer");
    assert!(line.contains("\"error\":\"move 1 of the list"), "{line}");
    process.close();
    assert!(!process.end().0.success());
}
