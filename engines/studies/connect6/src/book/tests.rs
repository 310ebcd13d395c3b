//! Tests of books: symmetric lookups, growth, values, files and play.

use super::*;
use agon_connect6::best::Best;
use agon_connect6::book::file::{BookError, Header, from_bytes, open, save, to_bytes};
use agon_connect6::book::{Book, BookEntry, BookSearch, BookTurn, Ranked, Symmetry, key};
use agon_connect6::play::{PositionSearch, unproved};
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules, Point};
use agon_games::game::Game;
use agon_games::record::Record;
use agon_search::clock::Clock;
use agon_search::host::Options;
use agon_search::root::{Root, RootMoves};
use agon_search::score::WIN;
use agon_search::searcher::{Searcher, Wrapped};
use agon_search::transposition::TranspositionTable;
use agon_wire::engine::Control;
use agon_wire::message::Limits;
use std::fs;
use std::sync::Arc;

const SIZE: usize = 9;

fn engine() -> Wrapped<PositionSearch, Best> {
    let best = Best::new(TranspositionTable::new(1).unwrap(), 1);
    Wrapped(PositionSearch::new(&Options::default(), true), best)
}

/// Grows a book to at least this many positions, from the empty one.
fn grow(book: &mut Book, positions: usize, seed: u64, threads: usize) {
    let preference = Preference { ply_cost: 30, seed };
    let limits = Limits::with_nodes(300);
    let searcher = |_| Box::new(engine()) as Box<dyn Searcher<Connect6>>;
    let searchers = (0..threads).map(searcher).collect();
    let settings = MakeSettings { preference, turns: 3, limits };
    let mut maker = BookMaker::new(settings, searchers, Control::new());
    while book.entries().len() < positions {
        assert!(maker.grow(book).unwrap() > 0);
    }
}

fn grown(positions: usize, seed: u64) -> Book {
    let mut book = Book::new(SIZE);
    grow(&mut book, positions, seed, 1);
    book
}

fn header() -> Header {
    Header { search: "seed 1".into(), commit: "1234".into(), command: "book make\n--x".into() }
}

fn start() -> Connect6 {
    Connect6::start(&Connect6Rules { size: SIZE })
}

fn position(moves: &str) -> Connect6 {
    let tokens: Vec<&str> = moves.split_whitespace().collect();
    let rules = Connect6Rules { size: SIZE };
    Record::<Connect6>::from_text(None, &tokens, &rules).unwrap().current().clone()
}

/// The turns from the start position to an entry.
fn path<'b>(book: &'b Book, mut entry: &'b BookEntry) -> Vec<Connect6Move> {
    let mut path = Vec::new();
    while let Some((before, number)) = entry.parent {
        entry = &book.entries()[before];
        path.push(entry.turns[number].turn);
    }
    path.reverse();
    path
}

/// A turn as the search would have found it.
fn found(turn: &str, value: i32) -> BookTurn {
    let points = agon_games::connect6::read_points(turn).unwrap();
    let turn = match points[..] {
        [a] => Connect6Move::one(a),
        _ => Connect6Move::two(points[0], points[1]),
    };
    BookTurn { turn, value, depth: 3 }
}

#[test]
fn symmetric_positions_are_one_entry_with_the_same_turns_and_values() {
    let book = grown(12, 1);
    for entry in book.entries() {
        let known = book.ranked(&entry.game).unwrap();
        for symmetry in Symmetry::all(SIZE) {
            let mut game = start();
            path(&book, entry).iter().for_each(|m| game.play(symmetry.turn(*m)));
            assert_eq!(key(&game), key(&entry.game));
            let ranked = book.ranked(&game).unwrap();
            let outline = |list: &[Ranked]| -> Vec<(i32, usize)> {
                list.iter().map(|r| (r.value, r.positions)).collect()
            };
            assert_eq!(outline(&ranked), outline(&known));
            for (there, here) in ranked.iter().zip(&known) {
                let [mut a, mut b] = [game.clone(), entry.game.clone()];
                assert!(there.line.iter().all(|m| a.is_legal(*m) && (a.play(*m), true).1));
                here.line.iter().for_each(|m| b.play(*m));
                assert_eq!(key(&a), key(&b));
            }
        }
        assert_eq!(entry.turns.len(), {
            let mut keys: Vec<_> = (0..entry.turns.len()).map(|n| entry.after(n)).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.len()
        });
    }
    assert_eq!(book.ranked(&position("a1 b1c1")), None);
    assert_eq!(book.ranked(&Connect6::start(&Connect6Rules::default())), None);
}

