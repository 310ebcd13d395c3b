//! The search for wins that use or combine with the attacker's last turn.

use agon_connect6::board::WindowBoard;
use agon_connect6::proof::Step;
use agon_connect6::solver::{SolverLimits, SolverSettings, ThreatSearch};
use agon_connect6::verify::{Budget, verify};
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Rules, Point};
use agon_games::game::Game;
use std::sync::Arc;

/// Double threats only.
fn settings() -> SolverSettings {
    let limits = SolverLimits { depth: 12, iteration: 20_000, total: 40_000 };
    SolverSettings::double_threats(limits)
}

/// The index of a point such as `k10`.
fn point(name: &str) -> u16 {
    let row: usize = name[1..].parse().unwrap();
    Point::new(usize::from(name.as_bytes()[0] - b'a'), row - 1).unwrap().index() as u16
}

/// A board with these stones in this order: Black's and White's in turn, a pair at a time.
fn board(turns: &[&str]) -> WindowBoard {
    let mut board = WindowBoard::new(19);
    for (i, turn) in turns.iter().enumerate() {
        let pairs = turn.split_whitespace();
        pairs.for_each(|p| board.place(i % 2, point(p)));
    }
    board
}

/// Whether Black, to move, has a win by double threats; without and with the restriction.
fn wins(turns: &[&str]) -> [bool; 2] {
    let board = board(turns);
    let search = || ThreatSearch::new(&board, 0, settings());
    [search(), search().after_last_turn()].map(|search| search.win(&|| false).is_some())
}

#[test]
fn the_last_turn_must_be_used_unless_it_was_forced() {
    // g10 h10 are a part of the win.
    assert_eq!(wins(&["g9 f9 f10", "l6 m11 j6 j8", "g10 h10", "j10 l8"]), [true; 2]);
    // The same stones and two far away, played last: the win is as old as these.
    let early = "g9 f9 f10 g10 h10";
    assert_eq!(wins(&[early, "l6 m11 j6 j8", "a1 s19", "j10 l8"]), [true, false]);
    // a1 and a6 stop four stones: the last turn was forced.
    let four = "l6 m11 j6 j8 a2 a3 a4 a5";
    assert_eq!(wins(&[early, four, "a1 a6", "j10 l8"]), [true; 2]);
    // White's answer makes a threat.
    let three = "l6 m11 j6 j8 a2 a3 a4";
    assert_eq!(wins(&[early, three, "r1 s19", "a5 l8"]), [true; 2]);
    // The turn before is not known.
    assert_eq!(wins(&["", "", "", "l6 m11 j6 j8 j10 l8"]), [false; 2]);
    let game = Record::<Connect6>::from_text(
        None,
        &["g9", "l6m11", "f9f10", "j6j8", "g10h10", "j10l8"],
        &Connect6Rules::default(),
    );
    let board = WindowBoard::from_game(game.unwrap().current());
    let search = ThreatSearch::new(&board, 0, settings()).after_last_turn();
    assert!(search.win(&|| false).is_some());
}

/// The wins of both searches, where the first of them found none before the attacker's last turn.
fn wins_in_games(games: usize) -> Vec<(Connect6, [Option<Arc<Step>>; 2])> {
    let mut all = Vec::new();
    for line in include_str!("games.txt").lines().take(games) {
        let tokens: Vec<&str> = line.split_whitespace().skip(2).collect();
        let rules = Connect6Rules::default();
        let record = Record::<Connect6>::from_text(None, &tokens, &rules).unwrap();
        let mut game = record.start().clone();
        let mut board = WindowBoard::from_game(&game);
        let mut before = [true; 2];
        for m in record.moves() {
            let side = game.side_to_move().index();
            let search = || ThreatSearch::new(&board, side, settings());
            let found = [search(), search().after_last_turn()].map(|search| search.win(&|| false));
            let had_win = std::mem::replace(&mut before[side], found[0].is_some());
            if !had_win && game.stones_due() == 2 {
                all.push((game.clone(), found));
            }
            m.stones().for_each(|p| board.place(side, p.index() as u16));
            game.play(*m);
        }
    }
    all
}

#[test]
fn hardly_any_win_is_lost_and_none_is_false() {
    let (mut old, mut lost) = (0, 0);
    for (game, [all, last]) in wins_in_games(60) {
        old += usize::from(all.is_some());
        lost += usize::from(all.is_some() && last.is_none());
        if let Some(proof) = last {
            assert!(verify(&game, &proof, Budget::default()).is_ok(), "{}", game.fen());
        }
    }
    assert!(old >= 30 && 20 * lost <= old, "{lost} of {old} lost");
}
