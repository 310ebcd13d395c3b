//! The searches on Amazons itself: agreement with plain negamax on small boards, and the engine's
//! guarantees to a manager.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use agon_amazons::engine::AmazonsEngine;
use agon_amazons::eval::paper_weights;
use agon_amazons::evaluator::AmazonsEvaluator;
use agon_games::amazons::Amazons;
use agon_games::option::{NoRules, OptionValue};
use agon_games::{Game, Record};
use agon_search::alphabeta::AlphaBeta;
use agon_search::baseline::negamax;
use agon_search::clock::Clock;
use agon_search::evaluator::{MoveEncoding, StagedMoves};
use agon_search::host::conformance::check_root_moves;
use agon_search::pvs::Pvs;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::selective::{SelectiveSearch, SelectiveSettings};
use agon_search::transposition::TranspositionTable;
use agon_wire::engine::{Control, Engine};
use agon_wire::message::{Info, Limits, Score};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const SMALL: [&str; 5] = [
    "q3/4/4/3Q w",
    "1q1q/*3/3*/Q1Q1 b",
    "2q2/1*3/q3Q/3*1/2Q2 w",
    "q1*2/*1Q2/1*q1*/2*1*/Q1*2 b",
    "**1q*/1***1/q*1*Q/1**1*/Q**1* w",
];

fn evaluator() -> AmazonsEvaluator {
    AmazonsEvaluator::new(paper_weights(), false)
}

fn table() -> TranspositionTable {
    TranspositionTable::new(1).unwrap()
}

#[test]
fn all_searches_agree_with_negamax_on_small_boards_at_every_number_of_threads() {
    for fen in SMALL {
        let game = Amazons::parse_fen(fen, &NoRules).unwrap();
        // The greatest depth with fewer than half a million leaves.
        let deepest = (1..=6).take_while(|&d| game.count_moves().pow(d) < 500_000).last().unwrap();
        for depth in 1..=deepest {
            let (expected, _) = negamax(&game, depth, &mut evaluator());
            let mut searchers: Vec<Box<dyn Searcher<Amazons>>> = vec![
                Box::new(AlphaBeta { evaluator: evaluator(), max_depth: 11, deepening: false }),
                Box::new(AlphaBeta { evaluator: evaluator(), max_depth: 11, deepening: true }),
                Box::new(Pvs::new(evaluator(), table())),
            ];
            for threads in [1, 2, 4] {
                let settings = SelectiveSettings {
                    threads,
                    selectivity: None,
                    ..SelectiveSettings::default()
                };
                searchers.push(Box::new(SelectiveSearch::new(evaluator(), table(), settings)));
            }
            for (i, searcher) in searchers.iter_mut().enumerate() {
                let clock = Clock::unmanaged(&Limits::with_depth(depth));
                let line =
                    searcher.run(&Root::new(&Record::new(game.clone())), &clock, &mut |_| {});
                assert_eq!(line.value, expected, "search {i} at depth {depth} of `{fen}`");
                assert!(game.is_legal(line.best()));
            }
        }
    }
}

#[test]
fn the_two_stages_make_exactly_the_legal_moves() {
    let start = Amazons::start(&NoRules);
    let small = SMALL.map(|fen| Amazons::parse_fen(fen, &NoRules).unwrap());
    for game in small.into_iter().chain([start]) {
        let mut staged = Vec::new();
        evaluator().visit_partial_moves(&game, 1, &mut |part, _| {
            let _ = AmazonsEvaluator::visit_completions::<()>(&game, part, &mut |m| {
                assert_eq!(
                    AmazonsEvaluator::partial_key(part),
                    AmazonsEvaluator::history_keys(m)[0]
                );
                assert_eq!(AmazonsEvaluator::unpack(AmazonsEvaluator::pack(m)), Some(m));
                staged.push(m);
                ControlFlow::Continue(())
            });
        });
        let mut legal = agon_games::game::legal_moves(&game);
        staged.sort_unstable();
        legal.sort_unstable();
        assert_eq!(staged, legal, "{}", game.fen());
    }
}

fn engine(options: &[(&str, OptionValue)]) -> AmazonsEngine {
    let mut engine = AmazonsEngine::new();
    for (name, value) in options {
        engine.set_option(name, value).unwrap();
    }
    engine.prepare(&Control::new(), &mut |_| ());
    engine
}

