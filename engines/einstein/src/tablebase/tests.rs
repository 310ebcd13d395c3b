//! Small tablebases compared with the rules, the symmetries and published values.

use super::arrangement::{Arrangement, TAKEN, key};
use super::index::{Block, members, reflect, rotate_set};
use super::verify::{every_placement, number_sets};
use super::*;
use agon_games::einstein::{EinStein, MissingDie, rotate, transpose};
use agon_games::game::Player;
use agon_games::hash::{FastMap, mix};
use agon_games::rng;
use agon_tablebase::{Indexer, Monitor, build, conformance};
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

pub(super) fn indexer(stones: usize) -> EinSteinIndexer {
    EinSteinIndexer::new(stones, MissingDie::Next).unwrap()
}

fn build_into(path: &Path, indexer: &EinSteinIndexer, threads: usize) -> EinSteinTablebase {
    build(path, indexer, &EinSteinSolver::default(), threads, &Monitor::hidden()).unwrap();
    EinSteinTablebase::open(path).unwrap()
}

/// A tablebase of 4 stones, built once for all tests.
pub(super) fn four() -> &'static (TempDir, EinSteinTablebase) {
    static FOUR: OnceLock<(TempDir, EinSteinTablebase)> = OnceLock::new();
    FOUR.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let tablebase = build_into(&folder.path().join("four.table"), &indexer(4), 2);
        (folder, tablebase)
    })
}

type Stones = Vec<(u8, u8)>;

fn stones(state: &EinStein, player: Player) -> Stones {
    (0..6)
        .filter(|i| state.alive(player) & 1 << i != 0)
        .map(|i| (i + 1, state.squares(player)[usize::from(i)]))
        .collect()
}

/// The position with every stone of each player (number, square) mapped by `change`.
fn changed(state: &EinStein, change: impl Fn(Player, u8, u8) -> (u8, u8)) -> EinStein {
    let [first, second] = Player::BOTH.map(|player| -> Stones {
        stones(state, player).into_iter().map(|(n, s)| change(player, n, s)).collect()
    });
    EinStein::with_stones(&first, &second, state.player(), state.missing_die()).unwrap()
}

/// The same position with the colours exchanged.
fn turned(state: &EinStein) -> EinStein {
    let [first, second] = Player::BOTH.map(|player| -> Stones {
        stones(state, player).into_iter().map(|(n, s)| (n, rotate(s))).collect()
    });
    let to_move = state.player().opponent();
    EinStein::with_stones(&second, &first, to_move, state.missing_die()).unwrap()
}

fn relabelled(state: &EinStein, whose: Player) -> EinStein {
    changed(state, |p, n, s| (if p == whose { 7 - n } else { n }, s))
}

/// A unique key for all positions that the exact reductions identify: the minimum of all images.
fn class(state: &EinStein) -> u64 {
    let mut least = u64::MAX;
    for image in 0..16u8 {
        let (exchange, mirror) = (image & 1 != 0, image & 2 != 0);
        let relabel = [image & 4 != 0, image & 8 != 0];
        let mut name = u64::from((state.player() == Player::First) == exchange);
        for player in Player::BOTH {
            let from = if exchange { player.opponent() } else { player };
            let mut squares = state.squares(from).map(|square| match square {
                0..25 => {
                    let square = if exchange { rotate(square) } else { square };
                    if mirror { transpose(square) } else { square }
                }
                _ => 31,
            });
            if relabel[player.index()] {
                squares.reverse();
            }
            if state.alive(from).count_ones() == 1 {
                squares.sort_unstable();
            }
            name = squares.iter().fold(name, |name, &square| name << 5 | u64::from(square));
        }
        least = least.min(name);
    }
    mix(least)
}

fn entry(block: &Block, mover: &Arrangement, opponent: &Arrangement) -> EinStein {
    let place = |squares: u32, arrangement: &Arrangement| -> Stones {
        let mut stones: Stones = arrangement.numbers.into_iter().zip(members(squares)).collect();
        stones.sort_unstable();
        stones
    };
    let (first, second) = (place(block.mover, mover), place(block.opponent, opponent));
    EinStein::with_stones(&first, &second, Player::First, MissingDie::Next).unwrap()
}

