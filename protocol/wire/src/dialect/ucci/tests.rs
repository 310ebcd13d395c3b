//! Dialogues from the specification, a league's manager and an engine, in both directions.

use super::*;
use crate::dialect::test_messages::position_from;
use crate::message::{Info, Query, Score};

const FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn one(ucci: &mut Ucci, line: &str) -> Command {
    let mut commands = ucci.read_command(line).unwrap();
    assert_eq!(commands.len(), 1);
    commands.remove(0)
}

/// The specification's dialogue, read by an engine.
#[test]
fn an_engine_follows_the_dialogue_of_the_specification() {
    let mut ucci = Ucci::default();
    assert_eq!(one(&mut ucci, "ucci"), Command::Identify);
    let id = Reply::Id { name: "E 1".into(), author: "A".into() };
    assert_eq!(ucci.write_reply(&id), ["id name E 1", "id author A"]);
    let hash = Reply::Option(OptionSpec::spin("Hash", 64, 1, 1024));
    assert_eq!(ucci.write_reply(&hash), ["option hashsize type spin min 1 max 1024 default 64"]);
    let all = ucci.write_reply(&Reply::Identified);
    assert_eq!(all.first().unwrap(), "option usemillisec type check default false");
    assert_eq!(all.last().unwrap(), "ucciok");
    assert_eq!(one(&mut ucci, "setoption usemillisec true"), Command::Nothing);
    let set = Command::SetOption { name: "Hash".into(), value: "128".into() };
    assert_eq!(one(&mut ucci, "setoption hashsize 128"), set);
    assert_eq!(one(&mut ucci, &format!("position fen {FEN}")), position_from(FEN, ""));
    let limits = Limits { time: [Some(Duration::from_secs(300)), None], ..Limits::default() };
    assert_eq!(one(&mut ucci, "go time 300000 increment 0"), Command::Go(limits));
    let best = Reply::BestMove(Some("b0c2".into()));
    assert_eq!(ucci.write_reply(&best), ["bestmove b0c2"]);
    let line = format!("position fen {FEN} moves b0c2 b9c7");
    assert_eq!(one(&mut ucci, &line), position_from(FEN, "b0c2 b9c7"));
    let Command::Go(ponder) = one(&mut ucci, "go ponder time 295000 increment 0") else {
        panic!("no search")
    };
    assert!(ponder.ponder);
    assert_eq!(one(&mut ucci, "ponderhit draw"), Command::PonderHit);
    assert_eq!(one(&mut ucci, "stop"), Command::Stop);
    assert_eq!(one(&mut ucci, "quit"), Command::Quit);
    assert_eq!(ucci.write_reply(&Reply::Bye), ["bye"]);
}

/// The output of the league simulator of 2005-07, with Black to move.
#[test]
fn a_league_game_is_understood_seconds_bans_and_draw_offers_included() {
    let mut ucci = Ucci::default();
    for ignored in ["setoption promotion false", "setoption ponder false"] {
        assert_eq!(one(&mut ucci, ignored), Command::Nothing);
    }
    assert_eq!(one(&mut ucci, "probe fen 9"), Command::Acknowledge);
    assert_eq!(ucci.write_reply(&Reply::Acknowledged), ["pophash"]);
    assert_eq!(one(&mut ucci, "setoption newgame"), Command::NewGame);
    one(&mut ucci, &format!("position fen {FEN} moves h2e2"));
    one(&mut ucci, "banmoves h9g7 b9c7");
    let limits = Limits {
        time: [Some(Duration::from_secs(1795)), Some(Duration::from_secs(1800))],
        increment: [Duration::from_secs(2), Duration::from_secs(3)],
        ban_moves: vec!["h9g7".into(), "b9c7".into()],
        draw_offered: true,
        ..Limits::default()
    };
    let go = "go draw time 1800 increment 3 opptime 1795 oppincrement 2";
    assert_eq!(one(&mut ucci, go), Command::Go(limits));
    one(&mut ucci, "position startpos");
    let clear = Command::Go(Limits::with_nodes(1000));
    assert_eq!(one(&mut ucci, "go nodes 1000"), clear);
}

