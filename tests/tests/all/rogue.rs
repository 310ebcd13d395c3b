//! The misbehaving engine does what its name for the fault says, so that tests with it are valid.

use crate::support::{Process, texts};
use std::time::Duration;

fn searching(fault: &str) -> Process {
    let mut rogue = Process::open("rogue", &[fault, "--at", "1"], "ugi");
    rogue.send("position startpos");
    rogue.send("go depth 1");
    rogue
}

#[test]
fn an_honest_rogue_plays_by_the_position_and_the_seed() {
    let mut rogue = searching("honest");
    let first = rogue.until("bestmove");
    assert_eq!(rogue.request("go depth 1"), first);
    rogue.send("setoption name Seed value 5");
    assert_ne!(rogue.request("go depth 1"), first);
    rogue.send("quit");
    assert!(rogue.end().0.success());
}

#[test]
fn a_fault_shows_at_its_move_and_on_its_side_only() {
    let mut rogue = Process::open("rogue", &["illegal", "--at", "2", "--side", "second"], "ugi");
    let illegal = "bestmove a1a1,a1a1";
    for (moves, faulty) in [("", false), (" moves d1d7,d7g7", true)] {
        rogue.send("uginewgame");
        rogue.send(&format!("position startpos{moves}"));
        assert_ne!(rogue.request("go depth 1"), illegal);
        assert_eq!(rogue.request("go depth 1") == illegal, faulty);
    }
}

#[test]
fn crashing_and_leaving_end_the_process() {
    let (status, _, errors) = searching("crash").end();
    assert!(!status.success());
    assert!(errors.contains("crashing on purpose"));
    assert!(searching("leave").end().0.success());
    assert_eq!(Process::start("rogue", &["exit-early"]).end().0.code(), Some(7));
}

#[test]
fn floods_do_not_end() {
    let flood = searching("flood");
    for _ in 0..10_000 {
        assert!(flood.receive().expect("a flood").starts_with("info"));
    }
}

#[test]
fn ignoring_quit_outlives_the_input() {
    let mut rogue = Process::open("rogue", &["ignore-quit"], "ugi");
    rogue.send("quit");
    rogue.close();
    std::thread::sleep(Duration::from_millis(300));
    assert!(rogue.is_running());
}

#[test]
fn an_unknown_fault_is_refused() {
    let output = crate::support::run("rogue", &["sing"], Duration::from_secs(5));
    assert!(!output.status.success());
    assert!(texts(&output).1.contains("possible values"));
}

#[test]
fn an_answer_without_a_line_break_is_a_legal_move() {
    let mut rogue = searching("no-newline-at-end");
    let said = rogue.receive().expect("the end of output ends the line too");
    assert_eq!(said, searching("honest").until("bestmove"));
    assert!(rogue.end().0.success());
}

#[test]
fn a_move_of_the_other_side_would_be_legal_for_it() {
    let mut honest = Process::open("rogue", &["honest"], "ugi");
    honest.send("position fen 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 b");
    let wrong = searching("wrong-side").until("bestmove");
    let black_amazons = ["a7", "d10", "g10", "j7"];
    let from = wrong.trim_start_matches("bestmove ");
    assert!(black_amazons.iter().any(|square| from.starts_with(square)), "{wrong}");
}

#[test]
fn an_early_move_comes_before_go_and_a_double_move_twice() {
    let mut early = Process::open("rogue", &["early-bestmove"], "ugi");
    early.send("uginewgame");
    assert_eq!(early.request("isready"), "readyok");
    let unasked = early.receive().expect("a move that nobody requested");
    assert!(unasked.starts_with("bestmove "), "{unasked}");
    early.send("position startpos");
    assert_eq!(early.request("go depth 1"), unasked, "its answers are legal");
    let double = searching("double-bestmove");
    let first = double.until("bestmove");
    assert_eq!(double.receive(), Some(first));
}
