//! Dialogues in stages, with the squares and answers of `KataGomo`'s branches, in both directions.

use super::*;
use crate::dialect::test_messages::{best_move, go, position, receive};
use crate::message::Limits;
use std::time::Duration;

fn staged(game: &str) -> Gtp {
    Gtp::staged(game).expect(game)
}

/// Sends a line that needs no search; returns the answer.
fn answered(gtp: &mut Gtp, line: &str) -> String {
    let commands = receive(gtp, line);
    assert_eq!(commands.last(), Some(&Command::Acknowledge), "{line}: {commands:?}");
    gtp.write_reply(&Reply::Acknowledged)[0].clone()
}

fn refused(gtp: &mut Gtp, line: &str) -> String {
    let error = gtp.read_command(line).expect_err(line).to_string();
    gtp.write_reply(&Reply::Error(error)).concat()
}

/// Sends `genmove`, for which the engine must search; returns the moves to which it is restricted.
fn searched(gtp: &mut Gtp, line: &str, moves: &str) -> Vec<String> {
    match receive(gtp, line).as_slice() {
        [place, Command::Go(limits)] => {
            assert_eq!(*place, position(moves), "{line}");
            limits.search_moves.clone()
        }
        other => panic!("{line}: {other:?}"),
    }
}

/// A front-end's game: Black stands on D10, G10, A7 and K7.
#[test]
fn amazons_turns_are_searched_once_and_answered_in_three_stages() {
    let mut gtp = staged("amazons");
    assert_eq!(receive(&mut gtp, "boardsize 10"), [Command::NewGame, Command::Acknowledge]);
    assert_eq!(receive(&mut gtp, "clear_board"), [Command::NewGame, Command::Acknowledge]);
    assert!(searched(&mut gtp, "genmove b", "").is_empty());
    assert_eq!(gtp.write_reply(&best_move("d1d7,d7g7")), ["= D10", ""]);
    assert_eq!(answered(&mut gtp, "genmove w"), "= D4");
    assert_eq!(answered(&mut gtp, "3 genmove b"), "=3 G4");
    // The colour is ignored, and may be left out.
    for line in ["play w D1", "play b D3", "play D2"] {
        assert_eq!(answered(&mut gtp, line), "=", "{line}");
    }
    assert!(searched(&mut gtp, "genmove", "d1d7,d7g7 d10d8,d8d9").is_empty());
    assert!(refused(&mut gtp, "boardsize 8").contains("expected 10"));
}

#[test]
fn a_turn_that_has_begun_is_continued() {
    let mut gtp = staged("amazons");
    assert_eq!(answered(&mut gtp, "play b D10"), "=");
    let moves = searched(&mut gtp, "genmove b", "");
    assert!(moves.len() > 100 && moves.iter().all(|m| m.starts_with("d1")), "{moves:?}");
    assert_eq!(gtp.write_reply(&best_move("d1d7,d7g7")), ["= D4", ""]);
    // The plan is left: the search goes on from there.
    assert_eq!(answered(&mut gtp, "undo"), "=");
    assert_eq!(answered(&mut gtp, "play b D5"), "=");
    let moves = searched(&mut gtp, "genmove b", "");
    assert!(!moves.is_empty() && moves.iter().all(|m| m.starts_with("d1d6,d6")), "{moves:?}");
    assert_eq!(gtp.write_reply(&best_move("d1d6,d6d1")), ["= D10", ""]);
    // Stages are taken back across a turn, one by one.
    for _ in 0..3 {
        assert_eq!(answered(&mut gtp, "undo"), "=");
    }
    assert!(refused(&mut gtp, "undo").contains("no move to undo"));
    assert!(searched(&mut gtp, "genmove b", "").is_empty());
}

#[test]
fn a_stage_back_keeps_the_plan() {
    let mut gtp = staged("amazons");
    searched(&mut gtp, "genmove b", "");
    gtp.write_reply(&best_move("d1d7,d7g7"));
    assert_eq!(answered(&mut gtp, "genmove b"), "= D4");
    assert_eq!(answered(&mut gtp, "undo"), "=");
    assert_eq!(answered(&mut gtp, "genmove b"), "= D4");
}

