//! Perft, conformance, notation, SGF, and the errors for invalid input.

use super::sgf::{Form, SgfHeader};
use super::*;
use crate::conformance;
use crate::game::legal_moves;
use crate::option::RuleSet;
use crate::perft::perft;
use crate::record::Record;
use crate::rng;

const RULES: Connect6Rules = Connect6Rules { size: MAX_SIZE };

fn game(fen: &str) -> Connect6 {
    Connect6::parse_fen(fen, &RULES).unwrap()
}

fn start(size: usize) -> Connect6 {
    Connect6::start(&Connect6Rules { size })
}

#[test]
fn perft_from_the_start_is_a_product_of_binomials() {
    // One stone on n points, then two on the rest: nobody can have six before the fifth turn.
    let pairs = |n: u64| n * (n - 1) / 2;
    for size in [6, 9, 13, 19] {
        let n = (size * size) as u64;
        assert_eq!(perft(&mut start(size), 1), n);
        assert_eq!(perft(&mut start(size), 2), n * pairs(n - 1));
    }
    assert_eq!(perft(&mut start(6), 3), 36 * 595 * 528);
}

/// Generates moves from the rules alone: every set of one or two empty points; six in a row are
/// found by walking over a grid of letters.
fn moves_by_trying(game: &Connect6) -> Vec<Connect6Move> {
    let size = game.size() as isize;
    let mut grid = vec![vec![' '; game.size()]; game.size()];
    for p in game.points() {
        grid[p.column()][p.row()] = match game.stone(p) {
            None => '.',
            Some(player) if player == game.side_to_move() => 'm',
            Some(_) => 'o',
        };
    }
    let has_six = |grid: &Vec<Vec<char>>| {
        (0..size * size).any(|i| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(dc, dr)| {
                (0..6).all(|k| {
                    let (c, r) = (i / size + k * dc, i % size + k * dr);
                    (0..size).contains(&c)
                        && (0..size).contains(&r)
                        && grid[c as usize][r as usize] == 'm'
                })
            })
        })
    };
    let empties: Vec<Point> = game.empties().collect();
    let mut moves = Vec::new();
    let first_turn = empties.len() == game.size() * game.size();
    for (i, &a) in empties.iter().enumerate() {
        let mut after = grid.clone();
        after[a.column()][a.row()] = 'm';
        if first_turn || empties.len() == 1 || has_six(&after) {
            moves.push(Connect6Move::one(a));
        }
        if !first_turn {
            moves.extend(empties[i + 1..].iter().map(|&b| Connect6Move::two(b, a)));
        }
    }
    moves
}

#[test]
fn moves_are_those_of_the_rules_in_random_games_on_small_boards() {
    let mut wins_with_one_stone = 0;
    for index in 0..60 {
        let mut rng = rng::stream(index, 0, "connect6 moves");
        let mut game = start(6 + (index % 2) as usize);
        while let Turn::Player(_) = game.turn() {
            let moves = legal_moves(&game);
            assert_eq!(moves, moves_by_trying(&game), "{}", game.fen());
            assert_eq!(moves.len() as u64, game.count_moves());
            wins_with_one_stone += moves.iter().filter(|m| m.second.is_none()).count();
            game.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
        }
    }
    assert!(wins_with_one_stone > 100);
}

#[test]
fn the_contracts_hold() {
    for size in [6, 7, 10] {
        let rules = Connect6Rules { size };
        assert!(conformance::check(&start(size), 4, 40, &rules).unwrap() > 40);
    }
    // One random 19x19 game up to ply 3: a position has 64,620 moves, all of which are tried.
    conformance::check(&start(19), 1, 1, &RULES).unwrap();
    let near_the_end = "XXOOXX/OOXXOO/XXOOXX/OOXXOO/XXOO2/1OXX2 x";
    conformance::check(&game(near_the_end), 10, 9, &RULES).unwrap();
}

