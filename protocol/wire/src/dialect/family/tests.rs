//! Round trips of every message through both members of the family, and lines written by real
//! engines and managers.

use crate::dialect::{Dialect, uci::Uci, ugi::Ugi};
use crate::message::{Bound, Command, Info, Limits, Query, Reply, Score};
use agon_games::game::Player;
use agon_games::option::OptionSpec;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use std::time::Duration;

fn millis() -> impl Strategy<Value = Duration> {
    (0u64..=u64::from(u32::MAX)).prop_map(Duration::from_millis)
}

fn limits() -> impl Strategy<Value = Limits> {
    let clock = (
        of((millis(), millis())),
        (millis(), millis()),
        of(any::<u32>()),
        of(millis()),
        of(any::<u32>()),
        of(any::<u64>()),
        any::<bool>(),
        any::<bool>(),
    );
    clock.prop_map(|(times, (inc1, inc2), moves_to_go, move_time, depth, nodes, inf, ponder)| {
        let mut limits = Limits {
            time: [times.map(|t| t.0), times.map(|t| t.1)],
            increment: if times.is_some() { [inc1, inc2] } else { [Duration::ZERO; 2] },
            moves_to_go,
            move_time,
            depth,
            nodes,
            infinite: inf,
            ponder,
            ban_moves: Vec::new(),
            search_moves: Vec::new(),
            draw_offered: false,
        };
        // A bare `go` means an infinite search.
        limits.infinite |= limits == Limits::default();
        limits
    })
}

fn token() -> impl Strategy<Value = String> {
    "[a-j][0-9]{1,2}([a-j][0-9],[a-j][0-9][a-j][0-9])?|=[KGMRNCP]|[1-6]"
}

fn text() -> impl Strategy<Value = String> {
    "[!-~]([ -~]{0,30}[!-~])?".prop_filter("the empty value has a word", |t| t != "<empty>")
}

/// Commands that every member of the family can express.
fn command() -> impl Strategy<Value = Command> {
    let fen = "[a-z0-9/*]{6,30} [wb]";
    prop_oneof![
        Just(Command::Identify),
        ("[A-Z][a-zA-Z_]{1,12}( [A-Z][a-z]{1,8})?", prop_oneof![Just(String::new()), text()])
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        Just(Command::IsReady),
        Just(Command::NewGame),
        (of(fen), vec(token(), 0..8)).prop_map(|(fen, moves)| Command::Position { fen, moves }),
        limits().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        (0u32..20).prop_map(Command::Perft),
        Just(Command::Show),
        Just(Command::Quit),
    ]
}

/// Mate scores from the root: own mates fall on odd plies, the opponent's on even ones.
fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        any::<i32>().prop_map(Score::Cp),
        (0i32..500).prop_map(|n| Score::Mate(2 * n + 1)),
        (0i32..500).prop_map(|n| Score::Mate(-2 * n)),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let fields = (
        of(any::<u32>()),
        of(any::<u32>()),
        of(millis()),
        of(any::<u64>()),
        of(any::<u64>()),
        of(0u32..=1000),
        of(score()),
        vec(token(), 0..6),
    );
    let fields = fields.prop_map(|(depth, seldepth, time, nodes, nps, hashfull, score, pv)| Info {
        depth,
        seldepth,
        multipv: None,
        bound: None,
        wdl: None,
        time,
        nodes,
        leaves: None,
        nps,
        hashfull,
        score,
        pv,
        text: None,
    });
    let said = text().prop_filter("errors and leaves are replies of their own", |t| {
        !t.starts_with("error:") && !t.starts_with("leaves")
    });
    prop_oneof![
        fields.prop_filter("silence says nothing", |i| *i != Info::default()),
        said.prop_map(|text| Info { text: Some(text), ..Info::default() }),
        any::<u64>().prop_map(|n| Info { leaves: Some(n), ..Info::default() }),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        Just(Reply::Identified),
        Just(Reply::Ready),
        info().prop_map(Reply::Info),
        of(token()).prop_map(Reply::BestMove),
        text().prop_map(Reply::Response),
        text().prop_map(Reply::Error),
    ]
}

