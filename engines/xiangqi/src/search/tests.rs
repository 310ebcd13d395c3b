//! Tests that the search finds known results and respects its limits.

use super::*;
use agon_games::Game;
use agon_games::Player;
use agon_games::Record;
use agon_games::xiangqi::{Repetition, XiangqiRules};
use agon_search::clock::TimeManagement;
use agon_search::root::Root;
use agon_search::score::WIN;
use agon_tablebase::Dtm;
use agon_wire::engine::Control;
use agon_wire::message::Limits;

fn search(
    fen: &str,
    moves: &[&str],
    rules: XiangqiRules,
    limits: &Limits,
) -> SearchResult<XiangqiMove> {
    let record = Record::from_text(Some(fen), moves, &rules).unwrap();
    let clock = Clock::new(limits, Player::First, TimeManagement::default(), &Control::new());
    let settings = SearchSettings { hash: 4, ..SearchSettings::default() };
    XiangqiSearch::new(settings).unwrap().run(&Root::new(&record), &clock, &mut |_| {})
}

fn to_depth(fen: &str, depth: u32) -> SearchResult<XiangqiMove> {
    search(fen, &[], XiangqiRules::default(), &Limits::with_depth(depth))
}

#[test]
fn mates_are_found_with_their_length() {
    let one = to_depth("3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1", 4);
    // Either rook mates on file d.
    let best = one.best().to_string();
    assert_eq!((one.value, &best[2..3]), (WIN - 1, "d"));
    let lost = to_depth("3k5/9/9/9/9/9/9/R8/1R7/4K4 b - - 0 1", 6);
    assert!(lost.value <= -WIN + 10, "{lost:?}");
}

#[test]
fn a_side_without_moves_has_lost_without_being_in_check() {
    // The pawn's step leaves the bare king no legal move.
    let line = to_depth("3k5/4P4/9/9/9/9/9/9/9/4K4 w - - 0 1", 6);
    assert!(line.value > 0, "{line:?}");
}

#[test]
fn the_same_search_gives_the_same_line() {
    let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
    assert_eq!(to_depth(fen, 7), to_depth(fen, 7));
}

#[test]
fn every_line_is_legal_to_its_end() {
    for fen in [
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1",
        "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
    ] {
        let line = to_depth(fen, 8);
        let mut game = Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap();
        for &m in &line.moves {
            assert!(game.is_legal(m), "{m} in {}", game.fen());
            game.play(m);
        }
    }
}

#[test]
fn a_checker_that_would_lose_by_repetition_turns_aside() {
    let fen = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";
    let moves = "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9";
    let moves: Vec<&str> = moves.split(' ').collect();
    let rules = XiangqiRules { repetition: Repetition::Check, ..XiangqiRules::default() };
    let line = search(fen, &moves, rules, &Limits::with_depth(6));
    assert_ne!(line.best().to_string(), "a8a9");
    assert!(line.value > 0, "{line:?}");
}

#[test]
fn a_stopped_search_still_has_a_legal_move() {
    let fen = agon_games::xiangqi::START_FEN;
    let rules = XiangqiRules::default();
    let line = search(fen, &[], rules, &Limits::with_nodes(1));
    assert!(Xiangqi::start(&rules).is_legal(line.best()));
}

#[test]
fn several_threads_find_what_one_finds() {
    let fen = "3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";
    let record = Record::new(Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap());
    let clock = Clock::unmanaged(&Limits::with_depth(5));
    let settings = SearchSettings { threads: 3, hash: 4, ..SearchSettings::default() };
    let line = XiangqiSearch::new(settings).unwrap().run(&Root::new(&record), &clock, &mut |_| {});
    assert_eq!(line.value, WIN - 1);
}

/// A tablebase in which every position is drawn.
struct AllDrawn;

impl SearchTablebase for AllDrawn {
    fn max_pieces(&self) -> u32 {
        4
    }

    fn probe(&self, _position: &Position) -> Option<Dtm> {
        Some(Dtm::DRAW)
    }
}

#[test]
fn the_tablebase_is_believed() {
    let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1";
    let record = Record::new(Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap());
    let clock = Clock::unmanaged(&Limits::with_depth(5));
    let settings = SearchSettings {
        hash: 4,
        tablebase: Some(Arc::new(AllDrawn)),
        ..SearchSettings::default()
    };
    let line = XiangqiSearch::new(settings).unwrap().run(&Root::new(&record), &clock, &mut |_| {});
    assert!(line.value.abs() <= 2, "{line:?}");
}

/// A tablebase won by Red, in twice the rook's file plus 9 plies, or plus 10 with Black to move.
struct ByFile;

impl SearchTablebase for ByFile {
    fn max_pieces(&self) -> u32 {
        3
    }

    fn probe(&self, position: &Position) -> Option<Dtm> {
        let rook = position.pieces(0, agon_games::xiangqi::Kind::Rook);
        let plies = 2 * (rook.trailing_zeros() % 9);
        let lost = position.side() == 1;
        Some(Dtm::after(plies as usize + if lost { 10 } else { 9 }))
    }
}

fn with_tablebase(fen: &str, tablebase: Arc<dyn SearchTablebase>) -> SearchResult<XiangqiMove> {
    let record = Record::new(Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap());
    let clock = Clock::unmanaged(&Limits::with_depth(4));
    let settings =
        SearchSettings { hash: 4, tablebase: Some(tablebase), ..SearchSettings::default() };
    XiangqiSearch::new(settings).unwrap().run(&Root::new(&record), &clock, &mut |_| {})
}

#[test]
fn the_root_takes_the_shortest_tablebase_mate_and_reports_it() {
    // All files are known wins that differ only in distance: file a has the shortest mate.
    let line = with_tablebase("3k5/9/9/9/9/9/4R4/9/9/5K3 w - - 0 1", Arc::new(ByFile));
    assert_eq!(line.best().to_string(), "e3a3");
    assert_eq!(line.value, WIN - 11);
    // The defender delays the mate as long as possible; here all moves are equal.
    let lost = with_tablebase("3k5/9/9/9/9/9/4R4/9/9/5K3 b - - 0 1", Arc::new(ByFile));
    assert_eq!(lost.value, -WIN + 9 + 8 + 1);
}