#[test]
fn six_in_a_row_wins_in_every_direction_with_one_stone_or_two() {
    for (fen, wins, ends_nothing) in [
        ("6/6/6/6/6/XXXX2 x", "e1f1", "e1e2"),
        ("X5/X5/X5/X5/6/6 x", "a1a2", "a1b1"),
        ("5X/4X1/3X2/6/1X4/6 x", "a1c3", "a1c1"),
        ("6/1O4/2O3/3O2/4O1/6 o", "a6f1", "a6a5"),
        ("7/7/7/XXX1XXX/7/7/7 x", "d4", "a1b1"),
        ("7/7/7/XXX1XXX/7/7/7 x", "d4a1", "a1b1"),
    ] {
        let mover = game(fen).side_to_move();
        let mut after = game(fen);
        after.play(after.parse_move(wins).unwrap());
        assert_eq!(after.turn(), Turn::Over(Outcome::Win(mover)), "{fen} {wins}");
        assert_eq!(game(&after.fen()).turn(), after.turn());
        let mut after = game(fen);
        after.play(after.parse_move(ends_nothing).unwrap());
        assert_eq!(after.turn(), Turn::Player(mover.opponent()), "{fen} {ends_nothing}");
    }
}

#[test]
fn a_full_board_is_a_draw_and_its_last_turn_may_have_one_stone() {
    let mut last = game("XXOOXX/OOXXOO/XXOOXX/OOXXOO/XXOOXX/OOXXO1 o");
    assert_eq!(legal_moves(&last).len(), 1);
    last.play(last.parse_move("f1").unwrap());
    assert_eq!(last.turn(), Turn::Over(Outcome::Draw));
    assert!(legal_moves(&last).is_empty() && last.count_moves() == 0);
}

#[test]
fn a_turn_is_read_in_all_its_spellings() {
    let record = Record::<Connect6>::from_text(None, &["j10"], &RULES).unwrap();
    let state = record.current();
    let m = state.parse_move("k9l8").unwrap();
    for text in ["l8k9", "K9L8", "k9,l8", "k9-l8", "k9 l8", "K9/L8", " k9l8 "] {
        assert_eq!(state.parse_move(text).as_ref(), Ok(&m), "{text}");
    }
    assert_eq!(state.move_token(m), "k9l8");
    let far = state.parse_move("s19a1").unwrap();
    assert_eq!(state.move_token(far), "a1s19");
}

#[test]
fn a_bad_turn_is_refused_with_the_reason() {
    let record = Record::<Connect6>::from_text(None, &["j10"], &RULES).unwrap();
    let state = record.current();
    for (text, fault) in [
        ("", "0 points given; expected one point or two"),
        ("t1a1", "`t1a` is not a point"),
        ("a20b1", "`a20` is not a point"),
        ("a0b1", "`a0b` is not a point"),
        ("k9l8m7", "3 points given"),
        ("k9l", "`l` is not a point"),
        ("j10k9", "there is a stone on j10"),
        ("k9k9", "both stones on k9"),
        ("k9", "a turn has two stones, unless the first one makes six"),
    ] {
        let error = state.parse_move(text).unwrap_err().to_string();
        assert!(error.contains(fault), "`{text}`: {error}");
    }
    let error = start(19).parse_move("k9l8").unwrap_err().to_string();
    assert!(error.contains("the first turn of a game has one stone"), "{error}");
    let error = start(9).parse_move("k1").unwrap_err().to_string();
    assert!(error.contains("k1 is not on this 9x9 board"), "{error}");
}

