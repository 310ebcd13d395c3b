//! Round trips: the ends, every block border, random indices, and all of small materials.

use super::material::{Material, MaterialIndex};
use super::*;
use crate::count::paper::{Formula, Paper};
use agon_games::hash::FastSet;
use agon_games::rng;
use agon_games::xiangqi::{START_FEN, Squares, parse_placement, print_placement};
use agon_xiangqi::tablebase::numbering::combinations::nth_square;
use std::sync::LazyLock;

static TABLES: LazyLock<Numbering> = LazyLock::new(Numbering::new);

fn one() -> Number {
    Number::from(1)
}

fn round_trip(number: Number) -> Board {
    let board = TABLES.unrank(number).unwrap();
    assert_eq!(TABLES.rank(&board), Ok(number), "{}", print_placement(&board));
    board
}

fn random_round_trips(count: u64, seed: u64) {
    let mut rng = rng::stream(seed, 0, "numbering");
    for _ in 0..count {
        round_trip(TABLES.random(&mut rng));
    }
}

#[test]
fn the_numbers_are_exactly_as_many_as_the_positions_counted() {
    assert_eq!(TABLES.total(), Paper::count(Formula::Corrected).0);
    assert_eq!(TABLES.total().bit_len(), 133);
}

#[test]
fn the_ends_and_every_block_border_go_there_and_back() {
    let borders: Vec<Number> = TABLES.borders().collect();
    assert_eq!(borders.len(), SIDE_COUNTS * SIDE_COUNTS + 1);
    assert_eq!(borders[0], Number::ZERO);
    for pair in borders.windows(2) {
        assert!(pair[0] < pair[1], "no block is empty");
        round_trip(pair[0]);
        round_trip(pair[1] - one());
    }
    assert_eq!(TABLES.unrank(TABLES.total()), None);
    assert_eq!(TABLES.unrank(Number::MAX), None);
}

#[test]
fn thousands_of_random_numbers_go_there_and_back() {
    random_round_trips(20_000, 1);
}

/// `cargo test --release -p agon-xiangqi-studies millions -- --ignored`
#[test]
#[ignore = "five million round trips"]
fn millions_of_random_numbers_go_there_and_back() {
    random_round_trips(5_000_000, 2);
}

#[test]
fn every_vector_of_free_pieces_goes_there_and_back_in_the_fullest_and_emptiest_block() {
    for classes in [[0, 0], [SIDE_COUNTS - 1, SIDE_COUNTS - 1]] {
        let [red, black] = classes;
        let start = TABLES.blocks[red * SIDE_COUNTS + black].start;
        let empty = TABLES.shape(classes.map(SideCounts::nth)).empty;
        for vector in 0..free::VECTORS {
            let first = start + Number::from(TABLES.free.start(empty, vector));
            round_trip(first);
            if first > start {
                round_trip(first - one());
            }
        }
    }
}

#[test]
fn the_start_position_has_a_number_and_illegal_placements_have_none() {
    let board = parse_placement(START_FEN.split(' ').next().unwrap()).unwrap();
    let number = TABLES.rank(&board).unwrap();
    assert_eq!(TABLES.unrank(number), Some(board));
    let bad = parse_placement("3k5/9/9/9/9/9/9/9/9/A3K4").unwrap();
    assert!(TABLES.rank(&bad).unwrap_err().contains("`A` on a0"));
}

#[test]
fn side_classes_are_numbered_without_gaps() {
    for n in 0..SIDE_COUNTS {
        let class = SideCounts::nth(n);
        assert_eq!(class.number(), n);
        assert!(class.home.pawns + class.crossed <= 5);
    }
}

#[test]
fn small_materials_are_numbered_without_gaps_or_repeats() {
    for (text, size) in
        [("Kk", 81u64), ("KRk", 81 * 88), ("KPk", 81 * 10 + 9 * (9 * 44)), ("KAkb", 0)]
    {
        let index = MaterialIndex::new(&TABLES, Material::parse(text).unwrap());
        let all: u64 = index.size().to();
        if size > 0 {
            assert_eq!(all, size, "{text}");
        }
        let mut seen = FastSet::default();
        for number in 0..all {
            let board = index.unrank(Number::from(number)).unwrap();
            assert_eq!(board.check(), Ok(()));
            assert_eq!(index.rank(&board), Some(Number::from(number)), "{text} {number}");
            assert!(seen.insert(print_placement(&board)), "{text} {number}");
        }
        assert_eq!(index.unrank(index.size()), None);
    }
}

#[test]
fn large_materials_go_there_and_back_and_refuse_strangers() {
    let mut rng = rng::stream(3, 0, "material");
    for text in ["KRNkaabb", "KPPPkaab", "KCPPkrpp", "KRRNNCCPPPPPAABBkrrnnccpppppaabb"] {
        let index = MaterialIndex::new(&TABLES, Material::parse(text).unwrap());
        for _ in 0..2000 {
            let limbs = [rng.next_u64(), rng.next_u64(), rng.next_u64(), 0];
            let number = Number::from_limbs(limbs) % index.size();
            let board = index.unrank(number).unwrap();
            assert_eq!(index.rank(&board), Some(number), "{text}");
        }
    }
    let rook = MaterialIndex::new(&TABLES, Material::parse("Rk").unwrap());
    assert_eq!(rook.rank(&parse_placement("3k5/9/9/9/9/9/9/9/9/N3K4").unwrap()), None);
    assert!(Material::parse("KRRRk").unwrap_err().contains("3 rooks"));
    assert!(Material::parse("Kxk").unwrap_err().contains("`x`"));
}

#[test]
fn the_nth_square_of_a_set_is_found_across_the_words() {
    let mut rng = rng::stream(4, 0, "nth_square");
    for _ in 0..2000 {
        let set = (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) & BOARD;
        for (n, square) in Squares(set).enumerate() {
            assert_eq!(nth_square(set, n as u32), square.bit());
        }
        assert_eq!(nth_square(set, set.count_ones()), 0);
    }
}

/// The mean number of red pawns over uniformly random placements matches its exact value.
#[test]
fn random_placements_have_the_exact_mean_of_pieces() {
    let counts = crate::count::half_boards::by_pieces();
    let thousand = Number::from(1000);
    let weighted = counts
        .iter()
        .enumerate()
        .fold(Number::ZERO, |sum, (n, &w)| sum + w * Number::from(n as u64));
    let exact: u64 = (weighted * thousand / TABLES.total()).to();
    let mut rng = rng::stream(5, 0, "mean");
    let draws = 20_000u64;
    let sum: u64 = (0..draws)
        .map(|_| {
            let board = TABLES.unrank(TABLES.random(&mut rng)).unwrap();
            u64::from(board.occupied().count_ones())
        })
        .sum();
    let mean = sum * 1000 / draws;
    // The standard deviation of one draw is about 2 pieces, of the mean 0.014.
    assert!(mean.abs_diff(exact) < 70, "{mean} against {exact} thousandths");
}

/// The engine's endgame tablebase has these numbers in its tests.
#[test]
fn materials_of_the_endgame_tablebase_have_as_many_placements_as_it_counts() {
    for (text, size) in [
        ("KRka", 31_320u64),
        ("KPABkb", 898_690),
        ("KCCk", 310_068),
        ("KPPk", 115_506),
        ("KRNBkab", 121_737_000),
    ] {
        let index = MaterialIndex::new(&TABLES, Material::parse(text).unwrap());
        assert_eq!(index.size(), Number::from(size), "{text}");
    }
}
