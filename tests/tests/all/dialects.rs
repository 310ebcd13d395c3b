//! The referee plays whole games with our engines in every dialect: the moves must be those of the
//! same match in UGI.

use crate::support::matches::{Match, games};
use crate::support::{Process, program};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The command line of an engine whose random moves depend on the position and this seed.
fn command(game: &str, seed: u32) -> String {
    let path = program(game);
    format!("{} --option Algorithm=random --option Seed={seed}", path.display())
}

/// The field of a dialect, and times that it can tell.
fn speaking(dialect: &str) -> String {
    let times = if dialect == "gtp" { ",movetime=1s" } else { "" };
    format!("dialect={dialect}{times}")
}

/// The moves of a match of `a`, which speaks `dialect`, against `b`, which speaks UGI. Random moves
/// depend only on the position, so the match is the same however positions are sent.
fn moves(game: &str, dialect: &str, openings: Option<&str>, count: u32) -> Vec<Value> {
    moves_of(&command(game, 5), game, dialect, openings, count)
}

/// The same for any program.
fn moves_of(a: &str, game: &str, dialect: &str, openings: Option<&str>, count: u32) -> Vec<Value> {
    let engines = [
        format!("name=a,cmd={a},{}", speaking(dialect)),
        format!("name=b,cmd={}", command(game, 6)),
    ];
    let mut m = Match::of(engines, count).with("--game", game).with("--margin", "5000");
    if let Some(openings) = openings {
        m = m.with("--openings", openings);
    }
    let played = m.play();
    assert!(played.success, "{dialect}: {played:?}");
    let games = games(&m.log());
    assert_eq!(games.len() as u32, count, "{dialect}");
    for game in &games {
        assert_eq!(game["reason"], "rules", "{dialect}: {game}");
    }
    games.iter().map(|g| g["moves"].clone()).collect()
}

