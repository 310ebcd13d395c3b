//! `best` with one and with two threads plays wins and stops threats.

use agon_connect6::best::Best;
use agon_connect6::board::WindowBoard;
use agon_connect6::play::SearchPosition;
use agon_connect6::solver::{SolverLimits, SolverSettings, ThreatSearch, Verdict, solve};
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_games::game::Game;
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::score::{WIN, is_decisive};
use agon_search::searcher::Searcher;
use agon_search::transposition::TranspositionTable;
use agon_wire::message::Limits;

fn settings(stones: u64) -> SolverSettings {
    let limits = SolverLimits { total: stones, ..SolverLimits::default() };
    SolverSettings { limits, single_threats: 0, ..SolverSettings::default() }
}

fn wins(board: &WindowBoard, side: usize, stones: u64) -> bool {
    ThreatSearch::new(board, side, settings(stones)).win(&|| false).is_some()
}

/// Middlegame positions from the last eight self-play games of `games.txt`.
fn positions() -> Vec<Connect6> {
    let mut all = Vec::new();
    for line in include_str!("games.txt").lines().skip(20) {
        let tokens: Vec<&str> = line.split_whitespace().skip(2).collect();
        let record =
            Record::<Connect6>::from_text(None, &tokens, &Connect6Rules::default()).unwrap();
        let mut game = record.start().clone();
        for (i, m) in record.moves().iter().enumerate() {
            if i >= 4 && i % 3 == 1 {
                all.push(game.clone());
            }
            game.play(*m);
        }
    }
    all
}

#[test]
fn one_thread_and_two_play_wins_and_stop_the_opponents() {
    for threads in [1, 2] {
        let mut best = Best::new(TranspositionTable::new(4).unwrap(), threads);
        let (mut won, mut stopped, mut quiet) = (0, 0, 0);
        for game in positions() {
            let position = SearchPosition::from(&game);
            let (us, them) = (position.side(), 1 - position.side());
            let own = solve(&game, settings(20_000), &|| false);
            let line = best.run(
                &Root::new(&Record::new(position.clone())),
                &Clock::unmanaged(&Limits::with_nodes(30_000)),
                &mut |_| {},
            );
            let m = line.best();
            assert!(game.is_legal(m), "{threads} threads: {m} in `{}`", game.fen());
            if let Verdict::Win { .. } = own.verdict {
                assert!(is_decisive(line.value) && line.value > 0 && line.value <= WIN);
                won += 1;
                continue;
            }
            let mut after = position.board().clone();
            m.stones().for_each(|p| after.place(us, p.index() as u16));
            let threatened = wins(position.board(), them, 20_000);
            // A turn after which the opponent has no win by double threats, if there is one.
            if !wins(&after, them, 4_000) {
                stopped += usize::from(threatened);
                quiet += usize::from(!threatened);
                continue;
            }
            let safe = position.candidates().into_iter().any(|m| {
                let mut board = position.board().clone();
                m.stones().for_each(|p| board.place(us, p.index() as u16));
                !wins(&board, them, 30_000)
            });
            assert!(!safe, "{threads} threads position {m} in `{}`", game.fen());
        }
        println!("{threads} threads: {won} won, {stopped} stopped, {quiet} quiet");
        assert!(won > 5 && stopped > 5 && quiet > 0, "{won} won, {stopped} stopped, {quiet}");
    }
}

#[test]
fn one_thread_with_a_limit_of_nodes_repeats_itself() {
    let game = positions().into_iter().nth(2).unwrap();
    let run = || {
        let mut best = Best::new(TranspositionTable::new(1).unwrap(), 1);
        let clock = Clock::unmanaged(&Limits::with_nodes(400));
        let line =
            best.run(&Root::new(&Record::new(SearchPosition::from(&game))), &clock, &mut |_| {});
        (line.best(), line.value, line.nodes)
    };
    assert_eq!(run(), run());
}

/// White threatens to win by double threats; the solver has much to look at.
const BUSY: &str = "h7 h11l13 j11k12 j9k14";

#[test]
fn the_limit_of_nodes_holds_for_the_solver_too() {
    let tokens: Vec<&str> = BUSY.split(' ').collect();
    let record = Record::<Connect6>::from_text(None, &tokens, &Default::default()).unwrap();
    let position = Record::new(SearchPosition::from(record.current()));
    for limit in [1, 2, 20, 100, 1_000, 10_000] {
        let mut best = Best::new(TranspositionTable::new(1).unwrap(), 1);
        let clock = Clock::unmanaged(&Limits::with_nodes(limit));
        let line = best.run(&Root::new(&position), &clock, &mut |r| assert!(r.nodes <= limit));
        assert!(position.current().is_legal(line.best()));
        assert_eq!(line.nodes, clock.visited());
        assert!((1..=limit).contains(&line.nodes), "{} of {limit}", line.nodes);
    }
    // Without a limit of nodes, the same work is counted.
    let mut best = Best::new(TranspositionTable::new(1).unwrap(), 1);
    let clock = Clock::unmanaged(&Limits::with_depth(1));
    let line = best.run(&Root::new(&position), &clock, &mut |_| {});
    assert!(line.nodes > 10_000, "{}", line.nodes);
}

#[test]
fn a_win_and_a_threat_on_the_board_are_seen_within_one_node() {
    let (mut won, mut stopped) = (0, 0);
    for line in include_str!("games.txt").lines().skip(4) {
        let tokens: Vec<&str> = line.split_whitespace().skip(2).collect();
        for end in 5..tokens.len() {
            let tokens = &tokens[..end];
            let record = Record::<Connect6>::from_text(None, tokens, &Connect6Rules::default());
            let position = SearchPosition::from(record.unwrap().current());
            let (us, them) = (position.side(), 1 - position.side());
            let stops = |m: &Connect6Move| {
                let mut next = position.clone();
                next.play(*m);
                !next.board().has_four(them)
            };
            let wins = position.board().has_four(us);
            let must_stop = position.board().has_four(them);
            if !(wins || must_stop && position.candidates().iter().any(stops)) {
                continue;
            }
            let mut best = Best::new(TranspositionTable::new(1).unwrap(), 1);
            let clock = Clock::unmanaged(&Limits::with_nodes(1));
            let root = Record::new(position.clone());
            let m = best.run(&Root::new(&root), &clock, &mut |_| {}).best();
            if wins {
                let mut next = position.clone();
                next.play(m);
                assert!(next.turn().outcome().is_some(), "{m} in `{}`", position.fen());
                won += 1;
            } else {
                assert!(stops(&m), "{m} in `{}`", position.fen());
                stopped += 1;
            }
        }
    }
    println!("{won} wins, {stopped} stopped");
    assert!(won > 5 && stopped > 20, "{won} {stopped}");
}
