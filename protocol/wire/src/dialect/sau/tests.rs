//! Dialogues of the platform and of Cloudict's GUI, in both directions.

use super::*;
use crate::dialect::test_messages::{best_move, go, position, receive};
use std::time::Duration;

fn id(name: &str) -> Reply {
    Reply::Id { name: name.into(), author: String::new() }
}

/// The dialogue in the platform's document, as Black.
#[test]
fn an_amazons_engine_answers_the_platform() {
    let mut sau = Sau::new("amazons").unwrap();
    assert_eq!(receive(&mut sau, "name?"), [Command::Identify]);
    assert_eq!(sau.write_reply(&id("Agon Amazons 0.1.0")), ["name Agon-Amazons"]);
    assert!(sau.write_reply(&Reply::Identified).is_empty());
    assert_eq!(receive(&mut sau, "new black"), [Command::NewGame, position(""), go()]);
    assert_eq!(sau.write_reply(&best_move("a4i4,i4e4")), ["move AGIGEG"]);
    assert_eq!(receive(&mut sau, "move DADFFF"), [position("a4i4,i4e4 d10d5,d5f5"), go()]);
    let info = crate::message::Info { depth: Some(3), ..Default::default() };
    assert!(sau.write_reply(&Reply::Info(info)).is_empty());
    assert_eq!(receive(&mut sau, "end"), [Command::Stop]);
    assert!(sau.write_reply(&best_move("d1d2,d2d3")).is_empty(), "a late move is not said");
    assert_eq!(receive(&mut sau, "new white"), [Command::NewGame, position("")]);
    assert_eq!(receive(&mut sau, "move AGIGEG"), [position("a4i4,i4e4"), go()]);
    assert_eq!(receive(&mut sau, "quit"), [Command::Quit]);
}

#[test]
fn the_platforms_error_asks_for_another_move() {
    let mut sau = Sau::new("amazons").unwrap();
    receive(&mut sau, "new black");
    sau.write_reply(&best_move("a4a5,a5a4"));
    let excluded = vec!["a4a5,a5a4".to_string()];
    let again = Command::Go(Limits { ban_moves: excluded, ..Limits::default() });
    assert_eq!(receive(&mut sau, "error"), [position(""), again]);
    sau.write_reply(&best_move("a4i4,i4e4"));
    assert_eq!(receive(&mut sau, "move DADFFF"), [position("a4i4,i4e4 d10d5,d5f5"), go()]);
    assert!(Sau::new("amazons").unwrap().read_command("error").is_err());
}

#[test]
fn a_refused_move_is_forgotten_and_nothing_said_looks_like_a_command() {
    let mut sau = Sau::new("amazons").unwrap();
    receive(&mut sau, "new white");
    receive(&mut sau, "move AGAGAG");
    let lines = sau.write_reply(&Reply::Error("position: move 1 of the list: no name here".into()));
    assert!(find(&lines[0], "move").is_none() && find(&lines[0], "name").is_none(), "{lines:?}");
    assert_eq!(receive(&mut sau, "move AGIGEG"), [position("a4i4,i4e4"), go()]);
    for (line, right) in [
        ("move AGIG", "six letters"),
        ("new red", "`new black`"),
        ("hello", "known: name?, new, move"),
    ] {
        let error = sau.read_command(line).unwrap_err().to_string();
        assert!(error.contains(right), "{line}: {error}");
    }
}

#[test]
fn the_referee_is_the_platform_for_an_amazons_engine() {
    let mut sau = Sau::new("amazons").unwrap();
    assert_eq!(sau.write_command(&Command::Identify, Player::First), ["name?"]);
    assert_eq!(sau.read_reply("AI loaded"), None);
    assert_eq!(sau.read_reply("name go-amazons"), Some(id("go-amazons")));
    assert_eq!(sau.poll_reply(), Some(Reply::Identified));
    assert!(sau.write_command(&Command::NewGame, Player::First).is_empty());
    assert_eq!(sau.write_command(&Command::IsReady, Player::First), ["name?"]);
    assert_eq!(sau.read_reply("move AGIGEG"), Some(best_move("a4i4,i4e4")), "a late answer");
    assert_eq!(sau.read_reply("name go-amazons"), Some(Reply::Ready));
    sau.write_command(&position(""), Player::First);
    assert_eq!(sau.write_command(&go(), Player::First), ["new black"]);
    assert_eq!(sau.read_reply("depth 3: next move is good"), None);
    assert_eq!(sau.read_reply("score 12 move AGIGEG"), Some(best_move("a4i4,i4e4")));
    sau.write_command(&position("a4i4,i4e4 d10d5,d5f5"), Player::First);
    assert_eq!(sau.write_command(&go(), Player::First), ["move DADFFF"]);
    assert_eq!(sau.read_reply("move KKKKKK"), Some(best_move("KKKKKK")));
    assert_eq!(sau.write_command(&Command::NewGame, Player::First), ["end"]);
    sau.write_command(&position("a4i4,i4e4"), Player::Second);
    assert_eq!(sau.write_command(&go(), Player::Second), ["new white", "move AGIGEG"]);
    assert_eq!(sau.write_command(&Command::Quit, Player::First), ["quit"]);
}

