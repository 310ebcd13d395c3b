//! Every search agrees in value with plain negamax on small random games.

use crate::games::{Domineering, Noise, Room, TreeGame};
use agon_games::option::NoRules;
use agon_games::{Game, Record, Turn, conformance};
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::{Greedy, Random, negamax};
use agon_search::clock::Clock;
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves};
use agon_search::ordering::{History, LIMIT};
use agon_search::pvs::Pvs;
use agon_search::result::SearchResult;
use agon_search::root::{Root, RootMoves};
use agon_search::score;
use agon_search::searcher::{Searcher, side_to_move};
use agon_search::selective::{SelectiveSearch, SelectiveSettings};
use agon_search::transposition::TranspositionTable;
use agon_wire::message::Limits;

fn search<G: Game>(searcher: &mut impl Searcher<G>, game: &G, depth: u32) -> SearchResult<G::Move> {
    let clock = Clock::unmanaged(&Limits::with_depth(depth));
    searcher.run(&Root::new(&Record::new(game.clone())), &clock, &mut |_| {})
}

/// Random positions of games that are not over, some plies from the start.
fn positions() -> (Vec<TreeGame>, Vec<Domineering>) {
    let trees = (0..150).map(|seed| TreeGame::new(seed, 9));
    let boards = (0..40).map(|i| Domineering {
        taken: ((i * 0x9e37) & 0x1_0101) | ((i % 4) << 7),
        rows: 4 + (i % 2) as u8,
        second: i % 3 == 0,
    });
    (
        trees.filter(|t| t.turn().player().is_some()).collect(),
        boards.filter(|b| b.turn().player().is_some()).collect(),
    )
}

/// Checks a searcher against negamax at each depth: the value, and that the first move of its line
/// has that value.
fn agrees<G: Game<Move = u8>, S: Searcher<G>>(game: &G, deepest: u32, mut make: impl FnMut() -> S)
where
    Noise: MoveEncoding<G>,
{
    for depth in 1..=deepest {
        let (expected, _) = negamax(game, depth, &mut Noise(5));
        let line = search(&mut make(), game, depth);
        assert_eq!(line.value, expected, "depth {depth} of {}", game.fen());
        if line.depth < depth {
            // The search reports that deeper iterations find nothing new.
            let (deeper, _) = negamax(game, line.depth, &mut Noise(5));
            assert_eq!(deeper, expected, "depth {} of {}", line.depth, game.fen());
        }
        assert!(game.is_legal(line.best()));
        let mut after = game.clone();
        after.play(line.best());
        let worth = match after.turn() {
            Turn::Over(outcome) => score::of_outcome(outcome, side_to_move(game), 1),
            turn => {
                let (value, _) = negamax(&after, depth - 1, &mut Noise(5));
                let value = score::value_from_tt(value, 1);
                if turn == game.turn() { value } else { -value }
            }
        };
        assert_eq!(worth, expected, "move {} at depth {depth} of {}", line.best(), game.fen());
    }
}

#[test]
fn the_test_games_keep_the_contracts_of_the_game_trait() {
    conformance::check(&TreeGame::new(3, 9), 20, 12, &NoRules).unwrap();
    conformance::check(&Domineering::new(4), 5, 30, &NoRules).unwrap();
}

#[test]
fn alpha_beta_agrees_with_negamax() {
    let (trees, boards) = positions();
    for deepening in [false, true] {
        let make = || AlphaBeta { evaluator: Noise(5), max_depth: 11, deepening };
        trees.iter().for_each(|game| agrees(game, 8, make));
        boards.iter().for_each(|game| agrees(game, 4, make));
    }
}

#[test]
fn pvs_agrees_with_negamax() {
    let (trees, boards) = positions();
    let make = || Pvs::new(Noise(5), TranspositionTable::new(1).unwrap());
    trees.iter().for_each(|game| {
        agrees(game, 8, || Pvs::<TreeGame, _>::new(Noise(5), TranspositionTable::new(1).unwrap()))
    });
    boards.iter().for_each(|game| agrees(game, 4, make));
}

#[test]
fn best_without_selectivity_agrees_with_negamax_at_every_number_of_threads() {
    let (trees, boards) = positions();
    for threads in [1, 2, 4] {
        for aspiration in [0, 2, 60] {
            let settings = SelectiveSettings { threads, selectivity: None, aspiration };
            let table = || TranspositionTable::new(1).unwrap();
            let few = trees.iter().skip(threads).step_by(3);
            few.for_each(|game| {
                agrees(game, 7, || {
                    SelectiveSearch::<TreeGame, _>::new(Noise(5), table(), settings.clone())
                });
            });
            let few = boards.iter().skip(threads).step_by(3);
            few.for_each(|game| {
                agrees(game, 4, || {
                    SelectiveSearch::<Domineering, _>::new(Noise(5), table(), settings.clone())
                });
            });
        }
    }
}

