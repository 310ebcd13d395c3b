//! Dialogues of a course's Connect6 skeleton, in both directions.

use super::*;
use crate::dialect::test_messages::{best_move, go, position, receive};
use crate::message::Limits;
use std::time::Duration;

#[test]
fn an_engine_answers_every_line() {
    let mut gtp = Gtp::whole("connect6").unwrap();
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
    let mut gtp = Gtp::whole("connect6").unwrap();
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
        ("time_settings 1", "in seconds"),
    ] {
        let error = gtp.read_command(line).unwrap_err().to_string();
        assert!(error.contains(right), "{line}: {error}");
    }
    assert!(Gtp::whole("connect6").unwrap().read_command("undo").is_err());
}

#[test]
fn clocks_are_for_the_game_or_for_a_move() {
    let mut gtp = Gtp::whole("connect6").unwrap();
    let seconds = |n| Some(Duration::from_secs(n));
    receive(&mut gtp, "time_settings 600 0 0");
    receive(&mut gtp, "time_left W 590 0");
    let limits = Limits { time: [seconds(600), seconds(590)], ..Limits::default() };
    assert_eq!(receive(&mut gtp, "genmove b")[1], Command::Go(limits));
    receive(&mut gtp, "time_settings 0 20 2");
    let limits = Limits { move_time: seconds(10), ..Limits::default() };
    assert_eq!(receive(&mut gtp, "genmove b")[1], Command::Go(limits));
}

/// A manager after the handshake with an engine that gives these answers.
fn manager(answers: &[&str]) -> (Gtp, Vec<Reply>) {
    let mut gtp = Gtp::whole("nogo").unwrap();
    let lines = gtp.write_command(&Command::Identify, Player::First);
    assert_eq!(lines, ["list_commands", "name", "version", "name", "name"]);
    let mut replies = Vec::new();
    for line in answers {
        replies.extend(gtp.read_reply(line));
        replies.extend(std::iter::from_fn(|| gtp.poll_reply()));
    }
    (gtp, replies)
}

fn named(name: &str) -> [Reply; 2] {
    [Reply::Id { name: name.into(), author: String::new() }, Reply::Identified]
}

fn ready(gtp: &mut Gtp, lines: &[&str]) {
    assert_eq!(gtp.write_command(&Command::IsReady, Player::First), lines);
}

fn clocked(gtp: &mut Gtp, moves: &str, mover: Player) -> Vec<String> {
    gtp.write_command(&position(moves), mover);
    let limits = Limits { time: [Some(Duration::from_millis(59_500)); 2], ..Limits::default() };
    gtp.write_command(&Command::Go(limits), mover)
}

#[test]
fn a_manager_drives_a_skeleton() {
    let mut gtp = Gtp::whole("connect6").unwrap();
    gtp.write_command(&Command::Identify, Player::First);
    for line in ["starting", "= name", "version", "time_settings", "time_left", "", "= Connect6"] {
        assert_eq!(gtp.read_reply(line), None, "{line}");
    }
    for line in ["", "= 1.0", "", "= Connect6", ""] {
        assert_eq!(gtp.read_reply(line), None, "{line}");
    }
    let id = Reply::Id { name: "Connect6 1.0".into(), author: String::new() };
    assert_eq!(gtp.read_reply("= Connect6"), Some(id));
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
    assert_eq!(
        clocked(&mut gtp, "j10", Player::Second),
        ["time_settings 60 0 0", "play B K10", "time_left B 59 0", "time_left W 59 0", "genmove W"]
    );
    for line in ["=", "", "=", "", "? no clocks", "", "=", ""] {
        assert_eq!(gtp.read_reply(line), None, "{line}");
    }
    assert_eq!(gtp.read_reply("= L11,J9"), Some(best_move("k11i9")));
    // The request before the next one separates a second answer, or a second acknowledgement, from
    // the answer to that one.
    ready(&mut gtp, &["name"]);
    for (answer, meaning) in [
        ("= L11,J9", Some(best_move("k11i9"))),
        ("=", None),
        ("? syntax error", None),
        ("= Resign", Some(best_move("resign"))),
        ("= pass", Some(Reply::BestMove(None))),
        ("= Connect6", Some(Reply::Ready)),
        ("= Connect6", None),
        ("= L11,J9", Some(best_move("k11i9"))),
    ] {
        assert_eq!(gtp.read_reply(answer), meaning, "{answer}");
    }
    gtp.write_command(&position("j10 k11i9 h8s19"), Player::Second);
    let lines = gtp.write_command(&Command::Go(Limits::default()), Player::Second);
    assert_eq!(lines, ["play B H8,T19", "genmove W"]);
    assert_eq!(gtp.read_reply("="), None);
    assert_eq!(gtp.read_reply("? out of ideas"), Some(Reply::Error("out of ideas".into())));
    assert_eq!(gtp.poll_reply(), Some(Reply::BestMove(None)));
    assert_eq!(gtp.write_command(&Command::Quit, Player::First), ["quit"]);
}

