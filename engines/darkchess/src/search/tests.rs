//! The search compared with exact values that were computed without it, on a 2 by 4 board.

use super::score::PLY_COST;
use super::{DarkChessSearch, SearchMode};
use crate::evaluation::{self, UNIT};
use crate::small_board::SmallBoardSolver;
use crate::tablebase::{DarkChessIndexer, DarkChessSolver, DarkChessTablebase};
use agon_games::darkchess::{
    BoardSize, Colour, DarkChess, DarkMove, DarkRules, Kind, Piece, Squares,
};
use agon_games::game::{Game, Turn, chance_outcomes, legal_moves};
use agon_games::{Record, rng};
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::TranspositionTable;
use agon_wire::message::Limits;
use std::sync::Arc;

/// No limits: endless play is a draw.
pub(super) fn endless() -> DarkRules {
    DarkRules { draw_plies: 0, occurrences: 0, ..DarkRules::default() }
}

pub(super) fn parse(fen: &str) -> DarkChess {
    DarkChess::parse_fen(fen, &endless()).unwrap()
}

pub(super) fn small_solver() -> SmallBoardSolver {
    SmallBoardSolver::new(&parse("??/??/??/?? - - KGCPkgcp - 0")).unwrap()
}

pub(super) fn small_table(pieces: usize) -> Arc<DarkChessTablebase> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("small.table");
    let indexer = DarkChessIndexer::new(pieces, 2, 4).unwrap();
    let monitor = agon_tablebase::Monitor::hidden();
    agon_tablebase::build(&path, &indexer, &DarkChessSolver::default(), 2, &monitor).unwrap();
    // The mapping stays valid after the file is removed.
    Arc::new(DarkChessTablebase::open(&path).unwrap())
}

pub(super) fn best(
    mode: SearchMode,
    tablebase: Option<Arc<DarkChessTablebase>>,
) -> DarkChessSearch {
    let tt = TranspositionTable::new(8).unwrap();
    let network = evaluation::built_in();
    DarkChessSearch { tt, tablebase, network, threads: 1, seed: 1, mode }
}

pub(super) fn searched(
    best: &mut DarkChessSearch,
    game: &DarkChess,
    depth: u32,
) -> SearchResult<DarkMove> {
    let clock = Clock::unmanaged(&Limits { depth: Some(depth), ..Limits::default() });
    best.new_game();
    best.run(&Root::new(&Record::new(*game)), &clock, &mut |_| {})
}

/// Random positions of `pieces` pieces on the small board.
pub(super) fn random_positions(count: usize, pieces: usize) -> Vec<DarkChess> {
    let board = parse("??/??/??/?? - - KGMRkgmr - 0").board();
    let mut stream = rng::stream(2, pieces as u64, "small positions");
    let mut found = Vec::new();
    while found.len() < count {
        let mut squares: Vec<u8> = Squares(board).collect();
        rng::shuffle(&mut stream, &mut squares);
        let draw = |stream: &mut rng::Stream| rng::below(stream, 7) as usize;
        let placed: Vec<(u8, Piece)> = (0..pieces)
            .map(|i| (squares[i], Piece::new(Colour::BOTH[i % 2], Kind::ALL[draw(&mut stream)])))
            .collect();
        let to_move = Colour::BOTH[rng::below(&mut stream, 2) as usize];
        let game = DarkChess::revealed_on(board, placed, to_move, &endless());
        // Each side has a king, and the game is not over.
        let again = DarkChess::parse_fen(&game.fen(), &endless());
        if again.is_ok() && game.turn().player().is_some() {
            found.push(game);
        }
    }
    found
}

/// The value of a forced result may differ from certainty by the plies that it takes.
fn near(a: i32, b: i32) -> bool {
    a.abs_diff(b) <= 64 * PLY_COST as u32
}

#[test]
fn table_and_exact_values_agree_on_the_small_board() {
    let table = small_table(4);
    let mut solver = small_solver();
    let (mut compared, mut decided) = (0, 0);
    for pieces in 2..=4 {
        for game in random_positions(150, pieces) {
            let value = table.probe(&game).unwrap();
            let expected = match value.plies() {
                None => 0,
                Some(_) if value.is_win() => UNIT,
                Some(_) => -UNIT,
            };
            assert_eq!(solver.value(&game), expected, "{value} {}", game.fen());
            compared += 1;
            decided += i32::from(expected != 0);
        }
    }
    assert!(compared == 450 && decided > 100, "{compared} {decided}");
}

/// 2 by 4 games with all or nearly all pieces face down; the exact value for the first player; the
/// depth at which the search has visited the whole game.
const SOLVED: [(&str, i32, u32); 4] = [
    ("??/2/2/?? - - KPkp - 0", -416_667, 12),
    ("?1/1?/?1/1? - - GCnp - 0", 41_667, 20),
    ("K?/2/2/?k r r Pp - 0", -500_000, 12),
    ("??/?1/?1/?1 - - KCPkp - 0", 308_334, 12),
];

#[test]
fn search_and_exact_values_agree_on_2x4_dark_chess() {
    let mut deep = best(SearchMode::Proof, Some(small_table(4)));
    let mut solver = small_solver();
    for (fen, value, depth) in SOLVED {
        let game = parse(fen);
        assert_eq!(solver.value(&game), value, "{fen}");
        let line = searched(&mut deep, &game, depth);
        assert!(near(line.value, value), "{fen}: {line:?}");
    }
}