#[test]
fn a_bad_fen_is_refused_with_the_place_of_the_fault() {
    for (fen, fault) in [
        ("", "it is empty"),
        ("6/6/6/6/6/6", "the side to move is missing"),
        ("6/6/6/6/6/6 z", "side to move `z`, expected `x` or `o`"),
        ("6/6/6/6/6/6 x x", "unexpected `x` after the side to move"),
        ("5/5/5/5/5 x", "5 ranks, expected 6 to 19"),
        ("6/6/6/6/6/5 x", "rank 1 has 5 squares, the ranks above have 6"),
        ("6/6/7/6/6/6 x", "rank 4 has 7 squares, the ranks above have 6"),
        ("6/6/99/6/6/6 x", "rank 4: `99` empty squares, expected 1 to 19"),
        ("6/6/2Q3/6/6/6 x", "rank 4: `Q` on square 3, expected one of XO"),
        ("7/7/7/7/7/7 x", "6 ranks of 7 points, expected as many"),
        ("6/6/6/6/6/6 o", "the board is empty and White is to move"),
        ("XXXXXX/6/6/6/6/OOOOOO x", "both sides have six in a row"),
    ] {
        let error = Connect6::parse_fen(fen, &RULES).unwrap_err().to_string();
        assert!(error.contains(fault), "`{fen}`: {error}");
    }
    assert_eq!(game("6/6/..b3/6/3w2/6 B"), game("6/6/2X3/6/3O2/6 x"));
}

#[test]
fn foreign_moves_are_illegal_and_nothing_panics() {
    let state = game("6/6/2X3/6/3O2/6 x");
    let [a, far] = [0, POINTS - 1].map(|i| Point::from_index(i).unwrap());
    for m in [
        Connect6Move::one(a),
        Connect6Move::one(far),
        Connect6Move::two(a, far),
        Connect6Move::two(a, a),
        Connect6Move { first: Point::new(1, 0).unwrap(), second: Some(a) },
    ] {
        assert!(!state.is_legal(m), "{m:?}");
    }
    assert!(Point::new(19, 0).is_none() && Point::from_index(POINTS).is_none());
}

#[test]
fn the_board_size_is_a_rule() {
    let mut rules = Connect6Rules::default();
    let options = Connect6Rules::options();
    rules.set(&options[0].name, &options[0].parse("9").unwrap());
    assert_eq!(Connect6::start(&rules).size(), 9);
    assert!(options[0].parse("5").is_err() && options[0].parse("20").is_err());
}

const GOLEM: &str = "(;FF[4]EV[cup \\] 1]PB[Ann]PW[Bob]SZ[19];B[j10];W[k9l8];B[i11h12])";

#[test]
fn both_forms_of_sgf_are_read_and_written() {
    let (header, record) = sgf::read(GOLEM).unwrap();
    assert_eq!((header.black.as_str(), header.event.as_str()), ("Ann", "cup ] 1"));
    assert_eq!(record.tokens(), ["j10", "k9l8", "h12i11"]);
    let golem = sgf::write(&header, &record, Form::LittleGolem).unwrap();
    assert_eq!(golem.trim(), GOLEM.replace("i11h12", "h12i11"));
    let single = sgf::write(&header, &record, Form::StoneANode).unwrap();
    assert!(single.contains(";B[jj];W[kk];W[ll];B[hh];B[ii])"), "{single}");
    let (again, same) = sgf::read(&single).unwrap();
    assert_eq!((again, same.tokens()), (header, record.tokens()));
}

#[test]
fn the_main_line_of_a_tree_is_read_and_the_result_written() {
    let text = "(;GM[511]SZ[7];Black[ag](;White[ga]W[gb];B[bg]B[cg](;W[fa];W[fb];B[dg];B[eg]\
                ;W[ea];W[eb];B[fg])(;W[aa]))(;W[ba]))";
    let (_, record) = sgf::read(text).unwrap();
    let tokens = ["a1", "g6g7", "b1c1", "f6f7", "d1e1", "e6e7", "f1"];
    assert_eq!(record.tokens(), tokens);
    assert_eq!(record.turn(), Turn::Over(Outcome::Win(Player::First)));
    let out = sgf::write(&SgfHeader::default(), &record, Form::LittleGolem).unwrap();
    assert!(out.contains("SZ[7]RE[B+]") && out.contains(";B[f1])"), "{out}");
}

