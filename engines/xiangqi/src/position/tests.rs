//! Tests that the search's board agrees with the rules in `agon_games::xiangqi`.

use super::*;
use agon_games::game::{Turn, legal_moves};
use agon_games::xiangqi::{
    Board, Kind, Repetition, Square, Squares, Xiangqi, XiangqiMove, XiangqiRules, print_placement,
};
use agon_games::{Game, Outcome, Player, Record, rng};

fn game(fen: &str) -> Xiangqi {
    Xiangqi::parse_fen(fen, &XiangqiRules::default()).unwrap()
}

fn position(fen: &str) -> Position {
    Position::from_game(&game(fen))
}

/// Plays random games and calls `check` with each position in both forms.
fn random_games(games: u64, mut check: impl FnMut(&Xiangqi, &mut Position)) {
    let rules = XiangqiRules { repetition: Repetition::Draw, ..XiangqiRules::default() };
    for index in 0..games {
        let mut rng = rng::stream(5, index, "search board");
        let mut game = Xiangqi::start(&rules);
        let mut position = Position::from_game(&game);
        while let Turn::Player(_) = game.turn() {
            check(&game, &mut position);
            let moves = legal_moves(&game);
            let m = moves[rng::below(&mut rng, moves.len() as u64) as usize];
            game.play(m);
            position.play(Move::from_rules(m));
        }
    }
}

#[test]
fn the_board_has_the_moves_and_checks_of_the_rules_in_random_games() {
    let mut checks = 0;
    random_games(60, |game, position| {
        let mut ours: Vec<XiangqiMove> =
            position.legal_moves().iter().map(|m| m.to_rules()).collect();
        let mut theirs = legal_moves(game);
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{}", game.fen());
        assert_eq!(position.in_check(), game.in_check(), "{}", game.fen());
        assert_eq!(position.board(), *game.board());
        checks += u32::from(game.in_check());
    });
    assert!(checks > 100, "{checks}");
}

#[test]
fn incremental_state_equals_that_of_a_fresh_board() {
    random_games(20, |game, position| {
        let fresh = Position::from_game(game);
        assert_eq!(position.key, fresh.key, "{}", game.fen());
        assert_eq!(position.structure_key, fresh.structure_key);
        assert_eq!(position.piece_count, fresh.piece_count);
        assert_eq!(position.piece_count(), position.occupied().count_ones());
        for (side, kind) in (0..2).flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
            let pieces = position.pieces(side, kind).count_ones();
            assert_eq!(position.count(side, kind), pieces as i32);
        }
        assert_eq!(position.lines, fresh.lines);
        assert_eq!((position.squares, position.sides), (fresh.squares, fresh.sides));
    });
}

#[test]
fn predictions_about_a_move_come_true() {
    random_games(20, |game, position| {
        let before = position.clone();
        let king = position.king(position.side());
        let mut moves = MoveList::new();
        position.captures(&mut moves);
        let captures = moves.len();
        position.quiets(&mut moves);
        let mut checking = MoveList::new();
        let mut check_info = CheckInfo::default();
        let mut all_checking = MoveList::new();
        position
            .each_quiet(Quiets::Checks, None, |_, from, to| all_checking.push(Move::new(from, to)));
        assert_eq!(position.count_quiets(None), moves.len() - captures);
        position.each_quiet(Quiets::DirectChecks, None, |_, from, to| {
            checking.push(Move::new(from, to))
        });
        for (i, m) in moves.iter().copied().enumerate() {
            assert!(position.is_pseudo_legal(m));
            assert_eq!(position.is_capture(m), i < captures);
            let (safe, check) = (position.is_safe(m), position.gives_check(m));
            let seen = check_info.check(position, m);
            assert_eq!(seen, safe.then_some(check), "{} {}", game.fen(), m.to_rules());
            let key = position.key_after(m);
            let us = position.side();
            position.play(m);
            assert_eq!(position.key(), key);
            assert_eq!(!position.attacked(us), safe, "{} {}", game.fen(), m.to_rules());
            assert_eq!(position.in_check(), check, "{} {}", game.fen(), m.to_rules());
            position.undo();
            // A king that moves to face the other would check it, if that were legal.
            if safe || m.from() != king {
                assert_eq!(all_checking.contains(&m), check && i >= captures, "{}", game.fen());
            }
            if checking.contains(&m) {
                assert!(check && i >= captures, "{} {}", game.fen(), m.to_rules());
            }
        }
        assert_eq!(position.key, before.key);
        assert_eq!((position.piece_count, position.counts), (before.piece_count, before.counts));
        assert_eq!((position.squares, position.pieces), (before.squares, before.pieces));
        assert_eq!((position.lines, position.sides), (before.lines, before.sides));
    });
}