/// The dialogue in the platform's document, as White.
#[test]
fn a_connect6_engine_answers_the_platform() {
    let mut sau = Sau::new("connect6").unwrap();
    assert_eq!(receive(&mut sau, "new white"), [Command::NewGame, position("")]);
    assert_eq!(receive(&mut sau, "move JJ@@"), [position("j10"), go()]);
    assert_eq!(sau.write_reply(&best_move("k9j9")), ["move KKJK"]);
    assert_eq!(receive(&mut sau, "move IIHH"), [position("j10 k9j9 i11h12"), go()]);
    receive(&mut sau, "new black");
    assert_eq!(sau.write_reply(&best_move("j10")), ["move JJ@@"]);
    assert!(Sau::new("xiangqi").is_none());
}

#[test]
fn cloudict_receives_its_own_variation() {
    let mut cloudict = Cloudict::new("connect6").unwrap();
    assert_eq!(receive(&mut cloudict, "name"), [Command::Identify]);
    assert_eq!(cloudict.write_reply(&id("Agon Connect6 0.1.0")), ["name Agon"]);
    assert_eq!(receive(&mut cloudict, "new black"), [Command::NewGame, position(""), go()]);
    assert_eq!(cloudict.write_reply(&best_move("j10")), ["move JJ"]);
    assert_eq!(receive(&mut cloudict, "move KKJK"), [position("j10 k11j11"), go()]);
    assert!(receive(&mut cloudict, "depth 5").is_empty());
    receive(&mut cloudict, "new xxx");
    assert_eq!(receive(&mut cloudict, "black JJ"), [position("j10")]);
    assert_eq!(receive(&mut cloudict, "next"), [Command::Go(Limits::with_depth(5))]);
    assert_eq!(receive(&mut cloudict, "quit"), [Command::Quit]);
    assert!(cloudict.read_command("depth 10").is_err());
}

#[test]
fn the_referee_drives_cloudict_from_an_opening_too() {
    let mut cloudict = Cloudict::new("connect6").unwrap();
    assert_eq!(cloudict.write_command(&Command::Identify, Player::First), ["name"]);
    for help in [
        "On help for GameEngine Cloudict.Connect6",
        "            name        - print the name of the Game Engine.",
        "            move XXXX   - tell the engine that the opponent take the move XXXX,",
        "            move KKJK   - as an example",
        "Set the search depth to 5.",
    ] {
        assert_eq!(cloudict.read_reply(help), None, "{help}");
    }
    assert_eq!(cloudict.read_reply("name Cloudict"), Some(id("Cloudict")));
    assert_eq!(cloudict.poll_reply(), Some(Reply::Identified));
    cloudict.write_command(&Command::NewGame, Player::First);
    cloudict.write_command(&position(""), Player::First);
    assert_eq!(cloudict.write_command(&go(), Player::First), ["new black"]);
    assert_eq!(cloudict.read_reply("VCF time: 12"), None);
    assert_eq!(cloudict.read_reply("move JJ"), Some(best_move("j10")));
    cloudict.write_command(&position("j10 k11j11"), Player::First);
    assert_eq!(cloudict.write_command(&go(), Player::First), ["move KKJK"]);
    cloudict.write_command(&Command::NewGame, Player::First);
    cloudict.write_command(&position("j10 k11j11 i11h12"), Player::Second);
    let depth = Command::Go(Limits::with_depth(3));
    assert_eq!(
        cloudict.write_command(&depth, Player::Second),
        ["depth 3", "new white", "black JJ", "white KKJK", "black IKHL", "next"]
    );
}

#[test]
fn there_are_no_clocks_so_an_engine_has_a_time_of_its_own() {
    let limits = Limits { ban_moves: vec!["a4a5,a5a4".into()], ..Limits::default() };
    assert!(!limits.is_bounded());
    assert_eq!(Sau::new("amazons").unwrap().default_move_time(), Duration::from_secs(5));
}