#[test]
fn a_draw_is_taken_by_whoever_is_not_ahead() {
    let mut ucci = Ucci::default();
    one(&mut ucci, "position startpos");
    let mut answer = |go: &[&str], score: Option<Score>| {
        for line in go {
            one(&mut ucci, line);
        }
        ucci.write_reply(&Reply::Info(Info { score, ..Info::default() }));
        ucci.write_reply(&Reply::BestMove(Some("h2e2".into())))
    };
    for behind in [Score::Cp(0), Score::Cp(-30), Score::Mate(-4), Score::Mate(0)] {
        assert_eq!(answer(&["go draw depth 4"], Some(behind)), ["bestmove h2e2 draw"]);
        assert_eq!(answer(&["go depth 4"], Some(behind)), ["bestmove h2e2"]);
        let pondering = ["go ponder time 9", "ponderhit draw"];
        assert_eq!(answer(&pondering, Some(behind)), ["bestmove h2e2 draw"]);
    }
    for ahead in [Some(Score::Cp(1)), Some(Score::Mate(3)), None] {
        assert_eq!(answer(&["go draw depth 4"], ahead), ["bestmove h2e2"]);
    }
}

#[test]
fn depth_0_asks_for_a_score_and_no_move() {
    let mut ucci = Ucci::default();
    one(&mut ucci, "position startpos");
    assert_eq!(one(&mut ucci, "go depth 0"), Command::Go(Limits::with_depth(1)));
    let best = Reply::BestMove(Some("h2e2".into()));
    assert_eq!(ucci.write_reply(&best), ["nobestmove"]);
    assert_eq!(one(&mut ucci, "go depth 3"), Command::Go(Limits::with_depth(3)));
    assert_eq!(ucci.write_reply(&best), ["bestmove h2e2"]);
    assert_eq!(ucci.write_reply(&Reply::BestMove(None)), ["nobestmove"]);
}

/// The engine's side as written by a known open-source engine, read by a manager.
#[test]
fn a_manager_drives_a_stranger() {
    let mut ucci = Ucci::default();
    assert_eq!(ucci.write_command(&Command::Identify, Player::First), ["ucci"]);
    let id =
        |name: &str, author: &str| Some(Reply::Id { name: name.into(), author: author.into() });
    assert_eq!(ucci.read_reply("id name ElephantEye 3.31"), id("ElephantEye 3.31", ""));
    assert_eq!(ucci.read_reply("id copyright 2004-2012"), None);
    assert_eq!(
        ucci.read_reply("id author Morning Yellow"),
        id("ElephantEye 3.31", "Morning Yellow")
    );
    for option in ["usemillisec type check default true", "newgame type button"] {
        assert!(ucci.read_reply(&format!("option {option}")).is_some());
    }
    let hash = Reply::RawOption {
        name: "hashsize".into(),
        rest: "type spin min 16 max 1024 default 16".into(),
    };
    assert_eq!(ucci.read_reply("option hashsize type spin min 16 max 1024 default 16"), Some(hash));
    assert_eq!(ucci.read_reply("ucciok"), Some(Reply::Identified));
    let set = Command::SetOption { name: "Hash".into(), value: "64".into() };
    assert_eq!(
        ucci.write_command(&set, Player::First),
        ["setoption usemillisec true", "setoption hashsize 64"]
    );
    assert_eq!(ucci.write_command(&Command::NewGame, Player::First), ["setoption newgame"]);
    assert!(ucci.write_command(&Command::Query(Query::Result), Player::First).is_empty());
    let limits = Limits {
        time: [Some(Duration::from_millis(900)), Some(Duration::from_millis(800))],
        increment: [Duration::from_millis(10), Duration::from_millis(20)],
        ban_moves: vec!["a9a8".into()],
        ..Limits::default()
    };
    assert_eq!(
        ucci.write_command(&Command::Go(limits), Player::Second),
        ["banmoves a9a8", "go time 800 increment 20 opptime 900 oppincrement 10"]
    );
    let offered = Limits { draw_offered: true, ..Limits::with_depth(4) };
    assert_eq!(ucci.write_command(&Command::Go(offered), Player::First), ["go draw depth 4"]);
    let info = Info {
        depth: Some(6),
        score: Some(Score::Cp(4)),
        pv: vec!["b0c2".into(), "b9c7".into()],
        ..Info::default()
    };
    let line = "info depth 6 score 4 pv b0c2 b9c7";
    assert_eq!(ucci.read_reply(line), Some(Reply::Info(info)));
    assert_eq!(
        ucci.read_reply("bestmove b0c2 ponder b9c7 draw"),
        Some(Reply::BestMove(Some("b0c2".into())))
    );
    let remarks =
        [Annotation::PonderMove("b9c7".into()), Annotation::DrawOffer].map(Reply::Annotation);
    assert_eq!(std::iter::from_fn(|| ucci.poll_reply()).collect::<Vec<_>>(), remarks);
    ucci.read_reply("bestmove b0c2 resign");
    assert_eq!(ucci.poll_reply(), Some(Reply::Annotation(Annotation::Resignation)));
    assert_eq!(ucci.read_reply("nobestmove"), Some(Reply::BestMove(None)));
    assert_eq!(ucci.read_reply("bye"), Some(Reply::Bye));
    assert_eq!(ucci.read_reply("Xqf: loading book"), None);
}

