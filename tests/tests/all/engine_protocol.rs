//! The engine programs seen from a manager: handshake, search and stop, and invalid lines.

use crate::support::{ENGINES, Process};
use std::time::{Duration, Instant};

/// Generous, for a busy machine: the target is 10 ms.
const PROMPT: Duration = Duration::from_millis(200);

#[test]
fn every_engine_opens_a_conversation_in_ugi_and_lists_the_common_options() {
    for (engine, _) in ENGINES {
        let mut process = Process::start(engine, &[] as &[&str]);
        process.send("ugi");
        let lines = process.lines_until("ugiok");
        assert!(lines[0].starts_with("id name "), "{lines:?}");
        assert!(lines[1].starts_with("id author "), "{lines:?}");
        for option in ["Algorithm", "Hash", "Seed"] {
            let start = format!("option name {option} type ");
            assert!(lines.iter().any(|l| l.starts_with(&start)), "{engine} {option}: {lines:?}");
        }
        let random = |l: &String| l.contains("name Algorithm ") && l.contains(" var random");
        assert!(lines.iter().any(random), "{engine}: {lines:?}");
        assert_eq!(process.request("isready"), "readyok");
        process.send("quit");
        let (status, rest, _) = process.end();
        assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
    }
}

#[test]
fn amazons_speaks_uci_as_a_variant_engine() {
    let mut process = Process::start("amazons", &[] as &[&str]);
    process.send("uci");
    let lines = process.lines_until("uciok");
    let variant = "option name UCI_Variant type combo default amazons var amazons";
    assert!(lines.iter().any(|l| l == variant), "{lines:?}");
    process.send("setoption name UCI_Variant value amazons");
    process.send("setoption name Algorithm value random");
    process.send("ucinewgame");
    assert_eq!(process.request("isready"), "readyok");
    process.send("position fen 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1 moves d1d7,d7g7");
    process.send("go wtime 60000 btime 60000 winc 0 binc 0");
    let best = process.until("bestmove ");
    assert_eq!(best.split(' ').count(), 2, "{best}");
}

#[test]
fn a_search_reports_in_the_words_of_ugi() {
    let mut process = Process::open("amazons", &["--option", "Algorithm=pvs"], "ugi");
    process.send("position startpos");
    process.send("go depth 2");
    let lines = process.lines_until("bestmove ");
    let report = lines.iter().rev().find(|l| l.contains(" score ")).expect("a report");
    for word in ["depth", "time", "nodes", "nps", "pv"] {
        assert!(report.contains(&format!(" {word} ")), "{report}");
    }
    assert_eq!(lines[lines.len() - 1].split(' ').count(), 2);
}

/// Latencies from the last byte of `stop` to the first byte of the reply, in several searches,
/// sorted.
fn latencies(engine: &str, position: &str, algorithm: &str) -> Vec<Duration> {
    let algorithm = format!("Algorithm={algorithm}");
    let mut process = Process::open(engine, &["--option", &algorithm], "ugi");
    let mut all = Vec::new();
    assert_eq!(process.request("isready"), "readyok");
    for round in 0..5 {
        process.send(position);
        process.send("go infinite");
        std::thread::sleep(Duration::from_millis(20 + 30 * round));
        let from = Instant::now();
        process.send("stop");
        process.until("bestmove ");
        all.push(from.elapsed());
    }
    all.sort_unstable();
    all
}

/// A busy machine delays single replies, so the median counts.
#[test]
fn stop_ends_a_search_at_once() {
    for (engine, position, algorithm) in players() {
        let all = latencies(engine, position, &algorithm);
        let (median, worst) = (all[all.len() / 2], all[all.len() - 1]);
        println!("{engine} {algorithm}: stop to bestmove {median:?}, at worst {worst:?}");
        assert!(median < PROMPT, "{engine} {algorithm}: {all:?}");
    }
}

/// Every algorithm of every engine.
fn players() -> impl Iterator<Item = (&'static str, &'static str, String)> {
    ENGINES.iter().flat_map(|(engine, position)| {
        algorithms(engine).into_iter().map(|algorithm| (*engine, *position, algorithm))
    })
}

/// The values of the option `Algorithm`.
fn algorithms(engine: &str) -> Vec<String> {
    let mut process = Process::start(engine, &[] as &[&str]);
    process.send("ugi");
    let line = process.until("option name Algorithm ");
    line.split(" var ").skip(1).map(String::from).collect()
}

#[test]
fn quit_ends_a_searching_program_at_once() {
    let mut process = Process::open("amazons", &[] as &[&str], "ugi");
    process.send("position startpos");
    process.send("go infinite");
    std::thread::sleep(Duration::from_millis(100));
    let from = Instant::now();
    process.send("quit");
    let (status, _, _) = process.end();
    let taken = from.elapsed();
    println!("quit to exit: {taken:?}");
    assert!(status.success());
    assert!(taken < PROMPT, "{taken:?}");
}

#[test]
fn the_end_of_input_stops_the_search_and_ends_the_program() {
    let mut process = Process::open("amazons", &[] as &[&str], "ugi");
    process.send("position startpos");
    process.send("go infinite");
    std::thread::sleep(Duration::from_millis(50));
    process.close();
    let (status, rest, _) = process.end();
    assert!(status.success());
    assert!(rest.last().is_some_and(|l| l.starts_with("bestmove ")), "{rest:?}");
}

