//! Dialogues of the course's server and of its sample engine.

use super::*;
use crate::dialect::test_messages::{best_move, position_from};
use agon_games::game::Game;

/// The lines of the course's log, read by an engine.
#[test]
fn an_engine_follows_the_dialogue_of_the_course() {
    let mut ntu = Ntu::default();
    let id = Reply::Id { name: "Agon EinStein 0.1.0".into(), author: "A".into() };
    assert_eq!(ntu.read_command("name"), Ok(vec![Command::Identify]));
    assert_eq!(ntu.write_reply(&id), ["Agon EinStein"]);
    assert!(ntu.write_reply(&Reply::Identified).is_empty());
    assert_eq!(ntu.read_command("version"), Ok(vec![Command::Identify]));
    assert_eq!(ntu.write_reply(&id), ["0.1.0"]);
    for line in ["time_setting 300", "board_setting 5 6"] {
        assert_eq!(ntu.read_command(line), Ok(vec![Command::Acknowledge]));
        assert_eq!(ntu.write_reply(&Reply::Acknowledged), ["1"]);
    }
    let commands = ntu.read_command("ini R").unwrap();
    assert_eq!(commands[..2], [Command::NewGame, position_from("5/5/5/5/5 u setup", "")]);
    // Stones 2 3 5 on our top row (A1 B1 C1), 1 6 below it (A2 B2), 4 on A3.
    assert_eq!(ntu.write_reply(&best_move("235164")), ["A2 A1 B1 A3 C1 B2"]);
    let commands = ntu.read_command("get R 6 E3 E5 E4 C5 D5 D4 A3 A1 A2 C1 B1 B2").unwrap();
    assert_eq!(commands[0], position_from("BED2/CF3/A3a/3fc/2deb u 6", ""));
    assert!(EinStein::parse_fen("BED2/CF3/A3a/3fc/2deb u 6", &Default::default()).is_ok());
    assert_eq!(ntu.write_reply(&best_move("b4c3")), ["B2 C3"]);
    let commands = ntu.read_command("get B 1 E3 E5 0 C5 D5 0 0 0 A2 0 0 B2").unwrap();
    assert_eq!(commands[0], position_from("5/CF3/4a/5/2deb l 1", ""));
    assert_eq!(ntu.read_command("exit"), Ok(vec![Command::Quit]));
}

#[test]
fn an_engine_keeps_its_own_clock() {
    let mut ntu = Ntu::default();
    ntu.read_command("time_setting 300").unwrap();
    let mut ask = || match ntu.read_command("get R 6 E3 E5 E4 C5 D5 D4 A3 A1 A2 C1 B1 B2") {
        Ok(commands) => match commands.last() {
            Some(Command::Go(limits)) => {
                let left = limits.time[0].unwrap();
                std::thread::sleep(Duration::from_millis(3));
                ntu.write_reply(&best_move("b4c3"));
                left
            }
            other => panic!("{other:?}"),
        },
        Err(error) => panic!("{error}"),
    };
    assert_eq!(ask(), Duration::from_secs(300));
    let second = ask();
    assert!(second <= Duration::from_millis(299_997), "{second:?}");
    ntu.read_command("time_setting 300000").unwrap();
    assert_eq!(ntu.left, Some(Duration::from_secs(300)));
    ntu.read_command("ini B").unwrap();
    assert_eq!(ntu.left, Some(Duration::from_secs(300)));
}

