//! Small tablebases, checked by every verification.

use super::material::{fit, sides};
use super::*;
use agon_games::darkchess::{DarkChess, DarkRules, KINDS};
use agon_games::game::Game;
use agon_games::hash::FastSet;
use agon_tablebase::conformance::inverted;
use agon_tablebase::{
    Dtm, Indexer, Monitor, Sink, Solver, Statistics, TablebaseError, build, conformance,
};
use std::path::Path;
use tempfile::TempDir;

fn monitor() -> Monitor<'static> {
    Monitor::hidden()
}

fn build_into(
    dir: &Path,
    pieces: usize,
    solver: &impl Solver<DarkChessIndexer>,
) -> DarkChessTablebase {
    let path = dir.join("small.table");
    let indexer = DarkChessIndexer::new(pieces, 4, 8).unwrap();
    build(&path, &indexer, solver, 2, &monitor()).unwrap();
    DarkChessTablebase::open(&path).unwrap()
}

fn small(pieces: usize) -> (TempDir, DarkChessTablebase) {
    let dir = TempDir::new().unwrap();
    let tablebase = build_into(dir.path(), pieces, &DarkChessSolver::default());
    (dir, tablebase)
}

fn side(letters: &str) -> [u8; KINDS] {
    let mut side = [0; KINDS];
    for c in letters.chars() {
        side["KGMRNCP".find(c).unwrap()] += 1;
    }
    side
}

#[test]
fn sets_that_relate_alike_are_one_class() {
    let class = |a: &str, b: &str| fit(&side(a), &side(b)).shape;
    // A guard against a knight is equivalent to a rook against a knight.
    assert_eq!(class("G", "N"), class("R", "N"));
    assert_eq!(class("GM", "N"), class("RR", "N"));
    assert_eq!(class("MG", "RP"), class("GG", "PP"));
    assert_ne!(class("K", "P"), class("G", "P"));
    // Equal pieces capture each other.
    assert_ne!(class("G", "G"), class("G", "N"));
    // A cannon captures by jumping.
    assert_ne!(class("C", "P"), class("N", "P"));
    // The side to move comes first.
    assert_ne!(class("G", "N"), class("N", "G"));
}

#[test]
fn there_are_as_many_materials_as_the_literature_counts() {
    let materials = |pieces: usize| -> usize {
        (1..pieces).map(|n| sides(n as u8).len() * sides((pieces - n) as u8).len()).sum()
    };
    // All revealed sets of 3 to 8 pieces (Chen, Lin, Chen and Hsu 2015).
    assert_eq!((3..=8).map(materials).sum::<usize>(), 144_158);
}

#[test]
fn every_arrangement_has_one_number_up_to_symmetry() {
    for board in [(4, 8), (2, 4)] {
        let index = DarkChessIndexer::new(3, board.0, board.1).unwrap();
        for class in &index.classes {
            let mut seen = FastSet::default();
            for number in 0..class.numbering.len() {
                let sets = class.numbering.arrangement(&index.board, number);
                let counts = sets.iter().map(|s| s.count_ones() as u8);
                let expected = class.shape.counts.iter().copied().chain(std::iter::repeat(0));
                assert!(counts.zip(expected).all(|(a, b)| a == b), "{:?} {number}", class.shape);
                assert!(seen.insert(sets));
                let located = class.numbering.number(&index.board, &sets);
                assert!(located == number || class.numbering.folds, "{:?} {number}", class.shape);
            }
        }
    }
}

#[test]
fn all_positions_of_3_pieces_agree_with_their_successors_and_a_sample_with_forward_search() {
    let (_dir, table) = small(3);
    let report = verify(&table, 300, 1, &monitor()).unwrap();
    assert_eq!(report.positions + report.unused, table.indexer().len());
    assert!(report.searched >= 290, "{report:?}");
    assert!(report.results.iter().all(|&n| n > 1000), "{report:?}");
}

/// Makes one stored win longer than it is.
struct WrongSolver;

impl Solver<DarkChessIndexer> for WrongSolver {
    fn solve(
        &self,
        indexer: &DarkChessIndexer,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        let wrong = |first: u64, values: &[u8]| {
            let mut values = values.to_vec();
            if let Some(value) = values.iter_mut().find(|v| **v == Dtm::after(3).code()) {
                *value = Dtm::after(5).code();
            }
            sink(first, &values)
        };
        DarkChessSolver::default().solve(indexer, &wrong, monitor)
    }
}

#[test]
fn a_wrong_value_is_found() {
    let dir = TempDir::new().unwrap();
    let table = build_into(dir.path(), 2, &WrongSolver);
    let error = verify(&table, 0, 1, &monitor()).unwrap_err().to_string();
    assert!(error.contains("one ply over the tablebase"), "{error}");
}