fn parallel(threads: usize) -> SelectiveSearch<Domineering, Noise> {
    let settings = SelectiveSettings { threads, ..SelectiveSettings::default() };
    SelectiveSearch::new(Noise(5), TranspositionTable::new(1).unwrap(), settings)
}

/// The position after a line, each move of which must be legal.
fn end_of(game: &Domineering, line: &[u8]) -> Domineering {
    let mut end = game.clone();
    for &m in line {
        assert!(end.is_legal(m), "{m} of {line:?}");
        end.play(m);
    }
    end
}

#[test]
fn the_line_of_several_threads_ends_in_a_position_of_its_value() {
    let game = Domineering::new(5);
    for (threads, depth) in [(1, 4), (2, 3), (2, 4), (3, 5), (4, 4), (4, 5)] {
        for _ in 0..10 {
            let line = search(&mut parallel(threads), &game, depth);
            let end = end_of(&game, &line.moves);
            assert_eq!(line.moves.len(), depth as usize);
            let value = Noise(5).evaluate(&end);
            let value = if end.turn() == game.turn() { value } else { -value };
            assert_eq!(value, line.value, "{threads} threads, depth {depth}");
        }
    }
}

#[test]
fn a_history_that_threads_share_stays_within_its_limit() {
    let history = History::<Domineering, Noise>::default();
    let player = Domineering::new(4).turn().player().unwrap();
    std::thread::scope(|scope| {
        for amount in [LIMIT / 2, LIMIT - 1, -LIMIT / 3, 500] {
            let history = &history;
            scope.spawn(move || {
                (0..50_000).for_each(|i| history.update(player, i as u8 % 4, amount))
            });
        }
    });
    for m in 0..4 {
        // A move's score is the sum of two counters.
        assert!(history.score(player, m).abs() <= 2 * LIMIT, "{}", history.score(player, m));
    }
}

#[test]
fn several_threads_that_are_stopped_anywhere_have_a_legal_line() {
    let game = Domineering::new(6);
    let record = Record::new(game.clone());
    for nodes in (0..40).map(|i| i * i * 10) {
        let clock = Clock::unmanaged(&Limits::with_nodes(nodes));
        let line = parallel(4).run(&Root::new(&record), &clock, &mut |_| {});
        end_of(&game, &line.moves);
    }
}