/// A placement of both kings and most of the other pieces, each on a random square of its kind.
fn random_board(rng: &mut rng::Stream) -> Board {
    let mut board = Board::default();
    let all = Kind::ALL.into_iter().flat_map(|kind| Player::BOTH.map(|side| (side, kind)));
    for (side, kind) in all.flat_map(|piece| vec![piece; piece.1.initial_count() as usize]) {
        let free: Vec<Square> = Squares(kind.domain(side) & !board.occupied()).collect();
        let chance = if kind == Kind::King { 10 } else { 8 };
        if !free.is_empty() && rng::below(rng, 10) < chance {
            let square = free[rng::below(rng, free.len() as u64) as usize];
            board.put_all(square.bit(), side, kind);
        }
    }
    board
}

/// Random placements in which only the side to move is in check: more than a thousand, with checks of
/// every kind, double checks included.
fn random_checks(placements: usize, mut visit: impl FnMut(&Xiangqi, &Position)) {
    let mut rng = rng::stream(12, 0, "random checks");
    for _ in 0..placements {
        let board = random_board(&mut rng);
        for side in ["w", "b"] {
            let fen = format!("{} {side}", print_placement(&board));
            let Ok(game) = Xiangqi::parse_fen(&fen, &XiangqiRules::default()) else { continue };
            let position = Position::from_game(&game);
            if position.in_check() {
                visit(&game, &position);
            }
        }
    }
}

#[test]
fn every_legal_answer_to_a_check_is_among_the_evasions() {
    let (mut positions, mut doubles, mut answers, mut left_out) = (0, 0, 0, 0);
    random_checks(6000, |game, position| {
        positions += 1;
        let mut check_info = CheckInfo::default();
        let evasions = *check_info.evasions(position).unwrap();
        let one = position.legal_moves().len() == 1;
        assert_eq!(check_info.has_one_reply(position), one, "{}", game.fen());
        doubles += u32::from(!evasions.single_check);
        let (mut all, mut evading) = (MoveList::new(), MoveList::new());
        position.captures(&mut all);
        position.quiets(&mut all);
        position.each_capture(Some(&evasions), |_, from, to| evading.push(Move::new(from, to)));
        position.each_quiet(Quiets::All, Some(&evasions), |_, from, to| {
            evading.push(Move::new(from, to));
        });
        let mut found = Vec::new();
        for m in all {
            let safe = position.is_safe(m);
            let seen = check_info.check(position, m);
            assert_eq!(
                seen,
                safe.then(|| position.gives_check(m)),
                "{} {}",
                game.fen(),
                m.to_rules()
            );
            assert!(evading.contains(&m) || !safe, "{} {}", game.fen(), m.to_rules());
            left_out += u32::from(!evading.contains(&m));
            if safe {
                found.push(m.to_rules());
            }
        }
        answers += found.len();
        found.sort_unstable();
        let mut moves = legal_moves(game);
        moves.sort_unstable();
        assert_eq!(found, moves, "{}", game.fen());
        let mut checking = Vec::new();
        position.each_quiet(Quiets::Checks, Some(&evasions), |_, from, to| {
            checking.push(Move::new(from, to));
        });
        for m in found.into_iter().map(Move::from_rules).filter(|&m| !position.is_capture(m)) {
            assert_eq!(checking.contains(&m), position.gives_check(m), "{}", game.fen());
        }
    });
    assert!(positions > 1000 && doubles > 100, "{positions} positions, {doubles} double checks");
    assert!(answers > 1000 && left_out > 20 * positions, "{answers} answers, {left_out} left out");
}

#[test]
fn only_moves_that_pieces_can_make_are_pseudo_legal() {
    random_games(3, |_, position| {
        let mut moves = MoveList::new();
        position.captures(&mut moves);
        position.quiets(&mut moves);
        let possible = (0..Move::PAIRS).filter(|&m| position.is_pseudo_legal(Move(m as u16)));
        assert_eq!(possible.count(), moves.len());
    });
}

#[test]
fn see_counts_screens_and_defenders() {
    let gains = |fen: &str, from: usize, to: usize, least: i32| {
        position(fen).see_at_least(Move::new(from, to), least)
    };
    let [king, _, _, pawn, rook, horse, cannon] = SEE_VALUES;
    assert!(king > rook);
    // A free pawn; the same pawn guarded by a rook.
    let free = "3k5/9/9/9/p8/9/9/9/9/R3K4 w";
    assert!(gains(free, 0, 45, pawn) && !gains(free, 0, 45, pawn + 1));
    let guarded = "3k5/9/9/9/p7r/9/9/9/9/R3K4 w";
    assert!(gains(guarded, 0, 45, pawn - rook) && !gains(guarded, 0, 45, pawn - rook + 1));
    // A second rook behind the first recaptures, so the defender does not capture.
    let battery = "3k5/9/9/9/n7r/9/9/9/R8/R3K4 w";
    assert!(gains(battery, 9, 45, horse) && !gains(battery, 9, 45, horse + 1));
    // The cannon captures over its screen and is lost if the horse can recapture.
    let cannons = "3k5/9/9/2n6/r8/9/9/B8/9/C3K4 w";
    assert!(gains(cannons, 0, 45, rook - cannon) && !gains(cannons, 0, 45, rook - cannon + 1));
}