fn both() -> [Box<dyn Dialect>; 2] {
    [Box::new(Ugi::default()), Box::new(Uci::new("amazons"))]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_engine_receives_what_a_manager_sends(command in command()) {
        for mut dialect in both() {
            let lines = dialect.write_command(&command, Player::First);
            prop_assert_eq!(lines.len(), 1);
            prop_assert_eq!(dialect.read_command(&lines[0]), Ok(vec![command.clone()]));
        }
    }

    #[test]
    fn a_manager_receives_what_an_engine_sends(reply in reply()) {
        for mut dialect in both() {
            let lines = dialect.write_reply(&reply);
            let last = lines.last().map(|l| dialect.read_reply(l));
            prop_assert_eq!(last, Some(Some(reply.clone())));
        }
    }

    #[test]
    fn no_line_panics_on_either_side(line in "\\PC{0,60}", cut in 0usize..8) {
        let openings = ["", "go ", "position fen ", "setoption name ", "info score ", "bestmove ",
            "option name ", "info pv "];
        for mut dialect in both() {
            let line = format!("{}{line}", openings[cut]);
            let _ = dialect.read_command(&line);
            let _ = dialect.read_reply(&line);
        }
    }

    #[test]
    fn a_refusal_is_one_line(line in "[\\x00-\\x7f]{0,300}") {
        for mut dialect in both() {
            if let Err(error) = dialect.read_command(&line) {
                prop_assert_eq!(dialect.write_reply(&Reply::Error(error.to_string())).len(), 1);
            }
        }
    }
}

fn received(line: &str) -> Option<Reply> {
    Ugi::default().read_reply(line)
}

fn refused(line: &str) -> String {
    Ugi::default().read_command(line).expect_err(line).to_string()
}

#[test]
fn a_manager_survives_numbers_that_do_not_fit_and_fields_without_values() {
    let huge = "info depth 99999999999999999999 nodes 7 score cp nan time -5 nps";
    assert_eq!(received(huge), Some(Reply::Info(Info { nodes: Some(7), ..Info::default() })));
    assert_eq!(received("info score mate"), None);
    assert_eq!(received("info"), None);
    assert_eq!(received("option"), None);
    assert_eq!(received("option name  type"), Some(foreign("type", "")));
    assert_eq!(received("id"), None);
    assert_eq!(received("bestmove"), Some(Reply::BestMove(None)));
    assert_eq!(received("Bestmove a1a2"), None);
    assert_eq!(received("\u{fffd}\u{fffd}\0readyok"), None);
}

fn foreign(name: &str, rest: &str) -> Reply {
    Reply::RawOption { name: name.into(), rest: rest.into() }
}

#[test]
fn a_line_of_fairy_stockfish_is_understood() {
    let line = "info depth 5 seldepth 5 multipv 1 score cp 24 lowerbound nodes 9911 nps 330366 \
                hashfull 3 tbhits 0 time 30 pv d1d7,d7g7 a7b7,b7b1 currmovenumber 1";
    let info = Info {
        depth: Some(5),
        seldepth: Some(5),
        multipv: Some(1),
        time: Some(Duration::from_millis(30)),
        nodes: Some(9911),
        leaves: None,
        nps: Some(330_366),
        hashfull: Some(3),
        score: Some(Score::Cp(24)),
        bound: Some(Bound::Lower),
        wdl: None,
        pv: vec!["d1d7,d7g7".into(), "a7b7,b7b1".into()],
        text: None,
    };
    let mut uci = Uci::new("amazons");
    assert_eq!(uci.read_reply(line), Some(Reply::Info(info)));
    assert_eq!(
        uci.read_reply("bestmove d1d7,d7g7 ponder a7b7,b7b1"),
        Some(Reply::BestMove(Some("d1d7,d7g7".into())))
    );
    let second = Info {
        depth: Some(5),
        multipv: Some(2),
        score: Some(Score::Cp(1)),
        pv: vec!["a1a2,a2a1".into()],
        ..Info::default()
    };
    assert_eq!(
        uci.read_reply("info depth 5 multipv 2 score cp 1 pv a1a2,a2a1"),
        Some(Reply::Info(second))
    );
    assert_eq!(
        uci.read_reply("option name Debug Log File type string default"),
        Some(foreign("Debug Log File", "type string default"))
    );
}

