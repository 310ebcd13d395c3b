//! Dialogues of a course's Connect6 skeleton, in both directions.

use super::*;
use crate::dialect::test_messages::{best_move, go, position, receive};

#[test]
fn an_engine_answers_every_line() {
    let mut gtp = Gtp::new("connect6").unwrap();
    let id = Reply::Id { name: "Agon Connect6 0.1.0".into(), author: String::new() };
    assert_eq!(receive(&mut gtp, "1 name"), [Command::Identify]);
    assert_eq!(gtp.write_reply(&id), ["=1 Agon Connect6", ""]);
    assert_eq!(receive(&mut gtp, "version"), [Command::Identify]);
    assert_eq!(gtp.write_reply(&id), ["= 0.1.0", ""]);
    for (line, answer) in
        [("protocol_version", "= 2"), ("known_command play", "= true"), ("komi 0", "=")]
    {
        assert_eq!(receive(&mut gtp, line), [Command::Acknowledge]);
        assert_eq!(gtp.write_reply(&Reply::Acknowledged), [answer, ""]);
    }
    let size = Command::SetOption { name: "BoardSize".into(), value: "19".into() };
    assert_eq!(receive(&mut gtp, "boardsize 19"), [size, Command::NewGame, Command::Acknowledge]);
    assert_eq!(receive(&mut gtp, "clear_board"), [Command::NewGame, Command::Acknowledge]);
    assert_eq!(gtp.write_reply(&Reply::Acknowledged), ["=", ""]);
    assert_eq!(receive(&mut gtp, "play B K10"), [position("j10"), Command::Acknowledge]);
    assert_eq!(receive(&mut gtp, "7 genmove W"), [position("j10"), go()]);
    assert_eq!(gtp.write_reply(&best_move("k11i9")), ["=7 L11,J9", ""]);
    let played = receive(&mut gtp, "play black H8,T19");
    assert_eq!(played, [position("j10 k11i9 h8s19"), Command::Acknowledge]);
    assert_eq!(receive(&mut gtp, "undo"), [position("j10 k11i9"), Command::Acknowledge]);
    assert!(receive(&mut gtp, "# a comment").is_empty());
    assert_eq!(receive(&mut gtp, "quit"), [Command::Acknowledge, Command::Quit]);
}

#[test]
fn a_refused_turn_is_forgotten() {
    let mut gtp = Gtp::new("connect6").unwrap();
    receive(&mut gtp, "play B K10");
    gtp.write_reply(&Reply::Acknowledged);
    receive(&mut gtp, "3 play W K10,K11");
    assert_eq!(gtp.write_reply(&Reply::Error("a stone".into())), ["?3 a stone", ""]);
    assert_eq!(receive(&mut gtp, "genmove white"), [position("j10"), go()]);
    for (line, right) in [
        ("play B K10", "it is white's turn"),
        ("play W I9", "without I"),
        ("genmove", "it is white's turn"),
        ("fly", "known: protocol_version"),
        ("time_settings 1", "whole seconds"),
    ] {
        let error = gtp.read_command(line).unwrap_err().to_string();
        assert!(error.contains(right), "{line}: {error}");
    }
    assert!(Gtp::new("connect6").unwrap().read_command("undo").is_err());
}

#[test]
fn clocks_are_for_the_game_or_for_a_move() {
    let mut gtp = Gtp::new("connect6").unwrap();
    let seconds = |n| Some(Duration::from_secs(n));
    receive(&mut gtp, "time_settings 600 0 0");
    receive(&mut gtp, "time_left W 590 0");
    let limits = Limits { time: [seconds(600), seconds(590)], ..Limits::default() };
    assert_eq!(receive(&mut gtp, "genmove b")[1], Command::Go(limits));
    receive(&mut gtp, "time_settings 0 20 2");
    let limits = Limits { move_time: seconds(10), ..Limits::default() };
    assert_eq!(receive(&mut gtp, "genmove b")[1], Command::Go(limits));
}

#[test]
fn a_manager_drives_a_skeleton() {
    let mut gtp = Gtp::new("connect6").unwrap();
    assert_eq!(
        gtp.write_command(&Command::Identify, Player::First),
        ["protocol_version", "name", "version"]
    );
    assert_eq!(gtp.read_reply("starting"), None);
    assert_eq!(gtp.read_reply("? unknown command"), None, "not all skeletons know it");
    assert_eq!(gtp.read_reply("= Connect6"), None);
    assert_eq!(gtp.read_reply(""), None);
    let id = Reply::Id { name: "Connect6 1.0".into(), author: String::new() };
    assert_eq!(gtp.read_reply("= 1.0"), Some(id));
    let option = Reply::RawOption { name: "BoardSize".into(), rest: String::new() };
    assert_eq!(gtp.poll_reply(), Some(option));
    assert_eq!(gtp.poll_reply(), Some(Reply::Identified));
    assert_eq!(
        gtp.write_command(&Command::NewGame, Player::First),
        ["boardsize 19", "clear_board"]
    );
    for line in ["=", "", "=", ""] {
        assert_eq!(gtp.read_reply(line), None);
    }
    gtp.write_command(&position("j10"), Player::Second);
    let limits = Limits { time: [Some(Duration::from_millis(59_500)); 2], ..Limits::default() };
    let go = Command::Go(limits);
    assert_eq!(
        gtp.write_command(&go, Player::Second),
        ["time_settings 60 0 0", "play B K10", "time_left B 59 0", "time_left W 59 0", "genmove W"]
    );
    for line in ["=", "", "=", "", "? no clocks", "", "=", ""] {
        assert_eq!(gtp.read_reply(line), None, "{line}");
    }
    assert_eq!(gtp.read_reply("= L11,J9"), Some(best_move("k11i9")));
    // The request before the next one separates a second answer, or a second acknowledgement, from
    // the answer to that one.
    for (answer, meaning) in [
        ("= L11,J9", Some(best_move("k11i9"))),
        ("=", None),
        ("= resign", Some(Reply::BestMove(None))),
        ("= 2", Some(Reply::Ready)),
    ] {
        if meaning == Some(Reply::Ready) || answer == "= L11,J9" {
            let lines = gtp.write_command(&Command::IsReady, Player::First);
            assert_eq!(lines, ["protocol_version"]);
        }
        assert_eq!(gtp.read_reply(answer), meaning, "{answer}");
    }
    assert_eq!(gtp.read_reply("? unknown command"), Some(Reply::Ready), "a refusal is an answer");
    gtp.write_command(&position("j10 k11i9 h8s19"), Player::Second);
    let lines = gtp.write_command(&Command::Go(Limits::default()), Player::Second);
    assert_eq!(lines, ["play B H8,T19", "genmove W"]);
    assert_eq!(gtp.read_reply("="), None);
    assert_eq!(gtp.read_reply("? out of ideas"), Some(Reply::Error("out of ideas".into())));
    assert_eq!(gtp.poll_reply(), Some(Reply::BestMove(None)));
    assert_eq!(gtp.write_command(&Command::Quit, Player::First), ["quit"]);
}