#[test]
fn what_cannot_be_read_is_answered_by_one_line() {
    for (line, right) in [
        ("hello", "known: name, version"),
        ("time_setting soon", "expected a number"),
        ("board_setting 6 6", "only `5 6`"),
        ("ini G", "R or B"),
        ("get R 6", "`get R 6 b1 .. b6 r1 .. r6`"),
        ("get R 7 E3 E5 E4 C5 D5 D4 A3 A1 A2 C1 B1 B2", "`get R 6"),
        ("get R 6 E3 E3 E4 C5 D5 D4 A3 A1 A2 C1 B1 B2", "two stones on E3"),
        ("get R 6 E3 E9 E4 C5 D5 D4 A3 A1 A2 C1 B1 B2", "`E9` is no square"),
    ] {
        let mut ntu = Ntu::default();
        let error = ntu.read_command(line).unwrap_err().to_string();
        assert!(error.contains(right), "{line}: {error}");
        assert_eq!(ntu.write_reply(&Reply::Error(error)).len(), 1);
    }
}

#[test]
fn a_manager_drives_an_engine_of_the_course() {
    let mut ntu = Ntu::default();
    assert_eq!(ntu.write_command(&Command::Identify, Player::First), ["name", "version"]);
    let id = |name: &str| Some(Reply::Id { name: name.into(), author: String::new() });
    assert_eq!(ntu.read_reply("MyAI"), id("MyAI"));
    assert_eq!(ntu.read_reply("1.0.0"), id("MyAI 1.0.0"));
    assert_eq!(ntu.poll_reply(), Some(Reply::Identified));
    assert!(ntu.write_command(&Command::NewGame, Player::First).is_empty());
    // Late answers come before the name, which is the last line that was requested.
    assert_eq!(ntu.write_command(&Command::IsReady, Player::First), ["name"]);
    for (line, meaning) in [
        ("1", None),
        ("B2 C3", Some(best_move("b4c3"))),
        ("A2 A1 B1 A3 C1 B2", Some(best_move("235164"))),
        ("MyAI", Some(Reply::Ready)),
    ] {
        assert_eq!(ntu.read_reply(line), meaning, "{line}");
    }
    assert_eq!(ntu.poll_reply(), None);

    let moves = |text: &str| text.split_whitespace().map(String::from).collect();
    let at = |text: &str| Command::Position { fen: None, moves: moves(text) };
    let clock = Limits { time: [Some(Duration::from_secs(300)); 2], ..Limits::default() };
    let go = Command::Go(clock);
    assert!(ntu.write_command(&at(""), Player::First).is_empty());
    assert_eq!(
        ntu.write_command(&go, Player::First),
        ["time_setting 300", "board_setting 5 6", "ini R"]
    );
    assert_eq!(ntu.read_reply("1"), None);
    assert_eq!(ntu.read_reply("1"), None);
    assert_eq!(ntu.read_reply("A2 A1 B1 A3 C1 B2"), Some(best_move("235164")));
    ntu.write_command(&at("235164 263415 6"), Player::First);
    // Blue's home in our reading order is E3, D4 E4, C5 D5 E5.
    let question = "get R 6 D5 E3 E4 C5 E5 D4 A2 A1 B1 A3 C1 B2";
    assert_eq!(ntu.write_command(&go, Player::First), [question]);
    assert_eq!(ntu.read_reply("B2 C3"), Some(best_move("b4c3")));
    ntu.write_command(&at("235164 263415 6 b4c3 1"), Player::Second);
    let question = "get B 1 D5 E3 E4 C5 E5 D4 A2 A1 B1 A3 C1 C3";
    assert_eq!(ntu.write_command(&go, Player::Second), [question]);
    assert_eq!(ntu.read_reply("what?"), Some(best_move("what?")));
    assert_eq!(ntu.write_command(&Command::Quit, Player::First), ["exit"]);
}

#[test]
fn a_set_up_goes_there_and_back_for_both_sides() {
    for player in Player::BOTH {
        for token in ["123456", "654321", "261345"] {
            let line = squares::write_set_up(token, player).unwrap();
            assert_eq!(squares::read_set_up(&line, player).as_deref(), Some(token), "{line}");
        }
    }
    assert_eq!(squares::read_set_up("A1 A1 B1 A3 C1 B2", Player::First), None);
    assert_eq!(squares::read_set_up("A1 A2", Player::First), None);
}