#[test]
fn best_on_one_thread_repeats_itself_exactly() {
    let game = Domineering::new(6);
    for limits in [Limits::with_depth(6), Limits::with_nodes(30_000)] {
        let run = || {
            let mut searcher = SelectiveSearch::new(
                Noise(5),
                TranspositionTable::new(1).unwrap(),
                SelectiveSettings::default(),
            );
            let record = Record::new(game.clone());
            let first = searcher.run(&Root::new(&record), &Clock::unmanaged(&limits), &mut |_| {});
            searcher.new_game();
            let again = searcher.run(&Root::new(&record), &Clock::unmanaged(&limits), &mut |_| {});
            assert_eq!(first, again);
            first
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn pvs_agrees_with_negamax_when_its_table_is_full_of_other_positions() {
    let (_, boards) = positions();
    let mut searcher = Pvs::new(Noise(5), TranspositionTable::new(0).unwrap());
    for game in boards {
        for depth in [4, 2, 3] {
            let (expected, _) = negamax(&game, depth, &mut Noise(5));
            assert_eq!(search(&mut searcher, &game, depth).value, expected);
        }
    }
}

#[test]
fn pruning_visits_fewer_nodes_and_ordering_fewer_still() {
    let game = Domineering::new(5);
    let (_, all) = negamax(&game, 4, &mut Room);
    let mut plain = AlphaBeta { evaluator: Room, max_depth: 4, deepening: false };
    let pruned = search(&mut plain, &game, 4).nodes;
    assert!(pruned * 4 < all, "{pruned} of {all}");
    let noisy = negamax(&game, 4, &mut Noise(5)).1;
    let mut plain = AlphaBeta { evaluator: Noise(5), max_depth: 4, deepening: false };
    let alphabeta = search(&mut plain, &game, 4).nodes;
    let pvs = search(&mut Pvs::new(Noise(5), TranspositionTable::new(1).unwrap()), &game, 4).nodes;
    assert!(alphabeta < noisy && pvs < alphabeta, "{pvs} {alphabeta} {noisy}");
}

/// Searches with every algorithm while banning the best moves one after another, and checks that
/// the value is the best of the remaining moves.
fn honours_root_moves<G: Game<Move = u8>>(game: &G, depth: u32)
where
    Noise: StagedMoves<G>,
{
    let mover = side_to_move(game);
    let worth = |m: u8| {
        let mut after = game.clone();
        after.play(m);
        match after.turn() {
            Turn::Over(outcome) => score::of_outcome(outcome, mover, 1),
            turn => {
                let value = score::value_from_tt(negamax(&after, depth - 1, &mut Noise(5)).0, 1);
                if turn == game.turn() { value } else { -value }
            }
        }
    };
    let mut moves: Vec<(i32, u8)> =
        agon_games::game::legal_moves(game).into_iter().map(|m| (worth(m), m)).collect();
    moves.sort_by_key(|&(value, _)| -value);
    let table = || TranspositionTable::new(1).unwrap();
    let everything = SelectiveSettings { selectivity: None, ..SelectiveSettings::default() };
    let mut searchers: Vec<(bool, Box<dyn Searcher<G>>)> = vec![
        (true, Box::new(AlphaBeta { evaluator: Noise(5), max_depth: 11, deepening: true })),
        (true, Box::new(Pvs::new(Noise(5), table()))),
        (true, Box::new(SelectiveSearch::new(Noise(5), table(), everything))),
        (false, Box::new(SelectiveSearch::new(Noise(5), table(), SelectiveSettings::default()))),
        (depth == 1, Box::new(Greedy { evaluator: Noise(5), seed: 1 })),
        (false, Box::new(Random { seed: 1 })),
    ];
    let record = Record::new(game.clone());
    for count in 1..moves.len() {
        let (forbidden, left) = moves.split_at(count);
        let excluded: Vec<u8> = forbidden.iter().map(|m| m.1).collect();
        let only = left.iter().map(|m| m.1).collect();
        for allowed in [RootMoves::Except(excluded.clone()), RootMoves::Only(only)] {
            let root = Root::with_moves(&record, allowed);
            for (is_exact, searcher) in &mut searchers {
                let clock = Clock::unmanaged(&Limits::with_depth(depth));
                let mut check = |line: &SearchResult<u8>| assert!(!excluded.contains(&line.best()));
                let line = searcher.run(&root, &clock, &mut check);
                check(&line);
                assert!(!*is_exact || line.value == left[0].0, "depth {depth} of {}", game.fen());
            }
        }
    }
}

#[test]
fn every_search_honours_the_moves_that_are_allowed_at_the_root() {
    let (trees, boards) = positions();
    for depth in [1, 3] {
        trees.iter().step_by(5).for_each(|game| honours_root_moves(game, depth));
        boards.iter().step_by(5).for_each(|game| honours_root_moves(game, depth));
    }
}

#[test]
fn a_finished_game_tree_is_solved_to_its_end() {
    // The deeper negamax search uses another evaluation, which must not affect the value.
    let game = Domineering::new(2);
    let mut searcher = Pvs::new(Noise(1), TranspositionTable::new(1).unwrap());
    let solved = search(&mut searcher, &game, 12);
    let (value, _) = negamax(&game, 12, &mut Noise(9));
    assert_eq!(solved.value, value);
    assert!(score::is_decisive(value));
}

#[test]
fn a_search_that_is_stopped_at_once_still_returns_a_legal_move() {
    let game = Domineering::new(5);
    for nodes in [0, 1, 2, 3, 10, 200] {
        let clock = || Clock::unmanaged(&Limits::with_nodes(nodes));
        let record = Record::new(game.clone());
        let mut searchers: Vec<Box<dyn Searcher<Domineering>>> = vec![
            Box::new(AlphaBeta { evaluator: Noise(5), max_depth: 11, deepening: true }),
            Box::new(AlphaBeta { evaluator: Noise(5), max_depth: 11, deepening: false }),
            Box::new(Pvs::new(Noise(5), TranspositionTable::new(1).unwrap())),
            Box::new(SelectiveSearch::new(
                Noise(5),
                TranspositionTable::new(1).unwrap(),
                SelectiveSettings::default(),
            )),
            Box::new(Greedy { evaluator: Noise(5), seed: 1 }),
            Box::new(Random { seed: 1 }),
        ];
        for searcher in &mut searchers {
            let line = searcher.run(&Root::new(&record), &clock(), &mut |_| {});
            assert!(game.is_legal(line.best()));
            assert!(line.nodes <= nodes.max(1));
        }
    }
}
