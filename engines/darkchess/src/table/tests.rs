//! Small tables, by everything that proves them.

use super::index::Index;
use super::material::{fit, sides};
use super::*;
use agon_protocol::darkchess::{DarkRules, KINDS};
use agon_protocol::game::Game;
use agon_protocol::hash::FastSet;
use indicatif::ProgressBar;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn monitor() -> Monitor<'static> {
    Monitor { bar: ProgressBar::hidden(), cancel: &GO_ON }
}

fn small(pieces: usize, board: (u8, u8)) -> Table {
    build_in_memory(&BuildOptions { pieces, threads: 2 }, board, &monitor()).unwrap()
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
    // A guard against a knight is a rook against a knight.
    assert_eq!(class("G", "N"), class("R", "N"));
    assert_eq!(class("GM", "N"), class("RR", "N"));
    assert_eq!(class("MG", "RP"), class("GG", "PP"));
    assert_ne!(class("K", "P"), class("G", "P"));
    // Equals take each other.
    assert_ne!(class("G", "G"), class("G", "N"));
    // A cannon jumps.
    assert_ne!(class("C", "P"), class("N", "P"));
    // The side to move is the first.
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
        let index = Index::new(3, board.0, board.1);
        for class in &index.classes {
            let mut seen = FastSet::default();
            for number in 0..class.placing.len() {
                let sets = class.placing.arrange(&index.geometry, number);
                let counts = sets.iter().map(|s| s.count_ones() as u8);
                let expected = class.shape.counts.iter().copied().chain(std::iter::repeat(0));
                assert!(counts.zip(expected).all(|(a, b)| a == b), "{:?} {number}", class.shape);
                assert!(seen.insert(sets));
                let located = class.placing.locate(&index.geometry, &sets);
                assert!(located == number || class.placing.folds, "{:?} {number}", class.shape);
            }
        }
    }
}

#[test]
fn all_positions_of_3_pieces_agree_with_their_successors_and_a_sample_with_forward_search() {
    let table = small(3, (4, 8));
    let report = table.verify(300, 1, &monitor()).unwrap();
    assert_eq!(report.positions + report.unused, table.header().values);
    assert!(report.searched >= 290, "{report:?}");
    assert!(report.results.iter().all(|&n| n > 1000), "{report:?}");
}

#[test]
fn a_wrong_value_is_found() {
    let mut table = small(2, (4, 8));
    let Bytes::Owned(values) = &mut table.bytes else { panic!() };
    let at = values.iter().position(|&v| v == 4).unwrap();
    values[at] = 6;
    let error = table.verify(0, 1, &monitor()).unwrap_err().to_string();
    assert!(error.contains("one ply over the table"), "{error}");
}

#[test]
fn files_are_read_back_and_damage_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.table");
    let options = BuildOptions { pieces: 2, threads: 1 };
    let header = build(&path, &options, &monitor()).unwrap();
    let table = Table::open(&path).unwrap();
    table.check().unwrap();
    assert_eq!(*table.header(), header);
    let memory = small(2, (4, 8));
    assert_eq!(table.values(), memory.values());
    let whole = std::fs::read(&path).unwrap();
    let error = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        match Table::open(&path) {
            Err(error) => error.to_string(),
            Ok(table) => table.check().unwrap_err().to_string(),
        }
    };
    assert!(error(&whole[..whole.len() - 1]).contains("build it again"));
    assert!(error(b"something else").contains("not a dark chess endgame table"));
    assert!(error(&whole[..64]).contains("64 bytes of 128"));
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    assert!(error(&changed(8)).contains("format 0"));
    assert!(error(&changed(24)).contains("header"));
    assert!(error(&changed(1000)).contains("checksum does not fit its values"));
}

#[test]
fn an_interrupted_build_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(true);
    let monitor = Monitor { bar: ProgressBar::hidden(), cancel: &stop };
    let options = BuildOptions { pieces: 3, threads: 1 };
    let error = build(&folder.path().join("x"), &options, &monitor).unwrap_err();
    assert!(matches!(error, TableError::Interrupted));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let zero = BuildOptions { pieces: 6, threads: 1 };
    assert!(build(&folder.path().join("x"), &zero, &monitor).is_err());
}

#[test]
fn mirrored_boards_and_exchanged_colours_have_the_same_value() {
    let table = small(3, (4, 8));
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
