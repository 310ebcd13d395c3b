//! Builds small sets in a temporary folder and compares them with the rules and with endgame
//! theory; also tests damaged files.

use super::frame::{Frames, as_sets};
use super::layout::parts_of;
use super::material::ATTACKERS;
use super::slice::read_side;
use super::square_sets::{attackers, movers};
use super::*;
use crate::search::{self as xiangqi_search, SearchTablebase};
use agon_games::Record;
use agon_games::game::{Game, Player, Turn, legal_moves};
use agon_games::rng;
use agon_games::xiangqi::{
    BOARD, Board, Kind, Piece, Square, Squares, Xiangqi, XiangqiRules, movegen,
};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_tablebase::conformance::inverted;
use agon_tablebase::verify::ForwardSearch;
use agon_tablebase::{
    Dtm, Indexer, Monitor, OpenSlice, TablebaseError, build, conformance, missing_slices,
    slice_path,
};
use agon_wire::message::Limits;
use rand_core::Rng;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

/// Sets in which each kind attacks, and all smaller ones.
const NAMES: [&str; 8] = ["KRKAAB", "KNKAB", "KCABKA", "KPBKA", "KRNK", "KPPK", "KNAAK", "KCK"];

/// A temporary folder with the tables of [`NAMES`], built once.
static BUILT: LazyLock<TempDir> = LazyLock::new(|| {
    let dir = TempDir::new().unwrap();
    build_into(dir.path(), &NAMES);
    dir
});

fn sets(names: &[&str]) -> Vec<MaterialKey> {
    names.iter().map(|name| MaterialKey::parse(name).unwrap()).collect()
}

fn build_slice(dir: &Path, key: MaterialKey) -> Result<(), TablebaseError> {
    let solver = XiangqiSolver { dir: dir.into(), memory: 8_000_000_000 };
    let path = slice_path::<XiangqiSlice>(dir, key);
    build(&path, &XiangqiSlice::new(key), &solver, 2, &Monitor::hidden()).map(|_| ())
}

fn build_into(dir: &Path, names: &[&str]) -> usize {
    let missing = missing_slices::<XiangqiSlice>(dir, &sets(names)).unwrap();
    for &key in &missing {
        build_slice(dir, key).unwrap();
    }
    missing.len()
}

fn tallies(key: MaterialKey) -> [SliceTally; 2] {
    let slice = OpenSlice::<XiangqiSlice>::open(BUILT.path(), key).unwrap();
    SliceTally::from_statistics(&slice.file.header().statistics)
}

fn game(fen: &str) -> Xiangqi {
    Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap()
}

#[test]
fn every_position_of_small_sets_agrees_with_its_successors_and_with_a_search() {
    for set in sets(&["KRKAA", "KNKAB", "KCABKA", "KPBKA", "KPPK", "KRNK", "KNAAK"]) {
        let how = Thoroughness { successors: u64::MAX, searches: 24, depth: 4, seed: 1 };
        let Checked { successors, mates, others } =
            verify(BUILT.path(), set, how, &Monitor::hidden()).unwrap();
        let legal: u64 = tallies(set).iter().map(|t| t.legal).sum();
        assert_eq!(successors, legal, "{set}");
        assert!(mates >= 2 && others >= 2, "{set}: {mates} and {others}");
    }
}

#[test]
fn play_by_the_table_mates_in_exactly_the_plies_it_says() {
    let tables = XiangqiTablebase::open(BUILT.path()).unwrap();
    let mut stream = rng::stream(7, 0, "table play");
    for set in sets(&["KRKAAB", "KNKAB", "KCABKA", "KPBKA", "KRNK", "KPPK", "KNAAK"]) {
        let layout = SetLayout::new(set);
        let mut played = 0;
        while played < 8 {
            let number = stream.next_u64() % layout.len();
            let (s, w, attackers) = layout.unrank(number);
            let mut board = layout.board(s, w, attackers);
            if stream.next_u64() & 1 == 1 {
                board = turned_round(&board);
            }
            let side = if stream.next_u64() & 1 == 1 { "w" } else { "b" };
            let fen = format!("{} {side}", agon_games::xiangqi::print_placement(&board));
            let Ok(mut state) = Xiangqi::parse_fen(&fen, &XiangqiRules::default()) else {
                continue;
            };
            let value = tables.probe(&state).unwrap();
            let Some(mut plies) = value.plies() else { continue };
            while plies > 0 {
                let (m, best) = tables.root(&state).unwrap()[0];
                assert_eq!(Some(best), tables.probe(&state), "{fen}");
                state.play(m);
                plies -= 1;
            }
            assert!(matches!(state.turn(), Turn::Over(_)), "{fen}: {}", state.fen());
            played += 1;
        }
    }
}