/// The complete game from its start, all pieces face down. Takes minutes.
#[test]
#[ignore = "solves 5.8 million positions; .ci/long does"]
fn the_whole_2x4_game_is_solved_and_search_and_table_agree() {
    let table = small_table(4);
    let rules = DarkRules { board: BoardSize::Quarter, ..endless() };
    let start = DarkChess::start(&rules);
    let mut solver = SmallBoardSolver::new(&start).unwrap();
    assert_eq!((solver.value(&start), solver.len()), (1588, 5_807_358));
    let mut deep = best(SearchMode::Proof, Some(table.clone()));
    let (mut probed, mut searches) = (0, 0);
    for index in 0..2000 {
        let mut stream = rng::stream(index, 0, "the whole small game");
        let mut game = start;
        loop {
            let list: Vec<DarkMove> = match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => chance_outcomes(&game).iter().map(|o| o.0).collect(),
                Turn::Player(_) => {
                    let value = solver.value(&game);
                    if let Some(entry) = table.probe(&game) {
                        let sign = if entry.is_win() { UNIT } else { -UNIT };
                        let expected = entry.plies().map_or(0, |_| sign);
                        assert_eq!(value, expected, "{}", game.fen());
                        probed += 1;
                        break;
                    }
                    // The search skips positions with a single legal move.
                    let choice = legal_moves(&game).len() > 1;
                    let living = Colour::BOTH.map(|c| game.piece_count(c)).iter().sum::<u8>();
                    if searches < 150 && choice && living <= 5 {
                        // Some endgames are longer than 12 plies.
                        let lines = [12, 20, 30].map(|depth| (depth, &game)).into_iter();
                        let mut lines = lines.map(|(depth, game)| searched(&mut deep, game, depth));
                        let line = lines.find(|line| near(line.value, value));
                        assert!(line.is_some(), "{} {value}", game.fen());
                        searches += 1;
                    }
                    legal_moves(&game)
                }
            };
            game.play(list[rng::below(&mut stream, list.len() as u64) as usize]);
        }
    }
    assert!(probed > 500 && searches == 150, "{probed} {searches}");
}

#[test]
fn searching_on_with_the_table_finds_the_exact_value_of_positions_with_pieces_face_down() {
    let table = small_table(4);
    let mut solver = small_solver();
    let mut deep = best(SearchMode::Proof, Some(table.clone()));
    let mut hidden = 0;
    for index in 0..12 {
        let mut stream = rng::stream(index, 0, "small games");
        let mut record = Record::new(parse("??/2/2/?? - - KPgc - 0"));
        for _ in 0..12 {
            let list: Vec<DarkMove> = match record.turn() {
                Turn::Over(_) => break,
                Turn::Chance => chance_outcomes(record.current()).iter().map(|o| o.0).collect(),
                Turn::Player(_) => {
                    let game = record.current();
                    if game.hidden().count_ones() <= 2 {
                        let value = solver.value(game);
                        let line = searched(&mut deep, game, 12);
                        assert!(near(line.value, value), "{} {value} {line:?}", game.fen());
                        let mut next = *game;
                        next.play(line.best());
                        let after = match next.turn() {
                            Turn::Player(_) => -solver.value(&next),
                            Turn::Over(o) => o.sign_for(game.mover()) * UNIT,
                            // The value of a flip is the value of its node.
                            Turn::Chance => value,
                        };
                        assert!(near(after, value), "{} {line:?}", game.fen());
                        hidden += u32::from(game.hidden() != 0);
                    }
                    legal_moves(game)
                }
            };
            record.push(list[rng::below(&mut stream, list.len() as u64) as usize]);
        }
    }
    assert!(hidden > 10, "{hidden}");
}

#[test]
fn best_wins_what_the_table_says_is_won() {
    let table = small_table(3);
    let mut player = best(SearchMode::Play, Some(table.clone()));
    let mut won = 0;
    for start in random_positions(60, 3) {
        let value = table.probe(&start).unwrap();
        let Some(mut left) = value.plies().filter(|_| value.is_win()) else { continue };
        let mut record = Record::new(start);
        let winner = start.mover();
        // The search plays the winner; the loser follows the tablebase's longest defence.
        while record.turn() == Turn::Player(winner) {
            record.push(searched_in(&mut player, &record).best());
            left -= 1;
            if let Turn::Player(_) = record.turn() {
                assert_eq!(table.probe(record.current()).unwrap().plies(), Some(left));
                record.push(delay(&table, record.current()));
                left -= 1;
            }
        }
        assert_eq!(record.turn().outcome().map(|o| o.sign_for(winner)), Some(1));
        won += 1;
    }
    assert!(won > 10, "{won}");
}

fn searched_in(best: &mut DarkChessSearch, record: &Record<DarkChess>) -> SearchResult<DarkMove> {
    let clock = Clock::unmanaged(&Limits { depth: Some(4), ..Limits::default() });
    best.run(&Root::new(record), &clock, &mut |_| {})
}

/// The move that delays the loss longest.
fn delay(table: &DarkChessTablebase, game: &DarkChess) -> DarkMove {
    let distance = |m: &DarkMove| {
        let mut next = *game;
        next.play(*m);
        table.probe(&next).and_then(|v| v.plies()).unwrap_or(0)
    };
    legal_moves(game).into_iter().max_by_key(distance).unwrap()
}

#[test]
fn a_piece_that_hangs_is_taken_and_a_repetition_avoided() {
    let mut player = best(SearchMode::Play, None);
    let game = parse("4/4/1gK1/4/4/4/1p2/k3 b r - - 0");
    let line = searched(&mut player, &game, 4);
    assert_ne!(game.move_token(line.best()), "a1a2");
    let hanging = parse("4/4/1kG1/4/2?1/4/1p2/K3 b r R - 0");
    assert_eq!(hanging.move_token(searched(&mut player, &hanging, 4).best()), "b6c6");
}