#[test]
fn a_stage_that_begins_no_turn_is_refused_and_forgotten() {
    let mut gtp = staged("amazons");
    for (line, reason) in [
        ("play b D1", "no legal turn begins with `D1`"),
        ("play b I5", "one square A1 to K10"),
        ("play b pass", "not a stage"),
        ("play b D10 D9", "not a stage"),
        ("play", "not a stage"),
    ] {
        let answer = refused(&mut gtp, line);
        assert!(answer.starts_with('?') && answer.contains(reason), "{line}: {answer}");
    }
    assert_eq!(answered(&mut gtp, "play b D10"), "=");
    assert!(refused(&mut gtp, "play b E8").contains("D10 E8"));
    assert_eq!(answered(&mut gtp, "play b D4"), "=");
    assert!(refused(&mut gtp, "play b D1").starts_with('?'));
    assert_eq!(receive(&mut gtp, "play b G4"), [position("d1d7,d7g7"), Command::Acknowledge]);
}

/// Black's first turn is one stone; then two stages a turn.
#[test]
fn connect6_turns_are_two_stones_but_the_first() {
    let mut gtp = staged("connect6");
    assert_eq!(receive(&mut gtp, "play b K10"), [position("j10"), Command::Acknowledge]);
    assert!(searched(&mut gtp, "genmove w", "j10").is_empty());
    assert_eq!(gtp.write_reply(&best_move("k11i9")), ["= L11", ""]);
    assert_eq!(answered(&mut gtp, "genmove w"), "= J9");
    assert_eq!(answered(&mut gtp, "play b H8"), "=");
    assert!(refused(&mut gtp, "play b H8").starts_with('?'));
    let moves = searched(&mut gtp, "genmove b", "j10 k11i9");
    assert_eq!(moves.len(), 361 - 4, "one stone is given");
    assert!(moves.iter().all(|m| m.contains("h8")), "{moves:?}");
    // The order of a turn's stones is the entered one.
    assert_eq!(gtp.write_reply(&best_move("a1h8")), ["= A1", ""]);
    assert!(searched(&mut gtp, "genmove w", "j10 k11i9 h8a1").is_empty());
}

/// In the front-end a turn has a second stage, too, if the first stone wins.
#[test]
fn one_stone_that_makes_six_is_a_turn_with_a_pass() {
    let six = "a1 a3c3 b1c1 e3g3 d1e1 i3k3";
    let start = |gtp: &mut Gtp| {
        for token in ["A1", "A3", "C3", "B1", "C1", "E3", "G3", "D1", "E1", "J3", "L3"] {
            answered(gtp, &format!("play b {token}"));
        }
    };
    let mut gtp = staged("connect6");
    start(&mut gtp);
    assert!(searched(&mut gtp, "genmove b", six).is_empty());
    assert_eq!(gtp.write_reply(&best_move("f1")), ["= F1", ""]);
    assert_eq!(answered(&mut gtp, "genmove b"), "= pass");
    let mut gtp = staged("connect6");
    start(&mut gtp);
    answered(&mut gtp, "play b F1");
    let moves = searched(&mut gtp, "genmove b", six);
    assert!(moves.contains(&"f1".to_string()), "{moves:?}");
    assert_eq!(gtp.write_reply(&best_move("f1")), ["= pass", ""]);
    let mut gtp = staged("connect6");
    start(&mut gtp);
    answered(&mut gtp, "play b F1");
    let end = receive(&mut gtp, "play b pass");
    assert_eq!(end, [position(&format!("{six} f1")), Command::Acknowledge]);
}

#[test]
fn a_stage_of_nogo_is_a_turn() {
    let mut gtp = staged("nogo");
    assert_eq!(receive(&mut gtp, "play w J9"), [position("j9"), Command::Acknowledge]);
    assert_eq!(receive(&mut gtp, "genmove w"), [position("j9"), go()]);
    assert_eq!(gtp.write_reply(&best_move("e5")), ["= E5", ""]);
}