/// The search tree begins at the end of the record; later moves repeat inside the tree.
fn after(fen: &str, moves: &str, rule: Repetition, played: usize) -> Option<Outcome> {
    let rules = XiangqiRules { repetition: rule, ..XiangqiRules::default() };
    let words: Vec<&str> = moves.split(' ').collect();
    let start = Record::from_text(Some(fen), &words[..played], &rules).unwrap();
    let mut position = Position::from_record(&start);
    let mut game = start.current().clone();
    for word in &words[played..] {
        let m = game.parse_move(word).unwrap();
        game.play(m);
        position.play(Move::from_rules(m));
    }
    position.repetition_outcome(words.len() - played)
}

#[test]
fn a_perpetual_check_loses_in_the_tree_as_in_the_rules() {
    let fen = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";
    // The rook checks on two ranks; the king steps back and forth.
    let once = "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9";
    let lost = Some(Outcome::Win(Player::Second));
    assert_eq!(after(fen, once, Repetition::Check, 0), lost);
    assert_eq!(after(fen, once, Repetition::Asian, 0), lost);
    assert_eq!(after(fen, once, Repetition::Draw, 0), Some(Outcome::Draw));
}

#[test]
fn a_position_from_before_the_root_must_come_as_often_as_the_rules_say() {
    let fen = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";
    let round = "a0a1 e9e8 a1a0 e8e9";
    assert_eq!(after(fen, round, Repetition::Check, 3), None);
    let twice = format!("{round} {round}");
    assert_eq!(after(fen, &twice, Repetition::Check, 7), Some(Outcome::Draw));
    assert_eq!(after(fen, &twice, Repetition::Check, 0), Some(Outcome::Draw));
}

#[test]
fn a_perpetual_chase_loses_where_the_rules_say_so() {
    // The rook attacks the unguarded cannon wherever it goes.
    let fen = "3k5/9/9/9/9/8c/9/9/9/R3K4 w - - 0 1";
    let chase = "a0a4 i4i5 a4a5 i5i4 a5a4 i4i5 a4a5 i5i4 a5a4";
    let red_lost = Some(Outcome::Win(Player::Second));
    assert_eq!(after(fen, chase, Repetition::Asian, 0), red_lost);
    assert_eq!(after(fen, chase, Repetition::Check, 0), Some(Outcome::Draw));
}

#[test]
fn a_null_move_gives_the_turn_away_and_is_taken_back() {
    let mut position = position("3k5/9/9/9/9/8c/9/9/9/R3K4 w - - 7 9");
    let (key, quiet) = (position.key(), position.quiet_plies());
    position.play_null_move();
    assert_eq!((position.side(), position.quiet_plies()), (1, 0));
    assert_ne!(position.key(), key);
    position.undo_null_move();
    assert_eq!((position.side(), position.key(), position.quiet_plies()), (0, key, quiet));
}

#[test]
fn threats_are_the_checks_and_captures_that_the_moves_make() {
    let (mut escapes, mut checks) = (0, 0);
    random_games(40, |game, position| {
        let (us, threats) = (position.side(), ThreatSquares::of(position));
        let mut moves = MoveList::new();
        position.quiets(&mut moves);
        for m in moves {
            let kind = position.piece_at(m.from()) % 7;
            if kind != Kind::Cannon.index() && threats.checks[kind] >> m.to() & 1 == 1 {
                assert!(position.gives_check(m), "{} {}", game.fen(), m.to_rules());
                checks += 1;
            }
        }
        if position.in_check() {
            return;
        }
        // The less valuable pieces that would take each of ours, found by passing.
        let mut taken = [0; 3];
        position.play_null_move();
        position.each_capture(None, |piece, _, to| match Kind::ALL[piece % 7] {
            Kind::Pawn | Kind::Advisor | Kind::Elephant => taken[0] |= 1u128 << to,
            Kind::Horse | Kind::Cannon => taken[1] |= 1u128 << to,
            _ => taken[2] |= 1u128 << to,
        });
        position.undo_null_move();
        let minor = position.pieces(us, Kind::Horse) | position.pieces(us, Kind::Cannon);
        let rooks = position.pieces(us, Kind::Rook);
        let attacked = |kind: Kind, own| threats.attacked[kind.index()] & own;
        assert_eq!(attacked(Kind::Horse, minor), taken[0] & minor, "{}", game.fen());
        assert_eq!(attacked(Kind::Cannon, minor), taken[0] & minor, "{}", game.fen());
        assert_eq!(attacked(Kind::Rook, rooks), (taken[0] | taken[1]) & rooks, "{}", game.fen());
        escapes += (attacked(Kind::Rook, rooks) | attacked(Kind::Horse, minor)).count_ones();
    });
    assert!(escapes > 500 && checks > 500, "{escapes} {checks}");
}