#[test]
fn a_bad_sgf_is_refused_with_the_place_of_the_fault() {
    for (text, fault) in [
        ("", "there is no `(`"),
        ("(;B[j10]", "never closed"),
        ("(;B[j10", "`[` is never closed"),
        ("(;[j10])", "a value without a property"),
        ("(;B[j10]*)", "expected `;`, `(`, `)` or a property"),
        ("(;SZ[5])", "SZ[5]: expected 6 to 19"),
        ("(;B[j10];AB[aa];W[bbcc])", "AB[aa]: the position is changed in the middle"),
        ("(;AB[aa]AW[aa])", "AW[aa]: there is a stone on a19 already"),
        ("(;AE[aa])", "AE[aa]: there is no stone on a19"),
        ("(;SZ[6]AB[t1])", "AB[t1]: "),
        ("(;AB[aa:bbcc])", "AB[aa:bbcc]: expected a point on either side"),
        ("(;AB[aa]PL[X])", "PL[X]: expected `B` or `W`"),
        ("(;AB[aa:fa]AW[ab:fb])", "both sides have six in a row"),
        ("(;AB[aa]PL[W];B[bb])", "turn 1: it is not Black's turn"),
        ("(;B[zz])", "B[zz]: expected points"),
        ("(;B[j10];B[k9])", "turn 1: illegal move `j10k9`: the first turn"),
        ("(;W[j10])", "turn 1: it is not White's turn"),
        ("(;B[j10];W[j10k9])", "turn 2: illegal move `j10k9`: there is a stone on j10"),
    ] {
        let error = sgf::read(text).unwrap_err().to_string();
        assert!(error.contains(fault), "`{text}`: {error}");
    }
    let over = Record::new(game("XXXXXX/6/6/6/3OO1/6 o"));
    assert!(sgf::write(&SgfHeader::default(), &over, Form::StoneANode).is_err());
}

#[test]
fn stones_set_up_in_an_sgf_are_where_the_game_begins() {
    // Points from the top left: `cb` is c5 on a board of six rows.
    for (text, fen) in [
        ("(;SZ[6]AB[cb])", "6/2X3/6/6/6/6 o"),
        ("(;SZ[6]AB[cb]AW[dd][ee])", "6/2X3/6/3O2/4O1/6 x"),
        ("(;SZ[6]AB[cb]AW[dd][ee]PL[W])", "6/2X3/6/3O2/4O1/6 o"),
        ("(;SZ[6]AB[c5]AW[d3e2])", "6/2X3/6/3O2/4O1/6 x"),
        ("(;SZ[6]AB[aa:cb]AE[ba])", "X1X3/XXX3/6/6/6/6 o"),
        ("(;SZ[6]AW[ff]PL[B])", "6/6/6/6/6/5O x"),
    ] {
        let (_, record) = sgf::read(text).unwrap();
        assert_eq!(record.start().fen(), fen, "{text}");
    }
    // Without `PL`, the first turn gives the side to move; both forms round-trip.
    let (header, record) = sgf::read("(;SZ[6]AB[cb]AW[dd][ee];W[aa];W[fa];B[bb];B[ff])").unwrap();
    assert_eq!(record.current().fen(), "O4O/1XX3/6/3O2/4O1/5X o");
    for form in [Form::LittleGolem, Form::StoneANode] {
        let text = sgf::write(&header, &record, form).unwrap();
        let (_, again) = sgf::read(&text).unwrap();
        assert_eq!((again.start(), again.moves()), (record.start(), record.moves()), "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in "[a-tXxOo0-9/,() ;BWSZ\\[\\]-]{0,40}|.{0,20}") {
        let _ = Connect6::parse_fen(&text, &RULES);
        let _ = start(19).parse_move(&text);
        let _ = sgf::read(&text);
    }
}