#[test]
fn the_lines_of_an_identification_add_up() {
    let mut dialect = Ugi::default();
    let named =
        |name: &str, author: &str| Some(Reply::Id { name: name.into(), author: author.into() });
    assert_eq!(dialect.read_reply("id name Amazon 1.2"), named("Amazon 1.2", ""));
    assert_eq!(dialect.read_reply("id author Somebody Else"), named("Amazon 1.2", "Somebody Else"));
}

#[test]
fn an_option_is_listed_in_the_words_of_the_specification() {
    let mut dialect = Ugi::default();
    let line = |spec| Ugi::default().write_reply(&Reply::Option(spec));
    let hash = line(OptionSpec::spin("hash", 128, 1, 2048));
    assert_eq!(hash, ["option name hash type spin default 128 min 1 max 2048"]);
    assert_eq!(
        dialect.read_reply(&hash[0]),
        Some(foreign("hash", "type spin default 128 min 1 max 2048"))
    );
    let choice = line(OptionSpec::combo("Algorithm", "pvs", &["pvs", "random"]));
    assert_eq!(choice, ["option name Algorithm type combo default pvs var pvs var random"]);
}

#[test]
fn a_refusal_says_what_was_wrong_and_what_would_be_right() {
    for (line, wrong, right) in [
        ("hello world", "`hello`", "isready"),
        ("isready now", "`now`", "stands alone"),
        ("go depth", "nothing", "`depth` needs a whole number from 0 to 4294967295"),
        ("go depth 4294967296", "`4294967296`", "from 0 to 4294967295"),
        ("go nodes -1", "`-1`", "whole number"),
        ("go movetime soon", "`soon`", "whole number of milliseconds"),
        ("go fast", "`fast`", "p1time p2time p1inc p2inc"),
        ("go wtime 1", "`wtime`", "p1time"),
        ("perft many", "`many`", "perft 2"),
        ("position", "nothing", "position startpos"),
        ("position fen moves a1a2", "no FEN", "position fen F"),
        ("position startpos a1a2", "`a1a2`", "[moves ...]"),
        ("position somewhere", "`somewhere`", "position startpos"),
        ("setoption Hash 3", "expected", "setoption name NAME value VALUE"),
        ("setoption name value 3", "expected", "setoption name NAME value VALUE"),
        ("query weather", "`weather`", "p1turn, p2turn, gameover, result, fen"),
    ] {
        let error = refused(line);
        assert!(error.contains(wrong) && error.contains(right), "{line}: {error}");
    }
}

#[test]
fn an_empty_clock_that_went_negative_is_zero() {
    let read = Ugi::default().read_command("go p1time -20 p2time 5 p1inc 0 p2inc 0");
    let limits = Limits {
        time: [Some(Duration::ZERO), Some(Duration::from_millis(5))],
        ..Limits::default()
    };
    assert_eq!(read, Ok(vec![Command::Go(limits)]));
}

#[test]
fn a_search_may_be_bound_to_some_moves_or_to_a_mate() {
    let read = |line| Uci::new("amazons").read_command(line);
    let only = vec!["d1d7,d7g7".to_string(), "a4a5,a5a6".to_string()];
    let limits = Limits { search_moves: only, ..Limits::with_depth(3) };
    let line = "go depth 3 searchmoves d1d7,d7g7 a4a5,a5a6";
    assert_eq!(read(line), Ok(vec![Command::Go(limits.clone())]));
    assert_eq!(read("go searchmoves d1d7,d7g7 a4a5,a5a6 depth 3"), read(line));
    assert_eq!(Uci::new("amazons").write_command(&Command::Go(limits), Player::First), [line]);
    assert_eq!(read("go mate 3"), Ok(vec![Command::Go(Limits::with_depth(5))]));
    assert!(read("go mate soon").is_err());
}

#[test]
fn the_questions_of_ugi_are_read_and_uci_has_none() {
    let query = Command::Query(Query::P1Turn);
    assert_eq!(Ugi::default().write_command(&query, Player::First), ["query p1turn"]);
    assert_eq!(Ugi::default().read_command("query p1turn"), Ok(vec![query.clone()]));
    assert!(Uci::new("amazons").write_command(&query, Player::First).is_empty());
}
