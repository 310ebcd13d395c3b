//! Turns as sent by the site and answered by bots.

use super::*;
use crate::dialect::test_messages::{best_move, go, position_from};

/// Sends several lines; returns the commands of the last.
fn receive(bot: &mut Botzone, lines: &[&str]) -> Vec<Command> {
    let answers = lines.iter().map(|line| bot.read_command(line).expect(line));
    answers.last().unwrap_or_default()
}

#[test]
fn a_bot_receives_the_whole_game_once_and_then_the_opponents_moves() {
    let mut bot = Botzone::json();
    let first = r#"{"requests":["-1 -1 -1 -1 -1 -1"],"responses":[]}"#;
    assert_eq!(receive(&mut bot, &[first]), [Command::NewGame, position_from(START, ""), go()]);
    assert_eq!(
        bot.write_reply(&best_move("c8c3,c3f3")),
        [r#"{"response":"2 0 2 5 5 5"}"#, KEEP_RUNNING]
    );
    let moves = "c8c3,c3f3 a3a5,a5d5";
    assert_eq!(receive(&mut bot, &[r#""0 5 0 3 3 3""#]), [position_from(START, moves), go()]);
    let again = r#"{"requests":["-1 -1 -1 -1 -1 -1","0 5 0 3 3 3"],"responses":["2 0 2 5 5 5"]}"#;
    assert_eq!(receive(&mut bot, &[again]), [Command::NewGame, position_from(START, moves), go()]);
}

#[test]
fn fields_are_answered_by_fields() {
    let mut bot = Botzone::json();
    let first =
        r#"{"requests":[{"x0":2,"y0":0,"x1":2,"y1":5,"x2":5,"y2":5}],"responses":[],"data":""}"#;
    assert_eq!(
        receive(&mut bot, &[first]),
        [Command::NewGame, position_from(START, "c8c3,c3f3"), go()]
    );
    assert_eq!(
        bot.write_reply(&best_move("a3a5,a5d5")),
        [r#"{"response":{"x0":0,"y0":5,"x1":0,"y1":3,"x2":3,"y2":3}}"#, KEEP_RUNNING]
    );
}

/// The example on the site's page: turn 2 of Black, with data lines.
#[test]
fn the_simple_interaction_is_plain_lines() {
    let mut bot = Botzone::simple();
    let lines = ["2", "-1 -1 -1 -1 -1 -1", "2 0 2 5 5 5", "0 5 0 3 3 3"];
    let moves = "c8c3,c3f3 a3a5,a5d5";
    assert_eq!(receive(&mut bot, &lines), [position_from(START, moves), go()]);
    assert!(receive(&mut bot, &["", "saved", "more saved"]).is_empty());
    assert_eq!(bot.write_reply(&best_move("f8f4,f4f6")), ["5 0 5 4 5 2", KEEP_RUNNING]);
    let next = format!("{moves} f8f4,f4f6 h3h5,h5g5");
    assert_eq!(receive(&mut bot, &["7 5 7 3 6 3"]), [position_from(START, &next), go()]);
}

#[test]
fn a_turn_that_makes_no_sense_is_answered_by_no_move() {
    for (line, right) in [
        ("{", "no JSON"),
        (r#"{"requests":[],"responses":[]}"#, "0 requests and 0 responses"),
        (r#"{"requests":["hello"],"responses":[]}"#, "six numbers"),
        (r#"{"requests":["0 0 0 0 0 9"],"responses":[]}"#, "from 0 to 7"),
        ("17", "six numbers"),
    ] {
        let mut bot = Botzone::json();
        let error = bot.read_command(line).unwrap_err().to_string();
        assert!(error.contains(right), "{line}: {error}");
        let answer = &bot.write_reply(&Reply::Error(error))[0];
        assert!(answer.starts_with(r#"{"response":"-1 -1 -1 -1 -1 -1","debug":"#), "{answer}");
    }
}

#[test]
fn a_manager_starts_a_bot_for_every_turn_unless_it_stays() {
    let mut site = Botzone::json();
    for (command, reply) in
        [(Command::Identify, Reply::Identified), (Command::IsReady, Reply::Ready)]
    {
        assert!(site.write_command(&command, Player::First).is_empty());
        assert_eq!(site.poll_reply(), Some(reply));
    }
    assert!(!site.needs_restart(&Command::NewGame));
    let first = position_from(START, "");
    assert!(!site.needs_restart(&first));
    site.write_command(&first, Player::First);
    assert_eq!(
        site.write_command(&go(), Player::First),
        [r#"{"requests":["-1 -1 -1 -1 -1 -1"],"responses":[]}"#]
    );
    let answer = r#"{"response":"2 0 2 5 5 5","debug":"thinking"}"#;
    assert_eq!(site.read_reply(answer), Some(best_move("c8c3,c3f3")));
    let second = position_from(START, "c8c3,c3f3 a3a5,a5d5");
    assert!(site.needs_restart(&second));
    site.write_command(&second, Player::First);
    assert_eq!(
        site.write_command(&go(), Player::First),
        [r#"{"requests":["-1 -1 -1 -1 -1 -1","0 5 0 3 3 3"],"responses":["2 0 2 5 5 5"]}"#]
    );
    assert_eq!(
        site.read_reply(r#"{"response":{"x0":5,"y0":0,"x1":5,"y1":4,"x2":5,"y2":2}}"#),
        Some(best_move("f8f4,f4f6"))
    );
    assert_eq!(site.read_reply(KEEP_RUNNING), None);
    let third = position_from(START, "c8c3,c3f3 a3a5,a5d5 f8f4,f4f6 h3h5,h5g5");
    assert!(!site.needs_restart(&third));
    site.write_command(&third, Player::First);
    assert_eq!(site.write_command(&go(), Player::First), [r#""7 5 7 3 6 3""#]);
    assert!(site.needs_restart(&Command::NewGame));
}

/// Saved data come back at the next turn; global data also in the next game.
#[test]
fn a_manager_keeps_what_a_bot_saves() {
    let mut site = Botzone::json();
    let ask = |site: &mut Botzone, moves: &str| {
        site.write_command(&position_from(START, moves), Player::First);
        site.write_command(&go(), Player::First)
    };
    ask(&mut site, "");
    assert!(!site.expects_exit());
    let answer = r#"{"response":"2 0 2 5 5 5","data":{"turn":1},"globaldata":"seen"}"#;
    assert_eq!(site.read_reply(answer), Some(best_move("c8c3,c3f3")));
    assert!(site.expects_exit());
    let second = "c8c3,c3f3 a3a5,a5d5";
    assert!(site.needs_restart(&position_from(START, second)));
    let told: Value = serde_json::from_str(&ask(&mut site, second)[0]).unwrap();
    assert_eq!((&told["data"], &told["globaldata"]), (&json!({"turn": 1}), &json!("seen")));
    site.read_reply(r#"{"response":"5 0 5 4 5 2"}"#);
    assert!(site.needs_restart(&Command::NewGame));
    let told: Value = serde_json::from_str(&ask(&mut site, "")[0]).unwrap();
    assert_eq!((told.get("data"), &told["globaldata"]), (None, &json!("seen")));

    let mut site = Botzone::simple();
    ask(&mut site, "");
    assert_eq!(site.read_reply("2 0 2 5 5 5"), Some(best_move("c8c3,c3f3")));
    for line in ["1 1 1 1 1 1", "for", "ever"] {
        assert_eq!(site.read_reply(line), None, "what follows the response is no move");
    }
    assert!(site.needs_restart(&position_from(START, second)));
    let told = ask(&mut site, second);
    assert_eq!(told[4..], ["1 1 1 1 1 1", "for\never"]);
    site.read_reply("5 0 5 4 5 2");
    assert!(site.needs_restart(&Command::NewGame));
    assert_eq!(ask(&mut site, "")[2..], ["", "for\never"]);
}

#[test]
fn a_manager_speaks_the_simple_interaction_as_second_player_too() {
    let mut site = Botzone::simple();
    site.write_command(&position_from(START, "c8c3,c3f3"), Player::Second);
    assert_eq!(site.write_command(&go(), Player::Second), ["1", "2 0 2 5 5 5", "", ""]);
    assert_eq!(site.read_reply("loading weights"), None);
    assert_eq!(site.read_reply("0 5 0 3 3 3"), Some(best_move("a3a5,a5d5")));
    assert!(site.needs_restart(&position_from(START, "")));
    site.write_command(&position_from(START, "c8c3,c3f3 a3a5,a5d5 f8f4,f4f6"), Player::Second);
    assert_eq!(
        site.write_command(&go(), Player::Second),
        ["2", "2 0 2 5 5 5", "0 5 0 3 3 3", "5 0 5 4 5 2", "", ""]
    );
    assert_eq!(site.read_reply("-1 -1 -1 -1 -1 -1"), Some(Reply::BestMove(None)));
    site.write_command(&go(), Player::Second);
    assert_eq!(site.read_reply("9 9 9 9 9 9"), Some(best_move("9 9 9 9 9 9")));
}