/// The same position with Black as the attacker.
fn turned_round(board: &Board) -> Board {
    let mut turned = Board::default();
    for square in Squares(board.occupied()) {
        let (side, kind) = board.piece_at(square).split().unwrap();
        turned.put(Square::from_index(89 - square.index()), Piece::new(side.opponent(), kind));
    }
    turned
}

#[test]
fn the_tables_say_what_the_books_say() {
    let tables = XiangqiTablebase::open(BUILT.path()).unwrap();
    // Endgame theory: a lone rook, horse or cannon wins or not depending on the number of advisors;
    // a pawn wins against a bare king unless it has reached the last rank.
    for (fen, wins) in [
        ("4k4/9/9/9/9/9/9/9/3R5/3K5 w", true),
        ("4ka3/4a4/9/9/9/9/9/9/3R5/3K5 w", true),
        ("4k4/9/9/9/9/9/9/9/3N5/3K5 w", true),
        ("5k3/9/4P4/9/9/9/9/9/9/4K4 w", true),
        ("P4k3/9/9/9/9/9/9/9/9/3K5 w", false),
        ("3k5/9/9/9/9/9/9/9/4C4/4K4 w", false),
    ] {
        let value = tables.probe(&game(fen)).unwrap();
        assert_eq!(value.is_win(), wins, "{fen}: {value}");
    }
}

#[test]
fn an_attacker_who_has_blocked_himself_loses() {
    let tables = XiangqiTablebase::open(BUILT.path()).unwrap();
    let stuck = game("4k4/9/9/9/9/9/9/9/4N4/3AKA3 w");
    assert!(matches!(stuck.turn(), Turn::Over(_)));
    assert_eq!(tables.probe(&stuck), Some(Dtm::LOST));
    let before = game("3k5/9/9/9/9/9/9/9/4N4/3AKA3 b");
    assert_eq!(tables.probe(&before), Some(Dtm::after(1)));
    let set = MaterialKey::parse("KNAAK").unwrap();
    assert!(tallies(set).iter().all(|tally| tally.defender_wins > 0));
}

#[test]
fn a_position_without_attacking_pieces_is_never_a_mate_or_stalemate() {
    let mut positions = 0u64;
    for n in 0..81 {
        let set = |counts| MaterialKey::from_counts(counts).unwrap();
        let [a, b, c, d] = [n % 3, n / 3 % 3, n / 9 % 3, n / 27].map(|n: u8| n);
        let layout = SetLayout::new(set([1, 0, 0, 0, a, b, c, d]));
        for pair in 0..layout.pairs() {
            let (s, w) = layout.pair(pair);
            let board = layout.board(s, w, [0; 4]);
            if !board.kings_face() {
                for side in Player::BOTH {
                    assert!(!board.in_check(side) && movegen::can_move(&board, side), "{board:?}");
                    positions += 1;
                }
            }
        }
    }
    assert!(positions > 5_000_000, "{positions}");
}

#[test]
fn numbers_have_no_gaps_and_count_what_the_whole_numbering_counts() {
    // As the numbering of `agon-xiangqi-studies` counts them.
    for (name, all) in [
        ("KRKA", 31_320),
        ("KPABKB", 898_690),
        ("KCCK", 310_068),
        ("KPPK", 115_506),
        ("KRNBKAB", 121_737_000),
    ] {
        let set = MaterialKey::parse(name).unwrap();
        let layout = SetLayout::new(set);
        let rows = |s| layout.row_len(s) * layout.weak.len() as u64;
        assert_eq!((0..layout.strong.len()).map(rows).sum::<u64>(), all, "{name}");
        // About half, because only one of a position and its mirror image is kept.
        assert!(2 * layout.len() >= all && layout.len() * 100 < all * 68, "{name}");
        let step = 1 + layout.len() / 40_000;
        for number in (0..layout.len()).step_by(step as usize) {
            let (s, w, attackers) = layout.unrank(number);
            assert_eq!(layout.rank(s, w, attackers), number, "{name}");
            let board = layout.board(s, w, attackers);
            assert_eq!(board.check(), Ok(()));
            assert_eq!(parts_of(&board), (s, w, attackers));
            let mirrored = mirrored(&board);
            let (s, w, attackers) = parts_of(&mirrored);
            let image = layout.rank(s, w, attackers);
            let own_pair = layout.strong.list[s].mirror == s && layout.weak.list[w].mirror == w;
            assert!(image == number || own_pair, "{name} {number} {image}");
        }
    }
}

fn mirrored(board: &Board) -> Board {
    let mut image = Board::default();
    Squares(board.occupied()).for_each(|s| image.put(s.mirrored(), board.piece_at(s)));
    image
}