fn last_info(engine: &mut AmazonsEngine, record: &Record<Amazons>, limits: &Limits) -> Info {
    let mut last = Info::default();
    let m = engine.search(record, limits, &Control::new(), &mut |info| last = info);
    assert!(record.current().is_legal(m));
    last
}

#[test]
fn every_algorithm_ends_with_a_report_of_depth_nodes_and_time() {
    let separated = "**1q*/1***1/q*1*Q/1**1*/Q**1* w";
    for algorithm in ["best", "pvs", "alphabeta", "greedy", "random"] {
        let mut engine = engine(&[("Algorithm", OptionValue::Text(algorithm.into()))]);
        for game in [
            Amazons::start(&NoRules),
            Amazons::parse_fen(SMALL[3], &NoRules).unwrap(),
            Amazons::parse_fen(separated, &NoRules).unwrap(),
        ] {
            let info = last_info(&mut engine, &Record::new(game), &Limits::with_nodes(3000));
            assert!(info.depth.is_some() && info.time.is_some(), "{algorithm}: {info:?}");
            assert!(info.nodes.is_some_and(|n| n > 0), "{algorithm}: {info:?}");
            assert!(!info.pv.is_empty(), "{algorithm}: {info:?}");
        }
    }
}

#[test]
fn a_node_limit_makes_every_algorithm_play_the_same_again() {
    for algorithm in ["best", "pvs", "alphabeta", "greedy", "random"] {
        let play = || {
            let mut engine = engine(&[("Algorithm", OptionValue::Text(algorithm.into()))]);
            let mut record = Record::new(Amazons::start(&NoRules));
            for _ in 0..6 {
                let limits = Limits::with_nodes(4000);
                let m = engine.search(&record, &limits, &Control::new(), &mut |_| {});
                record.push(m);
            }
            record.tokens()
        };
        assert_eq!(play(), play(), "{algorithm}");
    }
}

#[test]
fn every_algorithm_searches_and_plays_allowed_moves_only() {
    for game in [Amazons::start(&NoRules), Amazons::parse_fen(SMALL[3], &NoRules).unwrap()] {
        let limits = Limits::with_nodes(3000);
        check_root_moves(AmazonsEngine::new, &Record::new(game), &limits).unwrap();
    }
}

#[test]
fn several_lines_are_reported_in_order_of_their_scores() {
    for algorithm in ["best", "pvs", "alphabeta"] {
        let mut engine = engine(&[
            ("Algorithm", OptionValue::Text(algorithm.into())),
            ("MultiPV", OptionValue::Spin(3)),
        ]);
        let record = Record::new(Amazons::parse_fen(SMALL[1], &NoRules).unwrap());
        let (mut lines, mut single) = (Vec::new(), None);
        let control = Control::new();
        let limits = Limits::with_depth(2);
        let m = engine.search(&record, &limits, &control, &mut |info| lines.push(info));
        engine.set_option("MultiPV", &OptionValue::Spin(1)).unwrap();
        engine.search(&record, &limits, &control, &mut |info| single = info.score);
        lines.retain(|info| info.depth == Some(2));
        let ranks: Vec<_> = lines.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(1)], "{algorithm}");
        let firsts: HashSet<_> = lines[..3].iter().map(|info| &info.pv[0]).collect();
        assert_eq!(firsts.len(), 3, "{algorithm}");
        let cp = |info: &Info| match info.score {
            Some(Score::Cp(value)) => value,
            other => panic!("{algorithm}: {other:?}"),
        };
        assert!(lines[..3].is_sorted_by_key(|info| -cp(info)), "{algorithm}: {lines:?}");
        assert_eq!(lines[0].pv[0], record.current().move_token(m));
        assert_eq!(lines[0].score, single, "{algorithm}");
    }
}

#[test]
fn a_stopped_search_returns_soon_at_one_thread_and_at_two() {
    for threads in [1, 2] {
        let mut engine = engine(&[("Threads", OptionValue::Spin(threads))]);
        let record = Record::new(Amazons::start(&NoRules));
        let control = Control::new();
        let stopper = control.clone();
        let stopped = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(60));
            stopper.stop();
            Instant::now()
        });
        let limits = Limits { infinite: true, ..Limits::default() };
        engine.search(&record, &limits, &control, &mut |_| {});
        let late = stopped.join().unwrap().elapsed();
        // The specified limit is ten milliseconds; a busy test machine gets more.
        assert!(late < Duration::from_millis(150), "{late:?} after `stop`");
    }
}