#[test]
fn damaged_files_are_refused_and_never_give_a_wrong_value() {
    let (dir, table) = small(2);
    let game =
        DarkChess::parse_fen("4/1G2/4/4/2n1/4/4/4 r r - - 0", &DarkRules::default()).unwrap();
    assert!(table.probe(&game).is_some());
    drop(table);
    conformance::check_damage(
        &dir.path().join("small.table"),
        DarkChessIndexer::FORMAT.old_magic,
        |path| DarkChessTablebase::open(path)?.preload(),
        |path| Ok(DarkChessTablebase::open(path)?.probe(&game)),
    );
}

#[test]
fn other_numbers_of_pieces_and_boards_are_refused() {
    for (pieces, files, ranks) in [(6, 4, 8), (1, 4, 8), (3, 3, 4)] {
        assert!(DarkChessIndexer::new(pieces, files, ranks).is_err());
    }
}

#[test]
fn mirrored_boards_and_exchanged_colours_have_the_same_value() {
    let (_dir, table) = small(3);
    let value = |fen: &str| {
        let game = DarkChess::parse_fen(fen, &DarkRules::default()).unwrap();
        table.probe(&game)
    };
    let first = value("4/1G2/4/4/2n1/4/4/k3 r r - - 0").unwrap();
    for same in [
        "4/2G1/4/4/1n2/4/4/3k r r - - 0",
        "k3/4/4/2n1/4/4/1G2/4 r r - - 0",
        "3k/4/4/1n2/4/4/2G1/4 r b - - 0",
        "4/1g2/4/4/2N1/4/4/K3 b b - - 0",
    ] {
        assert_eq!(value(same), Some(first), "{same}");
    }
    assert_eq!(value("4/1G2/4/4/2n1/4/4/k2p r r - - 0"), None);
    assert_eq!(value("G3/4/4/k3 r r - - 0"), None);
    assert_eq!(value("4/1G2/4/4/2n1/4/4/?3 r r p - 0"), None);
}

/// Stops after this number of calls of the sink.
struct Interrupted<'s>(DarkChessSolver<'s>, std::sync::atomic::AtomicUsize);

impl Solver<DarkChessIndexer> for Interrupted<'_> {
    fn solve(
        &self,
        indexer: &DarkChessIndexer,
        sink: Sink<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<Statistics, TablebaseError> {
        let limited = |first: u64, values: &[u8]| {
            let order = std::sync::atomic::Ordering::Relaxed;
            match self.1.fetch_update(order, order, |left| left.checked_sub(1)) {
                Ok(_) => sink(first, values),
                Err(_) => Err(TablebaseError::Interrupted),
            }
        };
        self.0.solve(indexer, &limited, monitor)
    }
}

#[test]
fn an_interrupted_build_is_continued_and_gives_the_same_file() {
    let dir = TempDir::new().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| dir.path().join(name));
    let indexer = DarkChessIndexer::new(3, 4, 8).unwrap();
    build(&whole, &indexer, &DarkChessSolver::default(), 2, &monitor()).unwrap();
    let mut interruptions = 0;
    loop {
        let scratch = Scratch::open(&parts, 0).unwrap();
        let solver = DarkChessSolver { scratch: Some(&scratch) };
        let solver = Interrupted(solver, 8.into());
        match resume(&parts, &indexer, (&solver, &scratch), 2, &monitor()) {
            Ok(_) => break,
            Err(error) => assert!(matches!(error, TablebaseError::Interrupted), "{error}"),
        }
        interruptions += 1;
        assert!(interruptions < 100, "it does not get on");
    }
    assert!(interruptions > 1, "{interruptions}");
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "no scratch folder remains");
}

#[test]
fn values_that_are_wrong_under_right_checksums_are_found_by_the_witness() {
    let (dir, table) = small(3);
    witness(&table).unwrap();
    drop(table);
    let path = dir.path().join("small.table");
    let good = std::fs::read(&path).unwrap();
    let forgeries: [fn(u8) -> u8; 4] = [inverted, |code| !code, |_| 0, |_| 255];
    for forgery in forgeries {
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &good).unwrap();
        conformance::forge(&path, |values| values.iter_mut().for_each(|v| *v = forgery(*v)));
        DarkChessTablebase::open(&path).unwrap().preload().unwrap();
        let error = open_checked(&path).map(drop).unwrap_err().to_string();
        assert!(error.contains("small.table gives") && error.contains(" for `"), "{error}");
    }
}