#[test]
fn the_one_attacker_sets_are_324_and_come_after_what_they_need() {
    let all = MaterialKey::with_one_attacker();
    assert_eq!(all.len(), 324);
    for (i, set) in all.iter().enumerate() {
        assert_eq!(MaterialKey::parse(&set.to_string()).unwrap(), *set);
        assert_eq!(MaterialKey::from_counts(set.counts()), Some(*set));
        assert!(set.after_captures().iter().all(|needed| all[..i].contains(needed)), "{set}");
    }
}

#[test]
fn sets_of_squares_are_those_found_one_by_one() {
    let mut stream = rng::stream(11, 0, "frames");
    for set in sets(&["KRABKAB", "KNBKAABB", "KCAAKAAB", "KPABBKBB", "KCNKAB", "KRPBKB"]) {
        let layout = SetLayout::new(set);
        let frames = Frames::new(&layout).unwrap();
        let mut seen = 0;
        while seen < 60 {
            let (s, w) = layout.pair(stream.next_u64() as usize % layout.pairs());
            let number = stream.next_u64() as usize % frames.of_pair;
            let Some(frame) = frames.frame(s, w, number) else { continue };
            seen += 1;
            let board = |p| {
                let pieces = frame.others.iter().copied().chain([(frames.single, p)]);
                layout.board(s, w, as_sets(pieces))
            };
            let targets = random_set(&mut stream) & frame.free;
            let leads = movers(frames.single, targets, frame.occupied);
            for p in Squares(frame.free) {
                let board = board(p);
                assert_eq!(board.kings_face(), frame.facing() & p.bit() != 0);
                let check = board.in_check(Player::Second) && !board.kings_face();
                assert_eq!(check, frame.check(frames.single) & !frame.facing() & p.bit() != 0);
                let reach = board.destinations(Player::First, frames.single, p.index());
                let quiet = reach & !board.occupied();
                assert_eq!(quiet & targets != 0, leads & p.bit() != 0, "{set} {p}");
                for taken in &frame.weak.captures {
                    let from = attackers(frames.single, taken.square.index(), frame.occupied);
                    let takes = reach & taken.square.bit() != 0;
                    assert_eq!(takes, from & p.bit() != 0, "{set} {p} takes {}", taken.square);
                }
            }
        }
    }
}

fn random_set(stream: &mut rng::Stream) -> u128 {
    let mut word = || u128::from(stream.next_u64()) << 64 | u128::from(stream.next_u64());
    word() & word() & word() & BOARD
}

#[test]
fn a_build_resumes_and_a_damaged_slice_is_built_again() {
    let dir = TempDir::new().unwrap();
    let key = MaterialKey::parse("KCKA").unwrap();
    let error = build_slice(dir.path(), key).unwrap_err();
    assert!(error.to_string().contains("KCK.xqt does not exist"), "{error}");
    assert_eq!(build_into(dir.path(), &["KCK"]), 1);
    assert_eq!(build_into(dir.path(), &["KCKA"]), 1, "KCK is there already");
    assert_eq!(build_into(dir.path(), &["KCKA"]), 0);
    let path = slice_path::<XiangqiSlice>(dir.path(), key);
    let whole = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(build_into(dir.path(), &["KCKA"]), 1);
    assert_eq!(std::fs::read(&path).unwrap(), whole, "the same slice, byte for byte");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "nothing lies beside the slices");
}

#[test]
fn damaged_files_are_refused_and_never_give_a_wrong_value() {
    let dir = TempDir::new().unwrap();
    build_into(dir.path(), &["KNK"]);
    let state = game("4k4/9/9/9/9/9/9/9/3N5/3K5 w");
    let open = || XiangqiTablebase::open(dir.path());
    conformance::check_damage(
        &slice_path::<XiangqiSlice>(dir.path(), MaterialKey::parse("KNK").unwrap()),
        XiangqiSlice::FORMAT.old_magic,
        |_| open()?.folder().preload(),
        |_| Ok(open()?.probe(&state)),
    );
}

#[test]
fn statistics_and_codes_come_back_from_the_file() {
    let key = MaterialKey::parse("KNAAK").unwrap();
    let slice = OpenSlice::<XiangqiSlice>::open(BUILT.path(), key).unwrap();
    let tallies = tallies(key);
    assert_eq!(SliceTally::from_statistics(&SliceTally::to_statistics(tallies)), tallies);
    for (side, tally) in tallies.iter().enumerate() {
        let codes = read_side(&slice, side).unwrap();
        let (code, number) = tally.longest;
        assert_eq!(codes[number as usize], code);
        assert_eq!(codes.len() as u64, slice.indexer.layout().len());
    }
    let message = (XiangqiSlice::FORMAT.rebuild)(slice.file.path());
    let folder = BUILT.path().display();
    assert_eq!(message, format!("xiangqi table build --dir {folder} --set KNAAK"));
}