fn all_blocks(index: &EinSteinIndexer) -> Vec<(Block, usize, usize)> {
    let mut all = Vec::new();
    for stones in 2..=index.stones() {
        for movers in 1..stones {
            let blocks = index.blocks(movers, stones - movers);
            all.extend(blocks.into_iter().map(|b| (b, movers, stones - movers)));
        }
    }
    all
}

#[test]
fn up_to_three_stones_the_index_is_one_to_one_with_the_classes_of_positions() {
    let index = indexer(3);
    let mut entries: FastMap<u64, Vec<usize>> = FastMap::default();
    let mut class_of = vec![None; index.len() as usize];
    for sets in number_sets(2, 3) {
        every_placement::<()>(sets, MissingDie::Next, &mut |state| {
            let (at, class) = (index.index(state).unwrap() as usize, class(state));
            assert_eq!(*class_of[at].get_or_insert(class), class, "{state:?}");
            let entries = entries.entry(class).or_default();
            if !entries.contains(&at) {
                entries.push(at);
            }
            Ok(())
        })
        .unwrap();
    }
    assert!(class_of.iter().all(Option::is_some), "an index without a position");
    let twice = entries.values().filter(|entries| entries.len() == 2).count();
    assert!(entries.values().all(|entries| entries.len() <= 2));
    assert_eq!((index.len(), entries.len(), twice), (92_533, 92_053, 480));
}

#[test]
fn up_to_four_stones_every_index_comes_back_from_its_position() {
    let index = indexer(4);
    let mut next = 0;
    for (block, movers, opponents) in all_blocks(&index) {
        for mover in index.arrangements().list(movers) {
            for opponent in index.arrangements().list(opponents) {
                assert_eq!(index.index(&entry(&block, mover, opponent)), Some(next));
                next += 1;
            }
        }
    }
    assert_eq!((next, index.len()), (9_920_623, 9_920_623));
}

#[test]
fn up_to_five_stones_blocks_follow_each_other_without_gaps() {
    let index = indexer(5);
    let (mut next, mut twice) = (0, 0);
    for (i, (block, movers, opponents)) in all_blocks(&index).into_iter().enumerate() {
        assert_eq!(block.first, next);
        let (rows, columns) =
            (index.arrangements().list(movers), index.arrangements().list(opponents));
        next += rows.len() * columns.len();
        let symmetric =
            block.mover == reflect(block.mover) && block.opponent == reflect(block.opponent);
        if symmetric {
            for (at, (row, column)) in
                rows.iter().flat_map(|r| columns.iter().map(move |c| (r, c))).enumerate()
            {
                let state = entry(&block, row, column);
                let mirror = changed(&state, |_, n, s| (n, transpose(s)));
                twice += usize::from(index.index(&mirror).unwrap() as usize > block.first + at);
            }
        } else {
            let (row, column) = (i * 7 % rows.len(), i * 11 % columns.len());
            let state = entry(&block, &rows[row], &columns[column]);
            let expected = block.first + row * columns.len() + column;
            assert_eq!(index.index(&state), Some(expected as u64));
        }
    }
    assert_eq!((next, index.len() as usize, next - twice), (436_367_983, 436_367_983, 435_794_143));
}