#[test]
fn a_key_depends_on_colours_the_side_to_move_and_the_size() {
    let game = position("e5 d5e4");
    assert_eq!(key(&game), key(&position("e5 f5e6")));
    for other in [position("e5 d5e3"), position("e5"), position("d5 e5e4")] {
        assert_ne!(key(&game), key(&other));
    }
    let other = game.fen().replace(" x", " o");
    assert_ne!(key(&game), key(&Connect6::parse_fen(&other, &Connect6Rules::default()).unwrap()));
    assert_ne!(key(&start()), key(&Connect6::start(&Connect6Rules::default())));
}

#[test]
fn a_resumed_book_is_that_of_an_uninterrupted_run_byte_for_byte() {
    for threads in [1, 2] {
        let mut whole = Book::new(SIZE);
        grow(&mut whole, 14, 7, threads);
        let mut part = Book::new(SIZE);
        grow(&mut part, 5, 7, threads);
        let (_, mut rest) = from_bytes(&to_bytes(&header(), &part), SIZE).unwrap();
        grow(&mut rest, 14, 7, threads);
        assert_eq!(to_bytes(&header(), &rest), to_bytes(&header(), &whole));
    }
    // A stopped search adds nothing.
    let mut book = grown(3, 7);
    let (before, control) = (book.clone(), Control::new());
    let preference = Preference { ply_cost: 30, seed: 7 };
    let settings = MakeSettings { preference, turns: 3, limits: Limits::with_nodes(300) };
    control.stop();
    assert!(BookMaker::new(settings, vec![Box::new(engine())], control).grow(&mut book).is_err());
    assert_eq!(book, before);
}

#[test]
fn values_are_backed_up_and_the_least_errors_are_expanded_first() {
    let mut book = Book::new(SIZE);
    book.add(None, vec![found("e5", 20), found("d4", 10)], 0).unwrap();
    book.add(Some((0, 0)), vec![found("d5e4", 5), found("a1a2", -90)], 0).unwrap();
    book.back_up();
    // White's best turn makes e5 worth less than d4.
    assert_eq!((book.entries()[0].value, book.entries()[1].value), (10, 5));
    let order = |book: &Book, ply_cost| -> Vec<(usize, usize)> {
        leaves(book, Preference { ply_cost, seed: 1 }).iter().map(|leaf| leaf.parent).collect()
    };
    assert_eq!(order(&book, 30), [(0, 1), (1, 0), (1, 1)]);
    assert_eq!(leaves(&book, Preference { ply_cost: 1, seed: 1 })[1].cost, 15 + 1 + 1);
    // A won turn decides the position: nothing after it is expanded.
    book.add(Some((0, 1)), vec![found("e5e4", WIN - 3)], 0).unwrap();
    book.back_up();
    assert_eq!(book.entries()[0].value, -5);
    assert_eq!(book.turn_value(&book.entries()[0], 1), 4 - WIN);
    assert_eq!(order(&book, 30), [(1, 0), (1, 1)]);
}

#[test]
fn a_loss_is_proved_by_the_search_only() {
    let mut book = Book::new(SIZE);
    book.add(None, vec![found("e5", 20)], 0).unwrap();
    book.add(Some((0, 0)), vec![found("d5e4", WIN - 5)], 0).unwrap();
    book.back_up();
    // Other first turns were not searched.
    assert_eq!(book.entries()[0].value, unproved(6 - WIN));
    let mut book = Book::new(SIZE);
    book.add(None, vec![found("e5", 20)], 0).unwrap();
    book.add(Some((0, 0)), vec![found("d5e4", 4 - WIN)], 0).unwrap();
    book.back_up();
    assert_eq!(book.entries()[0].value, WIN - 5);
}

#[test]
fn a_book_comes_back_from_its_file() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("nine.book");
    let book = grown(8, 1);
    save(&path, &header(), &book).unwrap();
    let (read, same) = open(&path, SIZE).unwrap();
    assert_eq!(same, book);
    assert_eq!(read, Header { command: "book make --x".into(), ..header() });
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = open(&path, 19).unwrap_err();
    assert!(error.ends_with("nine.book: board is 9; this program expects 19"), "{error}");
    assert!(open(&folder.path().join("none"), SIZE).unwrap_err().contains("none: "));
}