#[test]
fn an_option_has_the_name_that_the_engine_listed() {
    let mut ucci = Ucci::default();
    for (listed, wanted) in [("hashsize", "HashSize"), ("Hash", "hashsize"), ("Style", "style")] {
        assert!(ucci.is_option(listed, wanted) && !ucci.is_option(listed, "threads"));
        ucci.read_reply(&format!("option {listed} type string"));
    }
    let set = Command::SetOption { name: "style".into(), value: "solid".into() };
    assert_eq!(ucci.write_command(&set, Player::First), ["setoption Style solid"]);
}

#[test]
fn a_time_for_one_move_is_said_in_the_words_that_there_are() {
    let limits = Limits::with_move_time(Duration::from_secs(2));
    let go = Command::Go(limits);
    assert_eq!(Ucci::default().write_command(&go, Player::First), ["go time 2 movestogo 1"]);
}

#[test]
fn mates_are_scores_near_ten_thousand_and_go_there_and_back() {
    for plies in [1, 2, 7, 0, -2, -8] {
        let info = Info { score: Some(Score::Mate(plies)), ..Info::default() };
        let line = Ucci::default().write_reply(&Reply::Info(info.clone())).remove(0);
        assert_eq!(Ucci::default().read_reply(&line), Some(Reply::Info(info)), "{line}");
    }
    let high = Info { score: Some(Score::Cp(20_000)), ..Info::default() };
    assert_eq!(Ucci::default().write_reply(&Reply::Info(high)), ["info score 8999"]);
}

#[test]
fn what_cannot_be_read_is_refused_with_what_would_be_right() {
    for (line, right) in [
        ("hello", "known: ucci, isready"),
        ("setoption", "expected `setoption OPTION [VALUE]`"),
        ("setoption usemillisec maybe", "expected true or false"),
        ("position somewhere", "position startpos"),
        ("position fen", "position startpos"),
        ("go time soon", "`time` needs a whole number"),
        ("go quickly", "unknown limit `quickly`"),
    ] {
        let error = Ucci::default().read_command(line).unwrap_err().to_string();
        assert!(error.contains(right), "{line}: {error}");
    }
}