#[test]
fn six_stones_have_indexes_beyond_32_bits() {
    let index = indexer(6);
    assert_eq!(index.len(), 11_224_248_943);
    let mut rng = rng::stream(13, 0, "table six");
    let mut past = 0;
    for i in 0..3_000 {
        let movers = 1 + i % 5;
        let state = random_position(&mut rng, [movers, 6 - movers], MissingDie::Next).unwrap();
        let at = index.index(&state).unwrap();
        assert!((436_367_983..index.len()).contains(&at), "{state:?}");
        past += usize::from(at > u64::from(u32::MAX));
        assert_eq!(index.index(&turned(&state)), Some(at), "{state:?}");
        let [mover, opponent] = [Player::First, Player::Second].map(|player| {
            let player = if state.player() == Player::First { player } else { player.opponent() };
            let squares = stones(&state, player).into_iter().fold(0, |set, (_, s)| set | 1 << s);
            if state.player() == Player::First { squares } else { rotate_set(squares) }
        });
        let first = index.place(mover, opponent).first;
        let len = index.block_len(mover.count_ones() as usize, opponent.count_ones() as usize);
        assert!((first..first + len).contains(&(at as usize)), "{state:?}");
        // Other arrangements on the same squares have the other entries of the block.
        let other = changed(&state, |_, n, s| (n % 6 + 1, s));
        let other = index.index(&other).unwrap() as usize;
        assert!((first..first + len).contains(&other), "{state:?}");
    }
    assert!(past > 1_000);
}

#[test]
fn positions_that_a_symmetry_joins_have_one_value() {
    let index = indexer(5);
    let mut rng = rng::stream(11, 0, "table symmetry");
    for i in 0..20_000 {
        let counts = [[1, 4], [2, 3], [3, 2], [4, 1], [2, 2], [1, 3], [1, 1]][i % 7];
        let state = random_position(&mut rng, counts, MissingDie::Next).unwrap();
        let at = index.index(&state).unwrap();
        for image in
            [relabelled(&state, Player::First), relabelled(&state, Player::Second), turned(&state)]
        {
            assert_eq!(index.index(&image), Some(at), "{state:?} and {image:?}");
        }
        if counts[0] + counts[1] <= 4 {
            let mirror = changed(&state, |_, n, s| (n, transpose(s)));
            assert_eq!(four().1.probe(&mirror), four().1.probe(&state), "{state:?}");
        }
    }
}

#[test]
fn a_slot_map_moves_numbers_with_their_stones() {
    let index = indexer(5);
    let all = index.arrangements();
    assert_eq!([1, 2, 3, 4, 5].map(|n| all.count(n)), [1, 15, 60, 180, 360]);
    let number = |numbers: &[u8]| all.index(key(numbers.iter().copied()));
    // The middle one of 2, 3 and 6 is captured, the others swap: 6 and 2, which is 1 and 5
    // relabelled.
    let after = all.map(&[1, TAKEN, 0])[number(&[2, 3, 6])];
    assert_eq!(usize::from(after), number(&[6, 2]));
    assert_eq!(usize::from(after), number(&[1, 5]));
    assert_ne!(usize::from(after), number(&[2, 6]));
    // A lone stone may have any number.
    assert_eq!(all.map(&[TAKEN, 0])[number(&[2, 3])], 0);
}

#[test]
fn published_values_come_out() {
    let value = |first: &[(u8, u8)], second: &[(u8, u8)]| {
        let state = EinStein::with_stones(first, second, Player::First, MissingDie::Next).unwrap();
        four().1.probe(&state).unwrap().probability()
    };
    let near = |found: f64, expected: f64| (found - expected).abs() < MAX_ERROR + 5e-7;
    assert_eq!(value(&[(3, 0)], &[(3, 24)]), 1.0);
    assert!(near(value(&[(1, 0), (4, 6)], &[(3, 24)]), 0.991512));
    assert!(near(value(&[(1, 2), (6, 10)], &[(1, 22), (6, 14)]), 0.456168));
    assert!(near(value(&[(3, 0), (4, 6)], &[(3, 24), (4, 18)]), 0.501068));
}

#[test]
fn plain_expectimax_finds_the_same_values() {
    let (folder, _) = four();
    let tablebase = EinSteinTablebase::open(&folder.path().join("four.table")).unwrap();
    let report = verify(&tablebase, 24, 5, &Monitor::hidden()).unwrap();
    assert_eq!((report.sampled, report.one_ply), (24, 24_000));
    assert_eq!(report.exhaustive, 4_428_216);
    assert!(report.max_error > 1e-6 && report.max_error <= MAX_ERROR);
}