/// Engines that know nothing but the moves: one is silent about other lines, one refuses them, one
/// answers everything without text, one has a name with the clock in it, one invents ids.
#[test]
fn the_handshake_counts_no_answers() {
    for (answers, name) in [
        (&["= Quiet", "", "= Quiet"][..], "Quiet"),
        (&["= Quiet", "= 1", "", "= Quiet", "= Quiet"], "Quiet 1"),
        (&["? what", "", "= Short", "", "? what", "", "= Short", "= Short"], "Short"),
        (&["=", "", "=haha", "", "=", "", "=haha", "=haha"], "haha"),
        (&["=", "=", "= 3", "=", "="], "3"),
        (
            &["= name play", "= Timed 0.1 s", "= 1.0", "= Timed 0.2 s", "= Timed 0"],
            "Timed 0.1 s 1.0",
        ),
        (&["=1 name", "play", "=2 Own", "=3 1.0", "=4 Own", "=5 Own"], "Own 1.0"),
        (&["= name", "play", "", "= 2048 2", "= 7", "= 2048 2", "= 2048 2"], "2048 2 7"),
        (&["= name", "play", "= name", "play", "= Twice", "= Twice"], "Twice"),
        (&["== X ==", "= by Y", "=", "=A", "=", "=A", "=A"], "A"),
        (&["=2", "=Digits", "=2", "=Digits", "=Digits"], "Digits 2"),
        (&["= huh", "= Polite", "= huh", "= Polite", "= Polite"], "Polite huh"),
    ] {
        assert_eq!(manager(answers).1, named(name), "{answers:?}");
    }
}

/// Text after the mark is an answer: nobody sent an id.
#[test]
fn digits_after_the_mark_are_text_unless_a_move_follows() {
    let (mut gtp, _) = manager(&["=", "=9 lives", "=", "=9 lives", "=9 lives"]);
    for (answer, meaning) in [
        ("=2", Some(best_move("2"))),
        ("=e5", Some(best_move("e5"))),
        ("=7 E5", Some(best_move("e5"))),
        ("=7 resign", Some(best_move("resign"))),
        ("=RESIGN", Some(best_move("resign"))),
        ("= E5 # a good one", Some(best_move("e5"))),
        ("= resign # no hope", Some(best_move("resign"))),
        ("= PASS", Some(Reply::BestMove(None))),
        ("= I5", Some(best_move("I5"))),
    ] {
        assert_eq!(clocked(&mut gtp, "", Player::First), ["genmove B"]);
        assert_eq!(gtp.read_reply(answer), meaning, "{answer}");
    }
}

/// The answers are counted if the name does not tell.
#[test]
fn engines_without_a_name_are_ready_too() {
    for (name, answer) in [("=", "="), ("?", "? unknown"), ("= A 1", "= A 3")] {
        let last = if name == "= A 1" { "= A 2" } else { name };
        let (mut gtp, _) =
            manager(&["=", name, "=", last, if last == name { name } else { "= A 0" }]);
        gtp.write_command(&Command::NewGame, Player::First);
        ready(&mut gtp, &["name"]);
        for line in ["=", "="] {
            assert_eq!(gtp.read_reply(line), None, "{name}");
        }
        assert_eq!(gtp.read_reply(answer), Some(Reply::Ready), "{name}");
    }
}

#[test]
fn commands_that_an_engine_may_not_know_are_sent_only_if_it_does() {
    // It lists one of them.
    let (mut gtp, _) = manager(&["= name", "time_left", "", "= A", "= 1", "= A", "= A"]);
    ready(&mut gtp, &["name"]);
    gtp.read_reply("= A");
    let lines = clocked(&mut gtp, "", Player::First);
    assert_eq!(lines, ["time_left B 59 0", "time_left W 59 0", "genmove B"]);
    // It has no list: it is asked once.
    let (mut gtp, _) = manager(&["? unknown", "= A", "= 1", "= A", "= A"]);
    ready(&mut gtp, &["known_command time_settings", "known_command time_left", "name"]);
    for (line, meaning) in [("= true", None), ("= false", None), ("= A", Some(Reply::Ready))] {
        assert_eq!(gtp.read_reply(line), meaning, "{line}");
    }
    ready(&mut gtp, &["name"]);
    gtp.read_reply("= A");
    assert_eq!(clocked(&mut gtp, "", Player::First), ["time_settings 60 0 0", "genmove B"]);
    // It answers everything.
    let (mut gtp, _) = manager(&["=", "=A", "=", "=A", "=A"]);
    ready(&mut gtp, &["name"]);
    gtp.read_reply("=A");
    assert_eq!(clocked(&mut gtp, "e5 e6", Player::First), ["play B E5", "play W E6", "genmove B"]);
}

/// Too many answers or too few to the lines before do not shift those to later lines.
#[test]
fn the_name_puts_questions_and_answers_in_step() {
    for early in [&[][..], &["="], &["=", "=", "=", "=", "="], &["? a", "? b", "? c"]] {
        let (mut gtp, _) = manager(&["=", "=A", "=", "=A", "=A"]);
        gtp.write_command(&Command::NewGame, Player::First);
        ready(&mut gtp, &["name"]);
        for line in early {
            assert!(!matches!(gtp.read_reply(line), Some(Reply::Ready)), "{line}");
        }
        assert_eq!(gtp.read_reply("=A"), Some(Reply::Ready), "{early:?}");
        assert_eq!(clocked(&mut gtp, "e5", Player::Second), ["play B E5", "genmove W"]);
        for line in ["=", "", "=", "", "=A", ""] {
            assert_eq!(gtp.read_reply(line), None, "{early:?}: {line}");
        }
        assert_eq!(gtp.read_reply("=E6"), Some(best_move("e6")), "{early:?}");
    }
}