/// A manager after the handshake with an engine that has clocks.
fn manager(game: &str) -> Gtp {
    let mut gtp = staged(game);
    gtp.write_command(&Command::Identify, Player::First);
    for line in ["= name", "time_settings", "time_left", "", "= KataGo", "", "= 1.10.0", ""] {
        assert_eq!(gtp.read_reply(line), None, "{line}");
    }
    gtp.read_reply("= KataGo");
    let id = Reply::Id { name: "KataGo 1.10.0".into(), author: String::new() };
    assert_eq!(gtp.read_reply("= KataGo"), Some(id));
    while gtp.poll_reply().is_some() {}
    gtp
}

fn sent(gtp: &mut Gtp, moves: &str, limits: Limits, mover: Player) -> Vec<String> {
    gtp.write_command(&position(moves), mover);
    gtp.write_command(&Command::Go(limits), mover)
}

#[test]
fn a_manager_sends_all_stages_and_joins_the_answers() {
    let mut gtp = manager("amazons");
    let new_game = gtp.write_command(&Command::NewGame, Player::First);
    assert_eq!(new_game, ["boardsize 10", "clear_board"]);
    for line in ["=", "", "=", ""] {
        assert_eq!(gtp.read_reply(line), None);
    }
    let limits = Limits { time: [Some(Duration::from_secs(60)); 2], ..Limits::default() };
    assert_eq!(
        sent(&mut gtp, "d1d7,d7g7", limits, Player::Second),
        [
            "time_settings 20.000 0 0",
            "play B D10",
            "play B D4",
            "play B G4",
            "time_left B 20.000 0",
            "time_left W 20.000 0",
            "genmove W",
            "genmove W",
            "genmove W"
        ]
    );
    for line in ["=", "=", "=", "=", "=", "=", "= D1", "", "= D3", ""] {
        assert_eq!(gtp.read_reply(line), None, "{line}");
    }
    assert_eq!(gtp.read_reply("= D2"), Some(best_move("d10d8,d8d9")));
    // A fourth stage, which nobody asked for.
    assert_eq!(gtp.read_reply("= D2"), Some(best_move("d9")));
    let moves = "d1d7,d7g7 d10d8,d8d9 g1g2,g2g3";
    let limits = Limits { move_time: Some(Duration::from_secs(1)), ..Limits::default() };
    let lines = sent(&mut gtp, moves, limits.clone(), Player::Second);
    assert_eq!(lines[..3], ["play B G10", "play B G9", "play B G8"]);
    gtp.write_command(&Command::NewGame, Player::First);
    let lines = sent(&mut gtp, "", limits, Player::First);
    assert_eq!(lines[0], "time_settings 0 0.333 1");
}

#[test]
fn a_stage_may_be_missing_wrong_or_the_end() {
    let after = |answers: &[&str]| {
        let mut gtp = manager("connect6");
        let lines = sent(&mut gtp, "j10", Limits::default(), Player::Second);
        assert_eq!(lines, ["play B K10", "genmove W", "genmove W"]);
        gtp.read_reply("=");
        let mut replies = Vec::new();
        for line in answers {
            replies.extend(gtp.read_reply(line));
            replies.extend(std::iter::from_fn(|| gtp.poll_reply()));
        }
        replies
    };
    let error = |text: &str| Reply::Error(text.into());
    assert_eq!(after(&["= L11", "= J9"]), [best_move("k11i9")]);
    // One stone that makes six: whether it is a turn is for the rules to say.
    assert_eq!(after(&["= L11", "= pass"]), [best_move("k11")]);
    assert_eq!(after(&["= L11", "? game over"]), [error("game over"), best_move("k11")]);
    assert_eq!(after(&["= pass", "= pass"]), [Reply::BestMove(None)]);
    assert_eq!(after(&["? no", "? no"]), [error("no"), error("no"), Reply::BestMove(None)]);
    assert_eq!(after(&["= resign", "= J9"]), [best_move("resign")]);
    assert_eq!(after(&["= L11", "=RESIGN"]), [best_move("resign")]);
    assert_eq!(after(&["= L11", "= null"]), [best_move("L11 null")]);
    assert_eq!(after(&["= L11,J9", "= H8"]), [best_move("L11,J9 H8")]);
    let mut gtp = manager("connect6");
    assert_eq!(sent(&mut gtp, "", Limits::default(), Player::First), ["genmove B"]);
    assert_eq!(gtp.read_reply("= K10"), Some(best_move("j10")));
}