/// An openings file with these lines.
fn openings(lines: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("openings.txt");
    std::fs::write(&path, lines).expect("the openings");
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn amazons_games_are_the_same_in_uci_and_on_the_platform() {
    let expected = moves("amazons", "ugi", None, 2);
    for dialect in ["uci", "sau"] {
        assert_eq!(moves("amazons", dialect, None, 2), expected, "{dialect}");
    }
}

#[test]
fn amazons_games_on_the_8x8_board_are_the_same_as_a_bot() {
    let (_folder, path) = openings("2Q2Q2/8/Q6Q/8/8/q6q/8/2q2q2 w\n");
    let expected = moves("amazons", "ugi", Some(&path), 2);
    for dialect in ["botzone", "botzone-simple"] {
        assert_eq!(moves("amazons", dialect, Some(&path), 2), expected, "{dialect}");
    }
}

#[test]
fn einstein_games_are_the_same_in_the_protocol_of_the_course() {
    let expected = moves("einstein", "ugi", None, 4);
    assert_eq!(moves("einstein", "ntu", None, 4), expected);
}

#[test]
fn connect6_games_are_the_same_on_the_platform_in_cloudict_and_in_gtp() {
    let expected = moves("connect6", "ugi", None, 2);
    for dialect in ["sau", "cloudict", "gtp"] {
        assert_eq!(moves("connect6", dialect, None, 2), expected, "{dialect}");
    }
    let (_folder, path) = openings("startpos moves j10 k9l8 i9h8\n");
    let expected = moves("connect6", "ugi", Some(&path), 2);
    for dialect in ["cloudict", "gtp"] {
        assert_eq!(moves("connect6", dialect, Some(&path), 2), expected, "{dialect}");
    }
}

/// Cloudict's help is indented and begins with the names of its commands.
#[test]
fn help_and_chatter_of_cloudict_are_not_taken_for_answers() {
    let expected = moves("connect6", "ugi", None, 2);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("cloudict.sh");
    let text = format!(
        "printf '%s\\n' 'On help for GameEngine X' '            name        - print the name.' \\\n\
         '            move XXXX   - tell the engine the move' '            move KKJK'\nexec {}\n",
        command("connect6", 5)
    );
    std::fs::write(&script, text).expect("the script");
    let shell = format!("sh {}", script.display());
    assert_eq!(moves_of(&shell, "connect6", "cloudict", None, 2), expected);
}

/// An option is set by the name that the engine listed, whichever name the user knows.
#[test]
fn options_of_ucci_are_known_by_both_names() {
    for option in ["hashsize", "Hash", "HASHSIZE"] {
        let cmd = command("xiangqi", 5);
        let a = format!("name=a,cmd={cmd},dialect=ucci,option.{option}=3");
        let b = format!("name=b,cmd={}", command("xiangqi", 6));
        let played = Match::of([a, b], 2).with("--game", "xiangqi").play();
        assert!(played.success, "{option}: {played:?}");
    }
}

#[test]
fn dark_chess_games_are_the_same_when_every_ply_is_echoed() {
    let expected = moves("darkchess", "ugi", None, 4);
    assert_eq!(moves("darkchess", "mgtp", None, 4), expected);
}

#[test]
fn xiangqi_games_are_the_same_in_all_dialects_of_its_programs() {
    let expected = moves("xiangqi", "ugi", None, 2);
    for dialect in ["uci", "ucicyclone", "ucci"] {
        assert_eq!(moves("xiangqi", dialect, None, 2), expected, "{dialect}");
    }
}

/// Both sides in stages: the referee sends each stage, and our engines answer from the plan of one search.
#[test]
fn games_in_stages_are_the_same_as_in_ugi() {
    let staged = |game: &str, seed: u32| format!("{} --dialect gtp-stages", command(game, seed));
    for (game, opening) in [
        ("amazons", "startpos moves d1d7,d7g7"),
        ("connect6", "startpos moves j10 k9l8 i9h8"),
        ("nogo", "startpos moves e5 a1"),
    ] {
        let (_folder, path) = openings(&format!("{opening}\n"));
        for openings in [None, Some(path.as_str())] {
            let expected = moves(game, "ugi", openings, 2);
            let fields = [("a", 5), ("b", 6)].map(|(name, seed)| {
                format!("name={name},cmd={},dialect=gtp-stages", staged(game, seed))
            });
            let mut m = Match::of(fields, 2).with("--game", game).with("--margin", "5000");
            if let Some(openings) = openings {
                m = m.with("--openings", openings);
            }
            let played = m.play();
            assert!(played.success, "{game}: {played:?}");
            let found: Vec<Value> = games(&m.log()).iter().map(|g| g["moves"].clone()).collect();
            assert_eq!(found, expected, "{game}");
        }
    }
}

/// In Amazons the first line tells, as there is no other GTP.
#[test]
fn amazons_in_stages_needs_no_flag() {
    let expected = moves("amazons", "ugi", None, 2);
    assert_eq!(moves("amazons", "gtp-stages", None, 2), expected);
}

/// Programs whose answers are more or fewer than the lines they get.
#[test]
fn gtp_as_it_is_met_is_understood() {
    for habit in [
        "words",
        "plain",
        "lists",
        "silent",
        "each-word",
        "own-id",
        "chatter",
        "crlf",
        "one-line",
        "double",
        "comment",
        "late-blank",
    ] {
        let stranger = program("stranger").display().to_string();
        let a = format!("name=a,cmd={stranger} {habit} 3,dialect=gtp");
        let b = format!("name=b,cmd={}", command("nogo", 6));
        let m = Match::of([a, b], 2).with("--game", "nogo").with("--margin", "5000");
        let played = m.play();
        assert!(played.success, "{habit}: {played:?}");
        for game in games(&m.log()) {
            assert_eq!(game["reason"], "rules", "{habit}: {game}");
        }
    }
}

#[test]
fn an_opening_without_words_is_refused_before_the_first_game() {
    let cmd = program("amazons").display().to_string();
    let match_of = |dialect: &str| {
        Match::of([format!("cmd={cmd},dialect={dialect}"), format!("cmd={cmd},name=b")], 2)
    };
    let (_folder, path) = openings("startpos moves d1d7,d7g7\n");
    for (dialect, reason) in [
        ("sau", "without an opening's moves"),
        ("botzone", "every game begins at `2Q2Q2"),
        ("mgtp", "amazons cannot be played in the dialect mgtp"),
    ] {
        let m = match_of(dialect).with("--openings", &path);
        let played = m.play();
        assert!(!played.success && played.stderr.contains(reason), "{dialect}: {played:?}");
        assert!(!m.log().exists());
    }
}

/// A bot that reads a turn, replies and exits.
#[test]
fn a_bot_that_does_not_stay_is_started_for_every_turn() {
    let (folder, path) = openings("2Q2Q2/8/Q6Q/8/8/q6q/8/2q2q2 w\n");
    let script = folder.path().join("bot.sh");
    let bot = command("amazons", 5);
    let text = format!("read turn\nprintf '%s\\n' \"$turn\" | {bot} | head -n 1\n");
    std::fs::write(&script, text).expect("the script");
    let expected = moves("amazons", "ugi", Some(&path), 2);
    let shell = format!("sh {}", script.display());
    assert_eq!(moves_of(&shell, "amazons", "botzone", Some(&path), 2), expected);
}

/// The site starts a bot for every turn, closes its input at once, and still expects a move from a
/// search.
#[test]
fn a_bot_thinks_its_time_though_its_input_has_ended() {
    let mut bot = Process::start("amazons", &["--option", "MoveTime=300"]);
    let from = Instant::now();
    bot.send(r#"{"requests":["-1 -1 -1 -1 -1 -1"],"responses":[]}"#);
    bot.close();
    let answer = bot.receive().expect("an answer");
    assert!(answer.starts_with(r#"{"response":""#), "{answer}");
    assert!(from.elapsed() >= Duration::from_millis(200), "{:?}", from.elapsed());
    assert!(bot.end().0.success());
}

#[test]
fn a_flag_names_the_dialect_where_the_first_line_cannot() {
    let mut process = Process::start("amazons", &["--dialect", "sau"]);
    process.send("new white");
    process.send("name?");
    assert_eq!(process.receive().as_deref(), Some("name Agon-Amazons"));
    let refused = Process::start("amazons", &["--dialect", "klingon"]).end();
    assert!(!refused.0.success());
    assert!(
        refused.2.contains("one of ugi, uci, ucicyclone, ucci, sau, gtp-stages, botzone"),
        "{refused:?}"
    );
}

/// A move that nobody requested: the second copy of one that was. It is a fault by name, and it does
/// not answer the next request, although it is sent when the referee has already read the first.
#[test]
fn a_second_move_is_a_fault_by_name_in_every_dialect() {
    let (_folder, start) = openings("2Q2Q2/8/Q6Q/8/8/q6q/8/2q2q2 w\n");
    for (game, dialect, pause) in [
        ("amazons", "ugi", 40),
        ("amazons", "uci", 40),
        ("xiangqi", "ucicyclone", 40),
        ("xiangqi", "ucci", 40),
        ("amazons", "sau", 40),
        ("connect6", "cloudict", 40),
        ("connect6", "gtp", 40),
        ("nogo", "gtp-stages", 40),
        ("darkchess", "mgtp", 40),
        ("einstein", "ntu", 40),
        // A bot has no request besides the one for a move.
        ("amazons", "botzone", 0),
        ("amazons", "botzone-simple", 0),
    ] {
        let stutter = program("stutter").display().to_string();
        let words = format!("{game} {dialect} --pause {pause}");
        let a = format!("name=a,cmd={stutter} {words},{}", speaking(dialect));
        let b = format!("name=b,cmd={}", command(game, 6));
        let mut m = Match::of([a, b], 1).with("--game", game).with("--margin", "5000");
        if dialect.starts_with("botzone") {
            m = m.with("--openings", &start);
        }
        let game = &m.games()[0];
        assert_eq!(game["reason"], "protocol", "{dialect}: {game}");
        let detail = game["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("a breaks the protocol"), "{dialect}: {game}");
        assert!(detail.contains("an unrequested move, `"), "{dialect}: {game}");
        assert!(detail.ends_with("`: late, after its answer"), "{dialect}: {game}");
    }
}

/// Who resigns has lost and is not at fault, whatever the dialect calls its answer.
#[test]
fn the_word_resign_is_a_resignation_in_every_dialect_that_can_say_it() {
    let (folder, start) = openings("2Q2Q2/8/Q6Q/8/8/q6q/8/2q2q2 w\n");
    for (game, dialect, line) in [
        ("amazons", "ugi", "bestmove resign"),
        ("amazons", "uci", "bestmove RESIGN ponder d1d7"),
        ("xiangqi", "ucicyclone", "bestmove Resign"),
        ("xiangqi", "ucci", "bestmove resign"),
        ("amazons", "sau", "move resign"),
        ("connect6", "cloudict", "move resign"),
        ("connect6", "gtp", "= resign"),
        ("connect6", "gtp", "=RESIGN"),
        ("nogo", "gtp", "=7 Resign"),
        ("amazons", "gtp-stages", "= resign"),
        ("darkchess", "mgtp", "=12 resign"),
        ("einstein", "ntu", "resign"),
        ("amazons", "botzone", "{'response':'resign'}"),
    ] {
        let stutter = program("stutter").display().to_string();
        let line = line.replace('\'', "\\\"");
        let a = format!(
            "name=a,cmd='{stutter} {game} {dialect} --at 2 --instead \"{line}\"',{}",
            speaking(dialect)
        );
        let b = format!("name=b,cmd={}", command(game, 6));
        let pgn = folder.path().join(format!("{dialect}.pgn"));
        let mut m = Match::of([a, b], 1).with("--game", game).with("--margin", "5000");
        m = m.with("--pgnout", &pgn.display().to_string());
        if dialect == "botzone" {
            m = m.with("--openings", &start);
        }
        let played = m.play();
        let game = &games(&m.log())[0];
        assert_eq!(game["reason"], "resignation", "{dialect}: {game}");
        assert_eq!((&game["detail"], &game["result"]), (&"a resigns".into(), &"second".into()));
        assert_eq!(played.code, Some(0), "{dialect}: {played:?}");
        let pgn = std::fs::read_to_string(&pgn).expect("the PGN file");
        assert!(pgn.contains("[Termination \"normal\"]"), "{dialect}: {pgn}");
    }
}

/// The opponent is a twin, so a named reply is always the one that is played.
#[test]
fn the_move_to_ponder_on_is_the_one_that_the_engine_names() {
    for (game, dialect) in [("amazons", "ugi"), ("amazons", "uci"), ("xiangqi", "ucci")] {
        // Of ten plies five are `a`'s; the first is no reply.
        for (how, hits) in [("named", 4), ("differs", 4), ("illegal", 0)] {
            let stutter = format!("{} {game} {dialect}", program("stutter").display());
            let a = format!("name=a,cmd={stutter} --ponder {how},dialect={dialect},ponder=true");
            let b = format!("name=b,cmd={stutter} --ponder named,dialect={dialect}");
            let m = Match::of([a, b], 1).with("--game", game).with("--margin", "5000");
            let m = m.with("--max-plies", "10").with_dialogue();
            let played = m.play();
            assert!(played.success, "{dialect} {how}: {played:?}");
            let game = &games(&m.log())[0];
            assert_eq!(game["reason"], "length", "{dialect} {how}: {game}");
            let dialogue = m.said();
            let count = |text: &str| dialogue.lines().filter(|l| l.contains(text)).count();
            assert_eq!(count(" a#1 > ponderhit"), hits, "{dialect} {how}: {dialogue}");
            assert_eq!(count(" b#1 > ponderhit"), 0);
        }
    }
}

#[test]
fn a_move_before_ponderhit_or_stop_is_a_fault_by_name() {
    for (game, dialect) in [("amazons", "ugi"), ("amazons", "uci"), ("xiangqi", "ucci")] {
        let stutter = format!("{} {game} {dialect}", program("stutter").display());
        let a = format!("name=a,cmd={stutter} --ponder early,dialect={dialect},ponder=true");
        // The reply of a twin is the one that it ponders on, the reply of another program is not.
        let others = [stutter + " --ponder named,dialect=" + dialect, command(game, 6)];
        for other in others {
            let m = Match::of([a.clone(), format!("name=b,cmd={other}")], 1).with("--game", game);
            let game = &m.with("--margin", "5000").games()[0];
            assert_eq!(game["reason"], "protocol", "{dialect}: {game}");
            let detail = game["detail"].as_str().unwrap_or_default();
            let expected = "a breaks the protocol during its move: a premature move, `";
            assert!(detail.starts_with(expected), "{dialect}: {game}");
            assert!(detail.contains("neither `ponderhit` nor `stop` was sent"), "{game}");
        }
    }
}
