//! A tournament game of January 2022, in both directions.

use super::*;
use crate::dialect::test_messages::{best_move, position, receive};

fn clocks(first: u64, second: u64) -> Command {
    let time = [first, second].map(|ms| Some(Duration::from_millis(ms)));
    Command::Go(Limits { time, ..Limits::default() })
}

/// Sends a line that must be acknowledged.
fn acknowledged(mgtp: &mut Mgtp, line: &str, answer: &str) -> Vec<Command> {
    let commands = receive(mgtp, line);
    assert_eq!(commands.last(), Some(&Command::Acknowledge), "{line}");
    assert_eq!(mgtp.write_reply(&Reply::Acknowledged), [answer], "{line}");
    commands
}

#[test]
fn an_engine_follows_the_contest_game() {
    let mut mgtp = Mgtp::default();
    let id = Reply::Id { name: "Agon DarkChess 0.1.0".into(), author: String::new() };
    assert_eq!(receive(&mut mgtp, "1 name"), [Command::Identify]);
    assert_eq!(mgtp.write_reply(&id), ["=1 Agon DarkChess"]);
    assert_eq!(receive(&mut mgtp, "2 version"), [Command::Identify]);
    assert_eq!(mgtp.write_reply(&id), ["=2 0.1.0"]);
    assert_eq!(acknowledged(&mut mgtp, "7 reset_board", "=7")[0], Command::NewGame);
    acknowledged(&mut mgtp, "15 time_setting 900000", "=15");
    assert_eq!(receive(&mut mgtp, "14 ready"), [Command::IsReady]);
    assert_eq!(mgtp.write_reply(&Reply::Ready), ["=14"]);
    assert_eq!(receive(&mut mgtp, "12 genmove unknown"), [position(""), clocks(900_000, 900_000)]);
    assert_eq!(mgtp.write_reply(&best_move("b8")), ["=12 b8 b8"]);
    assert_eq!(acknowledged(&mut mgtp, "11 flip b8 G", "=11")[0], position("b8 =G"));
    acknowledged(&mut mgtp, "16 time_left red 900000", "=16");
    assert_eq!(acknowledged(&mut mgtp, "11 flip d8 c", "=11")[0], position("b8 =G d8 =c"));
    acknowledged(&mut mgtp, "16 time_left black 899593", "=16");
    let moves = "b8 =G d8 =c";
    assert_eq!(receive(&mut mgtp, "12 genmove red"), [position(moves), clocks(900_000, 899_593)]);
    assert_eq!(mgtp.write_reply(&best_move("c8a8")), ["=12 c8 a8"]);
    let echoed = acknowledged(&mut mgtp, "10 move c8 a8", "=10");
    assert_eq!(echoed[0], position("b8 =G d8 =c c8a8"));
    assert_eq!(receive(&mut mgtp, "5 quit"), [Command::Acknowledge, Command::Quit]);
}

#[test]
fn limits_travel_and_mistakes_are_answered() {
    let mut mgtp = Mgtp::default();
    let rule =
        |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
    assert_eq!(acknowledged(&mut mgtp, "9 num_moves_to_draw 60", "=9")[0], rule(DRAW_PLIES, "60"));
    assert_eq!(acknowledged(&mut mgtp, "8 num_repetition 3", "=8")[0], rule(REPETITION, "3"));
    acknowledged(&mut mgtp, "0 protocol_version", "=0 1.1.0");
    acknowledged(&mut mgtp, "3 known_command flip", "=3 true");
    receive(&mut mgtp, "10 move a1 a2");
    let refused = mgtp.write_reply(&Reply::Error("position: no piece there".into()));
    assert_eq!(refused, ["?10 position: no piece there"]);
    assert_eq!(receive(&mut mgtp, "12 genmove unknown")[0], position(""));
    for (line, right) in [
        ("99 fly", "unknown command `fly`"),
        ("10 move a1", "expected `10 move FROM TO`"),
        ("15 time_setting soon", "expected milliseconds"),
        ("16 time_left green 5", "red or black"),
        ("18 init_board K", "32 times"),
    ] {
        let error = mgtp.read_command(line).unwrap_err().to_string();
        assert!(error.contains(right), "{line}: {error}");
    }
}

#[test]
fn a_manager_echoes_every_ply() {
    let mut mgtp = Mgtp::default();
    assert_eq!(mgtp.write_command(&Command::Identify, Player::First), ["1 name", "2 version"]);
    assert_eq!(mgtp.read_reply("=1 MyAI"), None);
    let id = Reply::Id { name: "MyAI 1.0.0".into(), author: String::new() };
    assert_eq!(mgtp.read_reply("=2 1.0.0"), Some(id));
    let rest: Vec<Reply> = std::iter::from_fn(|| mgtp.poll_reply()).collect();
    assert_eq!((rest.len(), rest.last()), (3, Some(&Reply::Identified)));
    let draw = Command::SetOption { name: "DrawPlies".into(), value: "60".into() };
    assert_eq!(mgtp.write_command(&draw, Player::First), ["9 num_moves_to_draw 60"]);
    assert_eq!(mgtp.write_command(&Command::NewGame, Player::First), ["7 reset_board"]);
    assert_eq!(mgtp.write_command(&Command::IsReady, Player::First), ["14 ready"]);
    assert_eq!(mgtp.read_reply("=7"), None);
    assert_eq!(mgtp.read_reply("Stepping forward"), None);
    assert_eq!(mgtp.read_reply("=14"), Some(Reply::Ready));

    mgtp.write_command(&position(""), Player::First);
    assert_eq!(
        mgtp.write_command(&clocks(900_000, 900_000), Player::First),
        ["15 time_setting 900000", "12 genmove unknown"]
    );
    assert_eq!(mgtp.read_reply("=15"), None);
    assert_eq!(mgtp.read_reply("=12 b8 b8"), Some(best_move("b8")));
    mgtp.write_command(&position("b8 =G d8 =c"), Player::First);
    assert_eq!(
        mgtp.write_command(&clocks(900_000, 899_593), Player::First),
        [
            "11 flip b8 G",
            "16 time_left red 900000",
            "11 flip d8 c",
            "16 time_left black 899593",
            "12 genmove red"
        ]
    );
    assert_eq!(mgtp.read_reply("=12 c8 a8"), Some(best_move("c8a8")));
    mgtp.write_command(&position("b8 =G d8 =c c8a8 d8d7"), Player::First);
    assert_eq!(
        mgtp.write_command(&Command::Go(Limits::default()), Player::First),
        ["10 move c8 a8", "10 move d8 d7", "12 genmove red"]
    );
    assert_eq!(mgtp.read_reply("?12 no idea"), Some(Reply::Error("?12 no idea".into())));
    assert_eq!(mgtp.poll_reply(), Some(Reply::BestMove(None)));
    assert_eq!(mgtp.write_command(&Command::Quit, Player::First), ["5 quit"]);
}