#[test]
fn names_of_no_set_are_refused_with_the_reason() {
    for (name, reason) in [
        ("KRKN", "only advisors and elephants"),
        ("KAKA", "must have a rook, horse, cannon or pawn"),
        ("KRRRK", "more than 2 rooks"),
        ("KRXK", "`X` is no piece"),
        ("KRAA", "1 kings"),
        ("RKK", "begin with K"),
    ] {
        let error = MaterialKey::parse(name).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    assert_eq!(MaterialKey::parse("kabehrk").unwrap().to_string(), "KRNABBK");
}

#[test]
fn a_set_that_needs_more_memory_than_allowed_is_refused() {
    let dir = TempDir::new().unwrap();
    let key = MaterialKey::parse("KRRNNCCAABBKAABB").unwrap();
    let error = build_slice(dir.path(), key).unwrap_err().to_string();
    assert!(error.contains("of memory; the limit is 8000 MB"), "{error}");
}

#[test]
fn best_knows_wins_from_the_tables_that_it_could_not_see() {
    let tables = Arc::new(XiangqiTablebase::open(BUILT.path()).unwrap());
    let tables: Arc<dyn SearchTablebase> = tables;
    let think = |tables: Option<&Arc<dyn SearchTablebase>>, draw_plies| {
        let rules = XiangqiRules { draw_plies, ..XiangqiRules::default() };
        let fen = "4k4/3Ra4/3a5/9/9/9/9/9/9/3K5 w";
        let record = Record::new(Xiangqi::parse_fen(fen, &rules).unwrap());
        let settings = xiangqi_search::SearchSettings {
            hash: 4,
            tablebase: tables.cloned(),
            ..Default::default()
        };
        let clock = Clock::unmanaged(&Limits::with_depth(3));
        xiangqi_search::XiangqiSearch::new(settings)
            .unwrap()
            .run(&Root::new(&record), &clock, &mut |_| {})
            .value
    };
    let mate_in_19 = think(Some(&tables), 120);
    assert!(mate_in_19 > 20_000, "{mate_in_19}");
    assert!(think(None, 120) < 20_000);
    assert!(think(Some(&tables), 12) < 20_000, "a draw by the limit comes before the mate");
}

#[test]
fn unknown_positions_have_no_value() {
    let tables = XiangqiTablebase::open(BUILT.path()).unwrap();
    let both = game("4k4/9/9/9/r8/9/9/9/9/R2K5 w");
    assert_eq!(tables.probe(&both), None);
    assert_eq!(tables.probe(&game("4k4/4a4/9/9/9/9/9/9/4A4/CN2K4 w")), None);
    assert_eq!(tables.probe(&game("4k4/4a4/9/9/9/9/9/9/4A4/4K4 w")), Some(Dtm::DRAW));
    // One of the captures leads to a table in the folder; the set itself has none.
    assert_eq!(tables.root(&game("4k4/4a4/9/9/9/9/9/9/4A4/CN2K4 w")), None);
    let state = game("4k4/9/9/9/9/9/9/9/3R5/3K5 w");
    let moves = tables.root(&state).unwrap();
    assert_eq!(moves.len(), legal_moves(&state).len());
    assert!(moves.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    assert!(tables.most_pieces() >= 6 && ATTACKERS.contains(&Kind::Rook));
    let searched = ForwardSearch::default().value(&state, 3);
    assert_eq!(Some(searched), tables.probe(&state));
}

#[test]
fn values_that_are_wrong_under_right_checksums_are_found_by_the_witness() {
    witness(&XiangqiTablebase::open(BUILT.path()).unwrap()).unwrap();
    let forgeries: [fn(u8) -> u8; 3] = [inverted, |code| !code, |_| 0];
    for name in ["KRK", "KNKAB", "KRKAA"] {
        for forgery in forgeries {
            let dir = TempDir::new().unwrap();
            build_into(dir.path(), &[name]);
            open(dir.path()).unwrap();
            let path = dir.path().join(format!("{name}.xqt"));
            conformance::forge(&path, |values| values.iter_mut().for_each(|v| *v = forgery(*v)));
            XiangqiTablebase::open(dir.path()).unwrap().folder().preload().unwrap();
            let error = open(dir.path()).map(drop).unwrap_err();
            assert!(error.contains(".xqt gives") && error.contains(" for `"), "{error}");
        }
    }
}