#[test]
fn damaged_files_and_other_versions_are_refused_by_name() {
    let bytes = to_bytes(&header(), &grown(4, 1));
    for end in 0..bytes.len() {
        assert!(from_bytes(&bytes[..end], SIZE).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 16;
        assert!(from_bytes(&bytes, SIZE).is_err(), "changed at {at}");
    }
    assert_eq!(from_bytes(&[&bytes[..], b"0"].concat(), SIZE), Err(BookError::Damaged));
    assert_eq!(from_bytes(b"PNG\n\n", SIZE), Err(BookError::Magic));
    let at = bytes.iter().position(|b| *b == b'\n').unwrap();
    let other = [b"agon-connect6-book 2", &bytes[at..]].concat();
    let error = from_bytes(&other, SIZE).unwrap_err().to_string();
    assert_eq!(error, "version is 2; this program expects 1");
}

/// A file with these positions after the start position, whose checksum is right.
fn forged(value: i32, turns: &[BookTurn], next: Option<(usize, usize)>) -> String {
    let mut book = Book::new(SIZE);
    book.add(None, turns.to_vec(), value).unwrap();
    let mut bytes = to_bytes(&header(), &book);
    if let Some((before, number)) = next {
        let at = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
        let mut body = bytes[at + 2..].to_vec();
        body.extend((before as u32).to_le_bytes());
        body.push(number as u8);
        body.extend([0, 0, 0, 0, 1, 1, 0, 2, 0, 0, 0, 0, 0, 1]);
        let text = String::from_utf8(bytes[..at].to_vec()).unwrap();
        let text = &text[..text.find("crc32").unwrap()];
        let sum = crc32fast::hash(&[text.as_bytes(), &body].concat());
        bytes = [format!("{text}crc32 {sum:08x}\n\n").as_bytes(), &body].concat();
    }
    from_bytes(&bytes, SIZE).unwrap_err().to_string()
}

#[test]
fn files_that_hold_no_book_are_refused_by_position() {
    let turns = [found("e5", 20), found("d4", 10)];
    let error = forged(7, &turns, None);
    assert_eq!(error, "position 0 of the file: its value is 7, but its turns give 20");
    let error = forged(20, &turns, Some((4, 0)));
    assert_eq!(error, "position 1 of the file: no earlier position leads to it");
    let error = forged(20, &turns, Some((0, 9)));
    assert_eq!(error, "position 1 of the file: no earlier position leads to it");
    // It is legal, but the header counts one position.
    let error = forged(20, &turns, Some((0, 1)));
    assert_eq!(error, "positions is 1; this program expects 2");
    let mut book = Book::new(SIZE);
    assert!(book.add(None, vec![found("e5f6", 0)], 0).unwrap_err().contains("e5f6 is illegal"));
    assert!(book.add(None, vec![found("e5", i32::MIN)], 0).unwrap_err().contains("out of range"));
    assert!(book.add(None, vec![found("e5", 0)], i32::MIN).unwrap_err().contains("out of range"));
    assert!(book.add(None, Vec::new(), 0).is_err());
    book.add(None, turns.to_vec(), 20).unwrap();
    let twice = book.add(None, turns.to_vec(), 20).unwrap_err();
    assert!(twice.contains("symmetric") && book.find(&start()).is_some(), "{twice}");
}

#[test]
fn the_book_is_played_where_it_may_be_and_searched_elsewhere() {
    let mut book = Book::new(SIZE);
    book.add(None, vec![found("d6", 20), found("e5", 10)], 0).unwrap();
    book.add(Some((0, 0)), vec![found("c5b4", -WIN + 8)], 0).unwrap();
    book.back_up();
    // The start position has a win after d6: the book says so, but nothing has verified it now.
    let mut search = Wrapped(BookSearch::new(Arc::new(book)), engine());
    let mut play = |game: &Connect6, moves: RootMoves<Connect6Move>, limits: &Limits| {
        let (record, mut values) = (Record::new(game.clone()), Vec::new());
        let clock = Clock::unmanaged(limits);
        let result =
            search.run(&Root::with_moves(&record, moves), &clock, &mut |r| values.push(r.value));
        (result.best(), result.nodes, values)
    };
    let limits = Limits::with_nodes(200);
    let d6 = Connect6Move::one(Point::new(3, 5).unwrap());
    let (turn, nodes, values) = play(&start(), RootMoves::All, &limits);
    assert_eq!((turn, nodes, values), (d6, 0, vec![unproved(WIN - 9)]));
    let only = RootMoves::Only(vec![Connect6Move::one(Point::new(4, 4).unwrap())]);
    assert_ne!(play(&start(), only, &limits).0, d6);
    assert_ne!(play(&start(), RootMoves::Except(vec![d6]), &limits).0, d6);
    // A lost position of the book, and one outside it.
    for game in [position("d6"), position("a1")] {
        assert!(play(&game, RootMoves::All, &limits).1 > 0);
    }
    // An analysis.
    let endless = Limits { infinite: true, depth: Some(1), ..Limits::default() };
    assert!(play(&start(), RootMoves::All, &endless).1 > 0);
    assert!(!search.set_lines(2));
    let record = Record::new(start());
    let clock = Clock::unmanaged(&limits);
    assert!(search.run(&Root::new(&record), &clock, &mut |_| {}).nodes > 0);
}