#[test]
fn the_nearest_reading_has_its_own_table() {
    let folder = tempfile::tempdir().unwrap();
    let indexer = EinSteinIndexer::new(3, MissingDie::Nearest).unwrap();
    let table = build_into(&folder.path().join("nearest.table"), &indexer, 2);
    verify(&table, 0, 1, &Monitor::hidden()).unwrap();
    let mut rng = rng::stream(3, 0, "table rules");
    let state = random_position(&mut rng, [2, 1], MissingDie::Next).unwrap();
    assert_eq!(table.probe(&state), None);
}

#[test]
fn only_positions_before_the_roll_with_few_stones_have_values() {
    let table = &four().1;
    let state =
        |fen: &str| <EinStein as agon_games::Game>::parse_fen(fen, &Default::default()).unwrap();
    assert!(table.probe(&state("A4/1B3/5/3e1/4f u -")).is_some());
    assert_eq!(table.probe(&state("A4/1B3/5/3e1/4f u 3")), None);
    assert_eq!(table.probe(&state("A4/1B3/5/5/5 l -")), None);
    assert_eq!(table.probe(&state("5/5/4f/5/4A l -")), None);
    assert_eq!(table.probe(&state("AC3/1B3/5/3e1/4f u -")), None);
    assert_eq!(table.probe(&state("ABCDE/5/5/5/4f u -")), None);
    assert_eq!(table.probe(&state("5/5/5/5/5 u setup")), None);
}

#[test]
fn damaged_files_are_refused_and_never_give_a_wrong_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.table");
    drop(build_into(&path, &indexer(3), 2));
    let mut rng = rng::stream(4, 0, "table damage");
    let state = random_position(&mut rng, [2, 1], MissingDie::Next).unwrap();
    let open = |path: &Path| EinSteinTablebase::open(path);
    conformance::check_damage(
        &path,
        EinSteinIndexer::FORMAT.old_magic,
        |path| open(path)?.preload(),
        |path| Ok(open(path)?.probe(&state)),
    );
}

#[test]
fn one_thread_and_several_write_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = [1, 2].map(|threads| {
        let path = folder.path().join(format!("{threads}.table"));
        let tablebase = build_into(&path, &indexer(3), threads);
        tablebase.preload().unwrap();
        assert_eq!(tablebase.indexer().stones(), 3);
        std::fs::read(&path).unwrap()
    });
    assert_eq!(bytes[0], bytes[1]);
    // 185,066 bytes of values in 23 blocks.
    assert_eq!(bytes[0].len(), 160 + 23 * 12 + 185_066);
}

#[test]
fn other_numbers_of_stones_are_refused() {
    for stones in [0, 1, 7] {
        let refused = EinSteinIndexer::new(stones, MissingDie::Next).err().unwrap();
        assert!(refused.contains("2 to 6"), "{refused}");
    }
}

#[test]
fn values_that_are_wrong_under_right_checksums_are_found_by_the_witness() {
    let folder = tempfile::tempdir().unwrap();
    for (stones, change) in [(3, 0u16), (4, 0), (4, 1)] {
        let path = folder.path().join("forged.table");
        let good = build_into(&path, &indexer(stones), 2);
        witness(&good).unwrap();
        drop(good);
        // All inverted: won is lost; or every value a little too large.
        conformance::forge(&path, |values| {
            for value in values.chunks_exact_mut(2) {
                let old = u16::from_le_bytes([value[0], value[1]]);
                let new = if change == 0 { !old } else { old.saturating_add(2000) };
                value.copy_from_slice(&new.to_le_bytes());
            }
        });
        let forged = EinSteinTablebase::open(&path).unwrap();
        forged.preload().unwrap();
        let error = witness(&forged).unwrap_err().to_string();
        assert!(error.contains("forged.table gives") && error.contains(" for `"), "{error}");
        let option = TABLE_FILE.def;
        let agon_search::host::SettingType::Opened(_, open) = option.kind else { panic!() };
        assert_eq!(open(&path).map(drop).unwrap_err(), error);
    }
}