#[test]
fn readiness_is_answered_during_a_search() {
    let mut process = Process::open("amazons", &[] as &[&str], "ugi");
    process.send("position startpos");
    process.send("go infinite");
    let from = Instant::now();
    process.send("isready");
    process.until("readyok");
    let taken = from.elapsed();
    println!("isready to readyok during a search: {taken:?}");
    assert!(taken < PROMPT, "{taken:?}");
    process.send("stop");
    process.until("bestmove ");
}

#[test]
fn a_bad_line_gets_one_error_and_changes_nothing() {
    let mut process = Process::open("amazons", &[] as &[&str], "ugi");
    process.send("position startpos moves d1d7,d7g7");
    let start = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3";
    for (line, reason) in [
        ("fly", "unknown command `fly`"),
        ("go depth", "`depth` needs a whole number"),
        ("setoption name Hush value 3", "unknown option `Hush`; known options: Algorithm"),
        ("setoption name Threads value 0", "expected a whole number from 1"),
        ("setoption name Algorithm value magic", "expected one of"),
        ("position startpos moves d1d7,d7g7 d1d2,d2d1", "move 2 of the list"),
        ("position startpos moves d1e3,e3e4", "move 1 of the list"),
        ("position startpos moves d1", "move 1 of the list"),
        ("query soul", "unknown question `soul`"),
    ] {
        check_refusal(&mut process, line, reason);
    }
    for fen in [
        start.replacen("Q8Q", "Q9", 1) + " w",
        start.replacen("10", "4Q5", 1) + " w",
        start.replacen("10/", "10/10/", 1) + " w",
        start.replacen("10", "9", 1) + " w",
        start.replacen("10", "11", 1) + " w",
        start.replacen('q', "k", 1) + " w",
        format!("{start} x"),
        String::from("Q/q w"),
        start.into(),
    ] {
        check_refusal(&mut process, &format!("position fen {fen}"), "bad FEN");
    }
    assert_eq!(process.request("query p1turn"), "response false");
}

fn check_refusal(process: &mut Process, line: &str, reason: &str) {
    let answer = process.request(line);
    let right = answer.starts_with("info string error: ") && answer.contains(reason);
    assert!(right, "{line}: {answer}");
    assert_eq!(process.request("isready"), "readyok", "{line}");
}

#[test]
fn bytes_that_are_no_text_do_not_end_the_conversation() {
    let mut process = Process::open("amazons", &[] as &[&str], "ugi");
    let noise: Vec<u8> = (0..=255u8).filter(|b| *b != b'\n').collect();
    process.send_bytes(&noise);
    process.send_bytes(b"\n");
    process.send_bytes(&vec![b'z'; 3 << 20]);
    process.send_bytes(b"\n");
    assert!(process.until("info string error").contains("unknown command"));
    assert!(process.until("info string error").contains("line of 3145728 bytes"));
    assert_eq!(process.request("isready"), "readyok");
}

#[test]
fn what_ugi_asks_about_a_finished_game_is_answered() {
    let mut process = Process::open("amazons", &[] as &[&str], "ugi");
    process.send("position fen Q*q1/**2/4/4 w");
    assert_eq!(process.request("query gameover"), "response true");
    assert_eq!(process.request("query result"), "response p2win");
    process.send("go movetime 100");
    assert!(process.receive().is_some_and(|l| l.starts_with("info string the game is over")));
    assert_eq!(process.receive().as_deref(), Some("bestmove 0000"));
}

/// The same bestmove and the same last node count; times may differ.
fn result(engine: &str, position: &str, algorithm: &str, limit: &str) -> (String, String) {
    let options = [format!("--option=Algorithm={algorithm}"), "--option=Seed=7".into()];
    let mut process = Process::open(engine, &options, "ugi");
    process.send("uginewgame");
    process.send(position);
    process.send(limit);
    let lines = process.lines_until("bestmove ");
    let nodes = |l: &String| l.split(" nodes ").nth(1)?.split(' ').next().map(String::from);
    let counted = lines.iter().rev().find_map(nodes).unwrap_or_default();
    (lines[lines.len() - 1].clone(), counted)
}

#[test]
fn one_thread_and_a_fixed_seed_repeat_a_search_to_the_node() {
    for (engine, position, algorithm) in players() {
        for limit in ["go depth 2", "go nodes 30000"] {
            let search = || result(engine, position, &algorithm, limit);
            assert_eq!(search(), search(), "{engine} {algorithm} {limit}");
        }
    }
}

#[test]
fn a_move_time_is_kept() {
    for (engine, position, algorithm) in players() {
        let option = format!("Algorithm={algorithm}");
        let mut process = Process::open(engine, &["--option", &option], "ugi");
        assert_eq!(process.request("isready"), "readyok");
        process.send(position);
        let from = Instant::now();
        process.send("go movetime 300");
        process.until("bestmove ");
        let taken = from.elapsed();
        println!("{engine} {algorithm}: 300 ms took {taken:?}");
        assert!(taken < Duration::from_millis(1300), "{engine} {algorithm}: {taken:?}");
    }
}
