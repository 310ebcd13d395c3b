//! Common properties of all dialects: their names, their detection, and robustness against any line
//! on either side.

use super::*;
use crate::message::{Annotation, Limits};
use agon_games::arbiter::GAMES;
use proptest::prelude::*;

#[test]
fn every_dialect_knows_its_name_and_its_games() {
    for name in NAMES {
        let games: Vec<&str> =
            GAMES.iter().map(|g| g.name).filter(|game| by_name(name, game).is_some()).collect();
        assert!(!games.is_empty(), "{name}");
        for game in games {
            let dialect = by_name(name, game).expect("it was there");
            assert_eq!(dialect.name(), *name, "{game}");
        }
    }
    assert_eq!(for_game("darkchess"), ["ugi", "uci", "ucicyclone", "ucci", "mgtp"]);
    assert!(by_name("klingon", "amazons").is_none());
}

#[test]
fn the_first_line_picks_the_dialect() {
    for (line, game, name) in [
        ("ugi", "amazons", "ugi"),
        ("uci", "xiangqi", "uci"),
        ("ucicyclone", "xiangqi", "ucicyclone"),
        ("ucci", "xiangqi", "ucci"),
        ("name?", "amazons", "sau"),
        ("name?", "connect6", "sau"),
        ("new black", "amazons", "sau"),
        ("new black", "connect6", "cloudict"),
        ("name", "connect6", "cloudict"),
        ("name", "einstein", "ntu"),
        ("name", "amazons", "gtp-stages"),
        ("list_commands", "connect6", "gtp"),
        ("1 name", "connect6", "gtp"),
        ("boardsize 10", "amazons", "gtp-stages"),
        ("1 name", "amazons", "gtp-stages"),
        ("genmove b", "nogo", "gtp"),
        ("play B K10", "connect6", "gtp"),
        ("list_commands", "xiangqi", "ugi"),
        ("1 name", "darkchess", "mgtp"),
        ("0 protocol_version", "darkchess", "mgtp"),
        (r#"{"requests":["-1 -1 -1 -1 -1 -1"],"responses":[]}"#, "amazons", "botzone"),
        ("1", "amazons", "botzone-simple"),
        ("1", "xiangqi", "ugi"),
        ("", "amazons", "ugi"),
        ("\u{fffd}\0", "einstein", "ugi"),
    ] {
        assert_eq!(detect(line, game).name(), name, "{line} {game}");
    }
}

/// Line beginnings that reach some parser.
const BEGINNINGS: [&str; 29] = [
    "",
    "move ",
    "new ",
    "name ",
    "error",
    "get R 6 ",
    "ini ",
    "time_setting ",
    "play B ",
    "genmove ",
    "play D",
    "play B J",
    "time_settings 0 1.5 ",
    "=resign",
    "= pass",
    "12 genmove ",
    "11 flip ",
    "10 move ",
    "16 time_left ",
    "= ",
    "=12 ",
    "?12 ",
    "{\"requests\":[",
    "{\"response\":",
    "2",
    "-1 -1 ",
    "black ",
    "depth ",
    "undo",
];

fn line() -> impl Strategy<Value = String> {
    (prop::sample::select(BEGINNINGS.to_vec()), "\\PC{0,24}|[A-Ka-k0-9 @,=]{0,24}")
        .prop_map(|(beginning, rest)| format!("{beginning}{rest}"))
}

fn token() -> impl Strategy<Value = String> {
    "[a-j][0-9]{1,2}([a-j][0-9],[a-j][0-9][a-j][0-9])?|=[KGMRNCP]|[1-6]|[1-6]{6}|\\PC{0,8}"
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_conversation_breaks_a_dialect(
        lines in prop::collection::vec(line(), 1..12),
        tokens in prop::collection::vec(token(), 0..6),
    ) {
        let place = Command::Position { fen: None, moves: tokens.clone() };
        for name in NAMES {
            for game in GAMES.iter().map(|g| g.name) {
                let Some(mut engine) = by_name(name, game) else { continue };
                let mut manager = by_name(name, game).expect("it was there");
                manager.write_command(&Command::Identify, Player::First);
                for (i, line) in lines.iter().enumerate() {
                    if let Err(error) = engine.read_command(line) {
                        for line in engine.write_reply(&Reply::Error(error.to_string())) {
                            prop_assert!(!line.contains('\n'), "{}: {}", name, line);
                        }
                    }
                    let token = tokens.get(i).cloned();
                    for reply in [Reply::Acknowledged, Reply::BestMove(token)] {
                        for line in engine.write_reply(&reply) {
                            prop_assert!(!line.contains('\n'), "{}: {}", name, line);
                        }
                    }
                    let mover = Player::BOTH[i % 2];
                    for command in [&place, &Command::Go(Limits::default())] {
                        for line in manager.write_command(command, mover) {
                            prop_assert!(!line.contains('\n'), "{}: {}", name, line);
                        }
                    }
                    let _ = manager.read_reply(line);
                    while manager.poll_reply().is_some() {}
                }
            }
        }
    }
}

#[test]
fn what_an_engine_adds_to_its_move_follows_it() {
    let mut uci = by_name("uci", "amazons").expect("UCI");
    let best = Reply::BestMove(Some("d1d7,d7g7".into()));
    assert_eq!(uci.read_reply("bestmove d1d7,d7g7 ponder a7b7,b7b2"), Some(best));
    let expected = Reply::Annotation(Annotation::PonderMove("a7b7,b7b2".into()));
    assert_eq!(uci.poll_reply(), Some(expected));
    assert_eq!(uci.poll_reply(), None);
}
